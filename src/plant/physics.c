#include "plant/physics.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <mujoco/mjxmacro.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "model/model_file.h"
#include "plant/scenery/box.h"
#include "plant/scenery/ground.h"
#include "plant/scenery/hose.h"
#include "plant/physics_private.h"
#include "plant/scenery/push.h"
#include "plant/scenery/world_fault.h"
#include "plant/toes.h"
#include "plant/varied.h"

#define GRID_NS 10000000 // set points, truth and buses meet every 10 ms
#define STEP_MIN_NS (GRID_NS / TRUTH_STEPS_MAX)

struct joint_place { // where a joint lives in the model; -1: the model does not have it
    int position, velocity, actuator;
    bool torque; // the actuator is a torque motor: it has no loop of its own
    double gain_Nm_rad, damping_Nms_rad; // of its position loop
};

struct places { // indices into mjModel and its sensor data
    int pelvis_body, chest_body, pelvis_velocity;
    int camera_site, foot_site[SIDE_COUNT], foot_body[SIDE_COUNT];
    int force[ROBOT_FORCE_TORQUE_MAX], torque[ROBOT_FORCE_TORQUE_MAX]; // addresses in sensordata
    int gyro, quaternion, tilt[SIDE_COUNT];
    int accelerometer; // -1: the model has none
};

struct contacts { // of the last observed step
    unsigned count;
    double point_m[ROBOT_CONTACTS_MAX][2];
    double force_N[SIDE_COUNT];
    bool other;
};

struct physics {
    mjModel *model;
    mjData *data;
    unsigned joint_count;
    struct joint_place joint[ROBOT_JOINTS_MAX];
    struct places at;
    struct contacts contacts;
    uint64_t steps;
    struct hose *hose; // NULL: there is none
    struct push push;
    struct world_faults faults;
    struct box box;
    struct toes toes;
    const struct varied *varied; // NULL: nothing varies
};

// ---- loading ------------------------------------------------------------------------------------

struct lookup {
    const mjModel *model;
    const char *path;
    bool ok;
};

static int find(struct lookup *lookup, mjtObj type, const char *kind, const char *name)
{
    int id = mj_name2id(lookup->model, type, name);
    if (id < 0) {
        log_error("%s:1: there is no %s called \"%s\"; add it to the model", lookup->path, kind,
                  name);
        lookup->ok = false;
    }
    return id < 0 ? 0 : id;
}

static int find_sensor(struct lookup *lookup, const char *name, int dimension)
{
    int id = find(lookup, mjOBJ_SENSOR, "sensor", name);
    if (lookup->ok && lookup->model->sensor_dim[id] != dimension) {
        log_error("%s:1: sensor \"%s\" has %d values; it needs %d", lookup->path, name,
                  lookup->model->sensor_dim[id], dimension);
        lookup->ok = false;
    }
    return lookup->ok ? lookup->model->sensor_adr[id] : 0;
}

static void find_places(struct lookup *lookup, struct places *at)
{
    static const char *const force[] = {"ft_right_foot_force", "ft_left_foot_force",
                                        "ft_right_hand_force", "ft_left_hand_force"};
    static const char *const torque[] = {"ft_right_foot_torque", "ft_left_foot_torque",
                                         "ft_right_hand_torque", "ft_left_hand_torque"};
    static const char *const foot[] = {"ft_right_foot", "ft_left_foot"}, *const tilt[] = {
                                                                             "tilt_right",
                                                                             "tilt_left"};
    at->pelvis_body = find(lookup, mjOBJ_BODY, "body", "pelvis");
    at->chest_body = mj_name2id(lookup->model, mjOBJ_BODY, "torso"); // -1: it has none
    at->pelvis_velocity = lookup->model->body_dofadr[at->pelvis_body];
    if (lookup->model->body_dofnum[at->pelvis_body] != 6) {
        log_error("%s:1: body \"pelvis\" has no free joint; add <freejoint/>", lookup->path);
        lookup->ok = false;
    }
    (void)find(lookup, mjOBJ_GEOM, "geom", "floor");
    at->camera_site = find(lookup, mjOBJ_SITE, "site", "camera");
    for (int i = 0; i < ROBOT_FORCE_TORQUE_MAX; i++) {
        at->force[i] = find_sensor(lookup, force[i], 3);
        at->torque[i] = find_sensor(lookup, torque[i], 3);
    }
    for (int side = 0; side < SIDE_COUNT; side++) {
        at->foot_site[side] = find(lookup, mjOBJ_SITE, "site", foot[side]);
        at->foot_body[side] = lookup->model->site_bodyid[at->foot_site[side]];
        at->tilt[side] = find_sensor(lookup, tilt[side], 3);
    }
    at->gyro = find_sensor(lookup, "imu_gyro", 3);
    at->quaternion = find_sensor(lookup, "imu_quaternion", 4);
    const bool accelerates = mj_name2id(lookup->model, mjOBJ_SENSOR, "imu_accelerometer") >= 0;
    at->accelerometer = accelerates ? find_sensor(lookup, "imu_accelerometer", 3) : -1;
}

