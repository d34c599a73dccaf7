// What walkgen lets others choose and add: strategies and commands. For whoever writes one; a new
// one is a file and a line of a table (walk_strategies.c, walk_plugins.c).
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "message/message.h"
#include "walk/body/walk_body.h"
#include "walk/generator/walkgen.h"

// ---- realisation: a posture for centre of mass and feet -----------------------------------------

struct walk_posture {
    double com_m[2];          // wanted
    double waist_height_m;    // wanted
    double waist_yaw_rad;     // wanted
    double com_to_waist_m[2]; // of the start pose, in the waist's axes
    struct walk_body_soles soles;
};

struct walk_realisation {
    const char *name;
    // Fills `pose`, which holds the sample before. UNREACHABLE: as near as the legs come.
    enum status (*realise)(const struct walk_body *body, const struct walk_posture *wanted,
                           struct walk_body_pose *pose);
};

// ---- dynamics: momentum between two postures, from which the multi-body ZMP follows -------------

struct walk_dynamics {
    const char *name;
    void (*momentum)(const struct walk_body *body, const struct walk_body_pose *from,
                     const struct walk_body_pose *to, double period_s,
                     struct walk_body_momentum *momentum);
};

// ---- foot trajectory: the swing of one foot -----------------------------------------------------

struct walk_swing {
    struct walk_foot from, to;
    double single_s;  // Tss
    double height_m;  // of the swing, above the higher of both ends
    double omega_rad; // pitch at lift-off and landing
    double tip_m[2];  // of the sole, behind (negative) and ahead of the ankle
    // Of a spline's two points of full height: shares of the time, and how far along the way.
    double share[2], along_m[2];
};

struct walk_trajectory {
    const char *name;
    // The foot at time t, 0 < t <= single_s.
    void (*swing)(const struct walk_swing *swing, double t_s, struct walk_foot *foot);
};

// ---- ZMP reference ------------------------------------------------------------------------------

// A step in samples: double support [0, both), single support [both, both + single).
struct walk_block {
    unsigned both, single;
    double from_m[2];      // the reference's last value
    struct pose2d support; // the foot that carries in single support
    struct pose2d before;  // the one that carried before; it swings now
    double shift_m[2];     // of the ZMP forward on that sole, as single support begins and ends
    // Of a robot with toes: behind and ahead of the ankle, and the share of single support after
    // which the ZMP rests at the toe.
    double heel_m, toe_m, stage;
};

struct walk_zmp {
    const char *name;
    // The reference of sample i of a block; before smoothing if `smooth`.
    void (*reference)(const struct walk_block *block, unsigned i, double zmp_m[2]);
    bool smooth;
    bool one_stage; // no second preview
    bool plans;     // the reference is followed by a quadratic program
    bool drives;    // a velocity is walked, and finds its footholds
    bool turns;     // of those that drive: yaws are found with the footholds
    bool solves;    // the centre of mass is found with it, in closed form
    bool toes;      // for robots with toes
};

// ---- plug-ins -----------------------------------------------------------------------------------

#define WALK_NUMBERS_MAX 2048
#define WALK_WORD_MAX 32

// A command line, taken apart.
struct walk_line {
    char name[WALK_WORD_MAX];
    char word[WALK_WORD_MAX]; // "": none
    unsigned count;
    double number[WALK_NUMBERS_MAX];
};

struct walk_trial; // what a command changes: kept only if all its takers agree

struct walk_command {
    const char *name;
    const char *arguments; // for people: "x y yaw_deg ..."
    unsigned numbers_min, numbers_max;
    bool word; // it begins with a word
    // INVALID after walk_refuse.
    enum status (*take)(struct walk_trial *trial, const struct walk_line *line);
};

struct walk_plugin {
    const char *name;
    unsigned count;
    const struct walk_command *command;
};

// Says why a line is refused, and returns INVALID.
enum status walk_refuse(struct walk_trial *trial, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Says what whoever gave a line that is taken should know.
void walk_note(struct walk_trial *trial, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Those there are, by number; NULL: no more.
const struct walk_realisation *walk_realisation(unsigned number);
const struct walk_dynamics *walk_dynamics(unsigned number);
const struct walk_trajectory *walk_trajectory(unsigned number);
const struct walk_zmp *walk_zmp(unsigned number);
const struct walk_plugin *walk_plugin(unsigned number);
