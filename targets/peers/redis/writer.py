#!/usr/bin/python3
"""writer.py PORT: writes keys, one each 20 ms; reads all of them once a second and when the server is back.

It prints how many writes the server has acknowledged, and how many of those it does not give back.
"""
import socket
import sys
import time

acknowledged = []


def ask(stream, *words):
    """One command and its answer, which is a line, or a line and a value (protocol RESP 2)."""
    stream.write(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words))
    stream.flush()
    answer = stream.readline()
    if not answer.endswith(b"\r\n"):
        raise ConnectionError("the server is gone")
    if answer[:1] == b"$" and answer != b"$-1\r\n":
        return stream.readline().strip()
    return answer.strip()


def read_back(stream):
    lost = sum(ask(stream, b"GET", b"key%d" % i) != b"value%d" % i for i in acknowledged)
    print(f"{len(acknowledged)} acknowledged, {lost} lost", flush=True)


def serve(stream, number):
    while ask(stream, b"PING") != b"+PONG":  # it is loading
        time.sleep(0.05)
    read_back(stream)
    while True:
        number += 1
        if ask(stream, b"SET", b"key%d" % number, b"value%d" % number) == b"+OK":
            acknowledged.append(number)
        if number % 50 == 0:
            read_back(stream)
        time.sleep(0.02)


while True:
    try:
        with socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=5) as connection:
            serve(connection.makefile("rwb"), max(acknowledged, default=0))
    except OSError:
        time.sleep(0.05)
