#!/usr/bin/python3
# Balances the pole: answers each datagram of the world with a force. State feedback.
import socket
import struct

CONTROLLER, WORLD = ("127.0.0.1", 14551), ("127.0.0.1", 14552)

# Found by placing the poles of the linearised cart-pole at -2 to -6 1/s.
PER_ANGLE_N_RAD = 60
PER_ANGLE_RATE_N_S_RAD = 12
PER_CART_N_M = 2
PER_CART_RATE_N_S_M = 4

port = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
port.bind(CONTROLLER)
while True:
    _, angle_rad, angle_rate_rad_s, cart_m, cart_rate_m_s, _ = struct.unpack("<q5d", port.recv(64))
    force_n = (PER_ANGLE_N_RAD * angle_rad + PER_ANGLE_RATE_N_S_RAD * angle_rate_rad_s +
               PER_CART_N_M * cart_m + PER_CART_RATE_N_S_M * cart_rate_m_s)
    port.sendto(struct.pack("<d", force_n), WORLD)
