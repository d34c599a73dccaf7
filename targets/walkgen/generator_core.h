// The generator without its channels: the sequence of the robot's plug-ins. start once the robot
// stands; control every 5 ms, messages between; cleanup when motion is broken off. Stabiliser,
// limits and what is done at an interruption are hubo2's balance.
//
// Real-time safe after generator_init.
#pragma once

#include "targets/hubo2/balance/balance_core.h"
#include "walk/balance/capture_step.h"
#include "walk/generator/walkgen.h"
#include "walk_request.h"
#include "walk_status.h"

#define GENERATOR_PERIOD_MS 5

struct generator {
    struct balance balance;
    int waist, arm[4]; // joints in the model: waist's yaw; shoulders and elbows. -1: there is none
    struct walkgen *walkgen;
    struct walkgen_output out;
    struct pose2d origin; // of walkgen's frame in balance's
    bool started;
    struct capture_step capture;
    // The plan is at `part` of the way from `before` to `now`: 1, unless it is run through faster.
    struct segment_sample before, now;
    double part;
    bool moving;
    uint64_t epoch;      // of balance when it started
    uint64_t planned_id; // message that is being planned; 0: none
    uint64_t last_id, refused_id, refusals, taken, doubled, limited;
    char reason[sizeof((struct walk_status_message *)0)->reason];
};

// `last` and `said` (may be NULL) are the last statuses of a predecessor. Errors as balance_init
// and walkgen_create. `description` and `model` are borrowed. Not real-time.
enum status generator_init(struct generator *generator, const struct description *description,
                           const struct robot_model *model,
                           const struct balance_status_message *last,
                           const struct walk_status_message *said) MUST_CHECK;

void generator_message(struct generator *generator, const struct walk_request_message *message);

// One period of the plug-in.
void generator_control(struct generator *generator);

// Between ticks: what the next ones need, and a piece of a plan that takes longer than a tick.
void generator_prepare(struct generator *generator);

// One cycle of the robot. Returns whether `command` is to be published.
bool generator_cycle(struct generator *generator, const struct state_message *state,
                     struct command_message *command);

// The arms, against the same state. Returns whether `command` is to be published.
bool generator_arms(const struct generator *generator, const struct state_message *state,
                    struct command_message *command);

void generator_report(const struct generator *generator, instant now,
                      struct walk_status_message *status);
