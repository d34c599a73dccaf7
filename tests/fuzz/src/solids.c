// Robots of solids, and scenes; one that is accepted has a tree and a model, and moves.
#include "tests/fuzz/fuzz.h"

#include "plant/solids_world.h"

static void use(const struct scene *scene)
{
    static double torque_Nm[SOLIDS_AXES_MAX * 2], friction_Nm[SOLIDS_AXES_MAX * 2];
    struct solids_world *world;
    unsigned axes = 0;
    for (unsigned i = 0; i < scene->robot_count; i++) {
        const struct scene_robot *robot = &scene->robot[i];
        fuzz_check(robot->tree.count == robot->robot->solid_count);
        axes += robot->axis_count;
    }
    if (solids_world_create(scene, 0.005, NULL, &world) != STATUS_OK)
        return; // MuJoCo has limits of its own
    fuzz_check(solids_world_axes(world) == axes && axes <= SOLIDS_AXES_MAX * 2);
    solids_world_step(world, torque_Nm, friction_Nm);
    solids_world_free(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct scene *scene;
    if (scene_read(fuzz_file(data, size), &scene) != STATUS_OK)
        return 0;
    use(scene);
    scene_free(scene);
    return 0;
}
