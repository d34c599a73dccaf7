// A hose in the world of the simulated robot, held in its left hand: a chain of rigid links in the
// physics, or the law of a dragged string (hose_law.h) as a force on the hand.
//
// Links are cylinders joined by two hinges, pitch and yaw; a sphere at each link's rear end touches
// the floor, with the hose's friction. Until it is grasped its front end rests where the standing
// robot's hand is. Only hose_extend and hose_create allocate; the rest is real-time safe.
#pragma once

#include <libxml/tree.h>
#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "message/message.h"

#define HOSE_LINKS_MAX HOSE_MESSAGE_LINKS_MAX
#define HOSE_HAND_BODY "left_hand_sensor" // that holds it,
#define HOSE_HAND_SITE "left_hand"        // and where
#define HOSE_TORSO_BODY "torso"           // from which the hand is seen

enum hose_kind { HOSE_NONE, HOSE_CHAIN, HOSE_STRING };
enum hose_shape { HOSE_STRAIGHT, HOSE_BENT, HOSE_ROLLED }; // on the floor, at the start

struct hose_config {
    enum hose_kind kind;
    enum hose_shape shape;
    unsigned links;
    double length_m, kg_m, nozzle_kg, friction;
    double stiffness_Nm_rad; // of each hinge
    double reel_N;           // drag of a reel at the tail; 0: the tail is free
    double lie_rad;          // it lies behind the hand, turned by so much to the right
    bool six_axes; // the hand's sensor has them: the simulator tells all, besides its board
    bool contact;  // the model's contact becomes elliptic, impratio 100, with or without
                   // a hose
};
extern const struct hose_config hose_config_default; // the paper's, 7 m on the floor

struct hose; // opaque; owned by the caller from hose_create to hose_free

// Another lie, by up to spread_rad either way, and another friction, by up to spread_friction, a
// share: drawn by the seed.
void hose_scatter(struct hose_config *config, uint64_t seed, double spread_rad,
                  double spread_friction);

// Adds the hose to a robot's model, before it is read.
void hose_extend(xmlNode *root, const struct hose_config *config);
// INVALID: the model has no such body or no such site. `model` and `data` are borrowed.
enum status hose_create(mjModel *model, mjData *data, const struct hose_config *config,
                        struct hose **hose) MUST_CHECK;
void hose_free(struct hose *hose); // NULL is allowed

// Closes or opens the hand. A hand that is farther than 0.1 m from the front end gets nothing.
void hose_grasp(struct hose *hose, bool closed);
// What is changed from outside; see enum hose_change in message/message.h.
void hose_change(struct hose *hose, const struct hose_change_message *change);
// Sets the forces of the step to come.
void hose_step(struct hose *hose);
// What is true of it now; time is left to the caller.
void hose_truth(const struct hose *hose, struct hose_message *message);
