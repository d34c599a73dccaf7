// Shared by what reads a MuJoCo model. Private to the plant.
#pragma once

#include <mujoco/mujoco.h>

// Reads the model; what MuJoCo has to say from then on is said by us. NULL: it cannot be read,
// which is logged to standard error. To be freed with mj_deleteModel.
mjModel *physics_load(const char *path);
// The same from a text that was made of the file at `path`.
mjModel *physics_load_text(const char *path, const void *text, int size_B);
// The same with what is put beside and under the robot; NULL: nothing.
struct hose_config;
struct ground;
struct box_config;
mjModel *physics_load_with(const char *path, const struct hose_config *hose,
                           const struct ground *ground, const struct box_config *box);
