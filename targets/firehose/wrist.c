// wrist: gives way to the hose, or holds still, and says what it feels. Woken by each state; sends
// Manipulation a pose of the left hand every cycle, which keeps its orientation to the waist.
#include <math.h>
#include <string.h>

#include "base/log.h"
#include "motion/wrist.h"
#include "robot/participant.h"
#include "targets/firehose/files.h"
#include "targets/firehose/grip.h"
#include "targets/firehose/wrist_words.h"
#include "model/spatial.h"
#include "hand_wrench.h"
#include "task_command.h"
#include "task_status.h"
#include "wrist_status.h"

#define PATIENCE_MS 100
#define PERIOD_S GRIP_CYCLE_S
#define DESIRED_S 1.5        // low pass of what counts as the drag
#define WEIGH_S 1.5          // of the hand alone, before it closes
#define ELBOW_MAX_RAD (-0.3) // a straighter arm has no freedom left to give way with
#define TURN_MAX_RAD 0.6     // of a joint from where it is: farther is another way to hold the arm
#define WEIGH_FROM_S 1.5     // the arm has come to the place where it holds the hose
#define WRENCH_AGE_MAX_MS 30 // of six axes; without a younger one the board's three must do
#define REST_MAX_NM 2.0      // of six axes: a greater one is of no force at the grip
#define HAND_RAD_S 2.5       // the pose is a stream: nothing else is to slow the arm
#define HAND_RAD_S2 20.0

struct feeling { // of the hose's force, waist frame
    double sum_N[3], tare_N[3];
    unsigned weighed;
    double force_N[3], slow_N[3], desired_N[3];
    double rest_Nm[3], rest_sum_Nm[3]; // of six axes, beside the force's: now; while it was weighed
    unsigned rests;                    // how often that was
    bool valid;
    bool begun;    // it has felt the hand, empty or not
    double held_s; // for so long the hand has held the hose, up to DESIRED_S
};

struct wrist_daemon {
    struct channel *state_channel, *command_channel, *task_channel, *arm_channel, *status_channel;
    struct channel *wrench_channel;
    struct state_message state;
    struct hand_wrench_message wrench;
    struct task_command_message task;
    struct task_status_message walk;
    struct arm arm;
    bool told;
    double hand_m[3], quaternion[4];
    struct feeling feeling;
    struct wrist wrist;
    struct wrist_parameters parameters;
    double told_N; // f_d: what the hose is to pull back; NAN: what it does, low-passed
    uint64_t sent;
};

static bool take(struct channel *channel, void *message, size_t size_B, enum channel_which which)
{
    struct channel_frame frame;
    const enum status got = channel_get(channel, message, size_B, which, &frame);
    return (got == STATUS_OK || got == STATUS_MISSED) && frame.size_B == size_B;
}

// Where the hand holds the hose: as the robot stands, but with elbow and wrist bent so far that
// they can give way in both directions.
static void choose_place(struct wrist_daemon *daemon, const struct robot_model *model)
{
    static const double bend_rad[ARM_JOINTS] = {[ARM_SP] = 0.1, [ARM_EB] = -0.2, [ARM_WP] = -0.3};
    double angle_rad[ARM_JOINTS], rotation[9];
    for (unsigned i = 0; i < ARM_JOINTS; i++)
        angle_rad[i] = model->stand_rad[daemon->arm.joint[i]] + bend_rad[i];
    arm_forward(&daemon->arm, angle_rad, daemon->hand_m, rotation);
    quaternion_rotation(rotation, daemon->quaternion);
}

static bool has_six_axes(const struct wrist_daemon *daemon, instant now)
{
    const duration age = instant_sub(now, instant_ns(daemon->wrench.time_ns));
    return daemon->wrench.time_ns > 0 && age.ns >= 0 && age.ns <= duration_ms(WRENCH_AGE_MAX_MS).ns;
}