static void find_joint(struct lookup *lookup, const struct description *description, unsigned j,
                       struct joint_place *place)
{
    const struct joint_description *joint = &description->joint[j];
    const mjModel *model = lookup->model;
    *place = (struct joint_place){-1, -1, -1, false, 1, 0};
    int id = mj_name2id(model, mjOBJ_JOINT, joint->name);
    if (id < 0 && description->board[joint->board].finger)
        return; // fingers may be kinematic
    id = find(lookup, mjOBJ_JOINT, "joint", joint->name);
    int actuator = find(lookup, mjOBJ_ACTUATOR, "actuator", joint->name);
    if (!lookup->ok)
        return;
    place->position = model->jnt_qposadr[id];
    place->velocity = model->jnt_dofadr[id];
    place->actuator = actuator;
    place->torque = model->actuator_biastype[actuator] == mjBIAS_NONE;
    place->gain_Nm_rad = model->actuator_gainprm[actuator * mjNGAIN];
    place->damping_Nms_rad = -model->actuator_biasprm[actuator * mjNBIAS + 2];
    if (place->gain_Nm_rad <= 0) {
        log_error("%s:1: actuator \"%s\" has gainprm %g; give it a positive gain", lookup->path,
                  joint->name, place->gain_Nm_rad);
        lookup->ok = false;
    }
}

static bool check_step(const char *path, const mjModel *model)
{
    duration step = duration_s(model->opt.timestep);
    if (step.ns >= STEP_MIN_NS && GRID_NS % step.ns == 0)
        return true;
    log_error(
        "%s:1: timestep=\"%g\": does not divide 0.010 s, or is below 0.001 s; use 0.001, 0.002 "
        "or 0.0025",
        path, model->opt.timestep);
    return false;
}

static bool finite_reals(const mjtNum *value, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(value[i]))
            return false;
    return true;
}

// Some numbers of a model MuJoCo does not look at before it computes with them.
static bool check_finite(const char *path, const mjModel *m)
{
    const char *wrong = NULL;
    MJMODEL_POINTERS_PREAMBLE(m)
#define X(type, name, rows, columns)                                                               \
    if (#type[0] == 'm' && wrong == NULL && m->rows > 0 &&                                         \
        !finite_reals((const mjtNum *)(const void *)m->name, (size_t)m->rows * (size_t)(columns))) \
        wrong = #name;
    MJMODEL_POINTERS
#undef X
    if (wrong != NULL)
        log_error("%s:1: %s holds a number that is not finite; correct it", path, wrong);
    return wrong == NULL;
}

static enum status prepare(struct physics *physics, const char *path,
                           const struct description *description)
{
    struct lookup lookup = {physics->model, path,
                            check_step(path, physics->model) && check_finite(path, physics->model)};
    find_places(&lookup, &physics->at);
    physics->joint_count = description->joint_count;
    for (unsigned j = 0; j < description->joint_count && lookup.ok; j++)
        find_joint(&lookup, description, j, &physics->joint[j]);
    return lookup.ok ? STATUS_OK : STATUS_INVALID;
}

