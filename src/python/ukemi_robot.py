"""The robot of robot/robot.h as a Python class; that header has the details.

    robot = ukemi_robot.Robot()
    robot.waitUntilStanding(10)
    robot.setLeftArmAngles([-0.5, 0.2, 0, -1.0, 0, 0])
    robot.waitArms(20)

Radians, metres, newtons, seconds. What a call refuses, and what times out, is an Error. Used by one
thread.
"""
import collections
import ctypes

__all__ = ["Error", "ForceTorque", "Imu", "Power", "Robot", "POSITION", "VELOCITY", "PASSTHROUGH",
           "QUASI_STATIC", "DYNAMIC", "PHASES", "SENSORS"]

_library = ctypes.CDLL("libukemi-robot.so.0")
_base = ctypes.CDLL("libukemi.so.0")
_JOINTS, _ARM, _NECK, _HAND = 38, 6, 3, 5  # of robot.h and joints.h
POSITION, VELOCITY, PASSTHROUGH = 1, 2, 3  # enum joint_mode
QUASI_STATIC, DYNAMIC = 0, 1  # enum gait
PHASES = ("waiting", "preparing", "standing", "executing", "recovering", "fallen")
SENSORS = ("right foot", "left foot", "right hand", "left hand")

ForceTorque = collections.namedtuple("ForceTorque", "moment_x moment_y force_z")
Imu = collections.namedtuple("Imu", "roll pitch roll_rate pitch_rate")
Power = collections.namedtuple("Power", "voltage current")


class _Time(ctypes.Structure):
    _fields_ = [("ns", ctypes.c_int64)]


class _Command(ctypes.Structure):  # struct joint_command
    _fields_ = [("mode", ctypes.c_uint32), ("padding", ctypes.c_uint32), ("value", ctypes.c_double),
                ("velocity_nominal", ctypes.c_double), ("acceleration_nominal", ctypes.c_double),
                ("timeout", _Time)]


class _Pose(ctypes.Structure):  # struct hand_pose
    _fields_ = [("position", ctypes.c_double * 3), ("quaternion", ctypes.c_double * 4)]


_text = _base.status_text
_text.restype, _text.argtypes = ctypes.c_char_p, (ctypes.c_int,)
_library.robot_now.restype = _Time
_library.robot_goal_reached.restype = ctypes.c_bool
_library.robot_joint_name.restype = ctypes.c_char_p
JOINTS = tuple(_library.robot_joint_name(j).decode() for j in range(_JOINTS))


class Error(Exception):
    """A call was refused, or timed out; says why. `status` is a number of base/status.h."""

    def __init__(self, status):
        super().__init__(_text(status).decode())
        self.status = status


def _seconds(time):
    return _Time(round(time * 1e9))


def _numbers(values, count):
    values = list(values)
    if len(values) != count:
        raise ValueError(f"{len(values)} numbers, where there must be {count}")
    return (ctypes.c_double * count)(*values)


def _joint(joint):
    return JOINTS.index(joint) if isinstance(joint, str) else int(joint)


