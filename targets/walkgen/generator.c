// generator: the walking pattern generator as the robot's plug-in, in hubo2's balance's place.
// Priority 35.
//
// Every 5 ms: messages, then the plug-in's control. Every state is answered at once by the newest
// posture, stabilised and within limits. What it does is in generator_core.h.
#include <sys/resource.h>

#include "clock/pace.h"
#include "robot/participant.h"
#include "targets/hubo2/target_files.h"
#include "targets/walkgen/generator_core.h"

#define MESSAGES_PER_TICK 4

struct channels {
    struct channel *state, *message, *leg_command, *arm_command, *balance_status, *status;
    struct channel *last_balance_status, *last_status;
};

static struct generator generator;
static struct state_message state;
static struct command_message leg_command, arm_command;
static struct balance_status_message balance_status;
static struct walk_status_message status;

static enum status open_channels(struct channels *at)
{
    const struct {
        const char *name;
        enum channel_role role;
        size_t size_B;
        struct channel **channel;
    } wanted[] = {{"state", CHANNEL_READ, sizeof state, &at->state},
                  {"walk-request", CHANNEL_READ, sizeof(struct walk_request_message), &at->message},
                  {"leg-command", CHANNEL_WRITE, sizeof leg_command, &at->leg_command},
                  {"arm-command", CHANNEL_WRITE, sizeof arm_command, &at->arm_command},
                  {"balance-status", CHANNEL_WRITE, sizeof balance_status, &at->balance_status},
                  {"balance-status", CHANNEL_READ, sizeof balance_status, &at->last_balance_status},
                  {"walk-status", CHANNEL_WRITE, sizeof status, &at->status},
                  {"walk-status", CHANNEL_READ, sizeof status, &at->last_status}};
    enum status opened = STATUS_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0] && opened == STATUS_OK; i++)
        opened = participant_channel(wanted[i].name, wanted[i].role, wanted[i].size_B,
                                     wanted[i].channel);
    return opened;
}

// A frame of another size is no message.
static bool take(struct channel *channel, void *message, size_t size_B, enum channel_which which)
{
    struct channel_frame frame;
    const enum status got = channel_get(channel, message, size_B, which, &frame);
    return (got == STATUS_OK || got == STATUS_MISSED) && frame.size_B == size_B;
}

static enum status prepare(const struct channels *at)
{
    struct description *description;
    struct robot_model *model;
    const enum status loaded = target_files_load(&description, &model);
    if (loaded != STATUS_OK)
        return loaded;
    const bool had =
        take(at->last_balance_status, &balance_status, sizeof balance_status, CHANNEL_LAST);
    const bool said = take(at->last_status, &status, sizeof status, CHANNEL_LAST);
    return generator_init(&generator, description, model, had ? &balance_status : NULL,
                          said ? &status : NULL);
}

static void publish(struct channel *channel, const void *frame, size_t size_B, instant now)
{
    // A full channel costs this one frame; the next one replaces it anyway.
    const enum status put = channel_put(channel, frame, size_B, now);
    (void)put;
}

// What ticks take of this machine; on the virtual clock, where computing takes no time, nothing.
static struct {
    duration prepared, held_up;
    uint64_t missed;
} spent;

// By how much the machine keeps it back. One that sleeps of itself, in a tick or between two, is
// not kept back: `sleeps` counts how often it let go of the processor until it awoke.
static struct {
    struct clk_pace pace;
    long sleeps;
    bool slept;
} held;

static long sleeps(const struct clk *clk)
{
    struct rusage usage = {.ru_nvcsw = 0};
    if (clk_mode(clk) != CLK_VIRTUAL)
        (void)getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw;
}

static duration held_up(const struct clk *clk)
{
    held.slept = held.slept || sleeps(clk) != held.sleeps;
    return held.slept ? DURATION_ZERO : clk_pace_kept(&held.pace, clk);
}

static bool await(struct clk *clk, const struct channels *at, instant due)
{
    const struct clk_watch watch = channel_watch(at->state);
    (void)held_up(clk);
    const bool fresh = clk_wait(clk, &watch, 1, due) == STATUS_OK;
    const instant now = clk_now(clk);
    held.sleeps = sleeps(clk);
    clk_pace_slept(&held.pace, clk, instant_before(now, due) ? now : due);
    return fresh;
}

static void tick(const struct channels *at, struct clk *clk, instant due)
{
    const instant begun = clk_now(clk);
    struct walk_request_message message;
    for (int i = 0; i < MESSAGES_PER_TICK; i++)
        if (take(at->message, &message, sizeof message, CHANNEL_NEXT))
            generator_message(&generator, &message);
    generator_control(&generator);
    const instant done = clk_now(clk);
    generator_report(&generator, done, &status);
    status.missed = spent.missed;
    status.late_ns = instant_sub(begun, due).ns;
    status.work_ns = instant_sub(done, begun).ns + spent.prepared.ns;
    status.held_up_ns = held_up(clk).ns + spent.held_up.ns;
    publish(at->status, &status, sizeof status, done);
    held.slept = false;
    const duration before = clk_pace_kept(&held.pace, clk);
    generator_prepare(&generator);
    spent.prepared = instant_sub(clk_now(clk), done);
    const duration after = held_up(clk);
    spent.held_up = duration_ns(after.ns > before.ns ? after.ns - before.ns : 0);
}

static void answer(const struct channels *at, struct clk *clk)
{
    const instant taken = participant_stamp(clk);
    if (take(at->state, &state, sizeof state, CHANNEL_NEWEST) &&
        generator_cycle(&generator, &state, &leg_command)) {
        leg_command.taken = taken;
        publish(at->leg_command, &leg_command, sizeof leg_command, clk_now(clk));
        if (generator_arms(&generator, &state, &arm_command)) {
            arm_command.taken = taken;
            publish(at->arm_command, &arm_command, sizeof arm_command, clk_now(clk));
        }
    }
    balance_report(&generator.balance, clk_now(clk), &balance_status);
    publish(at->balance_status, &balance_status, sizeof balance_status, clk_now(clk));
}

static _Noreturn void run(struct clk *clk, const struct channels *at)
{
    const duration period = duration_ms(GENERATOR_PERIOD_MS);
    // The first tick after now that is a multiple of the period.
    instant due = instant_ns((clk_now(clk).ns / period.ns + 1) * period.ns);
    for (;;) {
        if (await(clk, at, due))
            answer(at, clk);
        const instant now = clk_now(clk);
        if (instant_before(now, due))
            continue;
        tick(at, clk, due);
        const int64_t missed = instant_sub(now, due).ns / period.ns; // and not made up for
        spent.missed += (uint64_t)missed;
        if (missed > 0)
            capture_step_jerk(&generator.capture);
        due = instant_add(due, duration_ns((missed + 1) * period.ns));
    }
}

int main(int argc, char **argv)
{
    struct channels channels;
    struct clk *clk;
    if (participant_begin(argc, argv) != STATUS_OK || open_channels(&channels) != STATUS_OK ||
        prepare(&channels) != STATUS_OK || participant_join(&clk) != STATUS_OK)
        return 2;
    run(clk, &channels);
}
