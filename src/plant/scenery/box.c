#include "plant/scenery/box.h"

#include <math.h>
#include <string.h>

#include "model/spatial.h"
#include "plant/scenery/model_edit.h"

#define NAME "box"

void box_scatter(struct box_config *config, double spread_m, double spread_rad)
{
    struct random_stream stream;
    random_start(&stream, config->seed, "box");
    for (int a = 0; a < 2; a++)
        config->position_m[a] += random_uniform(&stream, -spread_m, spread_m);
    config->yaw_rad += random_uniform(&stream, -spread_rad, spread_rad);
}

// ---- the model ----------------------------------------------------------------------------------

// Contacts within a margin that is all gap are reported and exert nothing.
void box_extend(xmlNode *root, const struct box_config *config)
{
    const double *size_m = config->size_m, yaw_rad = config->yaw_rad;
    xmlNode *geom = model_add(model_section(root, "worldbody"), "geom");
    model_set(geom, "name", NAME);
    model_set(geom, "type", "box");
    model_set(geom, "contype", "0");
    model_set(geom, "conaffinity", "1");
    model_set(geom, "rgba", "0.8 0.5 0.3 1");
    model_set(geom, "size", "%.17g %.17g %.17g", size_m[0] / 2, size_m[1] / 2, size_m[2] / 2);
    model_set(geom, "pos", "%.17g %.17g %.17g", config->position_m[0], config->position_m[1],
              size_m[2] / 2);
    model_set(geom, "quat", "%.17g 0 0 %.17g", cos(yaw_rad / 2), sin(yaw_rad / 2));
    model_set(geom, "margin", "%g", BOX_NEAR_M);
    model_set(geom, "gap", "%g", BOX_NEAR_M);
}

void box_start(struct box *box, const mjModel *model, const struct box_config *config)
{
    static const char *const joint[SIDE_COUNT][3] = {{"RHP", "RKN", "RAP"}, {"LHP", "LKN", "LAP"}};
    *box = (struct box){.geom = -1, .nearest_m = BOX_NEAR_M};
    if (config == NULL)
        return;
    box->config = *config;
    box->geom = mj_name2id(model, mjOBJ_GEOM, NAME);
    random_start(&box->noise, config->seed, "sight");
    for (int side = 0; side < SIDE_COUNT; side++)
        for (int i = 0; i < 3; i++) {
            const int id = mj_name2id(model, mjOBJ_JOINT, joint[side][i]);
            box->leg_body[side][i] = id < 0 ? -1 : model->jnt_bodyid[id];
        }
}

// ---- observing ----------------------------------------------------------------------------------

void box_observe(struct box *box, const mjModel *model, const mjData *data, bool told)
{
    double force_N = 0, nearest_m = BOX_NEAR_M;
    if (box->geom < 0)
        return;
    if (box->told) {
        box->nearest_m = BOX_NEAR_M;
        box->force_N = 0;
    }
    box->told = told;
    for (int i = 0; i < data->ncon; i++) {
        const mjContact *contact = &data->contact[i];
        mjtNum force[6] = {0};
        if (contact->geom1 != box->geom && contact->geom2 != box->geom)
            continue;
        nearest_m = fmin(nearest_m, contact->dist);
        mj_contactForce(model, data, i, force);
        force_N += force[0];
    }
    box->nearest_m = fmin(box->nearest_m, nearest_m);
    box->force_N = fmax(box->force_N, force_N);
    box->touched += nearest_m <= 0;
}

void box_truth(const struct box *box, const mjData *data, struct box_message *message)
{
    const struct box_config *config = &box->config;
    *message = (struct box_message){.yaw_rad = config->yaw_rad,
                                    .touched = box->touched,
                                    .nearest_m = box->nearest_m,
                                    .force_N = box->force_N};
    memcpy(message->position_m, config->position_m, sizeof message->position_m);
    memcpy(message->size_m, config->size_m, sizeof message->size_m);
    for (int side = 0; side < SIDE_COUNT; side++)
        for (int i = 0; i < 3; i++)
            if (box->leg_body[side][i] >= 0)
                memcpy(message->leg_m[side][i], data->xpos + 3 * box->leg_body[side][i],
                       sizeof message->leg_m[side][i]);
}

static void seen_from(const struct pose *camera, const double point_m[3], double seen_m[3])
{
    double rotation[9], away_m[3];
    rotation_quaternion(camera->quaternion, rotation);
    vec_subtract(point_m, camera->position_m, away_m);
    rotate_back(rotation, away_m, seen_m);
}

void box_sight(struct box *box, const struct pose *camera, const struct pose *pelvis,
               struct sight_message *message)
{
    const struct box_config *config = &box->config;
    const double foot_m[3] = {config->position_m[0], config->position_m[1], 0};
    const double yaw_rad = pose_yaw_rad(camera->quaternion);
    *message = (struct sight_message){
        .pelvis_yaw_in_camera_rad = angle_wrap(pose_yaw_rad(pelvis->quaternion) - yaw_rad),
        .box_yaw_in_camera_rad =
            angle_wrap(config->yaw_rad - yaw_rad) + config->noise_rad * random_normal(&box->noise)};
    memcpy(message->quaternion, camera->quaternion, sizeof message->quaternion);
    seen_from(camera, pelvis->position_m, message->pelvis_in_camera_m);
    seen_from(camera, foot_m, message->box_in_camera_m);
    for (int k = 0; k < 3; k++) {
        message->box_in_camera_m[k] += config->noise_m * random_normal(&box->noise);
        message->box_size_m[k] =
            fmax(0, config->size_m[k] + config->noise_m * random_normal(&box->noise));
    }
}
