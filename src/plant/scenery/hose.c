#include "plant/scenery/hose.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "plant/scenery/hose_law.h"
#include "plant/scenery/model_edit.h"

#define GRAVITY_M_S2 9.81
#define RADIUS_M 0.033
#define REACH_M 0.1         // of a hand that closes
#define SNAG_SLACK_M 0.1    // of a tail that is caught
#define SNAG_N_M 3000.0     // stiffness of what it is caught by
#define SNAG_NS_M 60.0      // and its damping
#define REEL_SPEED_M_S 0.02 // slower than this, a reel's drag fades
#define STRING_N_M 800.0    // the chain of half-metre links is about as stiff
#define STRING_NS_M 20.0
#define PULL_N_S 50.0 // a person's pull grows so fast
#define BEND_RAD 0.12 // of a bent hose's hinges
#define ROLL_RAD 0.85 // of a rolled one's rear half

const struct hose_config hose_config_default = {.kind = HOSE_CHAIN,
                                                .shape = HOSE_STRAIGHT,
                                                .links = 14,
                                                .length_m = 7,
                                                .kg_m = 1.8,
                                                .nozzle_kg = 0.6,
                                                .friction = 0.4,
                                                .stiffness_Nm_rad = 0.5,
                                                .contact = true};

struct hose {
    mjModel *model;
    mjData *data;
    struct hose_config config;
    struct hose_string string;
    int torso_body, hand_body, hand_site;
    double closed_as[4]; // how the hand was turned to the torso when it closed
    int first_body, last_body, root_position, root_velocity; // of the chain
    int rest, hold;                                          // equality constraints
    bool held, snagged, slipped;
    double weight, friction; // times as much as in the scenario
    double tail_N, wanted_N; // what somebody pulls with at the tail, and is to
    double caught_m[2];      // where the tail was when it was caught
    double string_force_N[3];
    uint64_t change_id;
};

void hose_scatter(struct hose_config *config, uint64_t seed, double spread_rad,
                  double spread_friction)
{
    struct random_stream stream;
    random_start(&stream, seed, "hose");
    config->lie_rad += random_uniform(&stream, -spread_rad, spread_rad);
    config->friction *= 1 + random_uniform(&stream, -spread_friction, spread_friction);
}

// ---- the model
// -----------------------------------------------------------------------------------

static void add_hinge(xmlNode *body, const char *axis, const struct hose_config *config)
{
    xmlNode *joint = model_add(body, "joint");
    model_set(joint, "axis", "%s", axis);
    model_set(joint, "stiffness", "%.9g", config->stiffness_Nm_rad);
    model_set(joint, "damping", "0.3");
    model_set(joint, "armature", "0.002");
}

// A link of the hose below `parent`; its body's origin is its front end, the rest lies along -x.
static xmlNode *add_link(xmlNode *parent, unsigned number, const struct hose_config *config)
{
    const double length_m = config->length_m / config->links;
    const double tube_kg = config->kg_m * length_m;
    const double end_kg = number == 0 ? config->nozzle_kg : 0;
    const double centre_m = -0.5 * length_m * tube_kg / (tube_kg + end_kg);
    const double across = tube_kg * length_m * length_m / 12 +
                          tube_kg * pow(0.5 * length_m + centre_m, 2) +
                          end_kg * centre_m * centre_m;
    xmlNode *body = model_add(parent, "body");
    model_set(body, "name", "hose_%u", number + 1);
    if (number == 0) {
        model_add(body, "freejoint");
    } else {
        model_set(body, "pos", "%.9g 0 0", -length_m);
        add_hinge(body, "0 0 1", config);
        add_hinge(body, "0 1 0", config);
    }
    xmlNode *inertial = model_add(body, "inertial");
    model_set(inertial, "pos", "%.9g 0 0", centre_m);
    model_set(inertial, "mass", "%.9g", tube_kg + end_kg);
    model_set(inertial, "diaginertia", "%.9g %.9g %.9g",
              0.5 * (tube_kg + end_kg) * RADIUS_M * RADIUS_M, across, across);
    xmlNode *tube = model_add(body, "geom");
    model_set(tube, "class", "shape");
    model_set(tube, "type", "cylinder");
    model_set(tube, "fromto", "0 0 0 %.9g 0 0", -length_m);
    model_set(tube, "size", "%.9g", RADIUS_M);
    model_set(tube, "rgba", "0.75 0.2 0.1 1");
    xmlNode *touch = model_add(body, "geom");
    model_set(touch, "class", "touch");
    model_set(touch, "type", "sphere");
    model_set(touch, "pos", "%.9g 0 0", -length_m);
    model_set(touch, "size", "%.9g", RADIUS_M);
    model_set(touch, "priority", "1"); // or the floor's greater friction would hold
    model_set(touch, "friction", "%.9g 0.005 0.0001", config->friction);
    return body;
}

