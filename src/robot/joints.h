// The joints of HUBO2 Plus, in the order of its messages and of targets/hubo2/hubo2.xml. Letters:
// left or right; Shoulder, Elbow, Wrist, Hip, Knee, Ankle, Finger; Pitch, Roll, Yaw.
#pragma once

// clang-format off
#define ROBOT_JOINT_TABLE(X) \
    X(WST) /* waist */ \
    X(NKY) X(NK1) X(NK2) /* neck */ \
    X(LSP) X(LSR) X(LSY) X(LEB) X(LWY) X(LWP) /* left arm */ \
    X(RSP) X(RSR) X(RSY) X(REB) X(RWY) X(RWP) /* right arm */ \
    X(LHY) X(LHR) X(LHP) X(LKN) X(LAP) X(LAR) /* left leg */ \
    X(RHY) X(RHR) X(RHP) X(RKN) X(RAP) X(RAR) /* right leg */ \
    X(RF1) X(RF2) X(RF3) X(RF4) X(RF5) /* right hand */ \
    X(LF1) X(LF2) X(LF3) X(LF4) X(LF5) /* left hand */
// clang-format on

enum robot_joint {
#define ROBOT_JOINT_ENUM(name) ROBOT_##name,
    ROBOT_JOINT_TABLE(ROBOT_JOINT_ENUM)
#undef ROBOT_JOINT_ENUM
        ROBOT_JOINTS
};
