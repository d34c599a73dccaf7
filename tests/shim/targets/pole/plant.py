#!/usr/bin/python3 -S
# A cart-pole: sends its state 200 times a second, takes a force.
import math, os, socket, struct, time
here = "/tmp/plant"
if os.path.exists(here): os.unlink(here)
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.bind(here); s.setblocking(False)
th, w, x, v, f, at = 0.01, 0.0, 0.0, 0.0, 0.0, -1.0
G, L, M, m, h = 9.81, 0.5, 1.0, 0.2, 0.001
start = time.monotonic(); k = 0
while True:
    try:
        while True:
            f, = struct.unpack("d", s.recv(64)); at = time.monotonic()
    except BlockingIOError: pass
    u = max(-20, min(20, f)) if time.monotonic() - at < 0.05 else 0.0
    for _ in range(5):
        if abs(th) > math.pi / 2: w = 0; break
        sn, c = math.sin(th), math.cos(th); q = (u + m * L * w * w * sn) / (M + m)
        a = (G * sn - c * q) / (L * (4 / 3 - m * c * c / (M + m))); b = q - m * L * a * c / (M + m)
        w += h * a; th += h * w; v += h * b; x += h * v
    p = struct.pack("ddddd", th, w, x, v, u)
    try: s.sendto(p, "/tmp/control")
    except OSError: pass
    k += 1
    time.sleep(max(0, start + 0.005 * k - time.monotonic()))
