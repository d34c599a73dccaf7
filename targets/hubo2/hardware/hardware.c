// The Hardware daemon (the seed paper's CAN daemon): references out, everything else in, 100 Hz or
// what --rate-hz says.
//
// A cycle: the newest fresh reference and all requests go to the buses; after 60 % of the period (6
// ms) the replies are drained and one state is published, with a time stamp and a validity per
// reading, and with the health of boards and buses. The fixed rate keeps the buses from saturating
// whatever the other daemons do.
//
// A reference is sent only if it answers the very state that this process published last, and
// continues a motion only while the boards are still in it. So nothing jumps after a restart, a
// stall or a late cycle: boards hold until somebody answers what is true now. An answer that misses
// the start of a cycle may still go out in it, while the boards move.
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "robot/participant.h"
#include "targets/hubo2/cycle_plan.h"
#include "targets/hubo2/hardware/hardware_buses.h"
#include "targets/hubo2/target_files.h"

#define REFERENCE_AGE_MAX_PERCENT 250
#define REST_PERCENT                                                                               \
    140 // a board reaches its set point in a period; so long after the last references it is at
        // rest
#define UNREADABLE_WAIT_PERCENT                                                                    \
    1                    // before another look at a channel that holds what is no reference
#define LATE_PERCENT 30  // references that come later than that do not go out in this cycle
#define LOOK_PERCENT 45  // references that have not left by then are withdrawn
#define ENABLE_CYCLES 50 // status of all boards has come round in that time

struct hardware {
    struct clk *clk;
    const struct cycle_plan *plan;
    duration period;
    struct hardware_buses buses;
    struct channel *reference_channel;
    struct channel *state_channel;
    struct can_host host;
    struct readings readings;
    uint64_t unpublished; // states the channel did not take
    uint64_t told_cycle;  // of the newest state
    instant told;
    bool moving;  // references went out in the cycle before,
    instant sent; // which was then
};

// ---- start -------------------------------------------------------------------------------------

static duration share(const struct hardware *hardware, int percent)
{
    return cycle_share(hardware->period, percent);
}

static enum status start(struct hardware *hardware)
{
    struct description *description;
    enum status status = target_files_load(&description, NULL);
    if (status == STATUS_OK)
        status = readings_start(&hardware->readings, description);
    hardware->readings.state.period_us = (uint32_t)(hardware->period.ns / 1000);
    if (status == STATUS_OK)
        status = participant_channel("reference", CHANNEL_READ, sizeof(struct reference_message),
                                     &hardware->reference_channel);
    if (status == STATUS_OK)
        status = participant_channel("state", CHANNEL_WRITE, sizeof(struct state_message),
                                     &hardware->state_channel);
    if (status == STATUS_OK)
        status = hardware_buses_open(&hardware->buses, &hardware->host, &hardware->readings);
    if (status == STATUS_OK)
        status = participant_join(&hardware->clk);
    return status;
}

// ---- references --------------------------------------------------------------------------------

// The cycle whose state will tell what is sent now: this one's, or, when this one's is out already,
// the next one's.
static uint64_t telling_cycle(const struct hardware *hardware)
{
    return hardware->readings.state.cycle + (hardware->plan->mode == CYCLE_ONE_PERIOD);
}

// Whether a reference answers this process's last state, and is not an old one. An older state's
// answer was computed without knowing what has been sent since: Control, late once, would be a
// cycle behind from then on, and would take one step for two. What continues a motion comes too
// late when the boards have come to rest: then only an answer to a state that says so will do.
static bool is_fresh(const struct hardware *hardware, const struct reference_message *reference,
                     instant now)
{
    if (reference->state_cycle != hardware->told_cycle ||
        hardware->told_cycle + 1 != telling_cycle(hardware))
        return false;
    if (hardware->moving && instant_sub(now, hardware->sent).ns > share(hardware, REST_PERCENT).ns)
        return false;
    return !instant_before(reference->time, hardware->told) &&
           !instant_before(now, reference->time) &&
           instant_sub(now, reference->time).ns <= share(hardware, REFERENCE_AGE_MAX_PERCENT).ns;
}