// Six axes know more than a force at the grip needs: whether they agree about it.
static bool agree(const struct feeling *feeling)
{
    double square = 0;
    for (int i = 0; i < 3; i++) {
        const double tare_Nm = feeling->rests > 0 ? feeling->rest_sum_Nm[i] / feeling->rests : 0;
        square += pow(feeling->rest_Nm[i] - tare_Nm, 2);
    }
    return feeling->rests == 0 ? isfinite(square) : square < REST_MAX_NM * REST_MAX_NM; // no NaN
}

// The force on the grip, in the hand's frame: of six axes, or as the board's three numbers tell it.
static bool sense(struct wrist_daemon *daemon, instant now, double hand_N[3])
{
    if (!has_six_axes(daemon, now))
        return grip_force(&daemon->state, hand_N);
    memcpy(hand_N, daemon->wrench.force_n, sizeof daemon->wrench.force_n);
    wrist_grip_moment(hand_N, daemon->wrench.moment_nm, GRIP_M, daemon->feeling.rest_Nm);
    return agree(&daemon->feeling);
}

// The force on the grip in the torso's frame, which is the waist's while that is straight.
static bool feel(struct wrist_daemon *daemon, instant now, double force_N[3], double hand_m[3],
                 double rotation[9])
{
    double angle_rad[ARM_JOINTS], hand_N[3];
    grip_angles(&daemon->arm, &daemon->state, angle_rad);
    arm_forward(&daemon->arm, angle_rad, hand_m, rotation);
    const bool sensed = sense(daemon, now, hand_N);
    rotate(rotation, hand_N, force_N);
    for (int i = 0; i < 3; i++)
        if (!isfinite(force_N[i]) || fabs(force_N[i]) > WRIST_FORCE_MAX_N)
            return false;
    return sensed;
}

static void pass(double *slow, double value, double time_s)
{
    *slow += (value - *slow) * PERIOD_S / time_s;
}

// A wrist that is started while the hand holds the hose goes on as it finds both: what it feels is
// the drag, and the hand stays where it is. The hand's weight remains a part of the drag.
static void go_on(struct wrist_daemon *daemon, const double force_N[3], const double hand_m[3])
{
    static const int axis[WRIST_AXES] = {[WRIST_X] = 0, [WRIST_Z] = 2};
    const double reach_m = daemon->parameters.reach_m;
    memcpy(daemon->feeling.slow_N, force_N, sizeof daemon->feeling.slow_N);
    memcpy(daemon->feeling.desired_N, force_N, sizeof daemon->feeling.desired_N);
    daemon->feeling.held_s = DESIRED_S;
    for (int i = 0; i < WRIST_AXES; i++)
        daemon->wrist.shift_m[i] =
            fmin(fmax(hand_m[axis[i]] - daemon->hand_m[axis[i]], -reach_m), reach_m);
}

// Before the hand closes its own weight is learnt; from then on what is more is the hose. The drag
// is at first the mean since then: a hose just taken would draw the hand to its arm's end, where it
// cannot give way.
static void note(struct feeling *feeling, const double force_N[3], bool grasped, instant now)
{
    if (!grasped && now.ns > duration_s(WEIGH_FROM_S).ns && feeling->weighed < WEIGH_S / PERIOD_S) {
        feeling->weighed++;
        for (int i = 0; i < 3; i++) {
            feeling->sum_N[i] += force_N[i];
            feeling->tare_N[i] = feeling->sum_N[i] / feeling->weighed;
            feeling->rest_sum_Nm[i] += feeling->rest_Nm[i];
        }
        feeling->rests = feeling->weighed;
    }
    feeling->held_s = grasped ? fmin(feeling->held_s + PERIOD_S, DESIRED_S) : PERIOD_S;
    for (int i = 0; i < 3; i++) {
        feeling->force_N[i] = force_N[i] - feeling->tare_N[i];
        pass(&feeling->slow_N[i], feeling->force_N[i], GRIP_SLOW_S);
        pass(&feeling->desired_N[i], feeling->force_N[i], feeling->held_s);
    }
}

