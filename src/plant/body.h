// What the body of a simulated robot looks like, and where its parts were: for pictures of a trial,
// from the robot's MuJoCo model and what a history holds. Not real-time.
#pragma once

#include "base/status.h"
#include "model/description.h"
#include "plant/physics.h"

struct body; // opaque; owned by the caller from body_create to body_free

enum shape_kind {
    SHAPE_PLANE,
    SHAPE_SPHERE,
    SHAPE_CAPSULE,
    SHAPE_ELLIPSOID,
    SHAPE_CYLINDER,
    SHAPE_BOX
};

#define BODY_AXES_MAX 128
#define BODY_ROBOTS_MAX 4

// What is known of one of its robots at an instant.
struct body_state {
    double place_m[3], quaternion[4]; // of its part that moves freely; w, x, y, z
    unsigned count;                   // of the following
    double position_rad[BODY_AXES_MAX];
};

struct body_shape {
    unsigned part; // that it is fixed to
    enum shape_kind kind;
    double size_m[3];  // as MuJoCo has it: radius, or radius and half length, or half lengths
    struct pose place; // in the part's frame
    float colour[4];   // red, green, blue, opacity, from 0 to 1
};

// The model is MuJoCo's, or robots made of solids (model/solids.h). Its first `robots` parts that
// move freely are robots with what hangs on them, and all else belongs to the first one. Which axis
// of a robot a position belongs to is said by the description: the joint of this number. Without
// one (NULL) it is the axis of the servo of this number, in robots of solids; else the axis at this
// place in the model. `robots` is 1 .. BODY_ROBOTS_MAX; what the model has not is passed over.
// Errors are logged to standard error. INVALID: the model cannot be loaded; NO_MEMORY.
enum status body_create(const char *model_path, const struct description *description,
                        unsigned robots, struct body **body) MUST_CHECK;
void body_free(struct body *body); // NULL is allowed

unsigned body_part_count(const struct body *body); // part 0 is the world
const char *body_part_name(const struct body *body, unsigned part);
unsigned body_shape_count(const struct body *body);
// A mesh or height field is the box around it.
struct body_shape body_shape_at(const struct body *body, unsigned shape);

// Where the parts are when the robots are in states state[0 .. robots - 1]: fills
// pose[body_part_count()].
void body_poses(struct body *body, const struct body_state *state, unsigned robots,
                struct pose *pose);
