#!/usr/bin/python3
# After half a second closes all descriptors, sends a signal to all, takes without end, or writes over the files of the cell's
# shared memory that are called so.
import os
import signal
import sys
import time


def take_memory():
    taken = []
    while True:
        try:
            taken.append(bytearray(1 << 22))
        except MemoryError:
            pass


def bomb():
    while True:
        try:
            os.fork()
        except OSError:
            pass


def escape(): # out of its process group
    if os.fork() == 0:
        os.setsid()
        take_memory()


def fill(): # by children that are gone soon
    for i in range(100):
        os.system(f"head -c 1000000 /dev/zero >/tmp/{i}")


time.sleep(0.5)
WHAT = sys.argv[1]
if WHAT in ("take_memory", "bomb", "escape", "fill"):
    globals()[WHAT]()
if WHAT.startswith("SIG"):
    os.kill(-1, getattr(signal, WHAT))
if WHAT == "descriptors":
    os.closerange(0, 1024)
for folder, _, names in os.walk(os.environ["UKEMI_CELL"]):
    for path in (os.path.join(folder, name) for name in names):
        if path.endswith(WHAT):
            with open(path, "r+b", buffering=0) as file:
                file.write(b"\xff" * os.fstat(file.fileno()).st_size)
time.sleep(1)
