"""Clock and channels of Ukemi for controllers in Python; the C library's headers have the details.

A process of a target opens its channels, then joins the clock, then loops. All waiting goes through
the clock. Times are whole nanoseconds since the start of the trial. Used by one thread.
"""
import ctypes
import os
import sys

__all__ = ["Clock", "Error", "Reader", "Writer", "message"]

_library = ctypes.CDLL("libukemi.so.0")
_OK, _TIMEOUT, _EMPTY, _MISSED = range(4)  # of base/status.h
_READ, _WRITE = range(2)  # of channel/channel.h
_NEWEST, _NEXT, _LAST = range(3)


class Error(Exception):
    """A call of the library failed; says why."""


class _Time(ctypes.Structure):
    _fields_ = [("ns", ctypes.c_int64)]


class _Period(ctypes.Structure):
    _fields_ = [("next", _Time), ("period", _Time)]


class _Watch(ctypes.Structure):
    _fields_ = [("word", ctypes.c_void_p), ("seen", ctypes.c_uint64), ("id", ctypes.c_uint32)]


class _Frame(ctypes.Structure):
    _fields_ = [("number", ctypes.c_uint64), ("missed", ctypes.c_uint64), ("time", _Time),
                ("size_B", ctypes.c_size_t)]


def _declare(name, result, *arguments):
    function = getattr(_library, name)
    function.restype, function.argtypes = result, arguments
    return function


_pointer, _size = ctypes.c_void_p, ctypes.c_size_t
_text = _declare("status_text", ctypes.c_char_p, ctypes.c_int)
_open = _declare("participant_channel", ctypes.c_int, ctypes.c_char_p, ctypes.c_int, _size,
                 ctypes.POINTER(_pointer))
_join = _declare("participant_join", ctypes.c_int, ctypes.POINTER(_pointer))
_put = _declare("channel_put", ctypes.c_int, _pointer, _pointer, _size, _Time)
_get = _declare("channel_get", ctypes.c_int, _pointer, _pointer, _size, ctypes.c_int,
                ctypes.POINTER(_Frame))
_watch = _declare("channel_watch", _Watch, _pointer)
_now = _declare("clk_now", _Time, _pointer)
_sleep_until = _declare("clk_sleep_until", None, _pointer, _Time)
_wait = _declare("clk_wait", ctypes.c_int, _pointer, ctypes.POINTER(_Watch), _size, _Time)
_period_start = _declare("clk_period_start", _Period, _pointer, _Time, _Time)
_period_wait = _declare("clk_period_wait", ctypes.c_uint64, _pointer, ctypes.POINTER(_Period))


def _check(status, *fine):
    if status not in (_OK, *fine):
        raise Error(_text(status).decode())
    return status


# ---- messages -----------------------------------------------------------------------------------

_BASIC = {"float64": ctypes.c_double, "float32": ctypes.c_float, "int64": ctypes.c_int64,
          "uint64": ctypes.c_uint64, "int32": ctypes.c_int32, "uint32": ctypes.c_uint32,
          "int16": ctypes.c_int16, "uint16": ctypes.c_uint16, "int8": ctypes.c_int8,
          "uint8": ctypes.c_uint8, "bool": ctypes.c_uint8, "byte": ctypes.c_uint8,
          "char": ctypes.c_char}


def _structure(name, lines, nested):
    fields = []
    for line in lines:
        line = line.split("#")[0].strip()
        if not line or "=" in line.replace("<=", ""):  # a comment, a constant
            continue
        kind, field = line.split()
        kind, _, count = kind.partition("[")
        kind = kind.split("/")[-1]
        made = _BASIC.get(kind) or _structure(kind, nested[kind], nested)
        if count:
            made = made * int(count.strip("<=]"))
        fields.append((field, made))
    return type(name, (ctypes.Structure,), {"_fields_": fields})


def message(file):
    """The structure (a ctypes.Structure) of a message file, which lies beside the program."""
    folder = os.environ.get("UKEMI_TARGET") or os.path.dirname(os.path.abspath(sys.argv[0]))
    with open(os.path.join(folder, file), encoding="utf-8") as text:
        own, *others = text.read().split("\n===")
    nested = {}
    for other in others:
        _, heading, *lines = other.split("\n")
        nested[heading.partition("MSG:")[2].strip().split("/")[-1]] = lines
    return _structure(os.path.splitext(file)[0], own.split("\n"), nested)


# ---- channels -----------------------------------------------------------------------------------

class _Channel:
    def __init__(self, name, kind, role):
        self.kind, self.channel = kind, _pointer()
        _check(_open(name.encode(), role, ctypes.sizeof(kind), ctypes.byref(self.channel)))


class Reader(_Channel):
    """Reads messages of `kind` from the channel `name`."""

    def __init__(self, name, kind):
        super().__init__(name, kind, _READ)
        self.frame = _Frame()

    def _read(self, which):
        into = self.kind()
        got = _check(_get(self.channel, ctypes.byref(into), ctypes.sizeof(into), which,
                          ctypes.byref(self.frame)), _EMPTY, _MISSED)
        return None if got == _EMPTY else into

    def newest(self):
        """The newest message, or None if it has been read before."""
        return self._read(_NEWEST)

    def next(self):
        """The oldest unread message that is still held, or None."""
        return self._read(_NEXT)

    def last(self):
        """The newest message even if it has been read before, or None if there is none."""
        return self._read(_LAST)


class Writer(_Channel):
    """Writes messages of `kind` to the channel `name`."""

    def __init__(self, name, kind):
        super().__init__(name, kind, _WRITE)

    def put(self, what, now_ns):
        """Publishes one message, stamped `now_ns`."""
        _check(_put(self.channel, ctypes.byref(what), ctypes.sizeof(what), _Time(now_ns)))


# ---- the clock ----------------------------------------------------------------------------------

class Clock:
    """The clock of the trial. Making it joins: channels are opened before, work begins after."""

    def __init__(self):
        self.clk = _pointer()
        _check(_join(ctypes.byref(self.clk)))

    def now_ns(self):
        """Time since the start of the trial."""
        return _now(self.clk).ns

    def sleep_until(self, time_ns):
        """Blocks until that time."""
        _sleep_until(self.clk, _Time(time_ns))

    def wait(self, readers, deadline_ns):
        """Blocks until one of the readers has something unread: True; or the deadline: False."""
        watches = (_Watch * len(readers))(*(_watch(reader.channel) for reader in readers))
        return _check(_wait(self.clk, watches, len(readers), _Time(deadline_ns)),
                      _TIMEOUT) == _OK

    def every(self, period_ns, start_ns=0):
        """Wakes at start_ns + k * period_ns, for ever; yields how many such times were missed."""
        period = _period_start(self.clk, _Time(start_ns), _Time(period_ns))
        while True:
            yield _period_wait(self.clk, ctypes.byref(period))