class Robot:
    """Opens all channels and joins the clock."""

    def __init__(self):
        self._robot = ctypes.c_void_p()
        self._call("robot_open", at=ctypes.byref(self._robot))

    def close(self):
        """Leaves the clock; nothing else may follow."""
        if self._robot:
            _library.robot_close(self._robot)
            self._robot = ctypes.c_void_p()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _call(self, name, *arguments, at=None):
        status = getattr(_library, name)(at or self._robot, *arguments)
        if status != 0:
            raise Error(status)

    def _read(self, name, *arguments, counts):
        into = [(ctypes.c_double * count)() for count in counts]
        self._call(name, *arguments, *into)
        return [value for values in into for value in values]

    # ---- time ----

    def now(self):
        """Seconds since the start of the trial."""
        return _library.robot_now(self._robot).ns / 1e9

    def wait(self, seconds):
        """Sleeps by the trial's clock."""
        _library.robot_wait(self._robot, _seconds(seconds))

    # ---- arms, by Manipulation ----

    def setLeftArmAngles(self, angles):
        """Shoulder pitch, roll, yaw, elbow, wrist yaw, wrist pitch."""
        self._call("robot_set_left_arm_angles", _numbers(angles, _ARM))

    def setRightArmAngles(self, angles):
        """As setLeftArmAngles."""
        self._call("robot_set_right_arm_angles", _numbers(angles, _ARM))

    def setHandPoses(self, right, left):
        """Each a position (3) and a quaternion (w, x, y, z) in the torso's frame."""
        poses = [_Pose(_numbers(place, 3), _numbers(turn, 4)) for place, turn in (right, left)]
        self._call("robot_set_hand_poses", *(ctypes.byref(pose) for pose in poses))

    def waitArms(self, seconds):
        """Until both arms are where they were told."""
        self._call("robot_wait_arms", _seconds(seconds))

    # ---- joints, by Control ----

    def setJoint(self, joint, value, mode=POSITION, timeout=0):
        """One joint of neck, arms or hands, by name ("NKY") or number, in one of the modes."""
        number = _joint(joint)
        if not 0 <= number < _JOINTS:
            raise ValueError(f"{joint}: no such joint")
        commands = (_Command * _JOINTS)()
        commands[number] = _Command(mode, 0, value, 0, 0, _seconds(timeout))
        self._call("robot_command_joints", commands)

    def setNeckAngles(self, angles):
        """Yaw and the two pitch joints."""
        self._call("robot_set_neck_angles", _numbers(angles, _NECK))

    def setLeftHandAngles(self, angles):
        """Five fingers."""
        self._call("robot_set_left_hand_angles", _numbers(angles, _HAND))

    def setRightHandAngles(self, angles):
        """Five fingers."""
        self._call("robot_set_right_hand_angles", _numbers(angles, _HAND))

    def setLeftArmVelocities(self, velocities, timeout=0):
        """For `timeout` seconds (0: 0.5), then the arm winds down to rest."""
        self._call("robot_set_left_arm_velocities", _numbers(velocities, _ARM), _seconds(timeout))

    def setRightArmVelocities(self, velocities, timeout=0):
        """As setLeftArmVelocities."""
        self._call("robot_set_right_arm_velocities", _numbers(velocities, _ARM), _seconds(timeout))

    def waitJoints(self, seconds):
        """Until all joints that were told an angle are there."""
        self._call("robot_wait_joints", _seconds(seconds))

    # ---- walking ----

    def walkForward(self, steps, gait=QUASI_STATIC):
        """So many steps."""
        self._call("robot_walk_forward", steps, gait)

    def walkBackward(self, steps, gait=QUASI_STATIC):
        """So many steps."""
        self._call("robot_walk_backward", steps, gait)

    def walkLeft(self, steps, gait=QUASI_STATIC):
        """So many steps."""
        self._call("robot_walk_left", steps, gait)

    def walkRight(self, steps, gait=QUASI_STATIC):
        """So many steps."""
        self._call("robot_walk_right", steps, gait)

    def turn(self, angle, gait=QUASI_STATIC):
        """On the spot, left if positive."""
        self._call("robot_turn", ctypes.c_double(angle), gait)

    def stand(self):
        """Finishes the present motion."""
        self._call("robot_stand")

    def stop(self):
        """In the next stable configuration."""
        self._call("robot_stop")

    def waitWalk(self, seconds):
        """Until the last of these commands is done."""
        self._call("robot_wait_walk", _seconds(seconds))

    def waitUntilStanding(self, seconds):
        """Until it stands stably on both feet."""
        self._call("robot_wait_until_standing", _seconds(seconds))

    def goToGoal(self, gait=QUASI_STATIC):
        """To the goal that Perception sees."""
        self._call("robot_go_to_goal", gait)

    def goalReached(self):
        """Whether it is there; to be asked now and then."""
        return _library.robot_goal_reached(self._robot)

    # ---- readings ----

    def jointAngle(self, joint):
        """Of a joint, by name or number."""
        return self._read("robot_read_joint", _joint(joint), counts=(1, 1))[0]

    def jointVelocity(self, joint):
        """Of a joint, by name or number."""
        return self._read("robot_read_joint", _joint(joint), counts=(1, 1))[1]

    def leftArmAngles(self):
        """Six angles."""
        return [self.jointAngle(JOINTS.index("LSP") + i) for i in range(_ARM)]

    def rightArmAngles(self):
        """Six angles."""
        return [self.jointAngle(JOINTS.index("RSP") + i) for i in range(_ARM)]

    def neckAngles(self):
        """Three angles."""
        return [self.jointAngle(JOINTS.index("NKY") + i) for i in range(_NECK)]

    def forceTorque(self, sensor):
        """One of SENSORS."""
        return ForceTorque(*self._read("robot_read_force_torque", SENSORS.index(sensor),
                                       counts=(2, 1)))

    def imu(self):
        """Roll, pitch and their rates."""
        return Imu(*self._read("robot_read_imu", counts=(2, 2)))

    def power(self):
        """Voltage and current."""
        return Power(*self._read("robot_read_power", counts=(1, 1)))

    def phase(self):
        """One of PHASES: whether it stands, walks, has fallen."""
        phase = ctypes.c_int()
        self._call("robot_read_phase", ctypes.byref(phase))
        return PHASES[phase.value]
