#!/usr/bin/python3
# controller.c in Python: the same numbers, so the same history.
import math

import ukemi

PERIOD_NS = 5000000

# Found by placing the poles of the linearised cart-pole at -2 to -6 1/s.
PER_ANGLE_N_RAD = 60
PER_ANGLE_RATE_N_S_RAD = 12
PER_CART_N_M = 2
PER_CART_RATE_N_S_M = 4


def force_for(pole):
    return (PER_ANGLE_N_RAD * pole.angle_rad + PER_ANGLE_RATE_N_S_RAD * pole.angle_rate_rad_s +
            PER_CART_N_M * pole.cart_m + PER_CART_RATE_N_S_M * pole.cart_rate_m_s)


Force = ukemi.message("force.msg")
poles = ukemi.Reader("pole", ukemi.message("pole.msg"))
forces = ukemi.Writer("force", Force)
clock = ukemi.Clock()
for _ in clock.every(PERIOD_NS):
    pole = poles.newest()
    if pole is None:
        continue  # nothing new: the drive's watchdog stops the cart
    force_n = force_for(pole)
    if not math.isfinite(force_n):
        continue  # nor is that anything new
    now_ns = clock.now_ns()
    forces.put(Force(now_ns, pole.time_ns, force_n), now_ns)