static void read_motors(const struct physics *physics, struct motor *motor)
{
    for (unsigned j = 0; j < physics->joint_count; j++) {
        const struct joint_place *at = &physics->joint[j];
        if (at->actuator < 0)
            continue;
        motor[j].position_rad = physics->data->qpos[at->position];
        motor[j].velocity_rad_s = physics->data->qvel[at->velocity];
        motor[j].torque_Nm = physics->data->actuator_force[at->actuator];
    }
}

// MuJoCo's own handlers write MUJOCO_LOG.TXT and, on an error, exit with a status that means
// something else here.
static void on_warning(const char *text)
{
    (void)text;
} // counted in mjData, see physics_warned
static void on_error(const char *text)
{
    log_error("MuJoCo: %s", text);
    exit(3);
}

// MuJoCo's message, with its "line N" where a file's lines are said.
static void complain_of_model(const char *path, char *complaint)
{
    const char *line = strstr(complaint, "line ");
    const unsigned long number = line != NULL ? strtoul(line + strlen("line "), NULL, 10) : 0;
    for (char *c = complaint; *c != '\0'; c++)
        if (*c == '\n')
            *c = ' ';
    log_error("%s:%lu: %.300s; correct the model", path, number > 0 ? number : 1, complaint);
}

// Of an actuator without limits: what its loop exerts at an error of 1 rad.
static double torque_max_Nm(const mjModel *model, const struct joint_place *at)
{
    if (at->actuator < 0)
        return 0;
    return model->actuator_forcelimited[at->actuator]
               ? model->actuator_forcerange[2 * at->actuator + 1]
               : at->gain_Nm_rad;
}

static mjModel *load(const char *path, const char *name, const mjVFS *files)
{
    char complaint[500] = "";
    mju_user_warning = on_warning;
    mju_user_error = on_error;
    mjModel *model = mj_loadXML(name, files, complaint, sizeof complaint);
    if (model == NULL)
        complain_of_model(path, complaint);
    return model;
}

// MuJoCo reads a file itself if it can, and then says where in it something is wrong.
mjModel *physics_load(const char *path)
{
    xmlDoc *document = model_file_read(path);
    const bool made = document != NULL && model_file_is_made(document);
    xmlFreeDoc(document);
    if (document == NULL)
        return NULL;
    return made ? physics_load_with(path, NULL, NULL, NULL) : load(path, path, NULL);
}

mjModel *physics_load_text(const char *path, const void *text, int size_B)
{
    mjVFS *files = malloc(sizeof *files);
    if (files == NULL)
        return NULL;
    mj_defaultVFS(files);
    const int number = mj_makeEmptyFileVFS(files, "model.xml", size_B) == 0
                           ? mj_findFileVFS(files, "model.xml")
                           : -1;
    mjModel *model = NULL;
    if (number >= 0) {
        memcpy(files->filedata[number], text, (size_t)size_B);
        model = load(path, "model.xml", files);
    }
    mj_deleteVFS(files);
    free(files);
    return model;
}

mjModel *physics_load_with(const char *path, const struct hose_config *hose,
                           const struct ground *ground, const struct box_config *box)
{
    xmlDoc *document = model_file_read(path);
    if (document == NULL)
        return NULL;
    if (hose != NULL)
        hose_extend(xmlDocGetRootElement(document), hose);
    if (ground != NULL)
        ground_extend(xmlDocGetRootElement(document), ground);
    if (box != NULL)
        box_extend(xmlDocGetRootElement(document), box);
    xmlChar *text = NULL;
    int size_B = 0;
    xmlDocDumpMemory(document, &text, &size_B);
    xmlFreeDoc(document);
    mjModel *model = text == NULL ? NULL : physics_load_text(path, text, size_B);
    xmlFree(text);
    return model;
}

