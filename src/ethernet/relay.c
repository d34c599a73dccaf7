#include "ethernet/relay.h"

#include "base/invariant.h"

static struct eth_decision on(unsigned port)
{
    return (struct eth_decision){.fate = ETH_ON, .port = port};
}

static struct eth_decision dropped(enum eth_fate fate)
{
    return (struct eth_decision){.fate = fate};
}

struct eth_decision eth_relay(const struct eth_relay *relay, const struct eth_head *head,
                              unsigned in)
{
    expects(in < 2 && relay->through <= 1);
    const unsigned other = 1 - in;
    if (head->neighbour || head->destination == relay->host)
        return (struct eth_decision){.fate = ETH_TAKEN};
    if (head->destination == ETH_NOBODY || head->source == ETH_NOBODY)
        return dropped(ETH_UNKNOWN);
    if (head->source == relay->host && (head->turns == 0 || !relay->works[other]))
        return dropped(ETH_HOME);
    if (!relay->relay)
        return dropped(ETH_NOT_RELAYED);
    const bool through = relay->through < 0 ? relay->works[other] : relay->through;
    if (through || relay->redundancy != ETH_SWITCH)
        return relay->works[other] ? on(other) : dropped(ETH_NO_WAY);
    if (head->turns > 0 || !relay->works[in])
        return dropped(ETH_NO_WAY);
    struct eth_decision back = on(in);
    back.turned = true;
    return back;
}

int eth_leaves_by(enum eth_redundancy redundancy, const bool works[2])
{
    if (works[0] || redundancy == ETH_NONE)
        return works[0] ? 0 : -1;
    return works[1] ? 1 : -1;
}

bool eth_is_copy(struct eth_copies *copies, uint16_t sequence, int64_t now_ns)
{
    const bool anew = !copies->heard || now_ns - copies->at_ns > ETH_FORGET_NS;
    const int16_t ahead = (int16_t)(uint16_t)(sequence - copies->newest);
    if (anew || ahead <= -ETH_WINDOW) { // so old a number is a sender that began anew
        *copies =
            (struct eth_copies){.heard = true, .newest = sequence, .seen = 1, .at_ns = now_ns};
        return false;
    }
    copies->at_ns = now_ns;
    if (ahead > 0) {
        copies->seen = ahead >= ETH_WINDOW ? 1 : copies->seen << ahead | 1;
        copies->newest = sequence;
        return false;
    }
    const uint64_t bit = UINT64_C(1) << -ahead;
    const bool copy = (copies->seen & bit) != 0;
    copies->seen |= bit;
    return copy;
}

int32_t eth_missing(struct eth_numbers *numbers, uint32_t number, bool *twice)
{
    const int32_t ahead = (int32_t)(number - numbers->newest);
    *twice = false;
    if (!numbers->known) { // nobody knows what was sent before
        *numbers = (struct eth_numbers){.known = true, .newest = number, .seen = UINT64_MAX};
        return 0;
    }
    if (ahead > 0) {
        numbers->seen = ahead >= ETH_WINDOW ? 1 : numbers->seen << ahead | 1;
        numbers->newest = number;
        return ahead - 1;
    }
    if (ahead <= -ETH_WINDOW) // too late to tell
        return 0;
    const uint64_t bit = UINT64_C(1) << -ahead;
    *twice = (numbers->seen & bit) != 0;
    numbers->seen |= bit;
    return *twice ? 0 : -1;
}
