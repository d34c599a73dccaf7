#include "ethernet/ptp.h"

#include <string.h>

#include "ethernet/frame.h"

#define VERSION 2
#define TWO_STEPS 0x02
#define UNICAST 0x04
#define CONTROL_OTHER 5
#define INTERVAL_UNKNOWN 0x7F
#define EPOCH_S INT64_C(1000000000) // on the wire, of the trial's time 0
#define NS_PER_S INT64_C(1000000000)
#define ASK_EACH_NS NS_PER_S
#define PHASE_NS INT64_C(20000000) // between two hosts' questions
#define PATIENCE_NS (NS_PER_S / 2)
#define PATIENCE_TICKS 100
#define IMPOSSIBLE_NS 2000.0 // more than noise of stamps
#define CLOSE_NS 500.0       // within it

// ---- messages -----------------------------------------------------------------------------------

static void put(uint8_t *at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * (bytes - 1 - i));
}

static uint64_t get(const uint8_t *at, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value = value << 8 | at[i];
    return value;
}

void ptp_write(const struct ptp_message *message, uint8_t bytes[PTP_SIZE_B])
{
    memset(bytes, 0, PTP_SIZE_B);
    bytes[0] = (uint8_t)message->type;
    bytes[1] = VERSION;
    put(bytes + 2, PTP_SIZE_B, 2);
    bytes[6] = message->type == PTP_PDELAY_RESP ? UNICAST | TWO_STEPS : UNICAST;
    memcpy(bytes + 20, message->source, PTP_IDENTITY_B);
    put(bytes + 30, message->sequence, 2);
    bytes[32] = CONTROL_OTHER;
    bytes[33] = INTERVAL_UNKNOWN;
    if (message->type == PTP_PDELAY_REQ)
        return;
    const int64_t since_ns = message->time_ns + EPOCH_S * NS_PER_S;
    put(bytes + 34, (uint64_t)(since_ns / NS_PER_S), 6);
    put(bytes + 40, (uint64_t)(since_ns % NS_PER_S), 4);
    memcpy(bytes + 44, message->requesting, PTP_IDENTITY_B);
}

bool ptp_read(const uint8_t *bytes, size_t size_B, struct ptp_message *message)
{
    if (size_B < PTP_SIZE_B || (bytes[1] & 0xF) != VERSION || get(bytes + 2, 2) != PTP_SIZE_B)
        return false;
    const unsigned type = bytes[0] & 0xF;
    const uint64_t s = get(bytes + 34, 6), ns = get(bytes + 40, 4);
    if ((type != PTP_PDELAY_REQ && type != PTP_PDELAY_RESP && type != PTP_PDELAY_RESP_FOLLOW_UP) ||
        s > 2 * EPOCH_S || ns >= NS_PER_S)
        return false;
    *message = (struct ptp_message){.type = (enum ptp_type)type,
                                    .sequence = (uint16_t)get(bytes + 30, 2),
                                    .time_ns = ((int64_t)s - EPOCH_S) * NS_PER_S + (int64_t)ns};
    memcpy(message->source, bytes + 20, PTP_IDENTITY_B);
    memcpy(message->requesting, bytes + 44, PTP_IDENTITY_B);
    return true;
}

// ---- a host -------------------------------------------------------------------------------------

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
    // EUI-64 of the address, and port 1.
    memcpy(host->identity, address.ether_addr_octet, 3);
    host->identity[3] = 0xFF;
    host->identity[4] = 0xFE;
    memcpy(host->identity + 5, address.ether_addr_octet + 3, 3);
    put(host->identity + 8, 1, 2);
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

static int send_to(struct ptp_host *host, const struct ether_addr *to, int flags,
                   struct ptp_message *message, uint32_t *stamp)
{
    uint8_t bytes[PTP_SIZE_B];
    memcpy(message->source, host->identity, sizeof message->source);
    ptp_write(message, bytes);
    return stamp == NULL ? EtherRTSendTo(host->sock, to, bytes, sizeof bytes, flags)
                         : EtherRTSendStamped(host->sock, to, bytes, sizeof bytes, flags, stamp);
}