static enum status lay_hose(struct physics *physics, const char *model_path,
                            const struct hose_config *config)
{
    if (config == NULL || config->kind == HOSE_NONE)
        return STATUS_OK;
    const enum status status = hose_create(physics->model, physics->data, config, &physics->hose);
    if (status == STATUS_INVALID)
        log_error("%s:1: no hand holds a hose here: there is no body \"" HOSE_HAND_BODY
                  "\" or no site \"" HOSE_HAND_SITE "\"; add both",
                  model_path);
    if (status == STATUS_OK)
        mj_forward(physics->model, physics->data);
    return status;
}

enum status physics_create(const char *model_path, const struct description *description,
                           const struct hose_config *hose, const struct ground *ground,
                           const struct box_config *box, const struct varied *varied,
                           struct motor *motor, struct physics **physics)
{
    *physics = NULL;
    struct physics *created = calloc(1, sizeof *created);
    if (!created)
        return STATUS_NO_MEMORY;
    created->model = hose == NULL && ground == NULL && box == NULL
                         ? physics_load(model_path)
                         : physics_load_with(model_path, hose, ground, box);
    if (!created->model) {
        free(created);
        return STATUS_INVALID;
    }
    created->data = mj_makeData(created->model);
    created->varied = varied;
    enum status status = varied == NULL
                             ? STATUS_OK
                             : varied_model(varied, model_path, created->model, created->data);
    if (status == STATUS_OK)
        status = prepare(created, model_path, description);
    if (status != STATUS_OK) {
        physics_free(created);
        return status;
    }
    int stand = mj_name2id(created->model, mjOBJ_KEY, "stand");
    if (stand >= 0)
        mj_resetDataKeyframe(created->model, created->data, stand);
    if (varied != NULL)
        varied_start(varied, created->model, created->data);
    mj_forward(created->model, created->data);
    status = lay_hose(created, model_path, hose);
    if (status != STATUS_OK) {
        physics_free(created);
        return status;
    }
    box_start(&created->box, created->model, box);
    toes_find(&created->toes, created->model);
    memset(motor, 0, created->joint_count * sizeof *motor);
    read_motors(created, motor);
    for (unsigned j = 0; j < created->joint_count; j++) {
        motor[j].setpoint_rad = motor[j].position_rad;
        motor[j].enabled = !created->joint[j].torque;
        motor[j].gain = 1;
        motor[j].torque_max_Nm = torque_max_Nm(created->model, &created->joint[j]);
        motor[j].kinematic = created->joint[j].actuator < 0;
    }
    *physics = created;
    return STATUS_OK;
}

void physics_free(struct physics *physics)
{
    if (!physics)
        return;
    hose_free(physics->hose);
    mj_deleteData(physics->data);
    mj_deleteModel(physics->model);
    free(physics);
}

duration physics_step_length(const struct physics *physics)
{
    return duration_s(physics->model->opt.timestep);
}

// ---- stepping -----------------------------------------------------------------------------------

// The control u with which the model's actuator exerts what the motor does: that of a torque motor
// is gain u, that of a position loop kp (u - q) - kd q'.
static double control_of(const struct motor *motor, const struct joint_place *at)
{
    if (at->torque)
        return motor->open_loop_Nm / at->gain_Nm_rad;
    if (motor->enabled && motor->gain == 1)
        return motor->setpoint_rad;
    const double damping_Nm = motor->velocity_rad_s * at->damping_Nms_rad;
    const double loop_Nm =
        at->gain_Nm_rad * (motor->setpoint_rad - motor->position_rad) - damping_Nm;
    const double wanted_Nm = motor->enabled ? motor->gain * loop_Nm : motor->open_loop_Nm;
    return motor->position_rad + (wanted_Nm + damping_Nm) / at->gain_Nm_rad;
}

static void set_controls(struct physics *physics, const struct motor *motor)
{
    for (unsigned j = 0; j < physics->joint_count; j++) {
        const struct joint_place *at = &physics->joint[j];
        if (at->actuator >= 0)
            physics->data->ctrl[at->actuator] = control_of(&motor[j], at);
    }
}

// What does not move: the floor, and what is fixed to it.
static bool is_ground(const struct physics *physics, int geom)
{
    return physics->model->geom_bodyid[geom] == 0;
}

