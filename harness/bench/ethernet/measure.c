#include "harness/bench/ethernet/measure.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "base/text.h"
#include "ethernet/disturbance.h"

#define PRIORITY 90
#define OWNER_PRIORITY 60
#define NEAR "eth0.64" // the two ends of the first host's cable: nothing filters at the host's
#define FAR "eth0.0"
#define GAP_NS 50000 // between two frames that are looked at by themselves
#define PATIENCE_NS 5000000
#define CUT_NS 25000000 // about so long a cable is cut, and about so long it is whole
#define EXCHANGE_NS 1000000
#define SETTLE_US 100000
#define WAYS 4 // of hops

struct stamped { // what frames begin with
    int64_t sent_ns;
    uint64_t number;
};

static int64_t now_ns(struct clk *clk)
{
    return clk_now(clk).ns;
}

static const struct ether_addr anybody = {{0x02, 0x55, 0x4B, 0x00, 0x7F, 0x00}}; // by one cable

// ---- the listing --------------------------------------------------------------------------------

static void note_period(struct histogram *late, int64_t woke_ns, int64_t *last_ns,
                        int64_t period_ns)
{
    if (*last_ns >= 0)
        histogram_record(late, llabs(woke_ns - *last_ns - period_ns));
    *last_ns = woke_ns;
}

static void receive_periodically(struct rig *rig, struct clk *clk)
{
    uint8_t buffer[RIG_SIZE_MAX_B];
    int64_t last_ns = -1;
    EtherRTSock *sock = rig_bind(rig, FAR);
    atomic_fetch_add(&rig->ready, 1);
    if (sock == NULL)
        return;
    struct clk_period period = clk_period_start(clk, instant_ns(rig->period.ns / 2), rig->period);
    while (!atomic_load(&rig->over)) {
        if (clk_period_wait(clk, &period) > 0)
            last_ns = -1; // what was missed is the sender's, or the machine's, to tell
        const int64_t woke_ns = now_ns(clk);
        if (EtherRTRecv(sock, buffer, sizeof buffer, MSG_DONTWAIT) != 0)
            continue;
        histogram_record(&rig->part[RECEIVE_TOOK], now_ns(clk) - woke_ns);
        note_period(&rig->part[RECEIVED_LATE], woke_ns, &last_ns, rig->period.ns);
    }
    EtherRTClose(sock);
}

static void send_periodically(struct rig *rig, struct clk *clk)
{
    static uint8_t buffer[RIG_SIZE_MAX_B];
    int64_t last_ns = -1;
    EtherRTSock *sock = rig_bind(rig, NEAR);
    atomic_fetch_add(&rig->ready, 1);
    if (sock == NULL)
        return;
    const int64_t end_ns = now_ns(clk) + duration_s(rig->duration_s).ns;
    struct clk_period period = clk_period_start(clk, instant_ns(0), rig->period);
    while (now_ns(clk) < end_ns) {
        (void)clk_period_wait(clk, &period);
        const int64_t woke_ns = now_ns(clk);
        rig->sent += EtherRTSendTo(sock, &anybody, buffer, rig->size_B, 0) == 0;
        histogram_record(&rig->part[SEND_TOOK], now_ns(clk) - woke_ns);
        note_period(&rig->part[SENT_LATE], woke_ns, &last_ns, rig->period.ns);
    }
    atomic_store(&rig->over, 1);
    EtherRTClose(sock);
}

void measure_listing(struct rig *rig, struct clk *clk)
{
    if (!rig_start(rig, clk, PRIORITY, receive_periodically))
        return;
    rig_await(rig, 1);
    if (rig_start(rig, clk, PRIORITY, send_periodically))
        while (!atomic_load(&rig->over) && rig->trouble[0] == '\0')
            usleep(1000);
    rig->lost = rig->sent - histogram_count(&rig->part[RECEIVE_TOOK]);
}

// ---- one way ------------------------------------------------------------------------------------

// A socket as anybody opens it.
static int open_bare(const char *interface)
{
    const struct sockaddr_ll at = {.sll_family = AF_PACKET,
                                   .sll_protocol = htons(ETH_P_RT + 3),
                                   .sll_ifindex = (int)if_nametoindex(interface)};
    const int file = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(ETH_P_RT + 3));
    if (file >= 0 && bind(file, (const struct sockaddr *)&at, sizeof at) == 0)
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

