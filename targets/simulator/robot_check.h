// Whether a robot can be simulated and controlled, without a trial.
#pragma once

#include "base/status.h"
#include "plant/scenery/hose.h"

// Reads a MuJoCo model and a robot description as the simulator and the stacks do, lets MuJoCo
// compile the model, and stands it for 0.2 s, with a hose in its hand unless that is NULL. INVALID,
// logged to standard error: a file cannot be used, or the physics does not bear it. NO_MEMORY.
// About 15 ms. varied: see physics_create.
struct varied;
enum status robot_check(const char *model_path, const char *description_path,
                        const struct hose_config *hose, const struct varied *varied) MUST_CHECK;
