"""A client of servos on a serial port, after the AX-12 manual alone.

    servo_client.py PORT        exits 1 and says what does not hold
"""

import os
import select
import sys
import termios
import time
import tty

PATIENCE_S = 5  # the machine may be busy


def packet(servo, *content):
    body = [servo, len(content) + 1, *content]
    return bytes([0xFF, 0xFF, *body, ~sum(body) & 0xFF])


def answer(port, size):
    """The status packet's error byte and parameters; None: none has come."""
    heard, end = b"", time.monotonic() + PATIENCE_S
    while len(heard) < size + 6:
        if not select.select([port], [], [], max(0, end - time.monotonic()))[0]:
            return None
        heard += os.read(port, size + 6 - len(heard))
    assert heard[:2] == b"\xff\xff" and heard[3] == size + 2, heard.hex()
    assert sum(heard[2:]) & 0xFF == 0xFF, heard.hex()
    return heard[4], list(heard[5:-1])


def ask(port, size, servo, *content):
    os.write(port, packet(servo, *content))
    return answer(port, size)


def main(path):
    port = os.open(path, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(port)
    settings = termios.tcgetattr(port)
    settings[4] = settings[5] = termios.B1000000
    termios.tcsetattr(port, termios.TCSANOW, settings)
    for servo in (1, 2, 3):
        assert ask(port, 0, servo, 1) == (0, []), "ping"
        assert ask(port, 2, servo, 2, 0, 2) == (0, [12, 0]), "an AX-12 is model 12"
        assert ask(port, 0, servo, 3, 25, 1) == (0, []), "its LED"
        assert ask(port, 1, servo, 2, 25, 1) == (0, [1]), "its LED is on"
    assert ask(port, 0, 1, 3, 30, 0xFF, 0x0F)[0] & 8, "a goal above 1023 is out of range"
    assert ask(port, 0, 1, 3, 48, 1, 1, 1)[0] & 8, "a write past the table"
    goals = [(1, 400), (2, 512), (3, 700)]
    parts = [byte for servo, goal in goals for byte in (servo, goal & 255, goal >> 8)]
    os.write(port, packet(0xFE, 0x83, 30, 2, *parts))
    end = time.monotonic() + PATIENCE_S
    for servo, goal in goals:
        while True:
            _, (low, high) = ask(port, 2, servo, 2, 36, 2)
            if abs(low + 256 * high - goal) <= 5:
                break
            assert time.monotonic() < end, f"servo {servo} has not reached {goal}"
    os.close(port)


main(sys.argv[1])