static double vertical_force_N(const struct physics *physics, int index)
{
    mjtNum force[6];
    const mjContact *contact = &physics->data->contact[index];
    mj_contactForce(physics->model, physics->data, index, force);
    double z =
        contact->frame[2] * force[0] + contact->frame[5] * force[1] + contact->frame[8] * force[2];
    return is_ground(physics, contact->geom1) ? z
                                              : -z; // the frame's normal points from geom1 to geom2
}

static void observe_contact(struct physics *physics, int index)
{
    const mjContact *contact = &physics->data->contact[index];
    struct contacts *seen = &physics->contacts;
    const bool first = is_ground(physics, contact->geom1);
    int other = first ? contact->geom2 : contact->geom1;
    if (!first && !is_ground(physics, contact->geom2))
        return;
    const int body = physics->model->geom_bodyid[other];
    enum side side = SIDE_RIGHT;
    while (side < SIDE_COUNT && body != physics->at.foot_body[side] &&
           body != physics->toes.body[side])
        side++;
    if (side == SIDE_COUNT) {
        seen->other = true;
        return;
    }
    const double force_N = vertical_force_N(physics, index);
    seen->force_N[side] += force_N;
    if (body == physics->toes.body[side])
        physics->toes.force_N[side] += force_N;
    if (seen->count < ROBOT_CONTACTS_MAX) {
        seen->point_m[seen->count][0] = contact->pos[0];
        seen->point_m[seen->count++][1] = contact->pos[1];
    }
}

// Contact forces exist between the second half of a step, which solves for them, and the next first
// half.
void physics_step(struct physics *physics, struct motor *motor, bool observe)
{
    set_controls(physics, motor);
    push_step(&physics->push, physics->model, physics->data);
    if (physics->hose != NULL)
        hose_step(physics->hose);
    mj_step2(physics->model, physics->data);
    if (observe) {
        physics->contacts = (struct contacts){0};
        memset(physics->toes.force_N, 0, sizeof physics->toes.force_N);
        for (int i = 0; i < physics->data->ncon; i++)
            observe_contact(physics, i);
    }
    box_observe(&physics->box, physics->model, physics->data, observe);
    mj_step1(physics->model, physics->data);
    physics->steps++;
    read_motors(physics, motor);
}

// ---- observing ----------------------------------------------------------------------------------

void physics_sensors(const struct physics *physics, struct sensor_truth *sensors)
{
    const mjtNum *value = physics->data->sensordata;
    const struct places *at = &physics->at;
    for (unsigned i = 0; i < ROBOT_FORCE_TORQUE_MAX;
         i++) { // MuJoCo reports parent on child; a sensor child on parent
        sensors->force_torque_Nm[i][0] = -value[at->torque[i]];
        sensors->force_torque_Nm[i][1] = -value[at->torque[i] + 1];
        sensors->force_torque_Nm[i][2] = -value[at->force[i] + 2];
    }
    memcpy(sensors->imu_quaternion, value + at->quaternion, sizeof sensors->imu_quaternion);
    memcpy(sensors->imu_rate_rad_s, value + at->gyro, sizeof sensors->imu_rate_rad_s);
    memset(sensors->imu_acceleration_m_s2, 0, sizeof sensors->imu_acceleration_m_s2);
    if (at->accelerometer >= 0)
        memcpy(sensors->imu_acceleration_m_s2, value + at->accelerometer,
               sizeof sensors->imu_acceleration_m_s2);
    for (unsigned side = 0; side < SIDE_COUNT; side++)
        memcpy(sensors->foot_acceleration_m_s2[side], value + at->tilt[side], 3 * sizeof(double));
    if (physics->varied != NULL)
        varied_sensors(physics->varied, sensors);
}

void physics_hand_wrench(const struct physics *physics, double force_N[3], double moment_Nm[3])
{
    const mjtNum *value = physics->data->sensordata;
    for (int i = 0; i < 3; i++) {
        force_N[i] = -value[physics->at.force[FT_LEFT_HAND] + i];
        moment_Nm[i] = -value[physics->at.torque[FT_LEFT_HAND] + i];
    }
}

