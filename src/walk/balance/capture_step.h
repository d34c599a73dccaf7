// Steps that catch a pushed robot: the plan of a walking pattern is kept, but for what a push has
// made of it.
//
// The pattern's pendulum and one that was pushed differ by a pendulum of their own: with d, z and u
// the differences of centre of mass, ZMP and footholds, d'' = w^2 (d - z). Its divergent component
// d + d'/w grows until the swing foot lands; there the foot is put, as far as it may, u farther by
// what it has become, and with it all steps after it: the plan goes on beside where it was
// (Englsberger et al., T-RO 2015; Khadiv et al., T-RO 2020). Until then the ZMP goes to the sole's
// edge. Where the foot would have to go too far, the plan is run through faster, so that it lands
// sooner.
//
// A push outward that comes late in a swing, when the foot is nearly down, leaves no time to see
// how hard it is. Then it is taken to go on, the foot hurries outward at once, and the plan waits
// for it.
//
// Pure, no allocation. One call per period of the pattern, one per measurement.
#pragma once

#include <stdbool.h>

#include "message/message.h"

#define CAPTURE_STEP_DELAY_MAX 8

struct capture_step_config {
    double period_s;     // of the pattern
    double com_height_m; // of the pendulum
    double room_m[2];    // that the ZMP has from the sole's middle, along and across
    // Where a foot may land, seen from the other one: forward, and outward to its side.
    double forward_m[2], outward_m[2];
    double speed_m_s;          // a landing place moves at most so fast
    double rate_min, rate_max; // of the plan
    double threshold_m[2];     // errors of the capture point below it are the stabiliser's alone
    double gain;               // share of an error that is taken over at each measurement
    double felt_max_m;         // at each, at most: of the hardest push that is believed
    unsigned delay_samples;    // age of the measurements, in their periods
};

enum capture_state {
    CAPTURE_ON_PLAN, // never pushed: the plan's samples stay as they are
    CAPTURE_BESIDE,  // it was, and all is calm: it walks on beside the plan
    CAPTURE_HEARD, // one measurement told of a push: still on plan, until the next one says so, too
    CAPTURE_FELT,  // a push was felt just now: the next measurement may tell that it comes late
    CAPTURE_PUSHED, // it catches a push
    // It catches one that came when the foot was nearly down:
    CAPTURE_HASTES, // the foot hurries outward, and the plan waits for it
    CAPTURE_LANDS,  // the foot still hurries
    CAPTURE_STANDS, // it should stand: errors are taken over in the double support, too
    CAPTURE_LATE,   // ... no longer
    CAPTURE_STATE_COUNT
};

enum capture_event {
    CAPTURE_ERROR,      // a measurement's error is taken over
    CAPTURE_SURE_ERROR, // likewise, and with those just before it is enough to be sure of a push
    CAPTURE_LATE_ERROR, // a hard one outward, when the foot is nearly down
    CAPTURE_TIME,       // the state has lasted for as long as it may
    CAPTURE_CALM,       // no error was taken over for so long that the push is over
    CAPTURE_EVENT_COUNT
};

// How the plan goes on until the foot that swings, or swings next, lands.
struct capture_step_plan {
    bool lands;
    double left_s, both_s;       // until then; how long both feet carry from then on
    enum side side;              // that lands
    double foot_m[2];            // where
    double com_m[2], com_m_s[2]; // then
    double com_m_s2[2];          // now
};

struct capture_step {
    struct capture_step_config config;
    enum capture_state state;
    double since_s, calm_s;       // since the push was felt first, and last
    double com_m[2], com_m_s[2];  // of the pendulum that was pushed
    double foot_m[SIDE_COUNT][2]; // footholds beside the plan's
    double target_m[2], swing_m_s[2], swing_m_s2[2];
    double tilt_rad[2];        // roll and pitch of the body, as they soon will be
    double turn_m_s[2];        // of the centre of mass by the body's turn, as the observer knows it
    double lead_m[2];          // of the capture point before what the observer knows
    double single_s, both_s;   // since one foot carries; since both do, the one that swung landed
    double jerked_s;           // the gyroscope shakes for so much longer
    double left_s;             // until a foot lands; INFINITY while none swings
    double outward[2];         // unit vector to the side of the foot that swings
    bool touches[SIDE_COUNT];  // the floor
    enum side swings;          // or swung last
    double awaited_s;          // the plan waits so much longer for it to land
    double lift_m[SIDE_COUNT]; // of a sole beside the plan's: the body's tilt brings it down
    uint32_t support;          // of the last sample
    double rate;               // at which the plan is to be run through
    double felt_m[CAPTURE_STEP_DELAY_MAX][2]; // taken over, and not yet in the measurements
    unsigned pushes;                          // measurements that were taken over
};

struct capture_step_config capture_step_defaults(double com_height_m, double period_s);
void capture_step_init(struct capture_step *capture, const struct capture_step_config *config);

enum capture_state capture_state_step(enum capture_state state, enum capture_event event);
// Whether it catches a push now.
bool capture_state_is_pushed(enum capture_state state);

// Whether a measurement may tell of a push that shows a sample of such support: a foot that lands
// shakes what is measured.
bool capture_step_hears(const struct capture_step *capture, uint32_t support);

// A measurement: how far the capture point is from the one of the sample that it shows.
void capture_step_feel(struct capture_step *capture, const double error_m[2]);

// The body's tilt, which should be none: roll and pitch, and their rates. One call per measurement,
// before capture_step_feel.
void capture_step_tilt(struct capture_step *capture, const double tilt_rad[2],
                       const double rate_rad_s[2], double period_s);

// The references stood still and go on: that jerks the robot, and is no push.
void capture_step_jerk(struct capture_step *capture);

// Which soles the floor carries.
void capture_step_touch(struct capture_step *capture, const bool touches[SIDE_COUNT]);

// Changes the plan's sample of this period.
void capture_step_apply(struct capture_step *capture, const struct capture_step_plan *plan,
                        struct segment_sample *sample);
