#include "ethernet/ptp.h"

#include <string.h>

#include "ethernet/frame.h"

#define NS_PER_S INT64_C(1000000000)
#define ASK_EACH_NS NS_PER_S
#define PHASE_NS INT64_C(20000000) // between two hosts' questions
#define PATIENCE_NS (NS_PER_S / 2)
#define PATIENCE_TICKS 100
#define IMPOSSIBLE_NS 2000 // more than noise of stamps
#define CLOSE_NS 500.0     // within it

// Peer delay goes to this address on a link, and no further (IEEE 1588-2008, annex F).
static const struct ether_addr to_neighbour = {{0x01, 0x80, 0xC2, 0x00, 0x00, 0x0E}};

// EUI-64 of the address, and port 1.
static void identify(struct ptp_host *host, const struct ether_addr *address)
{
    memcpy(host->identity, address->ether_addr_octet, 3);
    host->identity[3] = 0xFF;
    host->identity[4] = 0xFE;
    memcpy(host->identity + 5, address->ether_addr_octet + 3, 3);
    host->identity[9] = 1;
}

int ptp_open(struct ptp_host *host, const char *network, const char *own, const char *reference)
{
    struct ether_addr address;
    *host = (struct ptp_host){.sock = EtherRTSocket(SOCK_DGRAM, ETH_P_PTP),
                              .follows = reference != NULL};
    if (host->sock == NULL || EtherRTBind(host->sock, network) != 0 ||
        EtherRTAddress(host->sock, own, &address) != 0 ||
        (reference != NULL && EtherRTAddress(host->sock, reference, &host->reference) != 0))
        return -1;
    uint8_t way;
    host->next_ns = PHASE_NS * eth_host_of(address.ether_addr_octet, &way);
    identify(host, &address);
    return 0;
}

int ptp_open_link(struct ptp_host *host, const char *interface, bool follows)
{
    struct ether_addr address;
    *host = (struct ptp_host){.sock = EtherRTSocket(SOCK_DGRAM, ETH_P_PTP),
                              .follows = follows,
                              .on_link = true,
                              .reference = to_neighbour};
    if (host->sock == NULL || EtherRTBind(host->sock, interface) != 0 ||
        EtherRTAddress(host->sock, interface, &address) != 0)
        return -1;
    identify(host, &address);
    return 0;
}

int64_t ptp_time_ns(const struct ptp_host *host, int64_t local_ns)
{
    return host->follows ? servo_time_ns(&host->servo, local_ns) : local_ns;
}

// It knows its own rate, or needs none: so a chain comes to one time from its beginning on.
static bool keeps_time(const struct ptp_host *host)
{
    return !host->follows || host->keeps;
}

int ptp_send(struct ptp_host *host, const struct ether_addr *to, int flags,
             struct ptp_message *message, uint32_t *stamp)
{
    uint8_t bytes[PTP_SIZE_MAX_B];
    memcpy(message->source, host->identity, sizeof message->source);
    message->unicast = (to->ether_addr_octet[0] & 1) == 0;
    const size_t size_B = ptp_write(message, bytes);
    return stamp == NULL ? EtherRTSendTo(host->sock, to, bytes, size_B, flags)
                         : EtherRTSendStamped(host->sock, to, bytes, size_B, flags, stamp);
}

static void ask(struct ptp_host *host, int64_t local_ns)
{
    host->asked_ns = local_ns;
    for (host->asked = 0; host->asked < PTP_BURST; host->asked++) {
        struct ptp_message question = {.type = PTP_PDELAY_REQ, .sequence = ++host->sequence};
        struct ptp_question *asked = &host->question[host->asked];
        *asked = (struct ptp_question){.told = false};
        (void)ptp_send(host, &host->reference, 0, &question, &asked->stamp); // a lost one shows
    }
    host->next_ns += ASK_EACH_NS;
    if (host->next_ns <= local_ns) // its clock has been stepped
        host->next_ns = local_ns + ASK_EACH_NS;
}

static void answer(struct ptp_host *host, const struct ptp_message *question,
                   const struct EtherRTFrom *from)
{
    unsigned i = 0;
    while (i < PTP_ANSWERS_MAX && host->answer[i].waits)
        i++;
    if (i == PTP_ANSWERS_MAX)
        return;
    struct ptp_message message = {.type = PTP_PDELAY_RESP,
                                  .sequence = question->sequence,
                                  .time_ns = ptp_time_ns(host, from->time_ns)};
    memcpy(message.requesting, question->source, sizeof message.requesting);
    struct ptp_answer *kept = &host->answer[i];
    *kept = (struct ptp_answer){.to = question->unicast ? from->source : to_neighbour,
                                .port = from->port,
                                .came_ns = from->time_ns};
    kept->waits = ptp_send(host, &kept->to, ETHER_RT_PORT(kept->port), &message, &kept->stamp) == 0;
    kept->follow_up = message;
    kept->follow_up.type = PTP_PDELAY_RESP_FOLLOW_UP;
}

static void follow_up(struct ptp_host *host)
{
    for (unsigned i = 0; i < PTP_ANSWERS_MAX; i++) {
        struct ptp_answer *kept = &host->answer[i];
        int64_t left_ns;
        if (!kept->waits)
            continue;
        if (EtherRTStamp(host->sock, kept->stamp, &left_ns) == 0) {
            // From one to the other no servo's step counts.
            kept->follow_up.time_ns +=
                ptp_time_ns(host, left_ns) - ptp_time_ns(host, kept->came_ns);
            // A lost one shows at who asked.
            (void)ptp_send(host, &kept->to, ETHER_RT_PORT(kept->port), &kept->follow_up, NULL);
            kept->waits = false;
        } else if (++kept->ticks > PATIENCE_TICKS)
            kept->waits = false;
    }
}

