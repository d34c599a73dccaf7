#!/usr/bin/python3
# After half a second closes all descriptors, or writes over the files of the cell's shared memory that are called so.
import os
import sys
import time

time.sleep(0.5)
if sys.argv[1] == "descriptors":
    os.closerange(0, 1024)
for folder, _, names in os.walk(os.environ["UKEMI_CELL"]):
    for path in (os.path.join(folder, name) for name in names):
        if path.endswith(sys.argv[1]):
            with open(path, "r+b", buffering=0) as file:
                file.write(b"\xff" * os.fstat(file.fileno()).st_size)
time.sleep(1)
