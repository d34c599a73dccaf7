// The Perception daemon: where the robot is and where goal and obstacles lie, 10 times a second.
//
// It says nothing when it sees nothing: without a new image, or with one that is too old, no
// message is published, and the planner, finding its perception stale, makes no new plan.
#include "robot/participant.h"
#include "targets/hubo2/perception/perception_scene.h"

#define PERIOD_NS 100000000
#define IMAGE_AGE_MAX_NS 300000000

struct perception {
    struct clk *clk;
    struct channel *camera_channel;
    struct channel *perception_channel;
    uint64_t refused;     // images that were stale or made no sense
    uint64_t unpublished; // messages the channel did not take
};

static enum status start(struct perception *perception)
{
    enum status status = participant_channel("camera", CHANNEL_READ, sizeof(struct camera_message),
                                             &perception->camera_channel);
    if (status == STATUS_OK)
        status = participant_channel("perception", CHANNEL_WRITE, sizeof(struct perception_message),
                                     &perception->perception_channel);
    if (status == STATUS_OK)
        status = participant_join(&perception->clk);
    return status;
}

static bool is_stale(const struct camera_message *image, instant now)
{
    const int64_t age_ns = instant_sub(now, image->time).ns;
    return age_ns < 0 || age_ns > IMAGE_AGE_MAX_NS;
}

static void look(struct perception *perception)
{
    struct camera_message image;
    struct perception_message scene;
    struct channel_frame frame;
    const enum status status =
        channel_get(perception->camera_channel, &image, sizeof image, CHANNEL_NEWEST, &frame);
    if ((status != STATUS_OK && status != STATUS_MISSED) || frame.size_B != sizeof image)
        return;
    const instant now = clk_now(perception->clk);
    if (is_stale(&image, now) || !perception_scene(&image, now, &scene))
        perception->refused++;
    else if (channel_put(perception->perception_channel, &scene, sizeof scene, now) != STATUS_OK)
        perception->unpublished++;
}

int main(int argc, char **argv)
{
    static struct perception perception;
    if (participant_begin(argc, argv) != STATUS_OK || start(&perception) != STATUS_OK)
        return 2;
    struct clk_period period =
        clk_period_start(perception.clk, instant_ns(0), duration_ns(PERIOD_NS));
    for (;;) {
        (void)clk_period_wait(perception.clk, &period);
        look(&perception);
    }
}
