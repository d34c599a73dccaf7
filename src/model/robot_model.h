// The robot's body, read from its MuJoCo model file (targets/<name>/robot.xml): links, masses,
// joints, sites; forward kinematics and centre of mass. One file describes the robot to the physics
// and to the controllers.
//
// Loading is not real-time and says every error on standard error with file, line, element, value
// and remedy. The rest is pure and real-time safe: no allocation, bounded by ROBOT_LINKS_MAX.
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "message/message.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ROBOT_LINKS_MAX 48
#define ROBOT_SITES_MAX 24
#define ROBOT_PASSIVE_MAX 8
#define ROBOT_NAME_MAX 24

struct robot_link {
    char name[ROBOT_NAME_MAX];
    int parent;         // index, always less than the link's own; -1: the root
    int joint;          // index in robot_model.joint, -1: rigidly fixed to the parent (or the root)
    int passive;        // index in robot_model.passive, -1: it is not on a passive joint
    double offset_m[3]; // of the link's origin in the parent's frame; all link frames are parallel
                        // in the zero pose
    double axis[3];     // unit vector, joint axis through the origin
    double mass_kg;
    double com_m[3];         // in the link's frame
    double inertia_kg_m2[3]; // moments about the centre of mass, about the link's axes
    double product_kg_m2[3]; // and its products: xy, xz, yz
    // What is drawn of it by boxes along its axes, in its frame: from, to along each.
    bool boxed;
    double box_m[3][2];
};

struct robot_joint {
    char name[ROBOT_NAME_MAX];
    int link; // the link it moves
    double position_min_rad, position_max_rad;
};

// A joint that no motor drives: a spring brings it to 0, against a damper. Forward kinematics take
// it to be there.
struct robot_passive {
    char name[ROBOT_NAME_MAX];
    int link; // the link it moves
    double stiffness_Nm_rad, damping_Nms_rad;
    double position_min_rad, position_max_rad;
};

struct robot_site {
    char name[ROBOT_NAME_MAX];
    int link;
    double position_m[3]; // in the link's frame
};

struct robot_model {
    unsigned link_count, joint_count, passive_count, site_count;
    double mass_kg;
    // Parents before children; link[0] is the root, "pelvis".
    struct robot_link link[ROBOT_LINKS_MAX];
    struct robot_joint joint[ROBOT_JOINTS_MAX]; // in the order of the file's actuators = the
                                                // description's joint order
    // Joints with a `stiffness`, in the file's order.
    struct robot_passive passive[ROBOT_PASSIVE_MAX];
    struct robot_site site[ROBOT_SITES_MAX];
    double stand_rad[ROBOT_JOINTS_MAX]; // standing pose: joint angles of the file's key "stand"
                                        // (ctrl); 0 without it
};

struct robot_pose {
    double origin_m[ROBOT_LINKS_MAX][3];
    double rotation[ROBOT_LINKS_MAX][9]; // link to world, row major
    double com_m[3];                     // of the whole robot
};

// Loads a model file. INVALID, NOT_FOUND, NO_MEMORY. Free with robot_model_free.
enum status robot_model_load(const char *path, struct robot_model **model) MUST_CHECK;
// The same from a URDF file: a pelvis, in which everything but the legs is rigid, and both legs,
// with joints and sites named as leg_from_model wants them. srdf: the file whose group state
// "half_sitting" is the standing pose; NULL: knees are bent by 46 degrees.
enum status robot_model_load_urdf(const char *path, const char *srdf,
                                  struct robot_model **model) MUST_CHECK;
void robot_model_free(struct robot_model *model);

// Index by name, or -1.
int robot_model_joint(const struct robot_model *model, const char *name);
int robot_model_link(const struct robot_model *model, const char *name);
int robot_model_site(const struct robot_model *model, const char *name);
int robot_model_passive(const struct robot_model *model, const char *name);

// Forward kinematics: poses of all links and the centre of mass for the root's pose (position,
// rotation link to world) and the joint angles joint_rad[model->joint_count].
void robot_model_forward(const struct robot_model *model, const double root_m[3],
                         const double root_rotation[9], const double *joint_rad,
                         struct robot_pose *pose);

// World position of a site in a pose.
void robot_model_site_position(const struct robot_model *model, const struct robot_pose *pose,
                               int site, double position_m[3]);

#ifdef __cplusplus
}
#endif