static bool is_sane(const struct hardware *hardware, const struct reference_message *reference)
{
    const struct description *description = hardware->readings.description;
    if (reference->joint_count != description->joint_count)
        return false;
    for (unsigned j = 0; j < description->joint_count; j++)
        if (reference->active >> j & 1 && !isfinite(reference->reference_rad[j]))
            return false;
    return true;
}

// OK: a reference that may be sent now; EMPTY: none; INVALID: what is there cannot be got. None is
// got twice.
static enum status take_reference(struct hardware *hardware, struct reference_message *reference,
                                  instant now)
{
    struct channel_frame frame;
    const enum status status = channel_get(hardware->reference_channel, reference,
                                           sizeof *reference, CHANNEL_NEWEST, &frame);
    if (status != STATUS_OK && status != STATUS_MISSED)
        return status == STATUS_EMPTY ? STATUS_EMPTY : STATUS_INVALID;
    return frame.size_B == sizeof *reference && is_sane(hardware, reference) &&
                   is_fresh(hardware, reference, now)
               ? STATUS_OK
               : STATUS_EMPTY;
}

static void send_references(struct hardware *hardware, const struct reference_message *reference)
{
    struct state_message *state = &hardware->readings.state;
    state->sent_cycle = reference->state_cycle;
    state->sent_taken = participant_stamp(hardware->clk);
    hardware->sent = clk_now(hardware->clk);
    requests_send_references(&hardware->host, &hardware->readings, reference, hardware->sent);
    state->sent_queued = participant_stamp(hardware->clk);
}

// What there is. Judged by the time it is now, not when the cycle began: at 1 kHz what was done
// since, or somebody else did, is enough for boards to have come to rest. True if it was sent.
static bool send_newest(struct hardware *hardware)
{
    struct reference_message reference;
    if (take_reference(hardware, &reference, clk_now(hardware->clk)) != STATUS_OK)
        return false;
    send_references(hardware, &reference);
    return true;
}

// The answer to the state published last, if it comes by `deadline`. True if it was sent.
static bool send_answer(struct hardware *hardware, instant deadline)
{
    struct reference_message reference;
    for (instant now; instant_before(now = clk_now(hardware->clk), deadline);) {
        const enum status status = take_reference(hardware, &reference, now);
        if (status == STATUS_OK) {
            send_references(hardware, &reference);
            return true;
        }
        const struct clk_watch watch = channel_watch(hardware->reference_channel);
        const instant again = instant_add(now, share(hardware, UNREADABLE_WAIT_PERCENT));
        if (status == STATUS_INVALID) // a wait might end at once, again and again
            clk_sleep_until(hardware->clk, instant_min(again, deadline));
        else if (clk_wait(hardware->clk, &watch, 1, deadline) == STATUS_SYSTEM)
            clk_sleep_until(hardware->clk, deadline);
    }
    return false;
}

// ---- the cycle ---------------------------------------------------------------------------------

static bool publish(struct hardware *hardware)
{
    struct state_message *state = &hardware->readings.state;
    hardware->told_cycle = state->cycle;
    hardware->told = state->time;
    if (channel_put(hardware->state_channel, state, sizeof *state, clk_now(hardware->clk)) !=
        STATUS_OK) {
        hardware->unpublished++;
        return false;
    }
    state->sent_cycle = 0; // told
    state->sent_taken = state->sent_queued = instant_ns(0);
    return true;
}

static void withdraw_late_references(struct hardware *hardware, instant start, instant due)
{
    const instant look = instant_add(start, share(hardware, LOOK_PERCENT));
    clk_sleep_until(hardware->clk, instant_min(look, due));
    requests_look(&hardware->host, &hardware->readings);
}

