// whole_body: balance and the hand at once, by a stack of tasks. Woken by each state; publishes
// commands of all joints, and how balance is. Priority 35. What it does is in limbs.h and in
// hubo2's balance_core.h.
#include "targets/firehose/limbs.h"
#include "targets/hubo2/balance_daemon.h"

struct whole_body {
    struct balance_daemon legs;
    struct limbs limbs;
    struct channel *hand, *arm_command_channel, *status_channel;
    struct command_message arm_command;
};

static enum status start(struct whole_body *body, struct clk **clk)
{
    enum status status = balance_daemon_start(&body->legs);
    if (status == STATUS_OK)
        status = limbs_create(&body->limbs, body->legs.model, body->legs.description);
    if (status == STATUS_OK)
        status = participant_channel("manipulation-command", CHANNEL_READ,
                                     sizeof(struct manipulation_command_message), &body->hand);
    if (status == STATUS_OK)
        status = participant_channel("arm-command", CHANNEL_WRITE, sizeof(struct command_message),
                                     &body->arm_command_channel);
    if (status == STATUS_OK)
        status =
            participant_channel("whole-body-status", CHANNEL_WRITE,
                                sizeof(struct whole_body_status_message), &body->status_channel);
    body->legs.balance.limbs = &body->limbs.place;
    return status == STATUS_OK ? participant_join(clk) : status;
}

static void listen(struct whole_body *body)
{
    struct manipulation_command_message command;
    struct channel_frame frame;
    const enum status got =
        channel_get(body->hand, &command, sizeof command, CHANNEL_NEWEST, &frame);
    if ((got == STATUS_OK || got == STATUS_MISSED) && frame.size_B == sizeof command) {
        const enum status held = limbs_hold(&body->limbs, &command.arm[SIDE_LEFT]);
        (void)held; // without sense it changes nothing
    }
}

static void publish(struct channel *channel, const void *frame, size_t size_B, instant now)
{
    // A full channel costs this one frame; the next cycle's replaces it anyway.
    const enum status put = channel_put(channel, frame, size_B, now);
    (void)put;
}

int main(int argc, char **argv)
{
    static struct whole_body body;
    struct whole_body_status_message status;
    struct clk *clk;
    if (participant_begin(argc, argv) != STATUS_OK || start(&body, &clk) != STATUS_OK)
        return 2;
    for (;;) {
        listen(&body);
        if (balance_daemon_cycle(&body.legs, clk) &&
            limbs_command(&body.limbs, &body.legs.balance, &body.legs.state, &body.arm_command))
            publish(body.arm_command_channel, &body.arm_command, sizeof body.arm_command,
                    clk_now(clk));
        limbs_report(&body.limbs, clk_now(clk), &status);
        publish(body.status_channel, &status, sizeof status, clk_now(clk));
    }
}