static void look_always(struct rig *rig, struct clk *clk)
{
    uint8_t buffer[RIG_SIZE_MAX_B];
    EtherRTSock *sock = rig_bind(rig, FAR);
    const int bare = open_bare(FAR);
    rig_pin(1);
    struct stamped stamped;
    bool ours = true; // they come in turn, so that neither finds the other's caches
    atomic_fetch_add(&rig->ready, 1);
    for (int64_t since_ns = now_ns(clk); sock != NULL && bare >= 0 && !atomic_load(&rig->over);) {
        const int64_t looked_ns = now_ns(clk);
        const bool got = ours ? EtherRTRecv(sock, buffer, sizeof buffer, MSG_DONTWAIT) == 0
                              : recv(bare, buffer, sizeof buffer, MSG_DONTWAIT) > 0;
        const int64_t at_ns = now_ns(clk);
        if (!got && at_ns < since_ns + 3 * GAP_NS)
            continue;
        memcpy(&stamped, buffer + (ours ? 0 : ETH_HLEN), sizeof stamped);
        if (got) {
            histogram_record(&rig->part[ours ? LIBRARY_RECEIVE : BARE_RECEIVE], at_ns - looked_ns);
            histogram_record(&rig->part[ours ? LIBRARY_WAY : BARE_WAY], at_ns - stamped.sent_ns);
        }
        since_ns = at_ns;
        ours = !ours;
    }
}

void measure_pair(struct rig *rig, struct clk *clk)
{
    uint8_t frame[ETH_HLEN + RIG_SIZE_MAX_B] = {2,
                                                0x55,
                                                0x4B,
                                                0,
                                                0x7F,
                                                0,
                                                2,
                                                0x55,
                                                0x4B,
                                                0,
                                                0,
                                                0,
                                                (ETH_P_RT + 3) >> 8,
                                                (ETH_P_RT + 3) & 0xFF};
    EtherRTSock *sock = rig_bind(rig, NEAR);
    const int bare = open_bare(NEAR);
    if (sock == NULL || bare < 0 || !rig_start(rig, clk, 0, look_always))
        return;
    rig_await(rig, 1);
    rig_pin(0);
    const int64_t end_ns = now_ns(clk) + duration_s(rig->duration_s).ns;
    for (uint64_t number = 0; now_ns(clk) < end_ns; number++) {
        struct stamped stamped = {.sent_ns = now_ns(clk), .number = number};
        memcpy(frame + ETH_HLEN, &stamped, sizeof stamped);
        const bool ours = number % 2 == 0;
        if (ours)
            (void)EtherRTSendTo(sock, &anybody, frame + ETH_HLEN, rig->size_B, 0);
        else
            (void)!send(bare, frame, ETH_HLEN + rig->size_B, 0);
        histogram_record(&rig->part[ours ? LIBRARY_SEND : BARE_SEND],
                         now_ns(clk) - stamped.sent_ns);
        clk_sleep_until(clk, instant_ns(stamped.sent_ns + GAP_NS));
    }
    close(bare);
    EtherRTClose(sock);
}

// ---- hops ---------------------------------------------------------------------------------------

static void own_network(struct rig *rig, struct clk *clk)
{
    struct eth_network *network;
    rig_pin(1);
    if (eth_network_open(rig->plan.name, &network) != STATUS_OK) {
        text_copy(rig->trouble, sizeof rig->trouble, "the network cannot be opened");
        atomic_fetch_add(&rig->ready, 1);
        return;
    }
    atomic_fetch_add(&rig->ready, 1);
    while (!atomic_load(&rig->over) && eth_network_serve(network, clk, INSTANT_NEVER) == STATUS_OK)
        ;
    eth_network_close(network);
}

static const char *last_name(const struct rig *rig)
{
    return rig->plan.host[rig->plan.host_count - 1].name;
}

