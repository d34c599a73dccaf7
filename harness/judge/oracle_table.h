// The oracles of every trial, as a table; oracles.h says how to add one.
#pragma once

// X(name in reports, function, what it checks)
#define ORACLE_TABLE(X)                                                                            \
    X("lab-physics", oracle_lab_physics, "the simulated world was sound and ran to the end")       \
    X("lab-history", oracle_lab_history, "nothing is missing from the history")                    \
    X("fault-effective", oracle_fault_effective, "every fault proved its effect")                  \
    X("fault-undone", oracle_fault_undone, "every undoing proved that the effect is gone")         \
    X("peers-survive", oracle_peers_survive, "no process died that was not killed")                \
    X("limits-kept", oracle_limits_kept, "no process exceeded a limit of the cell")                \
    X("turns-returned", oracle_turns_returned, "no process hung")                                  \
    X("activity", oracle_activity, "every channel and bus carries at least what the target says")  \
    X("position-limit", oracle_position_limit, "references on the bus stay within the range")      \
    X("velocity-limit", oracle_velocity_limit, "references on the bus keep the maximum velocity")  \
    X("acceleration-limit", oracle_acceleration_limit,                                             \
      "references on the bus keep the maximum acceleration")                                       \
    X("state-truth", oracle_state_truth, "valid readings of a published state are true")           \
    X("readings-heard", oracle_readings_heard,                                                     \
      "valid readings of a published state are what boards replied in its cycle")                  \
    X("readings-complete", oracle_readings_complete,                                               \
      "without a fault published states lack no readings")                                         \
    X("nominal-velocity", oracle_nominal_velocity,                                                 \
      "commands are carried out within their nominal velocity")                                    \
    X("nominal-acceleration", oracle_nominal_acceleration,                                         \
      "commands are carried out within their nominal acceleration")                                \
    X("velocity-wind-down", oracle_velocity_wind_down,                                             \
      "velocity mode comes to rest after its time-out")                                            \
    X("segments-end-stable", oracle_segments_end_stable,                                           \
      "every segment ends standing on both feet")                                                  \
    X("upright-without-fault", oracle_upright_without_fault,                                       \
      "the robot does not fall before a fault")                                                    \
    X("completes-without-fault", oracle_completes_without_fault,                                   \
      "without a fault the motion is completed")                                                   \
    X("stays-upright", oracle_stays_upright,                                                       \
      "the robot does not fall where the scenario promises that")                                  \
    X("completes-after-fault", oracle_completes_after_fault,                                       \
      "after a fault that has ended a robot that stands completes the motion")                     \
    X("restart-and-resume", oracle_restart_and_resume,                                             \
      "a killed component comes back and the motion is completed")

#define ORACLE_NUMBER(name, function, claim) NUMBER_OF_##function,
enum { ORACLE_TABLE(ORACLE_NUMBER) ORACLE_COUNT };
#undef ORACLE_NUMBER
