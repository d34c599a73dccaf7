// A world of robots made of solids (model/solids.h) in MuJoCo: the model is made in memory, so that
// a changed mass needs neither compiler nor converter.
//
// The floor is z = 0. Solids of one robot do not touch each other; all else does. Each axis is
// driven by the torque that the caller says. Only create allocates. One thread.
#pragma once

#include "base/status.h"
#include "base/time.h"
#include "model/solids.h"

#define SOLIDS_WORLD_STEP_NS 2000000

struct solids_world; // opaque; owned by the caller from create to free

// What a perfect observer sees of a robot.
struct solids_truth {
    double trunk_m[3], trunk_quaternion[4]; // of the first solid of its file; w, x, y, z
    double com_m[3], com_velocity_m_s[3];
    double upright; // how much of the first solid's z axis points up: 1 stands, 0 lies
};

// Of the whole world, in joules; what the axes' torques give is stored or lost.
struct solids_energy {
    double stored_J; // kinetic and potential
    double lost_J; // in contacts, at limits, to the friction of the axes; in steps; since the start
};

// `armature_kg_m2`: inertia of the rotor behind each axis' gear. varied: what differs of the first
// robot in this trial (varied.h); NULL: nothing. The scene must stay valid. Errors
// are said. INVALID: MuJoCo refuses the model; NO_MEMORY.
struct varied;
enum status solids_world_create(const struct scene *scene, double armature_kg_m2,
                                const struct varied *varied,
                                struct solids_world **world) MUST_CHECK;
void solids_world_free(struct solids_world *world);

unsigned solids_world_axes(const struct solids_world *world);
double solids_world_mass_kg(const struct solids_world *world, unsigned robot);

// Makes one step of SOLIDS_WORLD_STEP_NS; for each axis, robot after robot, as in the files, a
// torque and the Coulomb friction that holds against any motion.
void solids_world_step(struct solids_world *world, const double *torque_Nm,
                       const double *friction_Nm);
void solids_world_motion(const struct solids_world *world, double *position_rad,
                         double *velocity_rad_s);
void solids_world_truth(struct solids_world *world, unsigned robot, struct solids_truth *truth);

struct solids_energy solids_world_energy(struct solids_world *world);

// Where the centre of a solid is, by its place in the robot's file.
void solids_world_solid(const struct solids_world *world, unsigned robot, unsigned solid,
                        double position_m[3]);

// MuJoCo has warned of bad numbers or exhausted buffers: the physics can be trusted no more.
bool solids_world_warned(const struct solids_world *world);
