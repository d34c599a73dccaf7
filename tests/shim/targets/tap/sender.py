#!/usr/bin/python3 -SI
# Sends the same angle as datagrams: 100 times a second, and once a second 25 at once.
import math, os, socket, struct, time
pole = os.environ["UKEMI_TAP_DIR"] + "/pole"
local = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
k = 0
while True:
    message = struct.pack("<dfI", 0.2 * math.exp(-0.01 * k), 0, k)
    for _ in range(25 if k % 100 == 99 else 1): local.sendto(message, pole)
    udp.sendto(message, ("127.0.0.1", 14550))
    k += 1
    time.sleep(0.01)
