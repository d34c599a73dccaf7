#include "plant/solids_world.h"

#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "plant/physics_private.h"
#include "plant/solids_model_private.h"
#include "plant/varied.h"

#define AXES_MAX (SOLIDS_ROBOTS_MAX * SOLIDS_AXES_MAX * 2)

struct solids_world {
    mjModel *model;
    mjData *data;
    unsigned axes;
    int position[AXES_MAX], velocity[AXES_MAX]; // where an axis lives in the model
    int trunk[SOLIDS_ROBOTS_MAX];               // bodies
    int geom[SOLIDS_ROBOTS_MAX][SOLIDS_MAX];    // of solids
    double lost_J;
    double *change; // of momentum, room for as many numbers as there are velocities
};

static void find_solids(struct solids_world *world, unsigned robot, unsigned count)
{
    char name[SOLIDS_MODEL_NAME_MAX];
    for (unsigned s = 0; s < count; s++) {
        solids_body_name(name, robot, (int)s);
        const int body = mj_name2id(world->model, mjOBJ_BODY, name);
        world->geom[robot][s] = world->model->body_geomadr[body];
        if (s == 0)
            world->trunk[robot] = body;
    }
}

static void find_places(struct solids_world *world, const struct scene *scene)
{
    char name[SOLIDS_MODEL_NAME_MAX];
    for (unsigned i = 0; i < scene->robot_count; i++) {
        find_solids(world, i, scene->robot[i].robot->solid_count);
        world->axes += scene->robot[i].axis_count;
    }
    for (unsigned a = 0; a < world->axes; a++) {
        solids_axis_name(name, a);
        const int id = mj_name2id(world->model, mjOBJ_JOINT, name);
        world->position[a] = world->model->jnt_qposadr[id];
        world->velocity[a] = world->model->jnt_dofadr[id];
    }
}

enum status solids_world_create(const struct scene *scene, double armature_kg_m2,
                                const struct varied *varied, struct solids_world **world)
{
    *world = NULL;
    struct solids_world *created = calloc(1, sizeof *created);
    char *text = created != NULL ? solids_model_text(scene, armature_kg_m2) : NULL;
    if (text == NULL) {
        free(created);
        return STATUS_NO_MEMORY;
    }
    created->model = physics_load_text(scene->robot[0].robot->path, text, (int)strlen(text));
    free(text);
    if (created->model == NULL) {
        free(created);
        return STATUS_INVALID;
    }
    created->data = mj_makeData(created->model);
    created->change = calloc((size_t)created->model->nv, sizeof *created->change);
    if (created->data == NULL || created->change == NULL) {
        solids_world_free(created);
        return STATUS_NO_MEMORY;
    }
    const char *const path = scene->robot[0].robot->path;
    if (varied != NULL && varied_model(varied, path, created->model, created->data) != STATUS_OK) {
        solids_world_free(created);
        return STATUS_INVALID;
    }
    if (varied != NULL)
        varied_start(varied, created->model, created->data);
    find_places(created, scene);
    mj_forward(created->model, created->data);
    *world = created;
    return STATUS_OK;
}

void solids_world_free(struct solids_world *world)
{
    if (world == NULL)
        return;
    if (world->data != NULL)
        mj_deleteData(world->data);
    mj_deleteModel(world->model);
    free(world->change);
    free(world);
}

unsigned solids_world_axes(const struct solids_world *world)
{
    return world->axes;
}

double solids_world_mass_kg(const struct solids_world *world, unsigned robot)
{
    return world->model->body_subtreemass[world->trunk[robot]];
}

// Constraints of the step just made, over the way that it went.
static double constraint_loss_J(const struct solids_world *world)
{
    const double power_W =
        mju_dot(world->data->qfrc_constraint, world->data->qvel, world->model->nv);
    return -power_W * world->model->opt.timestep;
}

// What the integrator takes. The forces of a step act over the way that the velocity after it goes,
// so they give v'M(v' - v), and the kinetic energy grows by v'Mv'/2 - vMv/2: (v' - v)M(v' - v)/2
// less. At an impact that is what an inelastic one takes.
static double step_loss_J(const struct solids_world *world)
{
    const double step_s = world->model->opt.timestep;
    mj_mulM(world->model, world->data, world->change, world->data->qacc);
    return mju_dot(world->data->qacc, world->change, world->model->nv) * step_s * step_s / 2;
}

void solids_world_step(struct solids_world *world, const double *torque_Nm,
                       const double *friction_Nm)
{
    for (unsigned a = 0; a < world->axes; a++) {
        world->data->qfrc_applied[world->velocity[a]] = torque_Nm[a];
        world->model->dof_frictionloss[world->velocity[a]] = friction_Nm[a];
    }
    mj_step(world->model, world->data);
    world->lost_J += constraint_loss_J(world) + step_loss_J(world);
}

struct solids_energy solids_world_energy(struct solids_world *world)
{
    mj_kinematics(world->model, world->data); // of the state after the step
    mj_comPos(world->model, world->data);
    mj_crb(world->model, world->data);
    world->model->opt.enableflags |= mjENBL_ENERGY; // for now alone: steps need none
    mj_energyPos(world->model, world->data);
    mj_energyVel(world->model, world->data);
    world->model->opt.enableflags &= ~mjENBL_ENERGY;
    return (struct solids_energy){world->data->energy[0] + world->data->energy[1], world->lost_J};
}

void solids_world_motion(const struct solids_world *world, double *position_rad,
                         double *velocity_rad_s)
{
    for (unsigned a = 0; a < world->axes; a++) {
        position_rad[a] = world->data->qpos[world->position[a]];
        velocity_rad_s[a] = world->data->qvel[world->velocity[a]];
    }
}

void solids_world_truth(struct solids_world *world, unsigned robot, struct solids_truth *truth)
{
    const int trunk = world->trunk[robot];
    mj_kinematics(world->model, world->data); // of the state after the step
    mj_comPos(world->model, world->data);
    mj_comVel(world->model, world->data);
    mj_subtreeVel(world->model, world->data);
    memcpy(truth->trunk_m, world->data->xpos + 3 * trunk, sizeof truth->trunk_m);
    memcpy(truth->trunk_quaternion, world->data->xquat + 4 * trunk, sizeof truth->trunk_quaternion);
    memcpy(truth->com_m, world->data->subtree_com + 3 * trunk, sizeof truth->com_m);
    memcpy(truth->com_velocity_m_s, world->data->subtree_linvel + 3 * trunk,
           sizeof truth->com_velocity_m_s);
    truth->upright = world->data->xmat[9 * trunk + 8];
}

void solids_world_solid(const struct solids_world *world, unsigned robot, unsigned solid,
                        double position_m[3])
{
    memcpy(position_m, world->data->geom_xpos + 3 * world->geom[robot][solid],
           3 * sizeof position_m[0]);
}

bool solids_world_warned(const struct solids_world *world)
{
    for (int i = 0; i < mjNWARNING; i++)
        if (world->data->warning[i].number > 0)
            return true;
    return false;
}
