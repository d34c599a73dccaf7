// A world of bioloid whose servos exert many times what an AX-12 does.
#include "plant/motors/servo.h"

#define MIGHT 8

struct servo_output __real_servo_step(struct servo *, const struct servo_orders *, double, double,
                                      double, double);
struct servo_output __wrap_servo_step(struct servo *servo, const struct servo_orders *orders,
                                      double voltage_V, double position_rad, double velocity_rad_s,
                                      double step_s);

struct servo_output __wrap_servo_step(struct servo *servo, const struct servo_orders *orders,
                                      double voltage_V, double position_rad, double velocity_rad_s,
                                      double step_s)
{
    struct servo_output output =
        __real_servo_step(servo, orders, voltage_V, position_rad, velocity_rad_s, step_s);
    output.torque_Nm *= MIGHT;
    servo->torque_Nm *= MIGHT;
    return output;
}
