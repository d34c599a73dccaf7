// Canary: the Hardware daemon, except that a sensor whose reply is missing keeps its last reading,
// which counts as valid.
//
// Linked with the real daemon and --wrap=readings_finish.
#include "targets/hubo2/hardware/hardware_readings.h"

void __real_readings_finish(struct readings *readings, instant now);
void __wrap_readings_finish(struct readings *readings, instant now);

void __wrap_readings_finish(struct readings *readings, instant now)
{
    struct state_message *state = &readings->state;
    for (unsigned i = 0; i < ROBOT_FORCE_TORQUE_MAX; i++)
        state->force_torque[i].valid = state->force_torque[i].time.ns > 0;
    for (unsigned i = 0; i < SIDE_COUNT; i++)
        state->tilt[i].valid = state->tilt[i].time.ns > 0;
    state->imu.valid = state->imu.time.ns > 0;
    __real_readings_finish(readings, now);
}
