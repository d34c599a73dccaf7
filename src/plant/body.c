#include "plant/body.h"

#include <stdlib.h>
#include <string.h>

#include "plant/physics_private.h"

struct body {
    mjModel *model;
    mjData *data;
    int pelvis;                  // where its free joint stands in qpos, -1: it has none
    int joint[ROBOT_JOINTS_MAX]; // likewise by number in the description; -1: not in the model
    unsigned joint_count;
};

static void find_joints(struct body *body, const struct description *description)
{
    body->pelvis = -1;
    for (int j = 0; j < body->model->njnt && body->pelvis < 0; j++)
        if (body->model->jnt_type[j] == mjJNT_FREE)
            body->pelvis = body->model->jnt_qposadr[j];
    body->joint_count = description->joint_count;
    for (unsigned j = 0; j < description->joint_count; j++) {
        const int id = mj_name2id(body->model, mjOBJ_JOINT, description->joint[j].name);
        body->joint[j] = id < 0 ? -1 : body->model->jnt_qposadr[id];
    }
}

enum status body_create(const char *model_path, const struct description *description,
                        struct body **body)
{
    struct body *created = calloc(1, sizeof *created);
    *body = NULL;
    if (created == NULL)
        return STATUS_NO_MEMORY;
    created->model = physics_load(model_path);
    created->data = created->model == NULL ? NULL : mj_makeData(created->model);
    if (created->data == NULL) {
        const enum status status = created->model == NULL ? STATUS_INVALID : STATUS_NO_MEMORY;
        body_free(created);
        return status;
    }
    find_joints(created, description);
    *body = created;
    return STATUS_OK;
}

void body_free(struct body *body)
{
    if (body == NULL)
        return;
    if (body->data != NULL)
        mj_deleteData(body->data);
    if (body->model != NULL)
        mj_deleteModel(body->model);
    free(body);
}

unsigned body_part_count(const struct body *body)
{
    return (unsigned)body->model->nbody;
}

const char *body_part_name(const struct body *body, unsigned part)
{
    const char *name = mj_id2name(body->model, mjOBJ_BODY, (int)part);
    return name == NULL ? "" : name;
}

unsigned body_shape_count(const struct body *body)
{
    return (unsigned)body->model->ngeom;
}

static enum shape_kind kind_of(int type)
{
    switch (type) {
    case mjGEOM_PLANE:
        return SHAPE_PLANE;
    case mjGEOM_SPHERE:
        return SHAPE_SPHERE;
    case mjGEOM_CAPSULE:
        return SHAPE_CAPSULE;
    case mjGEOM_ELLIPSOID:
        return SHAPE_ELLIPSOID;
    case mjGEOM_CYLINDER:
        return SHAPE_CYLINDER;
    default:
        return SHAPE_BOX;
    }
}

struct body_shape body_shape_at(const struct body *body, unsigned shape)
{
    const mjModel *model = body->model;
    struct body_shape found = {.part = (unsigned)model->geom_bodyid[shape],
                               .kind = kind_of(model->geom_type[shape])};
    memcpy(found.size_m, model->geom_size + 3 * shape, sizeof found.size_m);
    memcpy(found.place.position_m, model->geom_pos + 3 * shape, sizeof found.place.position_m);
    memcpy(found.place.quaternion, model->geom_quat + 4 * shape, sizeof found.place.quaternion);
    memcpy(found.colour, model->geom_rgba + 4 * shape, sizeof found.colour);
    return found;
}

void body_poses(struct body *body, const struct truth_message *truth, struct pose *pose)
{
    mjData *data = body->data;
    if (body->pelvis >= 0) {
        memcpy(data->qpos + body->pelvis, truth->pelvis_m, sizeof truth->pelvis_m);
        memcpy(data->qpos + body->pelvis + 3, truth->pelvis_quaternion,
               sizeof truth->pelvis_quaternion);
    }
    for (unsigned j = 0; j < body->joint_count; j++)
        if (body->joint[j] >= 0)
            data->qpos[body->joint[j]] = truth->position_rad[j];
    mj_kinematics(body->model, data);
    for (unsigned i = 0; i < body_part_count(body); i++) {
        memcpy(pose[i].position_m, data->xpos + 3 * i, sizeof pose[i].position_m);
        memcpy(pose[i].quaternion, data->xquat + 4 * i, sizeof pose[i].quaternion);
    }
}
