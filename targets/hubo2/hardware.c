// The Hardware daemon (the seed paper's CAN daemon): references out, everything else in, 100 Hz or what --rate-hz says.
//
// A cycle: the newest fresh reference and all requests go to the buses; after 60 % of the period (6 ms) the replies are
// drained and one state is published, with a time stamp and a validity per reading, and with the health of boards and buses. The fixed
// rate keeps the buses from saturating whatever the other daemons do.
//
// A reference is sent only if it answers a state that this very process published a moment ago.
// So nothing jumps after a restart or a stall: boards hold until somebody answers what is true now.
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "robot/participant.h"
#include "targets/hubo2/cycle_plan.h"
#include "targets/hubo2/hardware_requests.h"
#include "targets/hubo2/target_files.h"

#define PRIORITY 49
#define REFERENCE_AGE_MAX_PERCENT 250
#define UNREADABLE_WAIT_PERCENT                                                                    \
    1                    // before another look at a channel that holds what is no reference
#define ANSWERS_HELD 4   // a reference may answer one of so many last states
#define REPLIES_MAX 512  // drained per bus and cycle at most
#define ENABLE_CYCLES 50 // status of all boards has come round in that time

struct hardware {
    struct clk *clk;
    const struct cycle_plan *plan;
    duration period;
    uint64_t lost_before[HARDWARE_BUSES]; // by the ports before this process used them
    struct channel *reference_channel;
    struct channel *state_channel;
    struct can_host host;
    struct readings readings;
    uint64_t unpublished;            // states the channel did not take
    instant published[ANSWERS_HELD]; // by cycle modulo ANSWERS_HELD
    uint64_t
        silent_since; // cycle whose state is the first to say that no references were sent; 0: the last were sent
};

// ---- start -------------------------------------------------------------------------------------

static duration share(const struct hardware *hardware, int percent)
{
    return cycle_share(hardware->period, percent);
}

static enum status open_bus(struct hardware *hardware, unsigned number, const char *bus)
{
    static const struct can_filter everything = {0};
    struct can_port **port = &hardware->host.port[number];
    enum status status = can_open(bus, "host", port);
    if (status == STATUS_OK) // error frames too: they are counted
        status = can_listen(*port, &everything, 1, CAN_ERR_MASK);
    if (status != STATUS_OK) {
        log_error("bus %s: %s; is it in target.yaml, and does the simulator run?", bus,
                  status_text(status));
        return status;
    }
    hardware->lost_before[number] = can_lost(*port);
    return STATUS_OK;
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
        status = open_bus(hardware, 0, "can0");
    if (status == STATUS_OK)
        status = open_bus(hardware, 1, "can1");
    if (status == STATUS_OK)
        status = participant_join(PRIORITY, &hardware->clk);
    return status;
}

// ---- references --------------------------------------------------------------------------------

// The cycle whose state will tell what is sent now: this one's, or, when this one's is out already, the next one's.
static uint64_t telling_cycle(const struct hardware *hardware)
{
    return hardware->readings.state.cycle + (hardware->plan->mode == CYCLE_ONE_PERIOD);
}

// Whether a reference answers one of this process's last states, and is not an old one. After a cycle without
// references the boards are at rest: then only an answer to a state that says so will do. One period: it must answer the very last
// state, for whoever sends an older one is a cycle behind from then on.
static bool is_fresh(const struct hardware *hardware, const struct reference_message *reference,
                     instant now)
{
    const uint64_t next = telling_cycle(hardware);
    const unsigned answers = hardware->plan->mode == CYCLE_ONE_PERIOD ? 1 : ANSWERS_HELD - 1;
    if (reference->state_cycle >= next || reference->state_cycle + answers < next ||
        reference->state_cycle < hardware->silent_since)
        return false;
    const instant published = hardware->published[reference->state_cycle % ANSWERS_HELD];
    return !instant_before(reference->time, published) && !instant_before(now, reference->time) &&
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

// OK: a reference that may be sent now; EMPTY: none; INVALID: what is there cannot be got. None is got twice.
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
    requests_send_references(&hardware->host, &hardware->readings, reference,
                             clk_now(hardware->clk));
    state->sent_queued = participant_stamp(hardware->clk);
    hardware->silent_since = 0;
}

