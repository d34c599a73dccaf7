// The robot of robot.h as a C++ class. The constructor opens all channels and joins the clock;
// member functions look after messages. C++11, header only; link libukemi-robot.
//
//   ukemi::Robot robot;
//   robot.waitUntilStanding(10);
//   robot.setLeftArmAngles({-0.5, 0.2, 0, -1.0, 0, 0});
//   robot.waitArms(20);
//
// Radians, metres, newtons, seconds. What a call refuses, and what times out, is an ukemi::Error,
// whose status is one of base/status.h. Used by one thread.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "robot/robot.h"

namespace ukemi
{

class Error : public std::runtime_error
{
  public:
    explicit Error(enum status why) : std::runtime_error(status_text(why)), status(why) {}
    const enum status status;
};

enum class Mode {
    Position = JOINT_MODE_POSITION,
    Velocity = JOINT_MODE_VELOCITY,
    Passthrough = JOINT_MODE_PASSTHROUGH
};
enum class Gait { QuasiStatic = GAIT_QUASI_STATIC, Dynamic = GAIT_DYNAMIC };

struct ForceTorque {
    double momentX, momentY, forceZ;
};
struct Imu {
    double roll, pitch, rollRate, pitchRate;
};
struct Power {
    double voltage, current;
};

class Robot
{
  public:
    using Arm = std::array<double, ROBOT_ARM_JOINTS>;
    using Neck = std::array<double, ROBOT_NECK_JOINTS>;
    using Hand = std::array<double, ROBOT_HAND_JOINTS>;

    Robot() { check(robot_open(&robot_)); }
    ~Robot() { robot_close(robot_); }
    Robot(const Robot &) = delete;
    Robot &operator=(const Robot &) = delete;

    double now() const { return instant_to_s(robot_now(robot_)); }
    void wait(double seconds) { robot_wait(robot_, time(seconds)); }

    // ---- arms, by Manipulation ----
    void setLeftArmAngles(const Arm &angles)
    {
        check(robot_set_left_arm_angles(robot_, angles.data()));
    }
    void setRightArmAngles(const Arm &angles)
    {
        check(robot_set_right_arm_angles(robot_, angles.data()));
    }
    void setHandPoses(const hand_pose &right, const hand_pose &left)
    {
        check(robot_set_hand_poses(robot_, &right, &left));
    }
    void waitArms(double seconds) { check(robot_wait_arms(robot_, time(seconds))); }

    // ---- joints, by Control ----
    void setJoint(unsigned joint, double value, Mode mode = Mode::Position, double timeout = 0)
    {
        joint_command command[ROBOT_JOINTS] = {};
        if (joint >= ROBOT_JOINTS)
            throw Error(STATUS_NOT_FOUND);
        command[joint].mode = static_cast<std::uint32_t>(mode);
        command[joint].value = value;
        command[joint].timeout = time(timeout);
        check(robot_command_joints(robot_, command));
    }
    void setJoint(const std::string &name, double value, Mode mode = Mode::Position,
                  double timeout = 0)
    {
        setJoint(number(name), value, mode, timeout);
    }
    void setNeckAngles(const Neck &angles) { check(robot_set_neck_angles(robot_, angles.data())); }
    void setLeftHandAngles(const Hand &angles)
    {
        check(robot_set_left_hand_angles(robot_, angles.data()));
    }
    void setRightHandAngles(const Hand &angles)
    {
        check(robot_set_right_hand_angles(robot_, angles.data()));
    }
    void setLeftArmVelocities(const Arm &velocities, double timeout = 0)
    {
        check(robot_set_left_arm_velocities(robot_, velocities.data(), time(timeout)));
    }
    void setRightArmVelocities(const Arm &velocities, double timeout = 0)
    {
        check(robot_set_right_arm_velocities(robot_, velocities.data(), time(timeout)));
    }
    void waitJoints(double seconds) { check(robot_wait_joints(robot_, time(seconds))); }

    // ---- walking ----
    void walkForward(unsigned steps, Gait gait = Gait::QuasiStatic)
    {
        check(robot_walk_forward(robot_, steps, of(gait)));
    }
    void walkBackward(unsigned steps, Gait gait = Gait::QuasiStatic)
    {
        check(robot_walk_backward(robot_, steps, of(gait)));
    }
    void walkLeft(unsigned steps, Gait gait = Gait::QuasiStatic)
    {
        check(robot_walk_left(robot_, steps, of(gait)));
    }
    void walkRight(unsigned steps, Gait gait = Gait::QuasiStatic)
    {
        check(robot_walk_right(robot_, steps, of(gait)));
    }
    void turn(double angle, Gait gait = Gait::QuasiStatic)
    {
        check(robot_turn(robot_, angle, of(gait)));
    }
    void stand() { check(robot_stand(robot_)); }
    void stop() { check(robot_stop(robot_)); }
    void waitWalk(double seconds) { check(robot_wait_walk(robot_, time(seconds))); }
    void waitUntilStanding(double seconds)
    {
        check(robot_wait_until_standing(robot_, time(seconds)));
    }
    void goToGoal(Gait gait = Gait::QuasiStatic) { check(robot_go_to_goal(robot_, of(gait))); }
    bool goalReached() { return robot_goal_reached(robot_); }

    // ---- readings ----
    double jointAngle(unsigned joint) { return reading(joint)[0]; }
    double jointAngle(const std::string &name) { return jointAngle(number(name)); }
    double jointVelocity(unsigned joint) { return reading(joint)[1]; }
    double jointVelocity(const std::string &name) { return jointVelocity(number(name)); }
    Arm leftArmAngles() { return angles<Arm>(ROBOT_LSP); }
    Arm rightArmAngles() { return angles<Arm>(ROBOT_RSP); }
    Neck neckAngles() { return angles<Neck>(ROBOT_NKY); }
    ForceTorque forceTorque(force_torque_sensor sensor)
    {
        double moment[2], force;
        check(robot_read_force_torque(robot_, sensor, moment, &force));
        return {moment[0], moment[1], force};
    }
    Imu imu()
    {
        double angle[2], rate[2];
        check(robot_read_imu(robot_, angle, rate));
        return {angle[0], angle[1], rate[0], rate[1]};
    }
    Power power()
    {
        Power power;
        check(robot_read_power(robot_, &power.voltage, &power.current));
        return power;
    }
    balance_phase phase()
    {
        balance_phase phase;
        check(robot_read_phase(robot_, &phase));
        return phase;
    }

    struct robot *c() { return robot_; } // for the functions of robot.h

  private:
    struct robot *robot_ = nullptr;

    static void check(enum status status)
    {
        if (status != STATUS_OK)
            throw Error(status);
    }
    static duration time(double seconds)
    {
        return duration_ns(static_cast<std::int64_t>(std::llround(seconds * 1e9)));
    }
    static enum gait of(Gait gait) { return static_cast<enum gait>(gait); }
    static unsigned number(const std::string &name)
    {
        const int joint = robot_joint_number(name.c_str());
        if (joint < 0)
            throw Error(STATUS_NOT_FOUND);
        return static_cast<unsigned>(joint);
    }
    std::array<double, 2> reading(unsigned joint)
    {
        std::array<double, 2> read;
        check(robot_read_joint(robot_, joint, &read[0], &read[1]));
        return read;
    }
    template <class Joints> Joints angles(unsigned first)
    {
        Joints read;
        for (unsigned i = 0; i < read.size(); i++)
            read[i] = jointAngle(first + i);
        return read;
    }
};

} // namespace ukemi