// One frame after the other, from host 0 to `name`, by this process alone: it sends, and looks.
static void go_to(struct rig *rig, struct clk *clk, const char *name, struct histogram *way)
{
    char bound[64];
    struct ether_addr to;
    uint8_t buffer[RIG_SIZE_MAX_B] = {0};
    snprintf(bound, sizeof bound, "eth0:%s", name);
    EtherRTSock *from = rig_bind(rig, "eth0:pc"), *sock = rig_bind(rig, bound);
    if (from == NULL || sock == NULL || EtherRTAddress(from, name, &to) != 0)
        return;
    const int64_t end_ns = now_ns(clk) + duration_s(rig->duration_s / WAYS).ns;
    for (uint64_t number = 0; now_ns(clk) < end_ns; number++) {
        struct stamped stamped = {.sent_ns = now_ns(clk), .number = number};
        memcpy(buffer, &stamped, sizeof stamped);
        (void)EtherRTSendTo(from, &to, buffer, rig->size_B, 0);
        while (now_ns(clk) < stamped.sent_ns + PATIENCE_NS) {
            if (EtherRTRecv(sock, buffer, sizeof buffer, MSG_DONTWAIT) != 0)
                continue;
            memcpy(&stamped, buffer, sizeof stamped);
            if (stamped.number != number)
                continue;
            histogram_record(way, now_ns(clk) - stamped.sent_ns);
            break;
        }
        clk_sleep_until(clk, instant_ns(stamped.sent_ns + GAP_NS));
    }
    EtherRTClose(from);
    EtherRTClose(sock);
}

void measure_hops(struct rig *rig, struct clk *clk)
{
    rig_pin(0);
    go_to(rig, clk, rig->plan.host[1].name, &rig->part[KERNEL_FIRST]);
    go_to(rig, clk, last_name(rig), &rig->part[KERNEL_LAST]);
    EtherRTSock *sock = rig_bind(rig, "eth0:pc"), *node = rig_bind(rig, "eth0:b1");
    // Who chooses the route himself is relayed by hand; the route is the same.
    if (sock == NULL || node == NULL || EtherRTThrough(sock, 1) != 0 ||
        EtherRTThrough(node, 1) != 0 || !rig_start(rig, clk, OWNER_PRIORITY, own_network))
        return;
    rig_await(rig, 1);
    usleep(SETTLE_US);
    go_to(rig, clk, rig->plan.host[1].name, &rig->part[PROCESS_FIRST]);
    go_to(rig, clk, last_name(rig), &rig->part[PROCESS_LAST]);
    EtherRTClose(sock);
    EtherRTClose(node);
}

// ---- cuts ---------------------------------------------------------------------------------------

static void answer_always(struct rig *rig, struct clk *clk)
{
    char bound[64];
    uint8_t buffer[RIG_SIZE_MAX_B];
    struct EtherRTFrom from;
    snprintf(bound, sizeof bound, "eth0:%s", rig->plan.host[rig->plan.host_count / 2].name);
    EtherRTSock *sock = rig_bind(rig, bound);
    atomic_fetch_add(&rig->ready, 1);
    while (sock != NULL && !atomic_load(&rig->over)) {
        const int64_t until_ns = now_ns(clk) + PATIENCE_NS;
        if (EtherRTRecvUntil(sock, buffer, sizeof buffer, until_ns, &from) == 0)
            (void)EtherRTSendTo(sock, &from.source, buffer, from.length_B, 0);
    }
}

struct cutting {
    struct eth_page *page;
    struct random_stream stream;
    int64_t next_ns;
    uint64_t tag, lost; // in a cut while it is odd; exchanges lost of this event
};

static void cut_or_mend(struct rig *rig, struct cutting *cutting, int64_t at_ns)
{
    const unsigned cables = rig->plan.cable_count - 1; // all but that of the first host
    const struct eth_disturbance cut = {.kind = ETH_DISTURB_CUT,
                                        .cable =
                                            1 + (uint32_t)(random_bits(&cutting->stream) % cables),
                                        .host = ETH_ANY,
                                        .tag = cutting->tag + 1};
    if (cutting->tag % 2 == 0 && eth_meddle_put(cutting->page, &cut) != STATUS_OK)
        return;
    if (cutting->tag % 2 == 1 && eth_meddle_take(cutting->page, cutting->tag) != STATUS_OK)
        return;
    cutting->tag++;
    rig->worst = cutting->lost > rig->worst ? cutting->lost : rig->worst;
    cutting->lost = 0;
    rig->events++;
    cutting->next_ns = at_ns + CUT_NS + (int64_t)(random_bits(&cutting->stream) % CUT_NS);
}

static bool exchange(struct rig *rig, struct clk *clk, EtherRTSock *sock,
                     const struct ether_addr *to, uint64_t number)
{
    uint8_t buffer[RIG_SIZE_MAX_B] = {0};
    struct stamped stamped = {.sent_ns = now_ns(clk), .number = number};
    memcpy(buffer, &stamped, sizeof stamped);
    rig->sent++;
    (void)EtherRTSendTo(sock, to, buffer, rig->size_B, 0);
    while (EtherRTRecvUntil(sock, buffer, sizeof buffer, stamped.sent_ns + EXCHANGE_NS * 9 / 10,
                            NULL) == 0) {
        struct stamped answer;
        memcpy(&answer, buffer, sizeof answer);
        if (answer.number == number)
            return true;
        rig->late++;
    }
    return false;
}

