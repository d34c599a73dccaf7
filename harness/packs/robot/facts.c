#include "harness/packs/robot/facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/judge/pack.h"
#include "harness/packs/robot/messages.h"
#include "harness/packs/robot/viewer.h"
#include "walk/zmp/geometry.h"

#define TRUTH_LATE_S 0.1   // ground truth may end so long before the history does,
#define TRUTH_BEHIND_S 0.5 // and so long before the trial does: in real time all may be late

// What a state may say of its period.
#define PERIOD_MIN_US 1000
#define PERIOD_MAX_US 100000

static bool collect_all(const struct history *history, struct facts *f)
{
    return series_collect(history, "truth", sizeof(struct truth_message), &f->truth) &&
           series_collect(history, "state", sizeof(struct state_message), &f->state) &&
           series_collect(history, "segment", offsetof(struct segment_message, sample),
                          &f->segment) &&
           series_collect(history, "balance-status", sizeof(struct balance_status_message),
                          &f->status) &&
           series_collect(history, "reference", sizeof(struct reference_message), &f->reference) &&
           series_collect_got(history, "leg-command", sizeof(struct command_message),
                              &f->leg_command) &&
           series_collect_got(history, "arm-command", sizeof(struct command_message),
                              &f->arm_command);
}

// A trial has one rate from beginning to end.
static void find_period(struct facts *f)
{
    f->period_s = CONTROL_PERIOD_S;
    if (f->state.count == 0)
        return;
    const struct state_message *first = series_at(&f->state, 0)->data;
    if (first->period_us >= PERIOD_MIN_US && first->period_us <= PERIOD_MAX_US)
        f->period_s = first->period_us * 1e-6;
}

// The soles are as large as their contacts with the floor show: no robot description is needed, and
// none can be wrong.
static void measure_soles(const struct analysis *a, struct facts *f)
{
    for (size_t i = 0; i < f->truth.count && i < f->fall; i++) {
        const struct truth_message *truth = truth_at(a, i);
        for (unsigned c = 0; c < truth->contact_count && c < ROBOT_CONTACTS_MAX; c++) {
            double nearest = INFINITY;
            struct pose2d in_foot = {0};
            for (unsigned side = 0; side < SIDE_COUNT; side++) {
                struct pose2d foot = {truth->foot_m[side][0], truth->foot_m[side][1],
                                      yaw_rad(truth->foot_quaternion[side])};
                struct pose2d point = {truth->contact_m[c][0], truth->contact_m[c][1], 0};
                struct pose2d seen = pose_relative(foot, point);
                double distance = hypot(seen.x_m, seen.y_m);
                if (tilt_rad(truth->foot_quaternion[side]) < 0.02 && distance < nearest) {
                    nearest = distance;
                    in_foot = seen;
                }
            }
            if (nearest > 0.25) // no part of a foot that stands flat
                continue;
            f->sole_half_length_m = fmax(f->sole_half_length_m, fabs(in_foot.x_m));
            f->sole_half_width_m = fmax(f->sole_half_width_m, fabs(in_foot.y_m));
        }
    }
}

const struct truth_message *truth_at(const struct analysis *analysis, size_t index)
{
    return series_at(&facts(analysis)->truth, index)->data;
}

double truth_time_s(const struct analysis *analysis, size_t index)
{
    return instant_to_s(truth_at(analysis, index)->time);
}

