// lookout: where an obstacle lies across the robot's way, from what the camera measures of it
// and from where the joints say that the feet are. 10 times a second, after each new image.
//
// It says nothing when it sees nothing, and nothing of images that are too old.
#include "robot/participant.h"
#include "targets/hubo2/target_files.h"
#include "targets/walkgen/sighting.h"

#define PERIOD_MS 100
#define PHASE_MS 20 // behind the image, so that it is there
#define IMAGE_AGE_MAX_NS 200000000

struct lookout {
    struct clk *clk;
    struct channel *sight, *state, *obstacle;
    struct sighting sighting;
    uint64_t refused; // images that were too old or made no sense
};

static bool take(struct channel *channel, void *message, size_t size_B, enum channel_which which)
{
    struct channel_frame frame;
    const enum status got = channel_get(channel, message, size_B, which, &frame);
    return (got == STATUS_OK || got == STATUS_MISSED) && frame.size_B == size_B;
}

static void look(struct lookout *lookout)
{
    static struct state_message state;
    struct sight_message image;
    struct obstacle_message obstacle;
    if (!take(lookout->sight, &image, sizeof image, CHANNEL_NEWEST) ||
        !take(lookout->state, &state, sizeof state, CHANNEL_LAST))
        return;
    const instant now = clk_now(lookout->clk);
    const int64_t age_ns = instant_sub(now, image.time).ns;
    if (age_ns < 0 || age_ns > IMAGE_AGE_MAX_NS ||
        !sighting_add(&lookout->sighting, &image, &state)) {
        lookout->refused++;
        return;
    }
    if (!sighting_obstacle(&lookout->sighting, &obstacle))
        return;
    obstacle.time_ns = now.ns;
    // A full channel costs this one message; the next one replaces it anyway.
    const enum status put = channel_put(lookout->obstacle, &obstacle, sizeof obstacle, now);
    (void)put;
}

static enum status start(struct lookout *lookout)
{
    struct robot_model *model;
    enum status status = target_files_load(NULL, &model);
    if (status == STATUS_OK) {
        status = sighting_init(&lookout->sighting, model);
        robot_model_free(model);
    }
    if (status == STATUS_OK)
        status = participant_channel("sight", CHANNEL_READ, sizeof(struct sight_message),
                                     &lookout->sight);
    if (status == STATUS_OK)
        status = participant_channel("state", CHANNEL_READ, sizeof(struct state_message),
                                     &lookout->state);
    if (status == STATUS_OK)
        status = participant_channel("obstacle", CHANNEL_WRITE, sizeof(struct obstacle_message),
                                     &lookout->obstacle);
    return status == STATUS_OK ? participant_join(&lookout->clk) : status;
}

int main(int argc, char **argv)
{
    static struct lookout lookout;
    if (participant_begin(argc, argv) != STATUS_OK || start(&lookout) != STATUS_OK)
        return 2;
    struct clk_period period = clk_period_start(
        lookout.clk, instant_ns(PHASE_MS * INT64_C(1000000)), duration_ms(PERIOD_MS));
    for (;;) {
        (void)clk_period_wait(lookout.clk, &period);
        look(&lookout);
    }
}