static void add_ties(xmlNode *root)
{
    xmlNode *equality = model_section(root, "equality");
    xmlNode *rest = model_add(equality, "connect");
    model_set(rest, "name", "hose_rest");
    model_set(rest, "body1", "hose_1");
    model_set(rest, "anchor", "0 0 0");
    xmlNode *hold = model_add(equality, "connect");
    model_set(hold, "name", "hose_hold");
    model_set(hold, "body1", HOSE_HAND_BODY);
    model_set(hold, "body2", "hose_1");
    model_set(hold, "anchor", "0 0 0");
    model_set(hold, "active", "false");
}

// The keyframes gain the hose's coordinates; where they put it is no matter, it is laid afterwards.
static void extend_keys(xmlNode *root, unsigned links)
{
    for (xmlNode *key = model_section(root, "keyframe")->children; key != NULL; key = key->next) {
        xmlChar *old = xmlGetProp(key, (const xmlChar *)"qpos");
        if (old == NULL)
            continue;
        char longer[4000];
        int length = snprintf(longer, sizeof longer, "%s 0 0 0 1 0 0 0", (const char *)old);
        for (unsigned i = 1; i < links && length < (int)sizeof longer; i++)
            length += snprintf(longer + length, sizeof longer - (size_t)length, " 0 0");
        xmlSetProp(key, (const xmlChar *)"qpos", (const xmlChar *)longer);
        xmlFree(old);
    }
}

void hose_extend(xmlNode *root, const struct hose_config *config)
{
    if (config->contact) {
        xmlNode *option = model_section(root, "option");
        model_set(option, "cone", "elliptic");
        model_set(option, "impratio", "100");
    }
    if (config->kind != HOSE_CHAIN)
        return;
    xmlNode *size = model_section(root, "size");
    model_set(size, "njmax", "600");
    model_set(size, "nconmax", "200");
    xmlNode *body = model_section(root, "worldbody");
    for (unsigned i = 0; i < config->links; i++)
        body = add_link(body, i, config);
    add_ties(root);
    extend_keys(root, config->links);
}

// ---- laying it out
// -------------------------------------------------------------------------------

// From the hand down to the floor in as many links as that takes, then along -x.
static void lay_chain(struct hose *hose, const double hand_m[3])
{
    const struct hose_config *config = &hose->config;
    const double length_m = config->length_m / config->links, drop_m = hand_m[2] - RADIUS_M;
    const unsigned down = (unsigned)ceil(drop_m / (0.9 * length_m));
    const double slope_rad = asin(fmin(fmax(drop_m / (down * length_m), -1), 1));
    mjtNum *root = hose->data->qpos + hose->root_position;
    memcpy(root, hand_m, 3 * sizeof *root);
    const double lie[4] = {cos(config->lie_rad / 2), 0, 0, sin(config->lie_rad / 2)};
    const double slope[4] = {cos(slope_rad / 2), 0, -sin(slope_rad / 2), 0};
    mju_mulQuat(root + 3, lie, slope);
    mjtNum *hinge = root + 7; // yaw, pitch of each further link
    for (unsigned i = 1; i < config->links; i++, hinge += 2) {
        hinge[0] = i <= down                                               ? 0
                   : config->shape == HOSE_BENT                            ? BEND_RAD
                   : config->shape == HOSE_ROLLED && 2 * i > config->links ? ROLL_RAD
                                                                           : 0;
        hinge[1] = i == down ? slope_rad : 0;
    }
    mjtNum *rest = hose->model->eq_data + hose->rest * mjNEQDATA;
    memcpy(rest + 3, hand_m, 3 * sizeof *rest);
}

