// Robots as solids and articulations: the robot XML of Lima et al., "Humanoid Robot Simulation with
// a Joint Trajectory Optimized Controller", section 3.2, and of its public successor (SimTwo);
// obstacles, and scenes of several robots. doc/bioloid.md has the format.
//
// All is in the frame of the robot's file, in m and kg; angles in rad. An angle is that of B1
// against B2 about the axis, as in ODE: a knee at -1 bends the shank (B2) back.
// Read once at the start; not real-time. Every complaint names file, line and remedy.
#pragma once

#include <stdbool.h>

#include "base/status.h"

#define SOLIDS_NAME_MAX 32
#define SOLIDS_MAX 64
#define SOLIDS_AXES_MAX 64
#define SOLIDS_OBSTACLES_MAX 64
#define SOLIDS_ROBOTS_MAX 8
#define SOLIDS_PATH_MAX 256
#define SOLIDS_WORLD (-1) // in place of a solid: what does not move

enum solid_shape { SOLID_CUBOID, SOLID_CYLINDER, SOLID_SPHERE };

struct solid {
    char id[SOLIDS_NAME_MAX], name[SOLIDS_NAME_MAX]; // of an obstacle: may be empty
    enum solid_shape shape;
    double position_m[3];
    double rotation_rad[3]; // about x, then y, then z of the file's frame
    double size_m[3];       // cuboid: edges; cylinder: radius, 0, length along z; sphere: radius
    double mass_kg;         // of an obstacle: 0
    long line;
};

struct articulation_axis {
    double direction[3];     // of length 1
    double min_rad, max_rad; // min < max; no limits: both 0
    unsigned servo;          // the number of its servo on the bus; 0: none
};

struct articulation {
    char id[SOLIDS_NAME_MAX], name[SOLIDS_NAME_MAX];
    double position_m[3];
    int solid[2];  // B1, B2
    unsigned axes; // hinge: 1; universal: 2, the first fixed in B1, the second in B2
    struct articulation_axis axis[2];
    long line;
};

struct solid_robot {
    char kind[SOLIDS_NAME_MAX], path[SOLIDS_PATH_MAX];
    unsigned solid_count, articulation_count;
    struct solid solid[SOLIDS_MAX];
    struct articulation articulation[SOLIDS_AXES_MAX];
};

// How a robot hangs together: solids in an order in which each but the first of its kind follows
// the solid it hangs on.
struct solid_tree {
    unsigned count;
    struct solid_link {
        int solid;
        int parent;       // a solid; SOLIDS_WORLD: it is fixed, or moves freely
        int articulation; // by which it hangs on the parent; -1: none
        bool free;
    } link[SOLIDS_MAX];
};

struct scene {
    unsigned robot_count, obstacle_count;
    struct scene_robot {
        char name[SOLIDS_NAME_MAX];
        double position_m[3], rotation_rad[3];
        struct solid_robot *robot;
        struct solid_tree tree;
        unsigned axis_first, axis_count; // its axes among those of all robots
    } robot[SOLIDS_ROBOTS_MAX];
    struct solid obstacle[SOLIDS_OBSTACLES_MAX];
};

// Reads a robot's file: each element by itself. INVALID (said), NO_MEMORY. To be freed with free().
enum status solids_read(const char *path, struct solid_robot **robot) MUST_CHECK;

// Finds the tree. INVALID (said): a joint between unknown solids, a loop of bodies.
enum status solids_connect(const struct solid_robot *robot, struct solid_tree *tree) MUST_CHECK;

// Reads a scene, the robots and the obstacles that it names, whose files lie beside it; or a
// robot's file, which is a scene by itself. INVALID (said), NO_MEMORY. To be freed with scene_free.
enum status scene_read(const char *path, struct scene **scene) MUST_CHECK;
void scene_free(struct scene *scene);
