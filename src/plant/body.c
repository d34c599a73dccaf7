#include "plant/body.h"

#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "model/solids.h"
#include "model/xml.h"
#include "plant/body_private.h"
#include "plant/physics_private.h"
#include "plant/solids_model_private.h"

// ---- the model ----------------------------------------------------------------------------------

// By the name of its outermost element.
static bool is_of_mujoco(const char *path)
{
    xmlDoc *document = xml_read(path);
    const xmlNode *root = document == NULL ? NULL : xmlDocGetRootElement(document);
    const bool found = root != NULL && strcmp((const char *)root->name, "mujoco") == 0;
    xmlFreeDoc(document);
    return found;
}

static enum status load_solids(const char *path, struct scene **scene, mjModel **model)
{
    const enum status status = scene_read(path, scene);
    if (status != STATUS_OK)
        return status;
    char *text = solids_model_text(*scene, 0);
    if (text == NULL)
        return STATUS_NO_MEMORY;
    *model = physics_load_text(path, text, (int)strlen(text));
    free(text);
    return *model == NULL ? STATUS_INVALID : STATUS_OK;
}

// ---- which number is which axis -----------------------------------------------------------------

static void find_free(struct body *body, unsigned robots)
{
    unsigned found = 0;
    for (int j = 0; j < body->model->njnt && found < robots; j++)
        if (body->model->jnt_type[j] == mjJNT_FREE) {
            body->robot[found].root = body->model->jnt_bodyid[j];
            body->robot[found++].free = body->model->jnt_qposadr[j];
        }
}

static int place_of(const mjModel *model, const char *name)
{
    const int id = mj_name2id(model, mjOBJ_JOINT, name);
    return id < 0 ? -1 : model->jnt_qposadr[id];
}

static void find_described(struct body *body, const struct description *description)
{
    _Static_assert(ROBOT_JOINTS_MAX <= BODY_AXES_MAX, "each joint of a description is an axis");
    for (unsigned j = 0; j < description->joint_count; j++)
        body->robot[0].axis[j] = place_of(body->model, description->joint[j].name);
}

static void find_servos(const mjModel *model, const struct scene_robot *robot,
                        struct body_robot *found)
{
    unsigned number = robot->axis_first;
    for (unsigned i = 0; i < robot->robot->articulation_count; i++)
        for (unsigned a = 0; a < robot->robot->articulation[i].axes; a++, number++) {
            const unsigned servo = robot->robot->articulation[i].axis[a].servo;
            char name[SOLIDS_MODEL_NAME_MAX];
            solids_axis_name(name, number);
            if (servo != 0 && servo < BODY_AXES_MAX)
                found->axis[servo] = place_of(model, name);
        }
}

// Which robot a joint belongs to.
static unsigned robot_of(const struct body *body, int joint)
{
    const int root = body->model->body_rootid[body->model->jnt_bodyid[joint]];
    for (unsigned r = 1; r < BODY_ROBOTS_MAX; r++)
        if (body->robot[r].root == root)
            return r;
    return 0;
}

static void find_in_order(struct body *body)
{
    unsigned number[BODY_ROBOTS_MAX] = {0};
    for (int j = 0; j < body->model->njnt; j++) {
        const unsigned r = robot_of(body, j);
        const int type = body->model->jnt_type[j];
        if ((type == mjJNT_HINGE || type == mjJNT_SLIDE) && number[r] < BODY_AXES_MAX)
            body->robot[r].axis[number[r]++] = body->model->jnt_qposadr[j];
    }
}

static void find_robots(struct body *body, const struct description *description,
                        const struct scene *scene, unsigned robots)
{
    memset(body->robot, -1, sizeof body->robot); // all of it is -1
    find_free(body, robots);
    if (description != NULL)
        find_described(body, description);
    else if (scene == NULL)
        find_in_order(body);
    else
        for (unsigned r = 0; r < robots && r < scene->robot_count; r++)
            find_servos(body->model, &scene->robot[r], &body->robot[r]);
}

static enum status make(struct body *body, const char *path, const struct description *description,
                        unsigned robots)
{
    struct scene *scene = NULL;
    enum status status = STATUS_OK;
    if (is_of_mujoco(path))
        status = (body->model = physics_load(path)) == NULL ? STATUS_INVALID : STATUS_OK;
    else
        status = load_solids(path, &scene, &body->model);
    if (status == STATUS_OK && (body->data = mj_makeData(body->model)) == NULL)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        find_robots(body, description, scene, robots);
    if (scene != NULL)
        scene_free(scene);
    return status;
}

enum status body_create(const char *model_path, const struct description *description,
                        unsigned robots, struct body **body)
{
    *body = calloc(1, sizeof **body);
    if (*body == NULL)
        return STATUS_NO_MEMORY;
    const enum status status = make(*body, model_path, description, robots);
    if (status != STATUS_OK) {
        body_free(*body);
        *body = NULL;
    }
    return status;
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
    expects(shape < body_shape_count(body));
    const mjModel *model = body->model;
    struct body_shape found = {.part = (unsigned)model->geom_bodyid[shape],
                               .kind = kind_of(model->geom_type[shape])};
    memcpy(found.size_m, model->geom_size + 3 * shape, sizeof found.size_m);
    memcpy(found.place.position_m, model->geom_pos + 3 * shape, sizeof found.place.position_m);
    memcpy(found.place.quaternion, model->geom_quat + 4 * shape, sizeof found.place.quaternion);
    memcpy(found.colour, model->geom_rgba + 4 * shape, sizeof found.colour);
    return found;
}

static void place_robot(const struct body_robot *robot, const struct body_state *state,
                        mjtNum *qpos)
{
    if (robot->free >= 0) {
        memcpy(qpos + robot->free, state->place_m, sizeof state->place_m);
        memcpy(qpos + robot->free + 3, state->quaternion, sizeof state->quaternion);
    }
    for (unsigned i = 0; i < state->count && i < BODY_AXES_MAX; i++)
        if (robot->axis[i] >= 0)
            qpos[robot->axis[i]] = state->position_rad[i];
}

void body_place(struct body *body, const struct body_state *state, unsigned robots)
{
    for (unsigned r = 0; r < robots && r < BODY_ROBOTS_MAX; r++)
        place_robot(&body->robot[r], &state[r], body->data->qpos);
    mj_kinematics(body->model, body->data);
}

void body_poses(struct body *body, const struct body_state *state, unsigned robots,
                struct pose *pose)
{
    const mjData *data = body->data;
    body_place(body, state, robots);
    for (unsigned i = 0; i < body_part_count(body); i++) {
        memcpy(pose[i].position_m, data->xpos + 3 * i, sizeof pose[i].position_m);
        memcpy(pose[i].quaternion, data->xquat + 4 * i, sizeof pose[i].quaternion);
    }
}