static void place(const struct wrist_daemon *daemon, const struct wrist *wrist, double hand_m[3])
{
    memcpy(hand_m, daemon->hand_m, sizeof daemon->hand_m);
    hand_m[0] += wrist->shift_m[WRIST_X];
    hand_m[2] += wrist->shift_m[WRIST_Z];
}

// Whether the arm gets there with its elbow bent.
static bool within_reach(const struct wrist_daemon *daemon, const struct wrist *wrist)
{
    double hand_m[3], rotation[9], angle_rad[ARM_JOINTS], now_rad[ARM_JOINTS];
    grip_angles(&daemon->arm, &daemon->state, now_rad);
    place(daemon, wrist, hand_m);
    rotation_quaternion(daemon->quaternion, rotation);
    bool near = arm_inverse(&daemon->arm, hand_m, rotation, now_rad, angle_rad) == STATUS_OK &&
                angle_rad[ARM_EB] < ELBOW_MAX_RAD;
    for (unsigned i = 0; i < ARM_JOINTS; i++)
        near = near && fabs(angle_rad[i] - now_rad[i]) < TURN_MAX_RAD;
    return near;
}

// Takes the axes one by one: what one cannot do, the other may.
static void move(struct wrist_daemon *daemon, const struct wrist *wanted)
{
    for (int i = 0; i < WRIST_AXES; i++) {
        struct wrist tried = daemon->wrist;
        tried.shift_m[i] = wanted->shift_m[i];
        tried.velocity_m_s[i] = wanted->velocity_m_s[i];
        if (within_reach(daemon, &tried))
            daemon->wrist = tried;
        else
            daemon->wrist.velocity_m_s[i] = 0;
    }
}

static void comply(struct wrist_daemon *daemon, double *pull_N)
{
    const struct feeling *feeling = &daemon->feeling;
    const bool complying = daemon->told && daemon->task.comply && daemon->task.grasped;
    const double none[WRIST_AXES] = {0};
    const double force_N[] = {feeling->force_N[0], feeling->force_N[2]};
    const double desired_N[] = {isnan(daemon->told_N) ? feeling->desired_N[0] : -daemon->told_N,
                                feeling->desired_N[2]};
    *pull_N = complying ? wrist_pull_N(&daemon->parameters, daemon->walk.reference_m_s,
                                       daemon->walk.both_feet != 0 && daemon->walk.walking != 0)
                        : 0;
    const bool trusted = complying && feeling->valid;
    struct wrist wanted = daemon->wrist;
    wrist_step(&wanted, &daemon->parameters, trusted ? force_N : none, trusted ? desired_N : none,
               trusted ? *pull_N : 0, PERIOD_S);
    move(daemon, &wanted);
}

static void publish(struct channel *channel, const void *message, size_t size_B, instant now)
{
    // A full channel costs this one frame; the next one replaces it anyway.
    const enum status put = channel_put(channel, message, size_B, now);
    (void)put;
}

// After its work the hand is empty, and the arm goes back.
static bool let_go(const struct wrist_daemon *daemon)
{
    return daemon->told && daemon->task.id > 0 && !daemon->task.grasped;
}

static void send(struct wrist_daemon *daemon, instant now, double pull_N)
{
    struct manipulation_command_message command = {.id = ++daemon->sent, .time = now};
    struct arm_goal *goal = &command.arm[SIDE_LEFT];
    goal->kind = let_go(daemon) ? ARM_GOAL_NONE : ARM_GOAL_POSE;
    place(daemon, &daemon->wrist, goal->position_m);
    memcpy(goal->quaternion, daemon->quaternion, sizeof goal->quaternion);
    goal->velocity_nominal_rad_s = HAND_RAD_S;
    goal->acceleration_nominal_rad_s2 = HAND_RAD_S2;
    const struct feeling *feeling = &daemon->feeling;
    struct wrist_status_message status = {
        .time_ns = now.ns,
        .pull_n = pull_N,
        .shift_x_m = daemon->wrist.shift_m[WRIST_X],
        .shift_z_m = daemon->wrist.shift_m[WRIST_Z],
        .slow_x_n = feeling->slow_N[0],
        .slow_y_n = feeling->slow_N[1],
        .slow_z_n = feeling->slow_N[2],
        .hand_x_m = daemon->hand_m[0],
        .hand_y_m = daemon->hand_m[1],
        .complying = daemon->told && daemon->task.comply && daemon->task.grasped,
        .valid = feeling->valid,
    };
    memcpy(status.force_n, feeling->force_N, sizeof status.force_n);
    memcpy(status.desired_n, feeling->desired_N, sizeof status.desired_n);
    publish(daemon->arm_channel, &command, sizeof command, now);
    publish(daemon->status_channel, &status, sizeof status, now);
}

