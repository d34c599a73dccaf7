// balance: keeps the robot upright and carries out trajectory segments, driving the legs and the
// waist by velocity.
//
// Woken by each state; publishes leg commands and its status every cycle. Priority 35. What it does
// is in balance_core.h.
#include <stddef.h>

#include "robot/participant.h"
#include "targets/hubo2/balance_core.h"
#include "targets/hubo2/target_files.h"

#define STATE_PATIENCE_MS 100 // without a state for so long, the status is published all the same
#define UNREADABLE_WAIT_MS 1  // before a look at a channel that holds what is no state
#define COMMANDS_PER_CYCLE 4
#define SEGMENTS_PER_CYCLE 2

struct channels {
    struct channel *state, *command, *segment, *leg_command, *status, *last_status;
};

static struct balance balance;
static struct state_message state;
static struct segment_message segment;
static struct command_message leg_command;
static struct balance_status_message status;

static enum status open_channels(struct channels *channels)
{
    const struct {
        const char *name;
        enum channel_role role;
        size_t size_B;
        struct channel **channel;
    } wanted[] = {{"state", CHANNEL_READ, sizeof state, &channels->state},
                  {"balance-command", CHANNEL_READ, sizeof(struct balance_command_message),
                   &channels->command},
                  {"segment", CHANNEL_READ, sizeof segment, &channels->segment},
                  {"leg-command", CHANNEL_WRITE, sizeof leg_command, &channels->leg_command},
                  {"balance-status", CHANNEL_WRITE, sizeof status, &channels->status},
                  {"balance-status", CHANNEL_READ, sizeof status, &channels->last_status}};
    enum status opened = STATUS_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0] && opened == STATUS_OK; i++)
        opened = participant_channel(wanted[i].name, wanted[i].role, wanted[i].size_B,
                                     wanted[i].channel);
    return opened;
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

// Loads robot and description and takes up where a predecessor left off.
static enum status prepare(const struct channels *channels)
{
    struct description *description;
    struct robot_model *model;
    enum status result = target_files_load(&description, &model);
    if (result != STATUS_OK)
        return result;
    struct balance_status_message last;
    struct balance_command_message command;
    bool had = take(channels->last_status, &last, sizeof last, CHANNEL_LAST);
    bool told = take(channels->command, &command, sizeof command, CHANNEL_LAST);
    bool stale =
        delivered(channel_get(channels->segment, &segment, sizeof segment, CHANNEL_LAST, NULL));
    (void)stale; // read, so that what was meant for the predecessor does not come up as new
    return balance_init(&balance, description, model, had ? &last : NULL, told ? &command : NULL);
}

static void receive(const struct channels *channels)
{
    struct balance_command_message command;
    for (int i = 0; i < COMMANDS_PER_CYCLE; i++)
        if (take(channels->command, &command, sizeof command, CHANNEL_NEXT))
            balance_receive_command(&balance, &command);
    for (int i = 0; i < SEGMENTS_PER_CYCLE; i++) {
        struct channel_frame frame;
        if (!delivered(
                channel_get(channels->segment, &segment, sizeof segment, CHANNEL_NEXT, &frame)))
            break;
        size_t told =
            offsetof(struct segment_message, sample) + segment.count * sizeof segment.sample[0];
        if (segment.count <= SEGMENT_SAMPLES_MAX && told <= frame.size_B)
            (void)balance_receive_segment(&balance, &segment);
    }
}

static void publish(struct channel *channel, const void *frame, size_t size_B, instant now)
{
    // A full channel costs this one frame; the next cycle's replaces it anyway.
    enum status put = channel_put(channel, frame, size_B, now);
    (void)put;
}

static _Noreturn void run(struct clk *clk, const struct channels *channels)
{
    for (;;) {
        struct clk_watch watch = channel_watch(channels->state);
        enum status woken =
            clk_wait(clk, &watch, 1, instant_add(clk_now(clk), duration_ms(STATE_PATIENCE_MS)));
        bool fresh =
            woken == STATUS_OK && take(channels->state, &state, sizeof state, CHANNEL_NEWEST);
        const instant taken = participant_stamp(clk);
        if (woken == STATUS_OK && !fresh) // the next wait might end at once, again and again
            clk_sleep_until(clk, instant_add(clk_now(clk), duration_ms(UNREADABLE_WAIT_MS)));
        receive(channels);
        if (fresh && balance_cycle(&balance, &state, &leg_command)) {
            leg_command.taken = taken;
            publish(channels->leg_command, &leg_command, sizeof leg_command, clk_now(clk));
        }
        balance_report(&balance, clk_now(clk), &status);
        publish(channels->status, &status, sizeof status, clk_now(clk));
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
