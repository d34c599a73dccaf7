#!/usr/bin/python3 -S
# Balances it.
import os, select, socket, struct
here = "/tmp/control"
if os.path.exists(here): os.unlink(here)
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.bind(here)
p = select.poll(); p.register(s, select.POLLIN)
while True:
    if p.poll(20):
        th, w, x, v, u = struct.unpack("ddddd", s.recv(64))
        try: s.sendto(struct.pack("d", 60 * th + 12 * w + 2 * x + 4 * v), "/tmp/plant")
        except OSError: pass