static void run_cycle(struct hardware *hardware)
{
    struct readings *readings = &hardware->readings;
    const instant start = clk_now(hardware->clk);
    readings_begin(readings, start);
    hardware_buses_drain(&hardware->host,
                         readings); // what is here already belongs to an earlier cycle
    requests_begin(&hardware->host, readings);
    const bool one_period = hardware->plan->mode == CYCLE_ONE_PERIOD;
    bool sent = false;
    if (!one_period) {
        readings_unreferenced(readings);
        sent = send_newest(hardware);
    }
    const instant asked = clk_now(hardware->clk);
    requests_send_polls(&hardware->host, readings, asked);
    if (readings->state.cycle <= ENABLE_CYCLES)
        requests_send_enables(&hardware->host, readings, asked);

    const instant due = instant_add(start, share(hardware, hardware->plan->publish_percent));
    if (!one_period) {
        if (!sent && hardware->moving) // it may still come before the boards are at rest
            sent = send_answer(hardware, instant_add(start, share(hardware, LATE_PERCENT)));
        hardware->moving = sent;
        if (sent)
            withdraw_late_references(hardware, start, due);
    }
    clk_sleep_until(hardware->clk, due);
    const instant now = clk_now(hardware->clk);
    hardware_buses_drain(&hardware->host, readings);
    requests_settle(&hardware->host, readings);
    readings_finish(readings, now);
    hardware_buses_look(&hardware->buses, &hardware->host, readings);
    const bool in_time =
        instant_sub(now, start).ns < share(hardware, hardware->plan->overrun_percent).ns;
    const bool told = in_time && publish(hardware);
    if (!one_period)
        return;
    readings_unreferenced(readings);
    const instant deadline = instant_add(start, share(hardware, hardware->plan->send_percent));
    hardware->moving = told && send_answer(hardware, deadline); // what was not told has no answer
}

// ---- the command line --------------------------------------------------------------------------

static const struct cycle_plan *plan_called(const char *rate, enum cycle_mode mode)
{
    for (size_t i = 0; i < CYCLE_PLANS; i++) {
        char known[16];
        snprintf(known, sizeof known, "%u", cycle_plans[i].rate_hz);
        if (cycle_plans[i].mode == mode && strcmp(rate, known) == 0)
            return &cycle_plans[i];
    }
    log_error(
        "--rate-hz %s: no such rate; give 100, 200, 250, 500 or 1000, with --one-period not 250",
        rate);
    return NULL;
}

// The plan asked for; NULL if there is none such (logged to standard error).
static const struct cycle_plan *plan_of(int argc, char **argv)
{
    static const struct option options[] = {
        {"rate-hz", required_argument, NULL, 'r'}, {"one-period", no_argument, NULL, 'o'}, {0}};
    const char *rate = "100";
    enum cycle_mode mode = CYCLE_TWO_PERIODS;
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (option == 'r') {
            rate = optarg;
        } else if (option == 'o') {
            mode = CYCLE_ONE_PERIOD;
        } else {
            log_error("%s: no such option, or its value is missing; there are --rate-hz RATE and "
                      "--one-period",
                      argv[optind - 1]);
            return NULL;
        }
    }
    if (optind < argc) {
        log_error("%s: takes no argument; remove it", argv[optind]);
        return NULL;
    }
    return plan_called(rate, mode);
}

int main(int argc, char **argv)
{
    log_program(argv[0]);
    static struct hardware hardware;
    hardware.plan = plan_of(argc, argv);
    if (hardware.plan == NULL)
        return 2;
    hardware.period = cycle_period(hardware.plan);
    if (start(&hardware) != STATUS_OK)
        return 2;
    struct clk_period period = clk_period_start(hardware.clk, instant_ns(0), hardware.period);
    for (;;) {
        (void)clk_period_wait(hardware.clk, &period);
        run_cycle(&hardware);
    }
}