bool physics_warned(const struct physics *physics)
{
    for (int i = 0; i < mjNWARNING; i++)
        if (physics->data->warning[i].number > 0)
            return true;
    return false;
}

static void copy_pose(const mjtNum *position, const mjtNum *quaternion, struct pose *pose)
{
    memcpy(pose->position_m, position, sizeof pose->position_m);
    memcpy(pose->quaternion, quaternion, sizeof pose->quaternion);
}

void physics_camera(const struct physics *physics, struct pose *camera, struct pose *pelvis)
{
    const mjData *data = physics->data;
    mjtNum quaternion[4];
    mju_mat2Quat(quaternion, data->site_xmat + 9 * physics->at.camera_site);
    copy_pose(data->site_xpos + 3 * physics->at.camera_site, quaternion, camera);
    copy_pose(data->xpos + 3 * physics->at.pelvis_body, data->xquat + 4 * physics->at.pelvis_body,
              pelvis);
}

void physics_push(struct physics *physics, const struct push_change_message *change)
{
    const double yaw_rad = pose_yaw_rad(physics->data->xquat + 4 * physics->at.pelvis_body);
    push_change(&physics->push, physics->model, physics->data, yaw_rad, change);
}

void physics_push_truth(const struct physics *physics, struct push_message *message)
{
    *message = physics->push.truth;
}

void physics_world_change(struct physics *physics, const struct world_change_message *change)
{
    world_faults_change(&physics->faults, physics->model, change);
}

void physics_world_truth(const struct physics *physics, struct world_fault_message *message)
{
    world_faults_truth(&physics->faults, physics->model, message);
}

void physics_box_truth(const struct physics *physics, struct box_message *message)
{
    box_truth(&physics->box, physics->data, message);
}

void physics_toe_truth(const struct physics *physics, struct toe_message *message)
{
    toes_truth(&physics->toes, physics->model, physics->data, message);
}

void physics_box_sight(struct physics *physics, struct sight_message *message)
{
    struct pose camera, pelvis;
    physics_camera(physics, &camera, &pelvis);
    box_sight(&physics->box, &camera, &pelvis, message);
}

struct hose *physics_hose(const struct physics *physics)
{
    return physics->hose;
}

void physics_chest(const struct physics *physics, struct pose *chest)
{
    const int body = physics->at.chest_body >= 0 ? physics->at.chest_body : physics->at.pelvis_body;
    copy_pose(physics->data->xpos + 3 * body, physics->data->xquat + 4 * body, chest);
}

void physics_truth(struct physics *physics, struct truth_message *truth)
{
    const struct places *at = &physics->at;
    const mjData *data = physics->data;
    mj_subtreeVel(physics->model, physics->data);
    memcpy(truth->pelvis_m, data->xpos + 3 * at->pelvis_body, sizeof truth->pelvis_m);
    memcpy(truth->pelvis_quaternion, data->xquat + 4 * at->pelvis_body,
           sizeof truth->pelvis_quaternion);
    memcpy(truth->pelvis_velocity_m_s, data->qvel + at->pelvis_velocity,
           sizeof truth->pelvis_velocity_m_s);
    memcpy(truth->com_m, data->subtree_com + 3 * at->pelvis_body, sizeof truth->com_m);
    memcpy(truth->com_velocity_m_s, data->subtree_linvel + 3 * at->pelvis_body,
           sizeof truth->com_velocity_m_s);
    for (unsigned side = 0; side < SIDE_COUNT; side++) {
        memcpy(truth->foot_m[side], data->site_xpos + 3 * at->foot_site[side],
               sizeof truth->foot_m[side]);
        mju_mat2Quat(truth->foot_quaternion[side], data->site_xmat + 9 * at->foot_site[side]);
        truth->foot_force_N[side] = physics->contacts.force_N[side];
    }
    truth->contact_count = physics->contacts.count;
    memcpy(truth->contact_m, physics->contacts.point_m, sizeof truth->contact_m);
    truth->other_contact = physics->contacts.other;
    truth->physics_warning = physics_warned(physics);
    truth->physics_steps = physics->steps;
}
