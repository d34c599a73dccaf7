"""Reads the history that an oracle program gets on standard input. To be copied to your own target.

The file is MCAP (https://mcap.dev/spec) without compression. A message is CDR; by the lab's rule its
fields lie one after the other, without gaps. Fields of other messages (nested types) are not read.
"""

import struct
import sys

SCHEMA, CHANNEL, MESSAGE, CHUNK = 3, 4, 5, 6
CDR_HEAD_B = 4
CODES = {"bool": "?", "byte": "B", "char": "B", "int8": "b", "uint8": "B", "int16": "h", "uint16": "H",
         "int32": "i", "uint32": "I", "int64": "q", "uint64": "Q", "float32": "f", "float64": "d"}


def records(data):
    """Yields (kind, content), those of chunks included."""
    at = 0
    while at + 9 <= len(data):
        kind, size = struct.unpack_from("<BQ", data, at)
        content = data[at + 9:at + 9 + size]
        at += 9 + size
        if kind == CHUNK:
            name_B, = struct.unpack_from("<I", content, 28)
            yield from records(content[28 + 4 + name_B + 8:])
        else:
            yield kind, content


def texts(data, at):
    """Yields the texts that follow each other from `at` on."""
    while at + 4 <= len(data):
        size, = struct.unpack_from("<I", data, at)
        yield bytes(data[at + 4:at + 4 + size]).decode()
        at += 4 + size


def fields(text):
    """Of message text: [(name, code of struct)], up to the first field of another kind."""
    found = []
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if len(words) < 2 or "=" in line.split("#")[0]:
            continue
        kind, _, count = words[0].rstrip("]").partition("[")
        if kind not in CODES or (count and not count.isdigit()) or "[]" in words[0]:
            break
        found.append((words[1], count + CODES[kind]))
    return found


def messages(*topics):
    """Yields (topic, time in s, {field: value or tuple of values}) of these topics, in their order."""
    schemas, channels = {}, {}
    for kind, data in records(memoryview(sys.stdin.buffer.read())[8:]):
        if kind == SCHEMA:
            _, _, text = texts(data, 2)
            schemas[struct.unpack_from("<H", data)[0]] = fields(text)
        elif kind == CHANNEL:
            channel, schema = struct.unpack_from("<HH", data)
            channels[channel] = next(texts(data, 4)), schemas.get(schema, [])
        elif kind == MESSAGE:
            channel, _, time_ns = struct.unpack_from("<HIQ", data)
            topic, layout = channels[channel]
            if topic not in topics:
                continue
            message, at = {}, 22 + CDR_HEAD_B
            for name, code in layout:
                values = struct.unpack_from("<" + code, data, at)
                at += struct.calcsize("<" + code)
                message[name] = values if len(code) > 1 else values[0]
            yield topic, time_ns * 1e-9, message
