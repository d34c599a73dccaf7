// Real-time Ethernet by the kernel's cables: the figures 8 of the paper (seed listing, sender and
// receiver) and 9 (boards, by a declared cost), cyclictest, one way beside bare sockets, a relay's
// hop, and what cuts cost.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "harness/bench/bench_floor.h"
#include "harness/bench/benches.h"
#include "harness/bench/ethernet/measure.h"

#define BITRATE_BIT_S 100000000
#define CYCLE_NS 5000000
#define NODES 8
#define PAIR_B 500
#define US 1e-3

static const unsigned period_us[] = {1000, 500, 200, 100, 50};
static const unsigned size_B[] = {50, 100, 200, 500, 1000, 1500};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum kind { LISTING, PAIR, BOARD, CYCLICTEST, HOPS, CUTS_SWITCH, CUTS_SEAMLESS };

// ---- configurations -----------------------------------------------------------------------------

struct configuration {
    enum kind kind;
    unsigned period_us, size_B;
};
static struct configuration configuration[BENCH_SQUARES_MAX];

__attribute__((format(printf, 3, 4))) static void
add(struct bench_session *session, struct configuration new, const char *format, ...)
{
    struct bench_square *square = &session->square[session->square_count];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(square->label, sizeof square->label, format, arguments);
    va_end(arguments);
    configuration[session->square_count] = new;
    session->shown = ++session->square_count;
}

// The paper leaves out what is more than 100 Mbit/s carry.
static bool fits(unsigned of_us, unsigned of_B)
{
    return eth_time_ns(of_B, BITRATE_BIT_S) <= (int64_t)of_us * 1000;
}

static void add_sizes(struct bench_session *session, enum kind kind, const char *label)
{
    for (unsigned p = 0; p < COUNT(period_us); p++)
        for (unsigned s = 0; s < COUNT(size_B); s++)
            if (fits(period_us[p], size_B[s]))
                add(session, (struct configuration){kind, period_us[p], size_B[s]}, "%s%u us, %u B",
                    label, period_us[p], size_B[s]);
}

static enum status prepare(struct bench_session *session)
{
    add(session, (struct configuration){CYCLICTEST, 0, 0}, "cyclictest");
    add(session, (struct configuration){PAIR, 0, PAIR_B}, "one way, %u B", PAIR_B);
    add(session, (struct configuration){HOPS, 0, PAIR_B}, "relay, %u B", PAIR_B);
    add(session, (struct configuration){CUTS_SWITCH, 0, PAIR_B}, "cuts, switch");
    add(session, (struct configuration){CUTS_SEAMLESS, 0, PAIR_B}, "cuts, seamless");
    add_sizes(session, LISTING, "");
    add_sizes(session, BOARD, "board, ");
    return STATUS_OK;
}

// ---- a run --------------------------------------------------------------------------------------

static enum status plan_of(enum kind kind, struct eth_plan *plan)
{
    char name[NODES][ETH_NAME_MAX];
    *plan = (struct eth_plan){.name = "eth0",
                              .bitrate_bit_s = BITRATE_BIT_S,
                              .cycle_ns = CYCLE_NS,
                              .redundancy = kind == CUTS_SWITCH     ? ETH_SWITCH
                                            : kind == CUTS_SEAMLESS ? ETH_SEAMLESS
                                                                    : ETH_NONE};
    if (kind == BOARD)
        return eth_plan_host(plan, "first") == STATUS_OK ? eth_plan_host(plan, "second")
                                                         : STATUS_INVALID;
    const enum status status = eth_plan_host(plan, "pc");
    for (unsigned i = 0; i < NODES; i++)
        snprintf(name[i], sizeof name[i], "b%u", i + 1);
    return status == STATUS_OK && kind >= HOPS
               ? eth_plan_ring(plan, (const char(*)[ETH_NAME_MAX])name, NODES)
               : status;
}

static void put_listing(struct bench_result *result, const struct rig *rig)
{
    bench_distribution(result, &rig->part[SENT_LATE], "send period error", false,
                       "send period error", BETTER_LESS);
    bench_distribution(result, &rig->part[SEND_TOOK], "send", false, "send", BETTER_LESS);
    bench_distribution(result, &rig->part[RECEIVED_LATE], "receive period error", false,
                       "receive period error", BETTER_LESS);
    bench_distribution(result, &rig->part[RECEIVE_TOOK], "receive", false, "receive", BETTER_LESS);
    bench_figure(result, "frames", BETTER_LESS, (double)rig->lost, "not received");
}

static void put_board(struct bench_result *result, const struct rig *rig)
{
    bench_distribution(result, &rig->part[BOARD_LATE], "board period error", false,
                       "board period error", BETTER_LESS);
    bench_distribution(result, &rig->part[BOARD_SEND], "board send", false, "board send",
                       BETTER_LESS);
    bench_distribution(result, &rig->part[BOARD_RECEIVE], "board receive", false, "board receive",
                       BETTER_LESS);
    bench_distribution(result, &rig->part[BOARD_WAY], "board to board", false, "board to board",
                       BETTER_LESS);
    bench_figure(result, "ticks", BETTER_LESS, (double)rig->late, "missed");
}

