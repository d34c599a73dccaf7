// Canary: the Hardware daemon, except that it divides every difference of positions by the nominal
// period, as the real one did: after a missed reply the velocity is wrong.
#include "targets/hubo2/hardware/hardware_readings.h"

void __real_readings_finish(struct readings *readings, instant now);
void __wrap_readings_finish(struct readings *readings, instant now);

void __wrap_readings_finish(struct readings *readings, instant now)
{
    struct joint_history before[ROBOT_JOINTS_MAX];
    for (unsigned j = 0; j < ROBOT_JOINTS_MAX; j++)
        before[j] = readings->joint[j];
    __real_readings_finish(readings, now);
    for (unsigned j = 0; j < readings->state.joint_count; j++) {
        struct joint_reading *joint = &readings->state.joint[j];
        if (joint->velocity_valid)
            joint->velocity_rad_s =
                (joint->position_rad - before[j].position_rad) / (readings->state.period_us * 1e-6);
    }
}
