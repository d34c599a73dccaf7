#!/usr/bin/python3
"""writer.py PORT: writes rows, one each 20 ms; counts all of them once a second and when the server is back.

It prints how many writes the server has acknowledged, how many of those it does not give back, and
how many it has acknowledged since this connection was made, which is the how-many-th.
"""
import socket
import struct
import sys
import time

acknowledged = set()
connections = 0


def receive(stream):
    """Message of the server: kind and content (PostgreSQL protocol 3.0)."""
    head = stream.read(5)
    if len(head) < 5:
        raise ConnectionError("the server is gone")
    kind, length = struct.unpack("!cI", head)
    return kind, stream.read(length - 4)


def until_ready(stream):
    """First values of the rows of an answer. OSError: it is an error."""
    rows, error = [], None
    while True:
        kind, content = receive(stream)
        if kind == b"D":
            length, = struct.unpack_from("!i", content, 2)
            rows.append(content[6:6 + length])
        elif kind == b"E":
            error = content.replace(b"\0", b" ").decode()
            if b"FATAL" in content:
                raise ConnectionError(error)
        elif kind == b"Z":
            if error is not None:
                raise ConnectionError(error)
            return rows


def query(stream, text):
    words = text.encode() + b"\0"
    stream.write(b"Q" + struct.pack("!I", len(words) + 4) + words)
    stream.flush()
    return until_ready(stream)


def serve(stream):
    before = len(acknowledged)
    words = struct.pack("!I", 196608) + b"user\0writer\0database\0postgres\0\0"
    stream.write(struct.pack("!I", len(words) + 4) + words)
    stream.flush()
    until_ready(stream)
    query(stream, "CREATE TABLE IF NOT EXISTS numbers (number integer PRIMARY KEY)")

    def read_back():
        rows = set(map(int, query(stream, "SELECT number FROM numbers")))
        print(f"{len(acknowledged)} acknowledged, {len(acknowledged - rows)} lost,",
              f"{len(acknowledged) - before} on connection {connections}", flush=True)
        return max(rows, default=0)

    number = read_back()
    while True:
        number += 1
        query(stream, f"INSERT INTO numbers VALUES ({number})")
        acknowledged.add(number)
        if number % 50 == 0:
            read_back()
        time.sleep(0.02)


while True:
    try:
        with socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=5) as connection:
            connections += 1
            serve(connection.makefile("rwb"))
    except OSError:
        time.sleep(0.05)