void measure_cuts(struct rig *rig, struct clk *clk)
{
    struct cutting cutting = {.next_ns = now_ns(clk) + CUT_NS};
    struct ether_addr to;
    random_start(&cutting.stream, rig->seed, "cuts");
    if (!rig_start(rig, clk, OWNER_PRIORITY, own_network) ||
        !rig_start(rig, clk, OWNER_PRIORITY, answer_always))
        return;
    rig_await(rig, 2);
    usleep(SETTLE_US);
    EtherRTSock *sock = rig_bind(rig, "eth0:pc");
    if (sock == NULL || eth_meddle_open(rig->cell, rig->plan.name, &cutting.page) != STATUS_OK ||
        EtherRTAddress(sock, rig->plan.host[rig->plan.host_count / 2].name, &to) != 0)
        return;
    if (clk_realtime(OWNER_PRIORITY - 1) != STATUS_OK)
        errno = 0; // as above
    const int64_t end_ns = now_ns(clk) + duration_s(rig->duration_s).ns;
    struct clk_period period = clk_period_start(clk, clk_now(clk), duration_ns(EXCHANGE_NS));
    for (uint64_t number = 0; now_ns(clk) < end_ns; number++) {
        (void)clk_period_wait(clk, &period);
        if (now_ns(clk) >= cutting.next_ns)
            cut_or_mend(rig, &cutting, now_ns(clk));
        if (!exchange(rig, clk, sock, &to, number)) {
            rig->lost++;
            cutting.lost++;
        }
    }
    rig->worst = cutting.lost > rig->worst ? cutting.lost : rig->worst;
    eth_meddle_close(cutting.page);
    EtherRTClose(sock);
}

// ---- boards -------------------------------------------------------------------------------------

static void spend(struct clk *clk)
{
    clk_sleep_until(clk, instant_add(clk_now(clk), duration_us(BOARD_COST_US / 2)));
}

// The time of a call passes before what it does is seen.
static void board_tick(struct rig *rig, struct clk *clk, EtherRTSock *sock, bool noted)
{
    static uint8_t buffer[RIG_SIZE_MAX_B];
    struct EtherRTFrom from;
    const int64_t woke_ns = now_ns(clk);
    spend(clk);
    const bool sent = EtherRTSend(sock, buffer, rig->size_B, 0) == 0;
    const int64_t sent_ns = now_ns(clk);
    spend(clk);
    while (EtherRTRecvFrom(sock, buffer, sizeof buffer, MSG_DONTWAIT, &from) == 0)
        if (noted)
            histogram_record(&rig->part[BOARD_WAY], from.time_ns - from.taken_ns);
    if (!noted)
        return;
    rig->sent += sent;
    histogram_record(&rig->part[BOARD_SEND], sent_ns - woke_ns);
    histogram_record(&rig->part[BOARD_RECEIVE], now_ns(clk) - sent_ns);
}

static void be_board(struct rig *rig, struct clk *clk, const char *bound, const char *peer,
                     bool noted)
{
    struct ether_addr to;
    EtherRTSock *sock = rig_bind(rig, bound);
    if (sock == NULL || EtherRTAddress(sock, peer, &to) != 0 || EtherRTConnect(sock, &to) != 0)
        return;
    int64_t last_ns = -1;
    struct clk_period period =
        clk_period_start(clk, instant_add(clk_now(clk), rig->period), rig->period);
    for (;;) { // until the rig ends it
        const uint64_t missed = clk_period_wait(clk, &period);
        if (noted) {
            rig->late += missed;
            note_period(&rig->part[BOARD_LATE], now_ns(clk), &last_ns, rig->period.ns);
        }
        board_tick(rig, clk, sock, noted);
    }
}

static void be_first(struct rig *rig, struct clk *clk)
{
    be_board(rig, clk, "eth0:first", "second", true);
}

static void be_second(struct rig *rig, struct clk *clk)
{
    be_board(rig, clk, "eth0:second", "first", false);
}

void measure_board(struct rig *rig, struct clk *clk)
{
    static const struct rig_member members[] = {
        {"network", own_network}, {"first", be_first}, {"second", be_second}};
    (void)clk;
    (void)rig_play(rig, members, sizeof members / sizeof members[0]);
}