static void cycle(struct wrist_daemon *daemon, instant now)
{
    double force_N[3], hand_m[3], rotation[9], pull_N;
    struct task_command_message task;
    struct task_status_message walk;
    if (take(daemon->command_channel, &task, sizeof task, CHANNEL_LAST)) {
        daemon->task = task;
        daemon->told = true;
    }
    if (take(daemon->task_channel, &walk, sizeof walk, CHANNEL_LAST))
        daemon->walk = walk;
    const bool six =
        take(daemon->wrench_channel, &daemon->wrench, sizeof daemon->wrench, CHANNEL_LAST);
    (void)six; // without, it is old
    daemon->feeling.valid = feel(daemon, now, force_N, hand_m, rotation);
    const bool grasped = daemon->told && daemon->task.grasped;
    if (daemon->feeling.valid) {
        if (!daemon->feeling.begun && grasped)
            go_on(daemon, force_N, hand_m);
        daemon->feeling.begun = true;
        note(&daemon->feeling, force_N, grasped, now);
    }
    comply(daemon, &pull_N);
    send(daemon, now, pull_N);
}

static enum status start(struct wrist_daemon *daemon, struct clk **clk)
{
    const struct {
        const char *name;
        enum channel_role role;
        size_t size_B;
        struct channel **channel;
    } wanted[] = {{"state", CHANNEL_READ, sizeof daemon->state, &daemon->state_channel},
                  {"task-command", CHANNEL_READ, sizeof daemon->task, &daemon->command_channel},
                  {"task-status", CHANNEL_READ, sizeof daemon->walk, &daemon->task_channel},
                  {"hand-wrench", CHANNEL_READ, sizeof daemon->wrench, &daemon->wrench_channel},
                  {"manipulation-command", CHANNEL_WRITE,
                   sizeof(struct manipulation_command_message), &daemon->arm_channel},
                  {"wrist-status", CHANNEL_WRITE, sizeof(struct wrist_status_message),
                   &daemon->status_channel}};
    struct robot_model *model = NULL;
    enum status status = files_robot(&model);
    if (status == STATUS_OK)
        status = arm_from_model(model, SIDE_LEFT, &daemon->arm);
    if (status == STATUS_OK)
        choose_place(daemon, model);
    robot_model_free(model); // the arm has taken what it needs
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0] && status == STATUS_OK; i++)
        status = participant_channel(wanted[i].name, wanted[i].role, wanted[i].size_B,
                                     wanted[i].channel);
    return status == STATUS_OK ? participant_join(clk) : status;
}

int main(int argc, char **argv)
{
    static struct wrist_daemon daemon;
    struct clk *clk;
    log_program(argv[0]);
    if (!wrist_words(argv + (argc > 0), &daemon.parameters, &daemon.told_N) ||
        start(&daemon, &clk) != STATUS_OK)
        return 2;
    for (;;) {
        const struct clk_watch watch = channel_watch(daemon.state_channel);
        const instant patience = instant_add(clk_now(clk), duration_ms(PATIENCE_MS));
        if (clk_wait(clk, &watch, 1, patience) == STATUS_OK &&
            take(daemon.state_channel, &daemon.state, sizeof daemon.state, CHANNEL_NEWEST))
            cycle(&daemon, clk_now(clk));
        else
            clk_sleep_until(clk, instant_add(clk_now(clk), duration_ms(1)));
    }
}
