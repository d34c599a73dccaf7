// whole_body: balance and the hand at once, by a stack of tasks. Woken by each state; publishes
// commands of all joints, and how balance is. Priority 35. What it does is in limbs.h and in
// hubo2's balance_core.h. There are two, of which one speaks: turns.h. The argument `spare` makes
// it the more impatient one.
#include <math.h>
#include <string.h>

#include "targets/firehose/grip.h"
#include "targets/firehose/limbs.h"
#include "targets/firehose/turns.h"
#include "targets/hubo2/balance/balance_daemon.h"
#include "task_command.h"
#include "task_status.h"
#include "walk/zmp/geometry.h"
#include "wrist_status.h"

#define FORCE_AGE_MAX_MS 200
#define PATIENCE_MS 45 // with a silent twin; that of the spare one is less
#define SPARE_PATIENCE_MS 25
#define HAND_HEIGHT_M 0.568
#define TASK_CARRY 2 // task_command.msg's `compensate`

// Ahead and aside. A hose hardly pulls sideways, though it hangs beside: more is a sensor's
// mistake.
static const double lean_max_m[2] = {0.06, 0.02}, carry_max_m[2] = {0.12, 0.04};

struct whole_body {
    struct balance_daemon legs; // first: what it calls back with
    struct limbs limbs;
    struct turns turns;
    struct arm arm; // the left one
    struct grip_look look;
    struct grip grip; // the newest that was known
    bool knows;       // it is that of now
    struct channel *hand, *task, *walk, *wrist, *arm_command_channel, *status_channel;
    struct command_message arm_command;
};

static enum status start(struct whole_body *body, struct clk **clk)
{
    const struct {
        const char *name;
        enum channel_role role;
        size_t size_B;
        struct channel **channel;
    } wanted[] = {
        {"manipulation-command", CHANNEL_READ, sizeof(struct manipulation_command_message),
         &body->hand},
        {"task-command", CHANNEL_READ, sizeof(struct task_command_message), &body->task},
        {"task-status", CHANNEL_READ, sizeof(struct task_status_message), &body->walk},
        {"wrist-status", CHANNEL_READ, sizeof(struct wrist_status_message), &body->wrist},
        {"arm-command", CHANNEL_WRITE, sizeof(struct command_message), &body->arm_command_channel},
        {"whole-body-status", CHANNEL_WRITE, sizeof(struct whole_body_status_message),
         &body->status_channel}};
    enum status status = balance_daemon_start(&body->legs);
    if (status == STATUS_OK)
        status = limbs_create(&body->limbs, body->legs.model, body->legs.description);
    if (status == STATUS_OK)
        status = arm_from_model(body->legs.model, SIDE_LEFT, &body->arm);
    body->look.arm = &body->arm;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0] && status == STATUS_OK; i++)
        status = participant_channel(wanted[i].name, wanted[i].role, wanted[i].size_B,
                                     wanted[i].channel);
    body->legs.balance.limbs = &body->limbs.called;
    return status == STATUS_OK ? participant_join(clk) : status;
}

static bool take(struct channel *channel, void *message, size_t size_B, enum channel_which which)
{
    struct channel_frame frame;
    const enum status got = channel_get(channel, message, size_B, which, &frame);
    return (got == STATUS_OK || got == STATUS_MISSED) && frame.size_B == size_B;
}

// How far the centre of mass leans so that the force's moment about the feet is balanced by the
// weight's: of what pulls, high above them, and of what hangs from the hand, ahead of them and
// beside.
static double balancing_lean_m(const struct whole_body *body, double hand_m, double pull_N,
                               double hangs_N, double most_m)
{
    const double weight_N = body->legs.model->mass_kg * GRAVITY_M_S2;
    const double lean_m = (hand_m * hangs_N - body->limbs.hand_height_m * pull_N) / weight_N;
    return fmin(fmax(lean_m, -most_m), most_m);
}

static void lean_against(struct whole_body *body, const struct grip *grip, bool carries)
{
    const double *most_m = carries ? carry_max_m : lean_max_m;
    const double slow_N = carries ? grip->slow_N[2] : 0, now_N = carries ? grip->now_N[2] : 0;
    struct limbs *limbs = &body->limbs;
    for (int i = 0; i < 2; i++)
        limbs->lean_wanted_m[i] =
            balancing_lean_m(body, grip->hand_m[i], grip->slow_N[i], slow_N, most_m[i]);
    limbs->lean_now_m = balancing_lean_m(body, grip->hand_m[0], grip->now_N[0], now_N, most_m[0]);
}

static void lean_against_expected(struct whole_body *body, double pull_N)
{
    struct limbs *limbs = &body->limbs;
    limbs->lean_now_m = balancing_lean_m(body, 0, -pull_N, 0, lean_max_m[0]);
    limbs->lean_wanted_m[0] = limbs->lean_now_m;
}

static bool recent(instant now, int64_t said_ns)
{
    const duration age = instant_sub(now, instant_ns(said_ns));
    return age.ns >= 0 && age.ns <= duration_ms(FORCE_AGE_MAX_MS).ns;
}