static void put_pair(struct bench_result *result, const struct rig *rig)
{
    static const struct {
        const char *name, *bare, *ratio;
        enum ethernet_pair_part ours, theirs;
    } parts[] = {{"send", "bare send", "send / bare", LIBRARY_SEND, BARE_SEND},
                 {"receive", "bare receive", "receive / bare", LIBRARY_RECEIVE, BARE_RECEIVE},
                 {"one way", "bare one way", "one way / bare", LIBRARY_WAY, BARE_WAY}};
    for (unsigned i = 0; i < COUNT(parts); i++) {
        const struct histogram *ours = &rig->part[parts[i].ours],
                               *theirs = &rig->part[parts[i].theirs];
        bench_distribution(result, ours, parts[i].name, false, parts[i].name, BETTER_LESS);
        bench_distribution(result, theirs, parts[i].bare, false, parts[i].bare, BETTER_NEITHER);
        bench_ratios(result, BETTER_LESS, parts[i].ratio, ours, 0, theirs);
    }
}

static double median_us(const struct histogram *of)
{
    return histogram_count(of) == 0 ? NAN : US * (double)histogram_quantile(of, 0.5);
}

// The last node is so many relays behind the first.
static void put_hops(struct bench_result *result, const struct rig *rig)
{
    const double kernel = median_us(&rig->part[KERNEL_LAST]) - median_us(&rig->part[KERNEL_FIRST]),
                 process =
                     median_us(&rig->part[PROCESS_LAST]) - median_us(&rig->part[PROCESS_FIRST]);
    bench_distribution(result, &rig->part[KERNEL_LAST], "by the kernel", false, "by the kernel",
                       BETTER_LESS);
    bench_distribution(result, &rig->part[PROCESS_LAST], "by hand", false, "by hand", BETTER_LESS);
    bench_figure(result, "us", BETTER_LESS, kernel / (NODES - 1), "kernel hop p50");
    bench_figure(result, "us", BETTER_LESS, process / (NODES - 1), "process hop p50");
}

static void put_cuts(struct bench_result *result, const struct rig *rig)
{
    bench_figure(result, "exchanges", BETTER_NEITHER, (double)rig->sent, "exchanges");
    bench_figure(result, "events", BETTER_NEITHER, (double)rig->events, "cuts and mendings");
    bench_figure(result, "exchanges", BETTER_LESS, (double)(rig->lost - rig->late), "lost");
    bench_figure(result, "exchanges", BETTER_LESS, (double)rig->late, "late");
    bench_figure(result, "exchanges", BETTER_LESS, (double)rig->worst, "lost or late at once");
}

// How late a timer wakes a process here meanwhile.
static enum status run_cyclictest(struct bench_session *session, unsigned place)
{
    static struct histogram wakes;
    const enum status status = bench_cyclictest(session->duration_s, &wakes);
    session->square[place].skipped = status == STATUS_NOT_FOUND;
    struct bench_result *result = status == STATUS_OK ? bench_add(session, place) : NULL;
    if (result == NULL)
        return status == STATUS_OK          ? STATUS_NO_MEMORY
               : status == STATUS_NOT_FOUND ? STATUS_OK
                                            : status;
    bench_distribution(result, &wakes, "cyclictest wakes", false, "cyclictest wakes",
                       BETTER_NEITHER);
    return STATUS_OK;
}

static enum status run(struct bench_session *session, unsigned place)
{
    static void (*const measure[])(struct rig *, struct clk *) = {
        [LISTING] = measure_listing, [PAIR] = measure_pair,        [BOARD] = measure_board,
        [HOPS] = measure_hops,       [CUTS_SWITCH] = measure_cuts, [CUTS_SEAMLESS] = measure_cuts};
    static void (*const put[])(struct bench_result *, const struct rig *) = {
        [LISTING] = put_listing, [PAIR] = put_pair,        [BOARD] = put_board,
        [HOPS] = put_hops,       [CUTS_SWITCH] = put_cuts, [CUTS_SEAMLESS] = put_cuts};
    const struct configuration *asked = &configuration[place];
    if (asked->kind == CYCLICTEST)
        return run_cyclictest(session, place);
    struct rig *rig = rig_new();
    struct bench_result *result = rig == NULL ? NULL : bench_add(session, place);
    if (result == NULL) {
        rig_free(rig);
        return STATUS_NO_MEMORY;
    }
    rig->duration_s = session->duration_s;
    rig->seed = result->run.number + 1;
    rig->period = duration_us(asked->period_us);
    rig->size_B = asked->size_B;
    rig->is_virtual = asked->kind == BOARD;
    rig->cell = asked->kind >= HOPS || rig->is_virtual ? "own" : NULL;
    enum status status = plan_of(asked->kind, &rig->plan);
    if (status == STATUS_OK)
        status = rig_run(rig, measure[asked->kind]);
    session->square[place].skipped = status == STATUS_UNSUPPORTED;
    text_copy(result->trouble, sizeof result->trouble, rig->trouble);
    if (status == STATUS_OK && rig->trouble[0] == '\0')
        put[asked->kind](result, rig);
    rig_free(rig);
    return status == STATUS_UNSUPPORTED ? STATUS_OK : status;
}

const struct bench bench_ethernet = {
    .name = "ethernet",
    .summary = "real-time Ethernet by veth: period errors, sending and receiving, relays, cuts",
    .about =
        "Sends and receives at the paper's periods and sizes over a cable of the kernel (veth): "
        "one way, in\nturn with bare AF_PACKET sockets; through relays of the kernel and of a "
        "process; and while cables\nare cut and repaired at random. --duration is the duration "
        "of a configuration. \"board\" is on the\nvirtual clock: sending and receiving take "
        "200 us there, as on the paper's SH4, for which 100\nand 50 us \"were skipped\". "
        "cyclictest (rt-tests) is measured, too, if it is installed.\n"
        "doc/reference/ethernet.md explains the figures.\n",
    .takes = BENCH_DURATION | BENCH_PAGE,
    .runs = 5,
    .duration_s = 0.5,
    .duration_min_s = 0.1,
    .most = 1,
    .prepare = prepare,
    .run = run};
