// The Manipulator daemon: poses of the hands (or joint angles) in, joint positions out.
//
// Woken by a new command, else every 100 ms for its status and to say its goal again. It goes on
// with its last goal for ever; after a restart the last command of the channel is taken up again.
// Control carries every position through, so when this daemon dies the arms arrive where it last
// sent them.
#include "robot/participant.h"
#include "targets/hubo2/manipulation/manipulation_arms.h"
#include "targets/hubo2/target_files.h"

#define LOOK_ROUND_NS 100000000

struct manipulation {
    struct clk *clk;
    struct channel *state_channel;
    struct channel *command_channel;
    struct channel *arm_channel;
    struct channel *status_channel;
    struct arms arms;
    struct state_message state;
    instant state_taken; // when it was in hand; 0 without probes
    bool has_state;
    bool unreadable;      // the command channel holds what is no command
    uint64_t unpublished; // frames the channels did not take
};

static enum status start(struct manipulation *manipulation)
{
    struct description *description;
    struct robot_model *model = NULL;
    enum status status = target_files_load(&description, &model);
    if (status == STATUS_OK)
        status = arms_start(&manipulation->arms, description, model);
    robot_model_free(model); // the arms have taken what they need
    if (status == STATUS_OK)
        status = participant_channel("state", CHANNEL_READ, sizeof(struct state_message),
                                     &manipulation->state_channel);
    if (status == STATUS_OK)
        status = participant_channel("manipulation-command", CHANNEL_READ,
                                     sizeof(struct manipulation_command_message),
                                     &manipulation->command_channel);
    if (status == STATUS_OK)
        status = participant_channel("arm-command", CHANNEL_WRITE, sizeof(struct command_message),
                                     &manipulation->arm_channel);
    if (status == STATUS_OK)
        status = participant_channel("manipulation-status", CHANNEL_WRITE,
                                     sizeof(struct manipulation_status_message),
                                     &manipulation->status_channel);
    if (status == STATUS_OK)
        status = participant_join(&manipulation->clk);
    return status;
}

// OK; EMPTY; INVALID if what is there is no message: of another size, or unreadable.
static enum status get(struct channel *channel, void *message, size_t size_B)
{
    struct channel_frame frame;
    const enum status status = channel_get(channel, message, size_B, CHANNEL_NEWEST, &frame);
    if (status == STATUS_EMPTY)
        return STATUS_EMPTY;
    const bool delivered = status == STATUS_OK || status == STATUS_MISSED;
    return delivered && frame.size_B == size_B ? STATUS_OK : STATUS_INVALID;
}

static void put(struct manipulation *manipulation, struct channel *channel, const void *message,
                size_t size_B, instant now)
{
    if (channel_put(channel, message, size_B, now) != STATUS_OK)
        manipulation->unpublished++;
}

static void await_command(struct manipulation *manipulation)
{
    const struct clk_watch watch = channel_watch(manipulation->command_channel);
    const instant deadline = instant_add(clk_now(manipulation->clk), duration_ns(LOOK_ROUND_NS));
    // With an unreadable command a wait might end at once, again and again.
    if (manipulation->unreadable ||
        clk_wait(manipulation->clk, &watch, 1, deadline) == STATUS_SYSTEM)
        clk_sleep_until(manipulation->clk, deadline);
}

static void run_once(struct manipulation *manipulation)
{
    const instant now = clk_now(manipulation->clk);
    struct state_message newest;
    if (get(manipulation->state_channel, &newest, sizeof newest) == STATUS_OK) {
        manipulation->state = newest;
        manipulation->state_taken = participant_stamp(manipulation->clk);
        manipulation->has_state = true;
    }
    const struct state_message *state = manipulation->has_state ? &manipulation->state : NULL;

    struct manipulation_command_message command;
    const enum status got = get(manipulation->command_channel, &command, sizeof command);
    manipulation->unreadable = got == STATUS_INVALID;
    if (got == STATUS_OK)
        arms_accept(&manipulation->arms, &command, state);

    struct command_message joints;
    if (arms_command(&manipulation->arms, state, now, &joints)) {
        joints.taken = manipulation->state_taken;
        put(manipulation, manipulation->arm_channel, &joints, sizeof joints,
            clk_now(manipulation->clk));
    }
    if (!state)
        return;
    arms_report(&manipulation->arms, state, now);
    put(manipulation, manipulation->status_channel, &manipulation->arms.status,
        sizeof manipulation->arms.status, now);
}

int main(int argc, char **argv)
{
    static struct manipulation manipulation;
    if (participant_begin(argc, argv) != STATUS_OK || start(&manipulation) != STATUS_OK)
        return 2;
    for (;;) {
        run_once(&manipulation);
        await_command(&manipulation);
    }
}
