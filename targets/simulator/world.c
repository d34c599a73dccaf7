#include "targets/simulator/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

#define SLOPE_LEAST_DEG 0.1

// Reads a number from the environment. false: it is not set; an unusable value makes *status
// INVALID.
static bool read_number(const char *name, double *value, enum status *status)
{
    const char *text = getenv(name);
    if (!text)
        return false;
    char *end;
    *value = strtod(text, &end);
    if (end == text || *end || !isfinite(*value)) {
        log_error("%s=%s: is not a finite number; write for example %s=1.5", name, text, name);
        *status = STATUS_INVALID;
    }
    return true;
}

static bool read_obstacle(unsigned number, struct obstacle *obstacle, enum status *status)
{
    char name[64];
    snprintf(name, sizeof name, "UKEMI_ENV_OBSTACLE%u_X_M", number);
    if (!read_number(name, &obstacle->x_m, status))
        return false;
    snprintf(name, sizeof name, "UKEMI_ENV_OBSTACLE%u_Y_M", number);
    read_number(name, &obstacle->y_m, status);
    snprintf(name, sizeof name, "UKEMI_ENV_OBSTACLE%u_RADIUS_M", number);
    if (read_number(name, &obstacle->radius_m, status) && obstacle->radius_m < 0) {
        log_error("%s=%g: is negative; write for example %s=0.1", name, obstacle->radius_m, name);
        *status = STATUS_INVALID;
    }
    return true;
}

enum status world_read(struct surroundings *surroundings)
{
    enum status status = STATUS_OK;
    *surroundings = (struct surroundings){0};
    surroundings->goal_present =
        read_number("UKEMI_ENV_GOAL_X_M", &surroundings->goal.x_m, &status);
    read_number("UKEMI_ENV_GOAL_Y_M", &surroundings->goal.y_m, &status);
    read_number("UKEMI_ENV_GOAL_YAW_RAD", &surroundings->goal.yaw_rad, &status);
    for (unsigned i = 0; i < ROBOT_OBSTACLES_MAX; i++)
        if (read_obstacle(i + 1, &surroundings->obstacle[surroundings->obstacle_count], &status))
            surroundings->obstacle_count++;
    return status;
}

// ---- hose and motion capture -------------------------------------------------------------------

struct bounded {
    const char *name;
    double *value, min, max;
};

static void read_bounded(const struct bounded *row, enum status *status)
{
    if (!read_number(row->name, row->value, status) || *status != STATUS_OK)
        return;
    if (*row->value >= row->min && *row->value <= row->max)
        return;
    log_error("%s=%g: is not from %g to %g; write for example %s=%g", row->name, *row->value,
              row->min, row->max, row->name, row->min > 0 ? row->min : row->max);
    *status = STATUS_INVALID;
}

enum status world_read_box(uint64_t seed, struct box_config *box)
{
    double yaw_deg = 0, spread_m = 0, spread_deg = 0, noise_deg = 0.3;
    *box = (struct box_config){.size_m = {0.05, 1, 0.15}, .noise_m = 0.003, .seed = seed};
    const struct bounded rows[] = {
        {"UKEMI_ENV_BOX_X_M", &box->position_m[0], -20, 20},
        {"UKEMI_ENV_BOX_Y_M", &box->position_m[1], -20, 20},
        {"UKEMI_ENV_BOX_YAW_DEG", &yaw_deg, -180, 180},
        {"UKEMI_ENV_BOX_DEPTH_M", &box->size_m[0], 0.001, 10},
        {"UKEMI_ENV_BOX_WIDTH_M", &box->size_m[1], 0.001, 10},
        {"UKEMI_ENV_BOX_HEIGHT_M", &box->size_m[2], 0.001, 10},
        {"UKEMI_ENV_BOX_SPREAD_M", &spread_m, 0, 5},
        {"UKEMI_ENV_BOX_SPREAD_DEG", &spread_deg, 0, 90},
        {"UKEMI_ENV_SIGHT_NOISE_M", &box->noise_m, 0, 1},
        {"UKEMI_ENV_SIGHT_NOISE_DEG", &noise_deg, 0, 90},
    };
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        read_bounded(&rows[i], &status);
    box->present = getenv("UKEMI_ENV_BOX_X_M") != NULL;
    box->yaw_rad = yaw_deg * M_PI / 180;
    box->noise_rad = noise_deg * M_PI / 180;
    box_scatter(box, spread_m, spread_deg * M_PI / 180);
    return status;
}

// Which of the words, which end with NULL, the environment says; `value` stays if it says none.
static void read_word(const char *name, const char *const *words, unsigned *value,
                      enum status *status)
{
    const char *text = getenv(name);
    for (unsigned i = 0; text != NULL; i++) {
        if (words[i] == NULL) {
            log_error("%s=%s: is not known; write for example %s=%s", name, text, name, words[1]);
            *status = STATUS_INVALID;
            return;
        }
        if (strcmp(words[i], text) == 0) {
            *value = i;
            return;
        }
    }
}

