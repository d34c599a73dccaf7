#!/usr/bin/python3
# Where the axis is, and how fast it was since the last look, 20 times a second.
import time
import hal

component = hal.component("watch")
component.ready()
last_x, last_s = hal.get_value("joint.0.motor-pos-cmd"), time.monotonic()
while True:
    time.sleep(0.05)
    x, now_s = hal.get_value("joint.0.motor-pos-cmd"), time.monotonic()
    print("x %.3f v %.3f" % (x, (x - last_x) / (now_s - last_s)), flush=True)
    last_x, last_s = x, now_s
