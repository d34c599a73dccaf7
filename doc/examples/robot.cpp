// A program that tells the robot what to do: arms, neck, a finger, two steps. Beside robot.c, robot.py.
#include <cstdio>

#include "robot/robot.hpp"

int main()
{
    static const char *const phases[] = {"waiting",   "preparing",  "standing",
                                         "executing", "recovering", "fallen"};
    try {
        ukemi::Robot robot;
        robot.waitUntilStanding(10);
        robot.setLeftArmAngles({-0.5, 0.2, 0, -1.0, 0, 0});
        robot.setRightArmAngles({-0.5, -0.2, 0, -1.0, 0, 0});
        robot.setNeckAngles({0.3, 0.1, 0});
        robot.setLeftHandAngles({0.2, 0.2, 0.2, 0.2, 0.2});
        robot.waitArms(20);
        robot.waitJoints(20);
        robot.setJoint("NKY", -0.2, ukemi::Mode::Velocity, 0.4);
        robot.wait(1.5);
        robot.setJoint(ROBOT_NK1, robot.jointAngle(ROBOT_NK1) + 0.001, ukemi::Mode::Passthrough);
        robot.walkForward(2);
        robot.waitWalk(60);
        std::printf("neck %.2f rad, finger %.2f rad, feet %.0f N, roll %.2f rad, %.0f V, %s\n",
                    robot.jointAngle("NKY"), robot.jointAngle("LF1"),
                    robot.forceTorque(FT_RIGHT_FOOT).forceZ + robot.forceTorque(FT_LEFT_FOOT).forceZ,
                    robot.imu().roll, robot.power().voltage, phases[robot.phase()]);
    } catch (const ukemi::Error &error) {
        std::fprintf(stderr, "robot: %s\n", error.what());
        return 1;
    }
    return 0;
}
