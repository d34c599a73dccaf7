// Walking by a velocity, without given footprints (Herdt et al., IROS 2010; Naveau et al., RA-L
// 2016): every 0.1 s one quadratic program finds the jerks of the centre of mass over 1.6 s and the
// next two footholds.
//
// The cost holds the velocity to the one wanted and the ZMP to the middle of the sole. Rows keep
// the ZMP in the sole, each foot in a pentagon beside the one before it and out of obstacles, and
// the capture point at the window's end in the last support. Yaws of the feet are chosen first, so
// all rows are linear; or they are unknowns, and rows are made linear about the last solution. If
// a push leaves no solution, the rows of ZMP and capture point give way, the sooner ones more,
// which is counted.
//
// Pure. velocity_walk_create takes the memory; everything else is real-time safe.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "message/message.h"
#include "qp/qp.h"
#include "walk/zmp/geometry.h"

#define VELOCITY_WALK_PERIOD_S 0.1
#define VELOCITY_WALK_SAMPLES 16
#define VELOCITY_WALK_OBSTACLES_MAX 4
#define VELOCITY_WALK_FOOT_CORNERS 5

struct velocity_walk_config {
    double com_height_m;         // above the floor, constant
    double sole_half_length_m;   // what the ZMP may use of the sole, less its margins
    double sole_half_width_m;    //
    double stance_width_m;       // between the feet when the walk ends
    unsigned step_samples;       // periods from landing to landing, 4 to 8
    double yaw_per_step_max_rad; // of a foot, against the one before it
    // Where a left foot may land, seen from the right one; a right foot: mirrored. Convex, outward
    // positive, counter-clockwise.
    struct point2 foot_area[VELOCITY_WALK_FOOT_CORNERS];
    double weight_speed, weight_zmp, weight_jerk, weight_foot;
    // Of the feet's yaws beside the turn wanted. 0: yaws are chosen first. Otherwise they are found
    // with the footholds: each period solves two programs, whose rows are linear about the solution
    // before (sequential quadratic programming; Naveau et al.).
    double weight_yaw;
    double yaw_inward_max_rad; // of a foot, against the one before it, where yaws are found
    double landing_change_m_s; // how fast the landing place may move during the last 0.2 s
};

// A circle on the floor that no foot's centre may enter.
struct velocity_walk_obstacle {
    double x_m, y_m, radius_m;
};

// What one period brought. `com` at its end is in the walk itself.
struct velocity_walk_report {
    enum qp_status status;
    unsigned iterations; // of the solver
    double slack_m;      // by which the next ZMP was let out of its area
};

struct velocity_walk {
    // To read, and `com` to write after a push: [axis x, y][position m, velocity m/s,
    // acceleration].
    double com[2][3];
    double jerk_m_s3[2];         // during the period that velocity_walk_step has planned
    struct pose2d foot[2];       // of enum side: where they stand, or last stood
    enum side support;           // the foot that carries after the present double support
    unsigned remaining;          // periods until the swing foot lands
    bool both;                   // both feet carry during this period
    struct pose2d next[2];       // the swing foot's place, and that of the step after it
    unsigned relaxed, abandoned; // periods with slack; periods without a solution
    // To write.
    // A known force on the hands: their moment's share of the weight, by which the centre of mass
    // is ahead of where it would be (world frame). It is taken to be constant over the window.
    double load_m[2];
    // The acceleration that an unforeseen force gives the centre of mass during the next period
    // (world frame). The period is planned without it; the next ones start from where it led.
    double push_m_s2[2];
    struct velocity_walk_obstacle obstacle[VELOCITY_WALK_OBSTACLES_MAX];
    unsigned obstacle_count;
    struct velocity_walk_private *private;
};

// Public weights of Naveau et al. and the pentagon of Herdt et al. for a robot of this height.
struct velocity_walk_config velocity_walk_defaults(double com_height_m);

// A walk that stands on `right` and `left` with its centre of mass at rest in the middle. INVALID
// if a number of the configuration is out of range, NO_MEMORY. Not real-time.
enum status velocity_walk_create(const struct velocity_walk_config *config, struct pose2d right,
                                 struct pose2d left, struct velocity_walk *walk) MUST_CHECK;
// Starts over, as velocity_walk_create. INVALID: nothing has changed. Real-time safe.
enum status velocity_walk_reset(struct velocity_walk *walk,
                                const struct velocity_walk_config *config, struct pose2d right,
                                struct pose2d left) MUST_CHECK;
void velocity_walk_free(struct velocity_walk *walk);
// `to`, which has been created, goes on as `from` would, in its own memory. Real-time safe.
void velocity_walk_copy(struct velocity_walk *to, const struct velocity_walk *from);

// The velocity wanted: forward and left (m/s) in the frame of the robot, turn (rad/s). Returns
// false and keeps the old one if a number is not finite. The walk starts with the first velocity.
bool velocity_walk_set(struct velocity_walk *walk, const double velocity[3]) MUST_CHECK;

// From the next landing on: where a left foot may land, and how far apart the feet stand at last,
// as in the configuration. To be called while both feet carry.
void velocity_walk_feet(struct velocity_walk *walk,
                        const struct point2 area[VELOCITY_WALK_FOOT_CORNERS],
                        double stance_width_m);

// Closes the feet and ends: one step more after the one that swings. A velocity starts it again.
void velocity_walk_stop(struct velocity_walk *walk);
// Whether the feet stand, side by side, and the centre of mass is at rest between them.
bool velocity_walk_ended(const struct velocity_walk *walk);

// Plans the next period, and moves `com` to its end. Without a solution the centre of mass goes on
// with the jerk planned before; the walk never stops by itself.
struct velocity_walk_report velocity_walk_step(struct velocity_walk *walk);

// The centre of mass during the period that velocity_walk_step has just planned, `back_s` before
// its end (0 to VELOCITY_WALK_PERIOD_S), and the pendulum's ZMP, which a push takes off the
// floor's.
void velocity_walk_sample(const struct velocity_walk *walk, double back_s, double com[2][3],
                          double zmp_m[2]);

// Yaw of the body: the mean of the feet's.
double velocity_walk_yaw(const struct velocity_walk *walk);
// Bytes taken at creation.
size_t velocity_walk_memory(void);
