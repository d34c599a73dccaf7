#!/usr/bin/python3 -SI
# Prints an angle that dies away, 50 times a second.
import math, sys, time
k = 0
print("ready")
while True:
    print(f"{time.monotonic():.6f} angle={0.2 * math.exp(-0.02 * k):.6f}", flush=True)
    if k % 10 == 0: print(f"angle={0.2 * math.exp(-0.02 * k):.6f} force={k}", flush=True)
    k += 1
    time.sleep(0.02)