size_t truth_index(const struct analysis *analysis, double time_s)
{
    size_t low = 0, high = facts(analysis)->truth.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (truth_time_s(analysis, middle) < time_s)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double setpoint_velocity(const struct analysis *analysis, size_t index, unsigned joint)
{
    if (index == 0 || index >= facts(analysis)->truth.count)
        return 0;
    double elapsed_s = truth_time_s(analysis, index) - truth_time_s(analysis, index - 1);
    if (elapsed_s <= 0)
        return 0;
    return (truth_at(analysis, index)->setpoint_rad[joint] -
            truth_at(analysis, index - 1)->setpoint_rad[joint]) /
           elapsed_s;
}

bool has_fallen_ever(const struct analysis *analysis)
{
    return facts(analysis)->fall < facts(analysis)->truth.count;
}

static double support_margin_m(const struct truth_message *truth, struct point2 point)
{
    struct point2 hull[ROBOT_CONTACTS_MAX + 1];
    return polygon_margin(hull, support_polygon(truth, hull), point);
}

double com_margin_m(const struct analysis *analysis, size_t index)
{
    const struct truth_message *truth = truth_at(analysis, index);
    return support_margin_m(truth, (struct point2){truth->com_m[0], truth->com_m[1]});
}

double capture_margin_m(const struct analysis *analysis, size_t index)
{
    const struct truth_message *truth = truth_at(analysis, index);
    return support_margin_m(truth, capture_point(truth->com_m, truth->com_velocity_m_s));
}

const struct segment_sample *plan_sample(const struct analysis *analysis, uint64_t plan_id,
                                         int64_t index, double time_s)
{
    for (size_t i = facts(analysis)->segment.count; i-- > 0;) {
        const struct event *event = facts(analysis)->segment.event[i];
        const struct segment_message *segment = event->data;
        size_t held =
            (event->size_B - offsetof(struct segment_message, sample)) / sizeof segment->sample[0];
        if (instant_to_s(event->time) <= time_s && segment->plan_id == plan_id &&
            index >= segment->first && index - segment->first < segment->count &&
            (size_t)(index - segment->first) < held)
            return &segment->sample[index - segment->first];
    }
    return NULL;
}

bool state_is_complete(const struct state_message *state, unsigned joint_count)
{
    bool all = state->imu.valid;
    for (unsigned j = 0; j < joint_count && j < ROBOT_JOINTS_MAX; j++)
        all &= state->joint[j].valid != 0;
    for (unsigned i = 0; i < ROBOT_FORCE_TORQUE_MAX; i++)
        all &= state->force_torque[i].valid != 0;
    for (unsigned i = 0; i < SIDE_COUNT; i++)
        all &= state->tilt[i].valid != 0;
    return all;
}

unsigned joint_set_of(const struct description *description, unsigned joint)
{
    switch (description->joint[joint].group) {
    case GROUP_RIGHT_ARM:
    case GROUP_LEFT_ARM:
        return JOINTS_ARMS;
    case GROUP_RIGHT_LEG:
    case GROUP_LEFT_LEG:
        return JOINTS_LEGS;
    default:
        return JOINTS_NONE;
    }
}

// ---- the pack -----------------------------------------------------------------------------------

static void find_fall(const struct analysis *a, struct facts *f)
{
    if (f->truth.count > 0)
        f->standing_height_m = truth_at(a, 0)->pelvis_m[2];
    while (f->fall < f->truth.count && !has_fallen(truth_at(a, f->fall), f->standing_height_m))
        f->fall++;
}

static bool study(const struct analysis *a, void **found)
{
    struct facts *f = *found = calloc(1, sizeof *f);
    if (f == NULL || !collect_all(a->history, f))
        return false;
    find_period(f);
    find_fall(a, f);
    measure_soles(a, f);
    return true;
}

static void forget(void *found)
{
    struct facts *f = found;
    if (f == NULL)
        return;
    struct series *all[] = {&f->truth,     &f->state,       &f->segment,    &f->status,
                            &f->reference, &f->leg_command, &f->arm_command};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]->event);
    free(f);
}

static unsigned unsound(const struct analysis *a, const char **what)
{
    const size_t count = facts(a)->truth.count;
    unsigned wrong = 0;
    for (size_t i = 0; i < count; i++)
        if (truth_at(a, i)->physics_warning != 0) {
            wrong++;
            *what = "the physics engine warned: the simulated world is not to be trusted";
        }
    const double last_s = count == 0 ? 0 : truth_time_s(a, count - 1);
    if (a->recorded_s - last_s > TRUTH_LATE_S || a->end_s - last_s > TRUTH_BEHIND_S) {
        wrong++;
        *what = "ground truth ended before the trial did";
    }
    if (count == 0) {
        wrong++;
        *what = "no ground truth was recorded";
    }
    return wrong;
}

static double fall_s(const struct analysis *a)
{
    return has_fallen_ever(a) ? truth_time_s(a, facts(a)->fall) : INFINITY;
}

static void body_state(const struct description *description, const void *message,
                       struct body_state *state)
{
    const struct truth_message *truth = message;
    state->count = description->joint_count;
    memcpy(state->place_m, truth->pelvis_m, sizeof state->place_m);
    memcpy(state->quaternion, truth->pelvis_quaternion, sizeof state->quaternion);
    memcpy(state->position_rad, truth->position_rad, state->count * sizeof(double));
}

static const struct pack_channel channels[] = {
    {"truth", &robot_truth, false},        {"state", &robot_state, true},
    {"segment", &robot_segment, true},     {"balance-status", &robot_balance_status, true},
    {"reference", &robot_reference, true}, {"leg-command", &robot_command, true},
    {"arm-command", &robot_command, true}, {.name = NULL}};

const struct pack pack_robot = {.name = "robot",
                                .summary = "ground truth and the messages of a robot's stack",
                                .channel = channels,
                                .study = study,
                                .forget = forget,
                                .unsound = unsound,
                                .given_up_s = fall_s,
                                .given_up = "the robot fell",
                                .derived = robot_viewer_topics,
                                .body_topic = "truth",
                                .body_state = body_state};
