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
#include "targets/hubo2/hardware_requests.h"
#include "targets/hubo2/target_files.h"

#define PRIORITY 49
#define REFERENCE_AGE_MAX_PERCENT 250
#define ANSWERS_HELD 4   // a reference may answer one of so many last states
#define REPLIES_MAX 512  // drained per bus and cycle at most
#define ENABLE_CYCLES 50 // status of all boards has come round in that time

// Instants of a cycle in shares of its period. A full cycle of frames takes about 3.5 ms at 1 Mbit/s, whatever the rate (doc/can.md), so at
// higher rates the replies are drained late in it, just before Control answers (control.c).
static const struct rate {
    unsigned hz;
    int drain_after_percent;
    int overrun_percent; // woken so late, the replies say nothing about now any more
} rates[] = {{100, 60, 90}, {200, 85, 98}, {250, 85, 98}};

struct hardware {
    struct clk *clk;
    const struct rate *rate;
    duration period;
    uint64_t lost_before[HARDWARE_BUSES]; // by the ports before this process used them
    struct channel *reference_channel;
    struct channel *state_channel;
    struct can_host host;
    struct readings readings;
    uint64_t unpublished;            // states the channel did not take
    instant published[ANSWERS_HELD]; // by cycle modulo ANSWERS_HELD
    uint64_t silent_since; // first of the last cycles without references; 0: the last had some
};

// ---- start -------------------------------------------------------------------------------------

static duration share(const struct hardware *hardware, int64_t percent)
{
    return duration_ns(hardware->period.ns / 100 * percent);
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

// Whether a reference answers one of this process's last states, and is not an old one. After a cycle without
// references the boards are at rest: then only an answer to a state that says so will do.
static bool is_fresh(const struct hardware *hardware, const struct reference_message *reference,
                     instant now)
{
    const uint64_t cycle = hardware->readings.state.cycle;
    if (reference->state_cycle >= cycle || reference->state_cycle + ANSWERS_HELD <= cycle ||
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

static void send_references(struct hardware *hardware, instant now)
{
    struct reference_message reference;
    struct channel_frame frame;
    const enum status status = channel_get(hardware->reference_channel, &reference,
                                           sizeof reference, CHANNEL_NEWEST, &frame);
    if ((status == STATUS_OK || status == STATUS_MISSED) && frame.size_B == sizeof reference &&
        is_sane(hardware, &reference) && is_fresh(hardware, &reference, now)) {
        struct state_message *state = &hardware->readings.state;
        state->sent_cycle = reference.state_cycle;
        state->sent_taken = participant_stamp(hardware->clk);
        requests_send_references(&hardware->host, &hardware->readings, &reference, now);
        state->sent_queued = participant_stamp(hardware->clk);
        hardware->silent_since = 0;
    } else if (hardware->silent_since == 0) {
        hardware->silent_since = hardware->readings.state.cycle;
    }
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

static void publish(struct hardware *hardware)
{
    struct state_message *state = &hardware->readings.state;
    hardware->published[state->cycle % ANSWERS_HELD] = state->time;
    if (channel_put(hardware->state_channel, state, sizeof *state, clk_now(hardware->clk)) !=
        STATUS_OK) {
        hardware->unpublished++;
        return;
    }
    state->sent_cycle = 0; // told
    state->sent_taken = state->sent_queued = instant_ns(0);
}

static void run_cycle(struct hardware *hardware)
{
    struct readings *readings = &hardware->readings;
    const instant start = clk_now(hardware->clk);
    readings_begin(readings, start);
    drain(hardware); // what is here already belongs to an earlier cycle
    requests_begin(&hardware->host);
    send_references(hardware, start);
    requests_send_polls(&hardware->host, readings, start);
    if (readings->state.cycle <= ENABLE_CYCLES)
        requests_send_enables(&hardware->host, readings, start);

    clk_sleep_until(hardware->clk,
                    instant_add(start, share(hardware, hardware->rate->drain_after_percent)));
    const instant now = clk_now(hardware->clk);
    drain(hardware);
    readings_finish(readings, now);
    look_at_buses(hardware);
    if (instant_sub(now, start).ns < share(hardware, hardware->rate->overrun_percent).ns)
        publish(hardware);
}

// The rate asked for; NULL if it is none of those there are (said on standard error).
static const struct rate *rate_of(int argc, char **argv)
{
    static const struct option options[] = {{"rate-hz", required_argument, NULL, 'r'}, {0}};
    const char *text = NULL;
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (option != 'r') {
            log_error(
                "%s: no such option, or its value is missing; there is --rate-hz 100, 200 or 250",
                argv[optind - 1]);
            return NULL;
        }
        text = optarg;
    }
    if (optind < argc) {
        log_error("%s: takes no argument; remove it", argv[optind]);
        return NULL;
    }
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        char known[16];
        snprintf(known, sizeof known, "%u", rates[i].hz);
        if (text == NULL || strcmp(text, known) == 0)
            return &rates[i];
    }
    log_error("--rate-hz %s: no such rate; give 100, 200 or 250", text);
    return NULL;
}

int main(int argc, char **argv)
{
    log_program(argv[0]);
    static struct hardware hardware;
    hardware.rate = rate_of(argc, argv);
    if (hardware.rate == NULL)
        return 2;
    hardware.period = duration_ns(1000000000 / hardware.rate->hz);
    if (start(&hardware) != STATUS_OK)
        return 2;
    struct clk_period period = clk_period_start(hardware.clk, instant_ns(0), hardware.period);
    for (;;) {
        (void)clk_period_wait(hardware.clk, &period);
        run_cycle(&hardware);
    }
}