static void ask(struct ptp_host *host, int64_t local_ns)
{
    host->asked_ns = local_ns;
    for (host->asked = 0; host->asked < PTP_BURST; host->asked++) {
        struct ptp_message question = {.type = PTP_PDELAY_REQ, .sequence = ++host->sequence};
        struct ptp_question *asked = &host->question[host->asked];
        *asked = (struct ptp_question){.told = false};
        (void)send_to(host, &host->reference, 0, &question, &asked->stamp); // a lost one shows
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
    *kept = (struct ptp_answer){.to = from->source, .port = from->port, .came_ns = from->time_ns};
    kept->waits = send_to(host, &kept->to, ETHER_RT_PORT(kept->port), &message, &kept->stamp) == 0;
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
            (void)send_to(host, &kept->to, ETHER_RT_PORT(kept->port), &kept->follow_up, NULL);
            kept->waits = false;
        } else if (++kept->ticks > PATIENCE_TICKS)
            kept->waits = false;
    }
}

struct sample {    // of one exchange
    int64_t at_ns; // local
    double offset_ns, delay_ns;
};

// Offset and delay (IEEE 1588, 11.4.2, for one clock of the other) of all exchanges that are whole.
// One that took less than no time crossed a clock that was set meanwhile.
static unsigned gather(const struct ptp_host *host, struct sample sample[PTP_BURST])
{
    unsigned count = 0;
    for (unsigned i = 0; i < host->asked; i++) {
        const struct ptp_question *asked = &host->question[i];
        if (!asked->left || !asked->told)
            continue;
        const int64_t t1_ns = ptp_time_ns(host, asked->t1_ns);
        const int64_t t4_ns = ptp_time_ns(host, asked->t4_ns);
        const double there_ns = (double)(asked->t2_ns - t1_ns);
        const double back_ns = (double)(t4_ns - asked->t3_ns);
        if (there_ns + back_ns > -IMPOSSIBLE_NS)
            sample[count++] =
                (struct sample){asked->t4_ns, (there_ns - back_ns) / 2, (there_ns + back_ns) / 2};
    }
    return count;
}

static void swap(struct sample *a, struct sample *b)
{
    const struct sample kept = *a;
    *a = *b;
    *b = kept;
}

// The mean of the faster half, so that noise of stamps is averaged, too; but of none that was
// clearly slower than the first.
static struct sample fastest(struct sample *sample, unsigned count)
{
    const unsigned most = (count + 1) / 2;
    unsigned kept = 0;
    double after_ns = 0;
    struct sample sum = {0};
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
    return (struct sample){sample[0].at_ns + (int64_t)(after_ns / kept), sum.offset_ns / kept,
                           sum.delay_ns / kept};
}

static void conclude(struct ptp_host *host)
{
    struct sample sample[PTP_BURST];
    const unsigned count = gather(host, sample);
    host->exchanges += count > 0;
    host->lost += count == 0 && host->exchanges > 0;
    host->asked = 0;
    if (count == 0)
        return;
    const struct sample taken = fastest(sample, count);
    host->offset_ns = taken.offset_ns;
    host->delay_ns = taken.delay_ns;
    servo_take(&host->servo, taken.at_ns, taken.offset_ns);
    host->keeps |= host->servo.taken >= 2;
}

static void take(struct ptp_host *host, const struct ptp_message *message,
                 const struct EtherRTFrom *from)
{
    if (message->type == PTP_PDELAY_REQ) {
        if (keeps_time(host))
            answer(host, message, from);
        return;
    }
    const unsigned back = (uint16_t)(host->sequence - message->sequence);
    if (back >= host->asked ||
        memcmp(message->requesting, host->identity, sizeof host->identity) != 0 ||
        memcmp(&from->source, &host->reference, sizeof host->reference) != 0)
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

void ptp_poll(struct ptp_host *host, int64_t local_ns)
{
    uint8_t bytes[ETHER_MAX_LEN];
    struct EtherRTFrom from;
    struct ptp_message message;
    // Bounded: a socket holds no more.
    while (EtherRTRecvFrom(host->sock, bytes, sizeof bytes, MSG_DONTWAIT, &from) == 0)
        if (ptp_read(bytes, from.length_B, &message))
            take(host, &message, &from);
    follow_up(host);
    if (host->asked > 0 &&
        (all_told(host) || local_ns > host->asked_ns + PATIENCE_NS || local_ns >= host->next_ns))
        conclude(host);
    if (host->follows && local_ns >= host->next_ns)
        ask(host, local_ns);
}
