#!/usr/bin/python3
# Bends and stretches both elbows of HUBO2 over SocketCAN, and knows nothing of the lab: one board after the other, it
# sends a reference, asks for the encoder and waits for the reply. Argument: seconds from one goal to the other.
import math
import socket
import struct
import sys
import time

PERIOD_S = 0.01
REPLY_WITHIN_S = 0.002
LATE_S = 0.02
TICKS_PER_RAD = 63661.9772
GOALS_RAD = (-1.0, -0.4)  # of the second channel; the first, the shoulder's yaw, stays where it is
COMMAND, GET_ENCODER = 0x01, 0x03
BOARDS = {0x09: "right", 0x0B: "left"}
FRAME = struct.Struct("=IB3x8s")


def send(bus, can_id, data):
    bus.send(FRAME.pack(can_id, len(data), data.ljust(8, b"\0")))


def ask(bus, board):
    """Positions of a board's two joints in ticks; None: it does not reply in time."""
    send(bus, COMMAND, bytes((board, GET_ENCODER, 0)))
    until_s = time.monotonic() + REPLY_WITHIN_S
    while (left_s := until_s - time.monotonic()) > 0:
        bus.settimeout(left_s)
        try:
            can_id, length, data = FRAME.unpack(bus.recv(FRAME.size))
        except TimeoutError:
            return None
        if can_id == 0x60 + board and length == 8:
            return struct.unpack("<2i", data)
    return None


def reference(ticks):
    """Three bytes, sign and magnitude."""
    return (abs(ticks) | (0x800000 if ticks < 0 else 0)).to_bytes(3, "little")


class Elbow:
    """Goes to and fro between the goals by cosines, from where it was found."""

    def __init__(self, found, move_s):
        self.yaw, self.start_rad, self.move_s = found[0], found[1] / TICKS_PER_RAD, move_s

    def at(self, t_s):
        move, share = divmod(t_s / self.move_s, 1)
        to_rad = GOALS_RAD[int(move) % 2]
        from_rad = self.start_rad if move == 0 else GOALS_RAD[int(move + 1) % 2]
        elbow_rad = from_rad + (to_rad - from_rad) * (1 - math.cos(math.pi * share)) / 2
        return reference(self.yaw) + reference(round(elbow_rad * TICKS_PER_RAD))


def find(bus, board):
    while (found := ask(bus, board)) is None:
        pass
    return found


bus = socket.socket(socket.AF_CAN, socket.SOCK_RAW, socket.CAN_RAW)
bus.bind(("can1",))
move_s, missed = float(sys.argv[1]), 0
while True:  # anew whenever it is late: the boards have come to rest
    elbows = {board: Elbow(find(bus, board), move_s) for board in BOARDS}
    start_s, cycle, late_s = time.monotonic(), 0, 0
    while late_s < LATE_S:
        for board, elbow in elbows.items():
            send(bus, 0x10 + board, elbow.at(cycle * PERIOD_S))
            found = ask(bus, board)
            missed += found is None
            if found is not None and cycle % 100 == 0:
                print(f"{BOARDS[board]} elbow {found[1] / TICKS_PER_RAD:.3f} rad, {missed} replies missed", flush=True)
        cycle += 1
        time.sleep(max(0, start_s + cycle * PERIOD_S - time.monotonic()))
        late_s = time.monotonic() - start_s - cycle * PERIOD_S
