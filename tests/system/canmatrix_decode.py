"""Decodes a candump log by a DBC with canmatrix, which knows nothing of the robot.

canmatrix_decode.py FILE.dbc FILE.log           prints "LINE MESSAGE.SIGNAL VALUE" for what lies within each frame, in the signals' order
canmatrix_decode.py --check FILE.dbc FILE.log   prints "MESSAGE COUNT" for each message there is; complains about frames that the DBC does not
                                                know or that are too long, values out of their range, and units that such a quantity
                                                cannot have

Exit 1 if anybody had anything to complain about, canmatrix in the DBC included.
"""
import re
import sys

import canmatrix.formats

# The unit of a signal, by its name and its message's: the first that fits.
UNITS = [
    (r".*_sign$", ""),
    (r".*_(reference|encoder)\.channel_\d+", ""),
    (r".*_(reference|encoder)\.", "rad"),
    (r".*_status\.", ""),
    (r".*_current\.board_temperature$", "degC"),
    (r".*_current\.", "A"),
    (r".*_force_torque\.moment_", "Nm"),
    (r".*_force_torque\.force_", "N"),
    (r".*_tilt\.angle_", "deg"),
    (r".*_tilt\.acceleration_", "g"),
    (r"imu\..*_rate$", "deg/s"),
    (r"imu\.", "deg"),
    (r"power\.voltage$", "V"),
    (r"power\.current$", "A"),
    (r"power\.power$", "W"),
    (r"command\.finger_\d_pwm_magnitude$", "%"),
    (r"(command|sensor_request)\.", ""),
]

complaints = 0


def complain(text):
    global complaints
    complaints += 1
    print(text, file=sys.stderr)


def frames(log):
    """The line, identifier and data of every frame but error frames."""
    for number, line in enumerate(log, 1):
        identifier, data = line.split()[2].split("#")
        if len(identifier) == 3:
            yield number, int(identifier, 16), bytes.fromhex(data)


def decode(message, data):
    """What lies within a frame, which may be shorter than its message: pairs of signal and value."""
    value = message.decode(data + bytes(message.size - len(data)))
    for signal in sorted(message.signals, key=lambda s: s.start_bit):
        if signal.name in value and signal.start_bit + signal.size <= 8 * len(data):
            yield signal, value[signal.name].phys_value


def print_values(messages, log):
    for number, identifier, data in frames(log):
        for signal, value in decode(messages[identifier], data):
            print(number, messages[identifier].name + "." + signal.name, "%.17g" % value)


def check_units(messages):
    for message in messages.values():
        for signal in message.signals:
            name = message.name + "." + signal.name
            unit = next((unit for pattern, unit in UNITS if re.match(pattern, name)), None)
            if signal.unit != unit:
                complain('%s: unit "%s", not "%s"' % (name, signal.unit, unit))


def check_frame(number, message, identifier, data):
    if message is None or len(data) > message.size:
        complain("line %d: %03X#%s: %s" % (number, identifier, data.hex(), "too long" if message else "no such message"))
        return
    for signal, value in decode(message, data):
        if not signal.min <= value <= signal.max:
            complain("line %d: %s.%s = %s, range %s to %s" % (number, message.name, signal.name, value, signal.min, signal.max))


def check(messages, log):
    check_units(messages)
    count = {identifier: 0 for identifier in messages}
    known = set()
    for number, identifier, data in frames(log):
        if (identifier, data) not in known:
            check_frame(number, messages.get(identifier), identifier, data)
            known.add((identifier, data))
        count[identifier] = count.get(identifier, 0) + 1
    for identifier, message in messages.items():
        print(message.name, count[identifier])


def main():
    matrix = list(canmatrix.formats.loadp(sys.argv[-2]).values())[0]
    messages = {message.arbitration_id.id: message for message in matrix.frames}
    with open(sys.argv[-1]) as log:
        (check if sys.argv[1] == "--check" else print_values)(messages, log)
    for error in matrix.load_errors:
        complain(error)
    return 1 if complaints else 0


sys.exit(main())
