"""Reads the history that an oracle program gets on standard input.

The file is MCAP (https://mcap.dev/spec) without compression. A message is CDR; by the lab's rule its
fields lie one after the other, without gaps. A field in another message has a path, as in formulas:
message["force_torque[0].force_z_n"].
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


def sections(text):
    """Of message text: {name of a type without its package: its lines}; "" is the message itself."""
    found, name = {"": []}, ""
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("MSG:"):
            name = line.split("/")[-1]
            found[name] = []
        elif line and "=" not in line:
            found[name].append(line.split())
    return found


def fields(types, name=""):
    """Yields (path, count, code of struct) of a type's fields in their order; count "": one value. What is
    in a field of another type has a path, as "force_torque[0].force_z_n"."""
    for kind, field in types[name]:
        kind, _, count = kind.rstrip("]").partition("[")
        if kind in CODES:
            yield field, count, CODES[kind]
            continue
        for i in range(int(count or 1)):
            for path, inner, code in fields(types, kind):
                yield f"{field}[{i}].{path}" if count else f"{field}.{path}", inner, code


def reader(text):
    """Of message text: a function from the bytes of a message to {path: value or tuple of values}."""
    layout = list(fields(sections(text)))
    whole = struct.Struct("<" + "".join(count + code for _, count, code in layout))

    def read(data, at):
        values = whole.unpack_from(data, at)
        message, i = {}, 0
        for path, count, code in layout:
            n = int(count or 1)
            message[path] = values[i:i + n] if count else values[i]
            i += n
        return message
    return read


def messages(*topics):
    """Yields (topic, time in s, {field: value or tuple of values}) of these topics, in their order."""
    schemas, channels = {}, {}
    for kind, data in records(memoryview(sys.stdin.buffer.read())[8:]):
        if kind == SCHEMA:
            _, _, text = texts(data, 2)
            schemas[struct.unpack_from("<H", data)[0]] = text
        elif kind == CHANNEL:
            channel, schema = struct.unpack_from("<HH", data)
            topic = next(texts(data, 4))
            channels[channel] = topic, reader(schemas[schema]) if topic in topics else None
        elif kind == MESSAGE:
            channel, _, time_ns = struct.unpack_from("<HIQ", data)
            topic, read = channels[channel]
            if read is not None:
                yield topic, time_ns * 1e-9, read(data, 22 + CDR_HEAD_B)