enum status world_read_ground(struct ground *ground)
{
    enum status status = STATUS_OK;
    double stairs = 0, slope_deg = 5;
    *ground = (struct ground){.stairs_x_m = 0.5, .rise_m = 0.05, .depth_m = 0.28, .top_m = 1};
    const struct bounded rows[] = {
        {"UKEMI_ENV_STAIRS", &stairs, 0, GROUND_STAIRS_MAX},
        {"UKEMI_ENV_STAIRS_X_M", &ground->stairs_x_m, 0.1, 20},
        {"UKEMI_ENV_STAIRS_RISE_M", &ground->rise_m, 0.01, 0.3},
        {"UKEMI_ENV_STAIRS_DEPTH_M", &ground->depth_m, 0.05, 2},
        {"UKEMI_ENV_STAIRS_TOP_M", &ground->top_m, 0.05, 20},
        {"UKEMI_ENV_SLOPE_X_M", &ground->slope_x_m, 0.1, 20},
        {"UKEMI_ENV_SLOPE_DEG", &slope_deg, -30, 30},
        {"UKEMI_ENV_SLOPE_LENGTH_M", &ground->slope_length_m, 0, 20},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        read_bounded(&rows[i], &status);
    if (status == STATUS_OK && stairs != floor(stairs)) {
        log_error("UKEMI_ENV_STAIRS=%g: is not a whole number; write 2", stairs);
        status = STATUS_INVALID;
    }
    if (status == STATUS_OK && ground->slope_length_m > 0 && fabs(slope_deg) < SLOPE_LEAST_DEG) {
        log_error("UKEMI_ENV_SLOPE_DEG=%g: is level; write 5, or -5 for a slope down", slope_deg);
        status = STATUS_INVALID;
    }
    if (status == STATUS_OK)
        ground->stairs = (unsigned)stairs;
    ground->slope_rad = slope_deg * M_PI / 180;
    return status;
}

enum status world_read_hose(uint64_t seed, struct hose_config *hose, struct mocap_config *mocap)
{
    static const char *const kinds[] = {"none", "chain", "string", NULL};
    static const char *const shapes[] = {"straight", "bent", "rolled", NULL};
    static const char *const contacts[] = {"model", "elliptic", NULL};
    static const char *const axes[] = {"3", "6", NULL};
    *hose = hose_config_default;
    *mocap = (struct mocap_config){
        .present = true, .noise_m = 0.0005, .noise_rad = 0.002, .latency_s = 0.01, .seed = seed};
    double spread_deg = 0, spread_friction = 0;
    unsigned kind = hose->kind, shape = hose->shape, contact = hose->contact, six = 0;
    double links = hose->links;
    const struct bounded rows[] = {
        {"UKEMI_ENV_HOSE_LINKS", &links, 2, HOSE_LINKS_MAX},
        {"UKEMI_ENV_HOSE_LENGTH_M", &hose->length_m, 1, 30},
        {"UKEMI_ENV_HOSE_KG_M", &hose->kg_m, 0.1, 20},
        {"UKEMI_ENV_HOSE_NOZZLE_KG", &hose->nozzle_kg, 0, 5},
        {"UKEMI_ENV_HOSE_FRICTION", &hose->friction, 0.01, 2},
        {"UKEMI_ENV_HOSE_STIFFNESS_NM_RAD", &hose->stiffness_Nm_rad, 0, 100},
        {"UKEMI_ENV_HOSE_REEL_N", &hose->reel_N, 0, 200},
        {"UKEMI_ENV_HOSE_SPREAD_DEG", &spread_deg, 0, 45},
        {"UKEMI_ENV_HOSE_SPREAD_FRICTION", &spread_friction, 0, 0.9},
        {"UKEMI_ENV_MOCAP_NOISE_M", &mocap->noise_m, 0, 1},
        {"UKEMI_ENV_MOCAP_NOISE_RAD", &mocap->noise_rad, 0, 1},
        {"UKEMI_ENV_MOCAP_LATENCY_S", &mocap->latency_s, 0, MOCAP_LATENCY_MAX_S},
    };
    enum status status = STATUS_OK;
    read_word("UKEMI_ENV_HOSE", kinds, &kind, &status);
    read_word("UKEMI_ENV_HOSE_SHAPE", shapes, &shape, &status);
    read_word("UKEMI_ENV_HOSE_CONTACT", contacts, &contact, &status);
    read_word("UKEMI_ENV_WRIST_AXES", axes, &six, &status);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        read_bounded(&rows[i], &status);
    if (status == STATUS_OK && links != floor(links)) {
        log_error("UKEMI_ENV_HOSE_LINKS=%g: is not a whole number; write 14", links);
        status = STATUS_INVALID;
    }
    hose->kind = (enum hose_kind)kind;
    hose->shape = (enum hose_shape)shape;
    hose->contact = contact != 0;
    hose->six_axes = six != 0;
    if (status == STATUS_OK)
        hose->links = (unsigned)links;
    hose_scatter(hose, seed, spread_deg * M_PI / 180, spread_friction);
    return status;
}
