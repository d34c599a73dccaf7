// The simulated robot: physics, motor boards, sensors and the buses they sit on, advanced together
// in time.
//
// Between two physics steps the buses run, and boards answer from the state of the latest step; a
// reference acts on the steps that begin after it has arrived. Only create allocates or reads
// files. One thread.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/time.h"
#include "message/message.h"
#include "model/description.h"

#define PLANT_GRID_NS 10000000    // truth and bus log
#define PLANT_CAMERA_NS 100000000 // camera image

struct plant; // opaque; owned by the caller from plant_create to plant_free

#define PLANT_BUSES 2

struct ground;
struct hose_config;
struct mocap_config;
struct box_config;
struct varied;

struct plant_config {
    const char *bus[PLANT_BUSES];     // of the process's cell; NULL: "can0", "can1"
    bool alone;                       // no cell: `bus` are the kernel's interfaces
    uint64_t seed;                    // of the sensors' noise
    const struct ground *ground;      // plant/scenery/ground.h; NULL: level
    const struct hose_config *hose;   // plant/scenery/hose.h; NULL: none
    const struct mocap_config *mocap; // plant/mocap.h; NULL: none
    const struct box_config *box;     // plant/scenery/box.h; NULL: none
    const struct varied *varied;      // plant/varied.h, kept; NULL: nothing varies
};

// Loads the model, opens the buses and attaches the boards. The description must stay valid. Errors
// are logged to standard error; status as physics_create, can_bus_open and can_bus_open_alone.
enum status plant_create(const char *model_path, const struct description *description,
                         const struct plant_config *config, struct plant **plant) MUST_CHECK;
void plant_free(struct plant *plant);

// The time in which motor boards approach a new reference (boards.h), positive; before the first
// plant_advance.
void plant_interpolate(struct plant *plant, duration interpolation);

// How boards differ from one robot to the next; before the first plant_advance (boards.h).
void plant_brief_encoders(struct plant *plant);
void plant_unhome(struct plant *plant);

// Called at each multiple of PLANT_GRID_NS, time 0 included, with the world as it is then.
typedef void plant_observer(void *context, struct plant *plant, instant t);
void plant_observe(struct plant *plant, plant_observer *observer, void *context);

// Advances buses and physics to `until`. The observer is called once per grid instant passed, in
// order.
void plant_advance(struct plant *plant, instant until);

// Waits for what is next to do, in real time: a frame on an interface, or the step after `now`. Of
// a plant alone.
void plant_await(struct plant *plant, instant now);
// Frames since the start: on the buses, in error frames, from programs that sent more than fits.
struct plant_traffic {
    uint64_t frames, error_frames, refused;
};
struct plant_traffic plant_traffic(const struct plant *plant);

// For the observer. truth: everything but goal_m. bus log: frames since the last call; returns the
// message's size in bytes.
void plant_truth(struct plant *plant, struct truth_message *truth);
size_t plant_bus_log(struct plant *plant, struct bus_log_message *message);
struct surroundings;
void plant_camera(struct plant *plant, const struct surroundings *surroundings,
                  struct camera_message *message);

// The next pose of the motion capture system that is told by `now`, false: there is none.
bool plant_mocap(struct plant *plant, instant now, struct mocap_message *message);
// Somebody who pushes the robot, and what is true of that.
void plant_push(struct plant *plant, const struct push_change_message *change);
void plant_push_truth(const struct plant *plant, struct push_message *message);
// Faults of the world, of any kind, and what is true of them.
void plant_world_change(struct plant *plant, const struct world_change_message *change);
void plant_world_truth(const struct plant *plant, struct world_fault_message *message);
// Of the box: what is true, and what the camera measures.
void plant_box_truth(const struct plant *plant, struct box_message *message);
void plant_sight(struct plant *plant, struct sight_message *message);
// What is true of passive toes; 0 of a robot without them.
void plant_toe_truth(const struct plant *plant, struct toe_message *message);
// Of the hose: what is true, what the hand and a stranger do to it. Nothing without a hose.
void plant_hose_truth(const struct plant *plant, struct hose_message *message);
// What a sensor of six axes feels at the left hand's (physics_hand_wrench): of a hose's target, the
// message hand_wrench.msg. `time` is the caller's.
struct hand_wrench {
    instant time;
    double force_N[3], moment_Nm[3];
};
void plant_hand_wrench(const struct plant *plant, struct hand_wrench *wrench);
void plant_grasp(struct plant *plant, bool closed);
void plant_change_hose(struct plant *plant, const struct hose_change_message *change);