static void lay_string(struct hose *hose, const double hand_m[3])
{
    const struct hose_config *config = &hose->config;
    hose->string = (struct hose_string){
        .law = {.weight_N_m = GRAVITY_M_S2 * config->kg_m,
                .length_m = config->length_m,
                .friction = config->friction,
                .end_N = GRAVITY_M_S2 * config->nozzle_kg,
                .tail_N = config->reel_N},
        .stiffness_N_m = STRING_N_M,
        .damping_Ns_m = STRING_NS_M,
    };
    hose_string_lay(&hose->string, hand_m,
                    (const double[2]){-cos(config->lie_rad), -sin(config->lie_rad)});
}

enum status hose_create(mjModel *model, mjData *data, const struct hose_config *config,
                        struct hose **hose)
{
    struct hose *created = *hose = calloc(1, sizeof *created);
    if (created == NULL)
        return STATUS_NO_MEMORY;
    *created = (struct hose){.model = model, .data = data, .config = *config};
    created->weight = created->friction = 1;
    created->hand_body = mj_name2id(model, mjOBJ_BODY, HOSE_HAND_BODY);
    created->hand_site = mj_name2id(model, mjOBJ_SITE, HOSE_HAND_SITE);
    const int torso = mj_name2id(model, mjOBJ_BODY, HOSE_TORSO_BODY);
    created->torso_body = torso >= 0 ? torso : 0; // seen from the world
    if (created->hand_body < 0 || created->hand_site < 0)
        return STATUS_INVALID;
    if (config->kind == HOSE_CHAIN) {
        created->first_body = mj_name2id(model, mjOBJ_BODY, "hose_1");
        created->last_body = created->first_body + (int)config->links - 1;
        const int joint = model->body_jntadr[created->first_body];
        created->root_position = model->jnt_qposadr[joint];
        created->root_velocity = model->jnt_dofadr[joint];
        created->rest = mj_name2id(model, mjOBJ_EQUALITY, "hose_rest");
        created->hold = mj_name2id(model, mjOBJ_EQUALITY, "hose_hold");
        lay_chain(created, data->site_xpos + 3 * created->hand_site);
    } else {
        lay_string(created, data->site_xpos + 3 * created->hand_site);
    }
    return STATUS_OK;
}

void hose_free(struct hose *hose)
{
    free(hose);
}

// ---- what is done to it
// --------------------------------------------------------------------------

static bool in_reach(const struct hose *hose)
{
    const mjtNum *hand = hose->data->site_xpos + 3 * hose->hand_site;
    return hose->config.kind != HOSE_CHAIN ||
           mju_dist3(hand, hose->data->xpos + 3 * hose->first_body) < REACH_M;
}

static void hand_turn(const struct hose *hose, mjtNum turn[4])
{
    mjtNum back[4];
    mju_negQuat(back, hose->data->xquat + 4 * hose->torso_body);
    mju_mulQuat(turn, back, hose->data->xquat + 4 * hose->hand_body);
}

static void tie(struct hose *hose, bool held)
{
    hose->held = held;
    hand_turn(hose, hose->closed_as);
    if (hose->config.kind != HOSE_CHAIN)
        return;
    mjtNum *anchor = hose->model->eq_data + hose->hold * mjNEQDATA;
    memcpy(anchor, hose->model->site_pos + 3 * hose->hand_site, 3 * sizeof *anchor);
    memset(anchor + 3, 0, 3 * sizeof *anchor);
    hose->model->eq_active[hose->hold] = held;
    hose->model->eq_active[hose->rest] = 0; // what was held once, lies down
}

void hose_grasp(struct hose *hose, bool closed)
{
    if (hose->slipped) // a hand that closes again closes on nothing
        return;
    if (closed != hose->held && (!closed || in_reach(hose)))
        tie(hose, closed);
}

