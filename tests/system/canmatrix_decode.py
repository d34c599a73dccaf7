"""Decodes a candump log by a DBC with canmatrix: canmatrix_decode.py FILE.dbc FILE.log

Prints "LINE MESSAGE.SIGNAL VALUE" for what lies within each frame, in the signals' order; exit 1 if canmatrix had anything to complain
about in the DBC.
"""
import sys

import canmatrix.formats


def main():
    matrix = list(canmatrix.formats.loadp(sys.argv[1]).values())[0]
    messages = {message.arbitration_id.id: message for message in matrix.frames}
    with open(sys.argv[2]) as log:
        for number, line in enumerate(log, 1):
            identifier, data = line.split()[2].split("#")
            if len(identifier) != 3:
                continue  # an error frame
            message = messages[int(identifier, 16)]
            held = bytes.fromhex(data)
            value = message.decode(held + bytes(message.size - len(held)))
            for signal in sorted(message.signals, key=lambda s: s.start_bit):
                if signal.name in value and signal.start_bit + signal.size <= 8 * len(held):
                    print(number, message.name + "." + signal.name, "%.17g" % value[signal.name].phys_value)
    for error in matrix.load_errors:
        print(error, file=sys.stderr)
    return 1 if matrix.load_errors else 0


sys.exit(main())
