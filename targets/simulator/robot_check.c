#include "targets/simulator/robot_check.h"

#include "base/log.h"
#include "model/description.h"
#include "model/model_file.h"
#include "model/robot_model.h"
#include "model/xml.h"
#include "plant/physics.h"

#define STANDING_S 0.2

static enum status stand(const char *model_path, const struct description *description,
                         const struct hose_config *hose, const struct varied *varied)
{
    struct motor motor[ROBOT_JOINTS_MAX];
    struct physics *physics;
    const enum status status =
        physics_create(model_path, description, hose, NULL, NULL, varied, motor, &physics);
    if (status != STATUS_OK)
        return status;
    const double steps = STANDING_S / duration_to_s(physics_step_length(physics));
    for (unsigned i = 0; i < steps && !physics_warned(physics); i++)
        physics_step(physics, motor, true);
    const bool warned = physics_warned(physics);
    physics_free(physics);
    if (!warned)
        return STATUS_OK;
    log_error("%s:1: MuJoCo warns of bad numbers or exhausted buffers within %g s of standing; "
              "correct masses, gains and sizes",
              model_path, STANDING_S);
    return STATUS_INVALID;
}

static bool is_finite(const char *model_path)
{
    xmlDoc *document = model_file_read(model_path);
    const bool ok = document != NULL && xml_check_numbers(model_path, document);
    xmlFreeDoc(document);
    return ok;
}

enum status robot_check(const char *model_path, const char *description_path,
                        const struct hose_config *hose, const struct varied *varied)
{
    struct description *description;
    struct robot_model *model;
    if (!is_finite(model_path))
        return STATUS_INVALID;
    enum status status = description_load(description_path, &description);
    if (status != STATUS_OK)
        return status;
    status = robot_model_load(model_path, &model);
    if (status == STATUS_OK) {
        robot_model_free(model);
        status = stand(model_path, description, hose, varied);
    }
    description_free(description);
    return status;
}