static void put_back(struct hose *hose)
{
    const mjtNum *hand = hose->data->site_xpos + 3 * hose->hand_site;
    if (hose->config.kind == HOSE_CHAIN && !in_reach(hose)) { // someone carries it there
        memcpy(hose->data->qpos + hose->root_position, hand, 3 * sizeof *hand);
        memset(hose->data->qvel + hose->root_velocity, 0, 6 * sizeof *hand);
    }
    tie(hose, true);
}

static void scale(mjtNum *value, int count, double by)
{
    for (int i = 0; i < count; i++)
        value[i] *= by;
}

static void weigh(struct hose *hose, double times)
{
    const double by = times / hose->weight;
    const int links = (int)hose->config.links, first = hose->first_body;
    hose->weight = times;
    hose->string.law.weight_N_m *= by;
    if (hose->config.kind != HOSE_CHAIN)
        return;
    scale(hose->model->body_mass + first, links, by);
    scale(hose->model->body_inertia + 3 * first, 3 * links, by);
}

static void rub(struct hose *hose, double times)
{
    const double by = times / hose->friction;
    hose->friction = times;
    hose->string.law.friction *= by;
    if (hose->config.kind != HOSE_CHAIN)
        return;
    for (int g = 0; g < hose->model->ngeom; g++)
        if (hose->model->geom_bodyid[g] >= hose->first_body)
            hose->model->geom_friction[3 * g] *= by;
}

void hose_change(struct hose *hose, const struct hose_change_message *change)
{
    if (change->id == hose->change_id)
        return;
    hose->change_id = change->id;
    const mjtNum *tail = hose->data->xpos + 3 * hose->last_body;
    if (change->kind == HOSE_CHANGE_SNAG) {
        hose->snagged = change->value > 0;
        memcpy(hose->caught_m, hose->config.kind == HOSE_CHAIN ? tail : hose->string.floor_m,
               sizeof hose->caught_m);
    } else if (change->kind == HOSE_CHANGE_WEIGHT && change->value > 0) {
        weigh(hose, change->value);
    } else if (change->kind == HOSE_CHANGE_FRICTION && change->value > 0) {
        rub(hose, change->value);
    } else if (change->kind == HOSE_CHANGE_PULL && change->value >= 0) {
        hose->wanted_N = change->value;
    } else if (change->kind == HOSE_CHANGE_SLIP) {
        hose->slipped = change->value > 0;
        if (hose->slipped)
            tie(hose, false);
        else
            put_back(hose);
    }
}

// ---- over time
// -----------------------------------------------------------------------------------

// Whoever pulls lets go at once.
static void pull_on(struct hose *hose)
{
    const double more_N = PULL_N_S * hose->model->opt.timestep;
    hose->tail_N = fmin(hose->tail_N + more_N, hose->wanted_N);
}

// What holds a point at `at_m`, moving so fast, back: the reel's drag, what it is caught by, and
// who pulls.
static void hold_back(const struct hose *hose, const double at_m[2], const double speed_m_s[2],
                      double force_N[2])
{
    const double speed = hypot(speed_m_s[0], speed_m_s[1]);
    const double drag = hose->config.reel_N / (speed + REEL_SPEED_M_S);
    const double away_m[2] = {at_m[0] - hose->caught_m[0], at_m[1] - hose->caught_m[1]};
    const double stretch_m = hypot(away_m[0], away_m[1]) - SNAG_SLACK_M;
    const mjtNum *hand = hose->data->site_xpos + 3 * hose->hand_site;
    const double from_hand_m = fmax(hypot(at_m[0] - hand[0], at_m[1] - hand[1]), 0.01);
    for (int i = 0; i < 2; i++) {
        force_N[i] = hose->tail_N * (at_m[i] - hand[i]) / from_hand_m - drag * speed_m_s[i];
        if (hose->snagged && stretch_m > 0)
            force_N[i] -= SNAG_N_M * stretch_m * away_m[i] / (stretch_m + SNAG_SLACK_M) +
                          SNAG_NS_M * speed_m_s[i];
    }
}

static void step_chain(struct hose *hose)
{
    const int tail = hose->last_body;
    mjtNum velocity[6], *force = hose->data->xfrc_applied + 6 * tail;
    mj_objectVelocity(hose->model, hose->data, mjOBJ_BODY, tail, velocity, 0);
    hold_back(hose, hose->data->xpos + 3 * tail, velocity + 3, force);
}