static void send_nothing(struct hardware *hardware)
{
    if (hardware->silent_since == 0)
        hardware->silent_since = telling_cycle(hardware);
}

// Two periods: what there is.
static void send_newest(struct hardware *hardware, instant now)
{
    struct reference_message reference;
    readings_unreferenced(&hardware->readings);
    if (take_reference(hardware, &reference, now) == STATUS_OK)
        send_references(hardware, &reference);
    else
        send_nothing(hardware);
}

// One period: the answer to the state just published, if it comes by `deadline`.
static void send_answer(struct hardware *hardware, instant deadline)
{
    struct reference_message reference;
    readings_unreferenced(&hardware->readings);
    for (instant now; instant_before(now = clk_now(hardware->clk), deadline);) {
        const enum status status = take_reference(hardware, &reference, now);
        if (status == STATUS_OK) {
            send_references(hardware, &reference);
            return;
        }
        const struct clk_watch watch = channel_watch(hardware->reference_channel);
        const instant again = instant_add(now, share(hardware, UNREADABLE_WAIT_PERCENT));
        if (status == STATUS_INVALID) // a wait might end at once, again and again
            clk_sleep_until(hardware->clk, instant_min(again, deadline));
        else if (clk_wait(hardware->clk, &watch, 1, deadline) == STATUS_SYSTEM)
            clk_sleep_until(hardware->clk, deadline);
    }
    send_nothing(hardware);
}

// ---- the cycle ---------------------------------------------------------------------------------

static void drain(struct hardware *hardware)
{
    for (unsigned bus = 0; bus < HARDWARE_BUSES; bus++) {
        struct can_stamped reply;
        for (unsigned i = 0; i < REPLIES_MAX; i++) {
            if (can_receive(hardware->host.port[bus], &reply) != STATUS_OK)
                break;
            (void)readings_take(&hardware->readings, bus, &reply);
        }
    }
}

static void look_at_buses(struct hardware *hardware)
{
    for (unsigned bus = 0; bus < HARDWARE_BUSES; bus++) {
        struct bus_health *health = &hardware->readings.state.bus[bus];
        struct can_health controller;
        can_health(hardware->host.port[bus], &controller);
        health->transmit_errors = controller.transmit_errors;
        health->receive_errors = controller.receive_errors;
        health->controller = controller.state;
        health->lost = (uint32_t)(controller.lost - hardware->lost_before[bus]);
        health->refused = hardware->host.refused[bus];
    }
}

static bool publish(struct hardware *hardware)
{
    struct state_message *state = &hardware->readings.state;
    hardware->published[state->cycle % ANSWERS_HELD] = state->time;
    if (channel_put(hardware->state_channel, state, sizeof *state, clk_now(hardware->clk)) !=
        STATUS_OK) {
        hardware->unpublished++;
        return false;
    }
    state->sent_cycle = 0; // told
    state->sent_taken = state->sent_queued = instant_ns(0);
    return true;
}

static void run_cycle(struct hardware *hardware)
{
    struct readings *readings = &hardware->readings;
    const instant start = clk_now(hardware->clk);
    readings_begin(readings, start);
    drain(hardware); // what is here already belongs to an earlier cycle
    requests_begin(&hardware->host, readings);
    const bool one_period = hardware->plan->mode == CYCLE_ONE_PERIOD;
    if (!one_period)
        send_newest(hardware, start);
    const instant asked = clk_now(hardware->clk);
    requests_send_polls(&hardware->host, readings, asked);
    if (readings->state.cycle <= ENABLE_CYCLES)
        requests_send_enables(&hardware->host, readings, asked);

    clk_sleep_until(hardware->clk,
                    instant_add(start, share(hardware, hardware->plan->publish_percent)));
    const instant now = clk_now(hardware->clk);
    drain(hardware);
    readings_finish(readings, now);
    look_at_buses(hardware);
    const bool in_time =
        instant_sub(now, start).ns < share(hardware, hardware->plan->overrun_percent).ns;
    const bool told = in_time && publish(hardware);
    if (one_period) // what was not told cannot be answered
        send_answer(hardware,
                    told ? instant_add(start, share(hardware, hardware->plan->send_percent))
                         : start);
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

// The plan asked for; NULL if there is none such (said on standard error).
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
