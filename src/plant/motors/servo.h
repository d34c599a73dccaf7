// The AX-12 servo: loop, drive, motor, gear and winding, from what its registers order and what its
// output shaft does to the torque on the shaft. Pure; real-time safe.
//
// Loop (AX-12 manual): duty = clamp((error - margin) / slope), at least the punch, at most the
// torque limit; a speed limit slows the set point down. Drive: while the duty is on, the motor
// exerts its stall torque, as far as the supply's headroom over its back EMF goes; while it is off,
// the shorted winding brakes. Parameters are those of the sheet, where it has them; headroom and
// brake are those that show the step response of Lima et al., Fig. 7 (281 deg/s, 1400 deg/s^2).
// A joint that this servo turns needs SERVO_ARMATURE_KG_M2 in its model, and the friction of
// servo_output.
#pragma once

#include <stdbool.h>

#define SERVO_STEP_RAD (300.0 / 1023 * 3.14159265358979323846 / 180)     // of position registers
#define SERVO_SPEED_STEP_RAD_S (0.111 / 60 * 2 * 3.14159265358979323846) // of speed registers
#define SERVO_NOMINAL_V 12.0
#define SERVO_STALL_NM 1.5         // at the nominal voltage
#define SERVO_NO_LOAD_RAD_S 6.1785 // 59 rpm, at the nominal voltage
#define SERVO_TORQUE_NM_A 1.0      // stall torque over stall current
#define SERVO_ARMATURE_KG_M2 0.005 // of rotor and gear, at the shaft
#define SERVO_FRICTION_NM 0.1      // of the gear
#define SERVO_STUCK_NM 50.0        // of a gear that is jammed
#define SERVO_BACKLASH_RAD 0.01
#define SERVO_AMBIENT_C 25.0

// What the control table asks for. Index 0: clockwise (negative error), 1: counter-clockwise.
struct servo_orders {
    bool on;
    bool wheel;                 // no position loop: `duty` of the supply
    double duty;                // -1 .. 1; of a wheel
    double goal_rad;            // from the middle of its range
    double speed_rad_s;         // greatest; 0: as fast as can be
    double torque_limit, punch; // shares, 0 .. 1
    double margin_rad[2], slope_rad[2];
};

// What is broken in it. All zero: nothing.
struct servo_damage {
    bool dead;           // no power to the motor
    bool stuck;          // the gear is jammed
    bool free;           // the gear has lost its teeth
    double slip_rad;     // the horn's angle beyond the shaft's, which the sensor measures
    double backlash_rad; // more than SERVO_BACKLASH_RAD
};

struct servo_energy {
    double supply_J, heat_J, work_J; // since servo_start; supply = heat + work
};

struct servo {
    struct servo_damage damage;            // set by its owner, as how it differs from its kind:
    double strength_share, friction_share; // more than the sheet says, of torque and of friction
    double temperature_C;
    double duty;       // of the last step, signed; the load register's
    double current_A;  // from the supply, over the step before the last
    double sensed_rad; // what its sensor reads
    bool moving;       // its set point has not reached the goal
    struct servo_energy energy;
    // Of its own:
    double setpoint_rad, gap_rad, last_rad;
    double drive_Nm, torque_Nm; // of the last step: while the duty is on, and on the shaft
    double voltage_V;
    bool holding; // it was on
};

struct servo_output {
    double torque_Nm;   // on the shaft, counter-clockwise
    double friction_Nm; // Coulomb friction against any motion of the shaft
};

// At rest at ambient temperature, with the horn at this angle.
void servo_start(struct servo *servo, double position_rad);

// One step of `step_s`, at most 0.005 s: from the horn's present angle and velocity to the torque
// that acts until the next step.
struct servo_output servo_step(struct servo *servo, const struct servo_orders *orders,
                               double voltage_V, double position_rad, double velocity_rad_s,
                               double step_s);

// Greatest speed without load.
double servo_no_load_rad_s(double voltage_V);
