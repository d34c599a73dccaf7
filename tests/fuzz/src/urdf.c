// URDF files, each its own SRDF file, too: what has legs has a body that walks.
#include "tests/fuzz/fuzz.h"

#include "model/robot_model.h"
#include "walk/body/walk_body.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct walk_body body;
    struct robot_model *model;
    const char *path = fuzz_file(data, size);
    if (robot_model_load_urdf(path, path, &model) != STATUS_OK)
        return 0;
    fuzz_check(model->joint_count == 2 * LEG_JOINTS && model->site_count == 2);
    if (walk_body_from_model(model, &body) == STATUS_OK)
        fuzz_check(body.mass_kg > 0);
    robot_model_free(model);
    return 0;
}