static void step_string(struct hose *hose)
{
    const mjtNum *hand = hose->data->site_xpos + 3 * hose->hand_site;
    mjtNum velocity[6], *force = hose->data->xfrc_applied + 6 * hose->hand_body;
    memset(hose->string_force_N, 0, sizeof hose->string_force_N);
    if (hose->held) {
        mj_objectVelocity(hose->model, hose->data, mjOBJ_SITE, hose->hand_site, velocity, 0);
        hose_string_step(&hose->string, hand, velocity + 3, hose->string_force_N);
        double held_N[2];
        hold_back(hose, hose->string.floor_m, (const double[2]){0, 0}, held_N);
        hose->string_force_N[0] += held_N[0];
        hose->string_force_N[1] += held_N[1];
    }
    memcpy(force, hose->string_force_N, sizeof hose->string_force_N); // the hand's centre: 1 mm off
}

void hose_step(struct hose *hose)
{
    pull_on(hose);
    if (hose->config.kind == HOSE_CHAIN)
        step_chain(hose);
    else
        step_string(hose);
}

// ---- what is true
// --------------------------------------------------------------------------------

// Of the connection's rows: they push the hand, their first body, along the world's axes.
static void chain_force(const struct hose *hose, double force_N[3])
{
    const mjData *data = hose->data;
    for (int row = 0; row + 2 < data->nefc; row++)
        if (data->efc_type[row] == mjCNSTR_EQUALITY && data->efc_id[row] == hose->hold) {
            memcpy(force_N, data->efc_force + row, 3 * sizeof *force_N);
            return;
        }
}

// Place, speed and turn of the hand, all as seen from the torso.
static void hand_truth(const struct hose *hose, struct hose_message *message)
{
    const mjtNum *torso = hose->data->xpos + 3 * hose->torso_body;
    mjtNum away[3], hand[6], body[6], turning[3], speed[3], turn[4];
    mju_sub3(away, hose->data->site_xpos + 3 * hose->hand_site, torso);
    mju_rotVecMatT(message->hand_m, away, hose->data->xmat + 9 * hose->torso_body);
    mj_objectVelocity(hose->model, hose->data, mjOBJ_SITE, hose->hand_site, hand, 0);
    mj_objectVelocity(hose->model, hose->data, mjOBJ_XBODY, hose->torso_body, body, 0);
    mju_cross(turning, body, away);
    for (int i = 0; i < 3; i++)
        speed[i] = hand[3 + i] - body[3 + i] - turning[i];
    message->hand_m_s = mju_norm3(speed);
    if (!hose->held)
        return;
    hand_turn(hose, turn);
    message->hand_rad = 2 * acos(fmin(fabs(mju_dot(turn, hose->closed_as, 4)), 1));
}

void hose_truth(const struct hose *hose, struct hose_message *message)
{
    const struct hose_config *config = &hose->config;
    const double tube_kg = config->kg_m * config->length_m;
    *message = (struct hose_message){.held = hose->held,
                                     .snagged = hose->snagged,
                                     .weight = hose->weight,
                                     .roughness = hose->friction,
                                     .mass_kg = hose->weight * (tube_kg + config->nozzle_kg),
                                     .friction = hose->friction * config->friction,
                                     .tail_N = hose->tail_N,
                                     .change_id = hose->change_id,
                                     .elliptic = config->contact};
    if (config->kind == HOSE_CHAIN) {
        if (hose->held)
            chain_force(hose, message->force_N);
        message->link_count = config->links;
        for (unsigned i = 0; i < config->links; i++)
            for (int k = 0; k < 2; k++)
                message->link_m[i][k] =
                    (float)hose->data->xpos[3 * (hose->first_body + (int)i) + k];
        memcpy(message->tail_m, hose->data->xpos + 3 * hose->last_body, sizeof message->tail_m);
    } else {
        memcpy(message->force_N, hose->string_force_N, sizeof message->force_N);
        memcpy(message->tail_m, hose->string.floor_m, sizeof message->tail_m);
    }
    message->pull_N = hypot(message->force_N[0], message->force_N[1]);
    hand_truth(hose, message);
}