// What the plan leans itself is not to be added.
static void leave_to_plan(struct whole_body *body, instant now)
{
    struct limbs *limbs = &body->limbs;
    struct task_status_message walk;
    if (!take(body->walk, &walk, sizeof walk, CHANNEL_LAST) || !recent(now, walk.time_ns) ||
        !isfinite(walk.lean_x_m) || !isfinite(walk.lean_y_m))
        return;
    limbs->lean_wanted_m[0] -= walk.lean_x_m;
    limbs->lean_wanted_m[1] -= walk.lean_y_m;
    limbs->lean_now_m -= walk.lean_x_m;
}

static bool hear_wrist(struct whole_body *body, instant now, struct grip *said)
{
    struct wrist_status_message wrist;
    if (!take(body->wrist, &wrist, sizeof wrist, CHANNEL_LAST) || !wrist.valid ||
        !recent(now, wrist.time_ns))
        return false;
    *said = (struct grip){.slow_N = {wrist.slow_x_n, wrist.slow_y_n, wrist.slow_z_n},
                          .hand_m = {wrist.hand_x_m, wrist.hand_y_m}};
    memcpy(said->now_N, wrist.force_n, sizeof said->now_N);
    return grip_can_be(&body->look, said->slow_N, body->grip.slow_N);
}

// The force at the grip: as the wrist says it, or else as the sensor does.
static void feel(struct whole_body *body, instant now)
{
    struct grip said;
    grip_look(&body->look, &body->legs.state);
    const bool heard = hear_wrist(body, now, &said);
    body->knows = heard || body->look.valid;
    if (body->knows)
        body->grip = heard ? said : body->look.seen;
}

static void lean_as_told(struct whole_body *body)
{
    struct task_command_message task;
    memset(body->limbs.lean_wanted_m, 0, sizeof body->limbs.lean_wanted_m);
    body->limbs.lean_now_m = 0;
    if (!take(body->task, &task, sizeof task, CHANNEL_LAST))
        return;
    if (task.grasped && isfinite(task.expect_n) && task.expect_n > 0)
        lean_against_expected(body, task.expect_n);
    if (task.compensate && body->knows)
        lean_against(body, &body->grip, task.compensate == TASK_CARRY);
}

static bool gives_way(struct whole_body *body, instant now)
{
    struct wrist_status_message wrist;
    return take(body->wrist, &wrist, sizeof wrist, CHANNEL_LAST) && recent(now, wrist.time_ns) &&
           wrist.complying;
}

static void listen(struct whole_body *body, instant now)
{
    struct manipulation_command_message command;
    if (take(body->hand, &command, sizeof command, CHANNEL_NEWEST)) {
        const enum status held = limbs_hold(&body->limbs, &command.arm[SIDE_LEFT]);
        (void)held; // without sense it changes nothing
    }
    body->limbs.hand_evenly = gives_way(body, now);
    feel(body, now);
    lean_as_told(body);
    leave_to_plan(body, now);
}

static void publish(struct channel *channel, const void *frame, size_t size_B, instant now)
{
    // A full channel costs this one frame; the next cycle's replaces it anyway.
    const enum status put = channel_put(channel, frame, size_B, now);
    (void)put;
}

static bool last_said(const struct whole_body *body, struct balance_status_message *last)
{
    return take(body->legs.last_status, last, sizeof *last, CHANNEL_LAST);
}

static bool turn(struct balance_daemon *legs, instant now)
{
    struct whole_body *body = (struct whole_body *)legs; // its first member
    struct balance_status_message last;
    listen(body, now); // now that there is a state: who is of a higher priority has answered it
    const bool known = last_said(body, &last);
    const bool answers =
        turns_take(&body->turns, &legs->balance, known ? &last : NULL, &legs->state, now);
    legs->silent = !body->turns.speaks;
    return answers;
}

static void speak(struct whole_body *body, bool answered, instant now)
{
    struct whole_body_status_message status;
    body->turns.spoken = body->legs.status.time;
    if (answered &&
        limbs_command(&body->limbs, &body->legs.balance, &body->legs.state, &body->arm_command))
        publish(body->arm_command_channel, &body->arm_command, sizeof body->arm_command, now);
    limbs_report(&body->limbs, now, &status);
    status.knows_force = body->knows;
    publish(body->status_channel, &status, sizeof status, now);
}

static void be_silent(struct whole_body *body)
{
    struct balance_status_message last;
    if (body->turns.along && last_said(body, &last))
        turns_compare(&body->turns, &body->legs.balance, &last);
}

static enum status read_arguments(int argc, char **argv, bool *spare)
{
    *spare = argc == 2 && strcmp(argv[1], "spare") == 0;
    return participant_begin(*spare ? 1 : argc, argv);
}

int main(int argc, char **argv)
{
    static struct whole_body body;
    struct clk *clk;
    bool spare;
    if (read_arguments(argc, argv, &spare) != STATUS_OK || start(&body, &clk) != STATUS_OK)
        return 2;
    turns_begin(&body.turns, duration_ms(spare ? SPARE_PATIENCE_MS : PATIENCE_MS),
                !body.legs.balance.started_before, spare);
    body.legs.turn = turn;
    body.legs.silent = spare || body.legs.balance.started_before; // until the first state
    for (;;) {
        const bool answered = balance_daemon_cycle(&body.legs, clk);
        if (body.legs.silent)
            be_silent(&body);
        else
            speak(&body, answered, clk_now(clk));
    }
}
