// How a trial's world differs from the next one's: values that the lab has drawn from the trial's
// seed, and hands to the simulated robot.
//
// A row of `variation` in target.yaml names a quantity, says how far it may vary, and where that is
// from. The lab draws, from a stream of its own for each quantity, writes what it has drawn into
// the history, and starts the world with UKEMI_VARY_QUANTITY="VALUE VALUE ...". So what is recorded
// is what acted.
#pragma once

#include "base/status.h"

#define VARIATION_PREFIX "UKEMI_VARY_"
#define VARIATION_NAME_MAX 48
#define VARIATION_VALUES_MAX 128
#define VARIATION_TEXT_MAX 2048 // of all values of a quantity

// Which of our worlds can vary a quantity.
enum variation_world {
    VARIES_CAN = 1,    // targets/simulator: robots with CAN boards
    VARIES_LINK = 2,   // targets/hrp3p
    VARIES_SOLIDS = 4, // targets/bioloid
    VARIES_POLE = 8,   // targets/pendulum
};

// Of what there is one value each. Elements are in the order of the robot's model.
enum variation_each {
    EACH_ONE,          // one for all
    EACH_PLANE,        // x, y
    EACH_SPACE,        // x, y, z
    EACH_JOINT,        // of the robot that is driven
    EACH_LINK,         // with a mass
    EACH_LINK_SPACE,   // x, y, z of the first link, then of the second
    EACH_FORCE_TORQUE, // right foot, left foot, right hand, left hand
    EACH_FORCE_TORQUE_PLANE,
};

// X(name, each, worlds). `share`: 0.05 is 5 % more than the model says; others are added to what it
// says, but noise, which is a standard deviation in place of the sensor's own.
#define VARIATIONS(X)                                                                              \
    X(floor_friction_share, EACH_ONE, VARIES_CAN | VARIES_LINK | VARIES_SOLIDS)                    \
    X(link_mass_share, EACH_LINK, VARIES_CAN | VARIES_LINK | VARIES_SOLIDS)                        \
    X(link_com_m, EACH_LINK_SPACE, VARIES_CAN | VARIES_LINK | VARIES_SOLIDS)                       \
    X(joint_zero_rad, EACH_JOINT, VARIES_CAN | VARIES_LINK | VARIES_SOLIDS)                        \
    X(joint_friction_Nm, EACH_JOINT, VARIES_CAN | VARIES_LINK)                                     \
    X(motor_strength_share, EACH_JOINT, VARIES_CAN | VARIES_LINK | VARIES_SOLIDS)                  \
    X(gear_friction_share, EACH_JOINT, VARIES_SOLIDS)                                              \
    X(battery_share, EACH_ONE, VARIES_SOLIDS)                                                      \
    X(start_place_m, EACH_PLANE, VARIES_CAN | VARIES_LINK | VARIES_SOLIDS)                         \
    X(start_yaw_rad, EACH_ONE, VARIES_CAN | VARIES_LINK | VARIES_SOLIDS)                           \
    X(start_tilt_rad, EACH_PLANE, VARIES_CAN | VARIES_LINK | VARIES_SOLIDS)                        \
    X(start_height_m, EACH_ONE, VARIES_CAN | VARIES_LINK | VARIES_SOLIDS)                          \
    X(imu_zero_rad, EACH_PLANE, VARIES_CAN)                                                        \
    X(imu_rate_zero_rad_s, EACH_SPACE, VARIES_CAN | VARIES_LINK)                                   \
    X(imu_acceleration_zero_m_s2, EACH_SPACE, VARIES_LINK)                                         \
    X(force_zero_N, EACH_FORCE_TORQUE, VARIES_CAN | VARIES_LINK)                                   \
    X(force_share, EACH_FORCE_TORQUE, VARIES_CAN | VARIES_LINK)                                    \
    X(moment_zero_Nm, EACH_FORCE_TORQUE_PLANE, VARIES_CAN | VARIES_LINK)                           \
    X(imu_noise_rad, EACH_ONE, VARIES_CAN)                                                         \
    X(imu_rate_noise_rad_s, EACH_ONE, VARIES_CAN | VARIES_LINK)                                    \
    X(imu_acceleration_noise_m_s2, EACH_ONE, VARIES_LINK)                                          \
    X(force_noise_N, EACH_ONE, VARIES_CAN | VARIES_LINK)                                           \
    X(moment_noise_Nm, EACH_ONE, VARIES_CAN | VARIES_LINK)                                         \
    X(lean_rad, EACH_ONE, VARIES_POLE)                                                             \
    X(pole_mass_share, EACH_ONE, VARIES_POLE)                                                      \
    X(cart_mass_share, EACH_ONE, VARIES_POLE)                                                      \
    X(drive_share, EACH_ONE, VARIES_POLE)                                                          \
    X(track_friction_Ns_m, EACH_ONE, VARIES_POLE)

#define VARY_NUMBER(name, each, worlds) VARY_##name,
enum variation_number { VARIATIONS(VARY_NUMBER) VARIATION_COUNT };
#undef VARY_NUMBER

struct variation_kind {
    const char *name;
    enum variation_each each;
    unsigned worlds; // enum variation_world
};
extern const struct variation_kind variation_kinds[VARIATION_COUNT];

// A quantity as it is in this trial. count 0: as the model says.
struct variation {
    unsigned count;
    double value[VARIATION_VALUES_MAX];
};

// From the environment. INVALID, said on standard error: it is not a list of finite numbers.
enum status variation_read(enum variation_number number, struct variation *variation) MUST_CHECK;

// Element i; a single value is that of all. 0: it does not vary.
double variation_at(const struct variation *variation, unsigned i);
