#include "harness/packs/walking/tracks.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "harness/packs/robot/facts.h"
#include "walk/zmp/geometry.h"

#define MARGIN_SHOWN_M                                                                             \
    0.2 // a falling robot's margins grow without bound and would flatten the plot
#define DEG_PER_RAD (180.0 / M_PI)

// The ground truth of an event if it is one within the frame, else NULL.
static const struct truth_message *truth_of(const struct event *event, int topic,
                                            const struct tracks_frame *frame)
{
    const double time_s = instant_to_s(event->time);
    return event->topic == topic && time_s >= frame->from_s && time_s <= frame->to_s ? event->data
                                                                                     : NULL;
}

// ---- which joints -------------------------------------------------------------------------------

// The joint of `group` whose set point travels farthest and that is not taken yet; -1 if the group
// has none left.
static int most_moving(const struct description *description, enum joint_group group,
                       const double *travel_rad, const int *taken, unsigned taken_count)
{
    int best = -1;
    for (int j = 0; j < (int)description->joint_count; j++) {
        bool used = description->joint[j].group != group;
        for (unsigned i = 0; i < taken_count; i++)
            used = used || taken[i] == j;
        if (!used && (best < 0 || travel_rad[j] > travel_rad[best]))
            best = j;
    }
    return best;
}

static unsigned choose_joints(const struct history *history, const struct description *description,
                              const struct tracks_frame *frame, int joint[TRACKED_JOINTS])
{
    static const enum joint_group wanted[TRACKED_JOINTS] = {
        GROUP_RIGHT_LEG, GROUP_RIGHT_LEG, GROUP_LEFT_LEG, GROUP_RIGHT_ARM, GROUP_LEFT_ARM};
    double low_rad[ROBOT_JOINTS_MAX], high_rad[ROBOT_JOINTS_MAX], travel_rad[ROBOT_JOINTS_MAX];
    for (int j = 0; j < ROBOT_JOINTS_MAX; j++) {
        low_rad[j] = INFINITY;
        high_rad[j] = -INFINITY;
    }
    const int topic = history_topic(history, "truth");
    for (size_t i = 0; i < history_length(history); i++) {
        const struct truth_message *truth = truth_of(history_event(history, i), topic, frame);
        for (int j = 0; truth && j < ROBOT_JOINTS_MAX; j++) {
            low_rad[j] = fmin(low_rad[j], truth->setpoint_rad[j]);
            high_rad[j] = fmax(high_rad[j], truth->setpoint_rad[j]);
        }
    }
    for (int j = 0; j < ROBOT_JOINTS_MAX; j++)
        travel_rad[j] = high_rad[j] - low_rad[j];
    unsigned count = 0;
    for (unsigned i = 0; i < TRACKED_JOINTS; i++) {
        const int best = most_moving(description, wanted[i], travel_rad, joint, count);
        if (best >= 0)
            joint[count++] = best;
    }
    return count;
}

// ---- rows ---------------------------------------------------------------------------------------

static double shown_mm(double margin_m)
{
    return isnan(margin_m) ? NAN : 1000 * fmin(fmax(margin_m, -MARGIN_SHOWN_M), MARGIN_SHOWN_M);
}

static void put_titles(FILE *out, const struct description *description, const int *joint,
                       unsigned count)
{
    fputs("time_s", out);
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "\t%s set point\t%s", description->joint[joint[i]].name,
                description->joint[joint[i]].name);
    fputs("\tpelvis_m\ttilt_deg\tcom_margin_mm\tcapture_margin_mm\tright_foot_m\tleft_foot_m"
          "\tcom_x_m\tcom_y_m\tright_x_m\tright_y_m\tleft_x_m\tleft_y_m\n",
          out);
}

static void put_truth(FILE *out, const struct truth_message *truth, const int *joint,
                      unsigned count)
{
    struct point2 hull[ROBOT_CONTACTS_MAX + 1];
    const size_t corners = support_polygon(truth, hull);
    const struct point2 com = {truth->com_m[0], truth->com_m[1]};
    fprintf(out, "%.3f", instant_to_s(truth->time));
    for (unsigned i = 0; i < count; i++) {
        tracks_put(out, truth->setpoint_rad[joint[i]] * DEG_PER_RAD);
        tracks_put(out, truth->position_rad[joint[i]] * DEG_PER_RAD);
    }
    tracks_put(out, truth->pelvis_m[2]);
    tracks_put(out, tilt_rad(truth->pelvis_quaternion) * DEG_PER_RAD);
    tracks_put(out, shown_mm(polygon_margin(hull, corners, com)));
    tracks_put(out, shown_mm(polygon_margin(hull, corners,
                                            capture_point(truth->com_m, truth->com_velocity_m_s))));
    tracks_put(out, truth->foot_m[SIDE_RIGHT][2]);
    tracks_put(out, truth->foot_m[SIDE_LEFT][2]);
    tracks_put(out, com.x);
    tracks_put(out, com.y);
    for (int side = 0; side < SIDE_COUNT; side++) {
        tracks_put(out, truth->foot_m[side][0]);
        tracks_put(out, truth->foot_m[side][1]);
    }
    fputc('\n', out);
}

static void put_point(FILE *out, struct point2 point)
{
    fprintf(out, "%.4f\t%.4f\n", point.x, point.y);
}

// Blocks 1 and 2: the support polygon, and the points that matter, as the fault struck.
static void put_moment(FILE *out, const struct truth_message *truth)
{
    struct point2 hull[ROBOT_CONTACTS_MAX + 1];
    const size_t corners = truth ? support_polygon(truth, hull) : 0;
    fputs("\n\n", out);
    for (size_t i = 0; corners && i <= corners; i++)
        put_point(out, hull[i % corners]);
    if (!corners)
        fputs("NaN\tNaN\n", out);
    fputs("\n\n", out);
    if (truth) {
        put_point(out, (struct point2){truth->com_m[0], truth->com_m[1]});
        put_point(out, capture_point(truth->com_m, truth->com_velocity_m_s));
    } else
        fputs("NaN\tNaN\nNaN\tNaN\n", out);
}

enum status walking_tracks(const struct history *history, const struct description *description,
                           const struct tracks_frame *frame, FILE *out)
{
    const int topic = history_topic(history, "truth");
    if (topic < 0)
        return STATUS_NOT_FOUND;
    int joint[TRACKED_JOINTS];
    const unsigned count = choose_joints(history, description, frame, joint);
    put_titles(out, description, joint, count);
    double next_s = frame->from_s;
    const struct truth_message *at_fault = NULL;
    for (size_t i = 0; i < history_length(history); i++) {
        const struct truth_message *truth = truth_of(history_event(history, i), topic, frame);
        if (!truth)
            continue;
        const double time_s = instant_to_s(truth->time);
        if (time_s <= frame->fault_s) // false without a fault
            at_fault = truth;
        if (time_s < next_s - 1e-9)
            continue;
        put_truth(out, truth, joint, count);
        // Not step by step: a file that is anybody's may say any time.
        next_s += TRACKS_PERIOD_S * (floor((time_s + 1e-9 - next_s) / TRACKS_PERIOD_S) + 1);
    }
    put_moment(out, at_fault);
    return ferror(out) ? STATUS_SYSTEM : STATUS_OK;
}