// Offset and delay (IEEE 1588, 11.4.2, for one clock of the other) of all exchanges that are whole.
// One that took less than no time crossed a clock that was set meanwhile.
static unsigned gather(const struct ptp_host *host, struct ptp_sample sample[PTP_BURST])
{
    unsigned count = 0;
    for (unsigned i = 0; i < host->asked; i++) {
        const struct ptp_question *asked = &host->question[i];
        if (!asked->left || !asked->told)
            continue;
        const int64_t t1_ns = ptp_time_ns(host, asked->t1_ns);
        const int64_t t4_ns = ptp_time_ns(host, asked->t4_ns);
        const int64_t there_ns = asked->t2_ns - t1_ns, back_ns = t4_ns - asked->t3_ns;
        if (there_ns + back_ns > -IMPOSSIBLE_NS)
            sample[count++] = (struct ptp_sample){asked->t4_ns, (double)(there_ns - back_ns) / 2,
                                                  (double)(there_ns + back_ns) / 2};
    }
    return count;
}

static void swap(struct ptp_sample *a, struct ptp_sample *b)
{
    const struct ptp_sample kept = *a;
    *a = *b;
    *b = kept;
}

struct ptp_sample ptp_fastest(struct ptp_sample *sample, unsigned count)
{
    const unsigned most = (count + 1) / 2;
    unsigned kept = 0;
    double after_ns = 0;
    struct ptp_sample sum = {0};
    for (; kept < most; kept++) {
        for (unsigned i = kept + 1; i < count; i++)
            if (sample[i].delay_ns < sample[kept].delay_ns)
                swap(&sample[i], &sample[kept]);
        if (sample[kept].delay_ns > sample[0].delay_ns + CLOSE_NS)
            break;
        after_ns += (double)(sample[kept].at_ns - sample[0].at_ns);
        sum.offset_ns += sample[kept].offset_ns;
        sum.delay_ns += sample[kept].delay_ns;
    }
    return (struct ptp_sample){sample[0].at_ns + (int64_t)(after_ns / kept), sum.offset_ns / kept,
                               sum.delay_ns / kept};
}

static void conclude(struct ptp_host *host)
{
    struct ptp_sample sample[PTP_BURST];
    const unsigned count = gather(host, sample);
    host->exchanges += count > 0;
    host->lost += count == 0 && host->exchanges > 0;
    host->asked = 0;
    if (count == 0)
        return;
    const struct ptp_sample taken = ptp_fastest(sample, count);
    host->offset_ns = taken.offset_ns;
    host->delay_ns = taken.delay_ns;
    if (host->on_link)
        return;
    servo_take(&host->servo, taken.at_ns, taken.offset_ns);
    host->keeps |= host->servo.taken >= 2;
}

void ptp_take(struct ptp_host *host, const struct ptp_message *message,
              const struct EtherRTFrom *from)
{
    if (message->type == PTP_PDELAY_REQ) {
        if (keeps_time(host) || host->on_link)
            answer(host, message, from);
        return;
    }
    const unsigned back = (uint16_t)(host->sequence - message->sequence);
    if (back >= host->asked ||
        memcmp(message->requesting, host->identity, sizeof host->identity) != 0 ||
        (!host->on_link && memcmp(&from->source, &host->reference, sizeof host->reference) != 0))
        return;
    struct ptp_question *asked = &host->question[host->asked - 1 - back];
    if (message->type == PTP_PDELAY_RESP && !asked->answered) {
        asked->answered = true;
        asked->t2_ns = message->time_ns;
        asked->t4_ns = from->time_ns;
    } else if (message->type == PTP_PDELAY_RESP_FOLLOW_UP && asked->answered && !asked->told) {
        asked->told = true;
        asked->t3_ns = message->time_ns;
    }
}

// True: all that was asked is answered.
static bool all_told(struct ptp_host *host)
{
    bool all = true;
    for (unsigned i = 0; i < host->asked; i++) {
        struct ptp_question *asked = &host->question[i];
        if (!asked->left)
            asked->left = EtherRTStamp(host->sock, asked->stamp, &asked->t1_ns) == 0;
        all &= asked->left && asked->told;
    }
    return all;
}

void ptp_work(struct ptp_host *host, int64_t local_ns)
{
    follow_up(host);
    if (host->asked > 0 &&
        (all_told(host) || local_ns > host->asked_ns + PATIENCE_NS || local_ns >= host->next_ns))
        conclude(host);
    if (host->follows && local_ns >= host->next_ns)
        ask(host, local_ns);
}

void ptp_poll(struct ptp_host *host, int64_t local_ns)
{
    uint8_t bytes[ETHER_MAX_LEN];
    struct EtherRTFrom from;
    struct ptp_message message;
    // Bounded: a socket holds no more.
    while (EtherRTRecvFrom(host->sock, bytes, sizeof bytes, MSG_DONTWAIT, &from) == 0)
        if (ptp_read(bytes, from.length_B, &message))
            ptp_take(host, &message, &from);
    ptp_work(host, local_ns);
}
