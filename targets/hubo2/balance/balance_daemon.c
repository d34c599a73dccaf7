#include "targets/hubo2/balance/balance_daemon.h"

#include <stddef.h>

#include "targets/hubo2/target_files.h"

#define STATE_PATIENCE_MS 100 // without a state for so long, the status is published all the same
#define UNREADABLE_WAIT_MS 1  // before a look at a channel that holds what is no state
#define COMMANDS_PER_CYCLE 4
#define SEGMENTS_PER_CYCLE 2

static enum status open_channels(struct balance_daemon *daemon)
{
    const struct {
        const char *name;
        enum channel_role role;
        size_t size_B;
        struct channel **channel;
    } wanted[] = {
        {"state", CHANNEL_READ, sizeof daemon->state, &daemon->state_channel},
        {"balance-command", CHANNEL_READ, sizeof(struct balance_command_message), &daemon->command},
        {"segment", daemon->by_steps ? CHANNEL_WRITE : CHANNEL_READ, sizeof daemon->segment,
         &daemon->segment_channel},
        {"leg-command", CHANNEL_WRITE, sizeof daemon->leg_command, &daemon->leg_command_channel},
        {"balance-status", CHANNEL_WRITE, sizeof daemon->status, &daemon->status_channel},
        {"balance-status", CHANNEL_READ, sizeof daemon->status, &daemon->last_status}};
    enum status opened = STATUS_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0] && opened == STATUS_OK; i++)
        opened = participant_channel(wanted[i].name, wanted[i].role, wanted[i].size_B,
                                     wanted[i].channel);
    return opened == STATUS_OK && daemon->by_steps
               ? participant_channel("footsteps", CHANNEL_READ, sizeof daemon->steps,
                                     &daemon->footsteps)
               : opened;
}

static bool delivered(enum status got)
{
    return got == STATUS_OK || got == STATUS_MISSED;
}

// A frame of another size is no message.
static bool take(struct channel *channel, void *message, size_t size_B, enum channel_which which)
{
    struct channel_frame frame;
    return delivered(channel_get(channel, message, size_B, which, &frame)) &&
           frame.size_B == size_B;
}

enum status balance_daemon_start(struct balance_daemon *daemon)
{
    enum status result = open_channels(daemon);
    if (result == STATUS_OK)
        result = target_files_load(&daemon->description, &daemon->model);
    if (result != STATUS_OK)
        return result;
    struct balance_status_message last;
    struct balance_command_message command;
    bool had = take(daemon->last_status, &last, sizeof last, CHANNEL_LAST);
    bool told = take(daemon->command, &command, sizeof command, CHANNEL_LAST);
    bool stale = daemon->by_steps
                     ? delivered(channel_get(daemon->footsteps, &daemon->steps,
                                             sizeof daemon->steps, CHANNEL_LAST, NULL))
                     : delivered(channel_get(daemon->segment_channel, &daemon->segment,
                                             sizeof daemon->segment, CHANNEL_LAST, NULL));
    (void)stale; // read, so that what was meant for the predecessor does not come up as new
    result = balance_init(&daemon->balance, daemon->description, daemon->model, had ? &last : NULL,
                          told ? &command : NULL);
    return result == STATUS_OK && daemon->by_steps
               ? step_stack_create(daemon->model, &daemon->balance.steps)
               : result;
}

// Others wait in the channel while some are tried.
static void receive_steps(struct balance_daemon *daemon)
{
    struct footsteps_message *steps = &daemon->steps;
    struct channel_frame frame;
    if (balance_steps_trying(&daemon->balance) ||
        !delivered(channel_get(daemon->footsteps, steps, sizeof *steps, CHANNEL_NEXT, &frame)) ||
        frame.size_B < offsetof(struct footsteps_message, step))
        return;
    const size_t told =
        offsetof(struct footsteps_message, step) + steps->count * sizeof steps->step[0];
    if (steps->count <= FOOTSTEPS_MAX && told <= frame.size_B)
        (void)balance_receive_steps(&daemon->balance, steps);
}

static void receive_segments(struct balance_daemon *daemon)
{
    struct segment_message *segment = &daemon->segment;
    for (int i = 0; i < SEGMENTS_PER_CYCLE; i++) {
        struct channel_frame frame;
        if (!delivered(channel_get(daemon->segment_channel, segment, sizeof *segment, CHANNEL_NEXT,
                                   &frame)))
            break;
        size_t told =
            offsetof(struct segment_message, sample) + segment->count * sizeof segment->sample[0];
        if (segment->count <= SEGMENT_SAMPLES_MAX && told <= frame.size_B)
            (void)balance_receive_segment(&daemon->balance, segment);
    }
}

static void receive(struct balance_daemon *daemon)
{
    struct balance_command_message command;
    for (int i = 0; i < COMMANDS_PER_CYCLE; i++)
        if (take(daemon->command, &command, sizeof command, CHANNEL_NEXT))
            balance_receive_command(&daemon->balance, &command);
    (daemon->by_steps ? receive_steps : receive_segments)(daemon);
}

static void publish(struct channel *channel, const void *frame, size_t size_B, instant now)
{
    // A full channel costs this one frame; the next cycle's replaces it anyway.
    enum status put = channel_put(channel, frame, size_B, now);
    (void)put;
}

// What came out of steps that were tried is said.
static void provide(struct balance_daemon *daemon, instant now)
{
    struct segment_message *segment = balance_steps_cycle(&daemon->balance);
    if (segment == NULL)
        return;
    segment->time = now;
    publish(daemon->segment_channel, segment,
            offsetof(struct segment_message, sample) + segment->count * sizeof segment->sample[0],
            now);
}

// taken: when the state was, which has a command; NULL: it has none.
static void answer(struct balance_daemon *daemon, struct clk *clk, const instant *taken)
{
    if (taken != NULL) {
        daemon->leg_command.taken = *taken;
        publish(daemon->leg_command_channel, &daemon->leg_command, sizeof daemon->leg_command,
                clk_now(clk));
    }
    balance_report(&daemon->balance, clk_now(clk), &daemon->status);
    publish(daemon->status_channel, &daemon->status, sizeof daemon->status, clk_now(clk));
}

bool balance_daemon_cycle(struct balance_daemon *daemon, struct clk *clk)
{
    struct clk_watch watch = channel_watch(daemon->state_channel);
    enum status woken =
        clk_wait(clk, &watch, 1, instant_add(clk_now(clk), duration_ms(STATE_PATIENCE_MS)));
    bool fresh = woken == STATUS_OK &&
                 take(daemon->state_channel, &daemon->state, sizeof daemon->state, CHANNEL_NEWEST);
    const instant taken = participant_stamp(clk);
    if (woken == STATUS_OK && !fresh) // the next wait might end at once, again and again
        clk_sleep_until(clk, instant_add(clk_now(clk), duration_ms(UNREADABLE_WAIT_MS)));
    receive(daemon);
    if (fresh)
        provide(daemon, clk_now(clk));
    const bool answered = fresh && (daemon->turn == NULL || daemon->turn(daemon, clk_now(clk))) &&
                          balance_cycle(&daemon->balance, &daemon->state, &daemon->leg_command);
    if (!daemon->silent)
        answer(daemon, clk, answered ? &taken : NULL);
    if (fresh)
        balance_steps_work(&daemon->balance);
    return answered && !daemon->silent;
}
