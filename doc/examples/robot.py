# A program that tells the robot what to do: arms, neck, a finger, two steps. Beside robot.c, robot.cpp.
import ukemi_robot

with ukemi_robot.Robot() as robot:
    robot.waitUntilStanding(10)
    robot.setLeftArmAngles([-0.5, 0.2, 0, -1.0, 0, 0])
    robot.setRightArmAngles([-0.5, -0.2, 0, -1.0, 0, 0])
    robot.setNeckAngles([0.3, 0.1, 0])
    robot.setLeftHandAngles([0.2, 0.2, 0.2, 0.2, 0.2])
    robot.waitArms(20)
    robot.waitJoints(20)
    robot.setJoint("NKY", -0.2, ukemi_robot.VELOCITY, 0.4)
    robot.wait(1.5)
    robot.setJoint("NK1", robot.jointAngle("NK1") + 0.001, ukemi_robot.PASSTHROUGH)
    robot.walkForward(2)
    robot.waitWalk(60)
    feet_N = sum(robot.forceTorque(foot).force_z for foot in ("right foot", "left foot"))
    print(f"neck {robot.jointAngle('NKY'):.2f} rad, finger {robot.jointAngle('LF1'):.2f} rad, "
          f"feet {feet_N:.0f} N, roll {robot.imu().roll:.2f} rad, {robot.power().voltage:.0f} V, "
          f"{robot.phase()}", flush=True)
