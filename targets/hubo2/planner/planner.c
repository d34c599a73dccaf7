// planner: walks the robot to the goal as perceived, or as balance requested, by steps that balance
// puts on its stack. Priority 5, not real-time; looks around 20 times a second.
#include <stddef.h>

#include "robot/participant.h"
#include "targets/hubo2/planner/planner_core.h"
#include "targets/hubo2/planner/planner_walk.h"
#include "targets/hubo2/target_files.h"
#include "walk/steps/route.h"

#define PERIOD_MS 50
#define SEGMENTS_PER_TURN 4

struct channels {
    struct channel *status, *perception, *command, *segment, *footsteps;
    struct channel *planner_status, *last_status;
};

static struct planner planner;
static struct planner_walk walk;
static struct planner_input input;
static struct segment_message segment;

static enum status open_channels(struct channels *channels)
{
    const struct {
        const char *name;
        enum channel_role role;
        size_t size_B;
        struct channel **channel;
    } wanted[] = {{"balance-status", CHANNEL_READ, sizeof input.status, &channels->status},
                  {"perception", CHANNEL_READ, sizeof input.perception, &channels->perception},
                  {"planner-command", CHANNEL_READ, sizeof input.command, &channels->command},
                  {"segment", CHANNEL_READ, sizeof segment, &channels->segment},
                  {"footsteps", CHANNEL_WRITE, sizeof walk.steps, &channels->footsteps},
                  {"planner-status", CHANNEL_WRITE, sizeof(struct planner_status_message),
                   &channels->planner_status},
                  {"planner-status", CHANNEL_READ, sizeof(struct planner_status_message),
                   &channels->last_status}};
    enum status opened = STATUS_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0] && opened == STATUS_OK; i++)
        opened = participant_channel(wanted[i].name, wanted[i].role, wanted[i].size_B,
                                     wanted[i].channel);
    return opened;
}

// A frame of another size is no message.
static bool newest(struct channel *channel, void *message, size_t size_B)
{
    struct channel_frame frame;
    enum status got = channel_get(channel, message, size_B, CHANNEL_LAST, &frame);
    return (got == STATUS_OK || got == STATUS_MISSED) && frame.size_B == size_B;
}

// What balance holds since the last look.
static void hear(const struct channels *channels)
{
    struct channel_frame frame;
    for (int i = 0; i < SEGMENTS_PER_TURN; i++) {
        const enum status got =
            channel_get(channels->segment, &segment, sizeof segment, CHANNEL_NEXT, &frame);
        if (got != STATUS_OK && got != STATUS_MISSED)
            return;
        const size_t told =
            offsetof(struct segment_message, sample) + segment.count * sizeof segment.sample[0];
        if (segment.count <= SEGMENT_SAMPLES_MAX && told <= frame.size_B)
            planner_walk_hear(&walk, &segment);
    }
}

static void look(struct clk *clk, const struct channels *channels)
{
    input.now = clk_now(clk);
    input.status_known = newest(channels->status, &input.status, sizeof input.status);
    input.perception_known =
        newest(channels->perception, &input.perception, sizeof input.perception);
    input.command_known = newest(channels->command, &input.command, sizeof input.command);
    hear(channels);
}

static bool send_steps(const struct channels *channels)
{
    return channel_put(channels->footsteps, &walk.steps, planner_walk_size_B(&walk), input.now) ==
           STATUS_OK;
}

static void act(const struct channels *channels)
{
    enum planner_action action = planner_decide(&planner, &input);
    if (action == PLANNER_BEGIN) {
        enum made made = planner_walk_begin(&walk, &planner, &input);
        if (made == MADE_ARRIVED)
            planner_arrived(&planner);
        else if (made == MADE_STEPS && send_steps(channels))
            planner_sent_first(&planner, &input, walk.steps.final != 0);
    } else if (action == PLANNER_EXTEND) {
        if (planner_walk_extend(&walk, &planner, &input) == MADE_STEPS && send_steps(channels))
            planner_sent_next(&planner, walk.steps.final != 0);
    }
}

static void report(const struct channels *channels)
{
    struct planner_status_message status = {
        .time = input.now,
        .command_id = planner.command_id,
        .reached_id = planner.reached_id,
        .plan_id = planner.last_plan_id,
        .segments = planner.segments_total,
        .distance_to_goal_m = input.perception_known
                                  ? pose2d_distance_m(input.perception.robot, input.perception.goal)
                                  : 0,
        .perception_fresh = planner_perception_fresh(&input),
        .steps_planned = planner.life != PLAN_NONE ? walk.committed : 0,
    };
    // A full channel costs this one frame; the next one replaces it anyway.
    enum status put = channel_put(channels->planner_status, &status, sizeof status, input.now);
    (void)put;
}

int main(int argc, char **argv)
{
    struct channels channels;
    struct robot_model *model;
    struct clk *clk;
    if (participant_begin(argc, argv) != STATUS_OK || open_channels(&channels) != STATUS_OK ||
        target_files_load(NULL, &model) != STATUS_OK ||
        planner_walk_init(&walk, model) != STATUS_OK)
        return 2;
    struct planner_status_message last;
    planner_init(&planner, newest(channels.last_status, &last, sizeof last) ? &last : NULL);
    if (participant_join(&clk) != STATUS_OK)
        return 2;
    struct clk_period period = clk_period_start(clk, instant_ns(0), duration_ms(PERIOD_MS));
    for (;;) {
        clk_period_wait(clk, &period);
        look(clk, &channels);
        act(&channels);
        report(&channels);
    }
}
