// MuJoCo model files, as the controllers read them.
#include "tests/fuzz/fuzz.h"

#include "model/arm_ik.h"
#include "model/leg_ik.h"
#include "model/robot_model.h"

static void use(const struct robot_model *model)
{
    static const double origin_m[3], upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static struct robot_pose pose;
    robot_model_forward(model, origin_m, upright, model->stand_rad, &pose);
    for (unsigned i = 0; i < model->link_count; i++)
        fuzz_check(model->link[i].parent < (int)i);
    for (unsigned i = 0; i < model->site_count; i++) {
        double position_m[3];
        robot_model_site_position(model, &pose, (int)i, position_m);
    }
    for (unsigned side = 0; side < SIDE_COUNT; side++) {
        struct arm arm;
        struct leg leg;
        double angle_rad[ARM_JOINTS];
        if (leg_from_model(model, (enum side)side, &leg) == STATUS_OK)
            (void)!leg_inverse(&leg, origin_m, upright, origin_m, upright, angle_rad);
        if (arm_from_model(model, (enum side)side, &arm) == STATUS_OK)
            (void)!arm_inverse(&arm, origin_m, upright, NULL, angle_rad);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct robot_model *model;
    if (robot_model_load(fuzz_file(data, size), &model) != STATUS_OK)
        return 0;
    fuzz_check(model->link_count > 0 && model->link_count <= ROBOT_LINKS_MAX);
    fuzz_check(model->joint_count <= ROBOT_JOINTS_MAX && model->site_count <= ROBOT_SITES_MAX);
    use(model);
    robot_model_free(model);
    return 0;
}
