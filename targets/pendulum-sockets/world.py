#!/usr/bin/python3
# The cart-pole itself: steps of 1 ms, semi-implicit Euler. Tells where it is every 5 ms.
import math
import os
import socket
import struct
import time

LISTENERS = [("127.0.0.1", 14550), ("127.0.0.1", 14551)]  # a logger, the controller
WORLD = ("127.0.0.1", 14552)
STEP_NS, PUBLISH_NS = 1000000, 5000000
GRAVITY_M_S2, POLE_HALF_M = 9.81, 0.5
FORCE_MAX_N = 20.0
FORCE_AGE_MAX_NS = 50000000  # the drive's watchdog: an older force acts no more
LEAN_RAD = 0.01  # when a trial begins that does not vary


def varied(quantity, otherwise):
    """What target.yaml lets vary from trial to trial."""
    return float(os.environ.get("UKEMI_VARY_" + quantity, otherwise))


POLE_KG = 0.2 * (1 + varied("POLE_MASS_SHARE", 0))
CART_KG = 1.0 * (1 + varied("CART_MASS_SHARE", 0))
DRIVE = 1 + varied("DRIVE_SHARE", 0)
FRICTION_NS_M = varied("TRACK_FRICTION_NS_M", 0)


def step(angle_rad, rate_rad_s, cart_m, cart_rate_m_s, force_n):
    """Florian, "Correct equations for the dynamics of the cart-pole system" (2007)."""
    if abs(angle_rad) > math.pi / 2:  # it lies
        return angle_rad, 0.0, cart_m, cart_rate_m_s
    h, total_kg = STEP_NS * 1e-9, CART_KG + POLE_KG
    s, c = math.sin(angle_rad), math.cos(angle_rad)
    force_n = DRIVE * force_n - FRICTION_NS_M * cart_rate_m_s
    push = (force_n + POLE_KG * POLE_HALF_M * rate_rad_s * rate_rad_s * s) / total_kg
    angular = (GRAVITY_M_S2 * s - c * push) / (POLE_HALF_M * (4.0 / 3 - POLE_KG * c * c / total_kg))
    linear = push - POLE_KG * POLE_HALF_M * angular * c / total_kg
    rate_rad_s += h * angular
    cart_rate_m_s += h * linear
    return angle_rad + h * rate_rad_s, rate_rad_s, cart_m + h * cart_rate_m_s, cart_rate_m_s


pole = (varied("LEAN_RAD", LEAN_RAD), 0.0, 0.0, 0.0)
force_n, force_ns = 0.0, -FORCE_AGE_MAX_NS - 1
port = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
port.bind(WORLD)
port.setblocking(False)
start_ns, at_ns = time.monotonic_ns(), 0
while True:
    try:
        while True:
            force_n, force_ns = struct.unpack("<d", port.recv(64))[0], at_ns
    except BlockingIOError:
        pass
    acts_n = force_n if at_ns - force_ns <= FORCE_AGE_MAX_NS else 0.0
    acts_n = max(-FORCE_MAX_N, min(FORCE_MAX_N, acts_n))
    pole = step(*pole, acts_n)
    if at_ns % PUBLISH_NS == 0:
        for listener in LISTENERS:
            try:
                port.sendto(struct.pack("<q5d", at_ns, *pole, acts_n), listener)
            except ConnectionRefusedError:
                pass  # nobody there at the moment
    at_ns += STEP_NS
    time.sleep(max(0, (start_ns + at_ns - time.monotonic_ns()) * 1e-9))
