#include "model/robot_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libxml/parser.h>
#include <libxml/tree.h>

#include "base/log.h"
#include "base/text.h"
#include "model/model_file.h"
#include "model/robot_link.h"
#include "model/spatial.h"

void robot_link_box(struct robot_link *link, const double at_m[3], const double half_m[3])
{
    for (int k = 0; k < 3; k++) {
        const double from_m = at_m[k] - half_m[k], to_m = at_m[k] + half_m[k];
        link->box_m[k][0] = link->boxed ? fmin(link->box_m[k][0], from_m) : from_m;
        link->box_m[k][1] = link->boxed ? fmax(link->box_m[k][1], to_m) : to_m;
    }
    link->boxed = true;
}

// What the loader carries through the tree.
struct loader {
    const char *path;
    struct robot_model *model;
};

static enum status invalid(const struct loader *loader, const xmlNode *node, const char *what,
                           const char *value, const char *remedy)
{
    log_error("%s:%ld: <%s>: %s '%.40s'; %s", model_file_of(loader->path, node), xmlGetLineNo(node),
              (const char *)node->name, what, value != NULL ? value : "", remedy);
    return STATUS_INVALID;
}

static bool is_element(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

// Reads `count` numbers of an attribute. An absent attribute leaves `value` as it is.
static enum status read_numbers(const struct loader *loader, const xmlNode *node, const char *name,
                                int count, double *value)
{
    char *text = (char *)xmlGetNoNsProp(node, (const xmlChar *)name);
    if (text == NULL)
        return STATUS_OK;
    const char *at = text;
    int found = 0;
    for (; found < count; found++) {
        char *end;
        double number = strtod(at, &end);
        if (end == at || !isfinite(number))
            break;
        value[found] = number;
        at = end;
    }
    enum status status = STATUS_OK;
    if (found < count || at[strspn(at, " \t\r\n")] != '\0') {
        char remedy[64];
        snprintf(remedy, sizeof remedy, "attribute '%s' needs exactly %d finite number%s", name,
                 count, count == 1 ? "" : "s");
        status = invalid(loader, node, "bad numbers", text, remedy);
    }
    xmlFree(text);
    return status;
}

// Copies a name; INVALID if it is missing or too long.
static enum status read_name(const struct loader *loader, const xmlNode *node,
                             const char *attribute, char name[ROBOT_NAME_MAX])
{
    char *text = (char *)xmlGetNoNsProp(node, (const xmlChar *)attribute);
    enum status status = STATUS_OK;
    if (text == NULL || *text == '\0')
        status = invalid(loader, node, "missing attribute", attribute, "give it a name");
    else if (strlen(text) >= ROBOT_NAME_MAX)
        status = invalid(loader, node, "name too long", text, "use at most 23 characters");
    else
        text_copy(name, ROBOT_NAME_MAX, text);
    xmlFree(text);
    return status;
}

static enum status refuse(const struct loader *loader, const xmlNode *node, const char *attribute)
{
    char *text = (char *)xmlGetNoNsProp(node, (const xmlChar *)attribute);
    if (text == NULL)
        return STATUS_OK;
    enum status status = invalid(loader, node, "unsupported attribute", attribute,
                                 "keep all link frames parallel in the zero pose");
    xmlFree(text);
    return status;
}

// What a driven joint and a passive one have in common.
struct hinge {
    char name[ROBOT_NAME_MAX];
    double axis[3], range_rad[2];
};

static enum status read_hinge(const struct loader *loader, const xmlNode *node, struct hinge *hinge)
{
    double pos[3] = {0, 0, 0};
    *hinge = (struct hinge){.axis = {0, 0, 1}};
    enum status status = read_name(loader, node, "name", hinge->name);
    if (status == STATUS_OK)
        status = read_numbers(loader, node, "axis", 3, hinge->axis);
    if (status == STATUS_OK)
        status = read_numbers(loader, node, "range", 2, hinge->range_rad);
    if (status == STATUS_OK)
        status = read_numbers(loader, node, "pos", 3, pos);
    if (status != STATUS_OK)
        return status;
    const double length = sqrt(vec_dot(hinge->axis, hinge->axis));
    if (length < 1e-9 || vec_dot(pos, pos) > 0.0)
        return invalid(loader, node, "unusable axis of joint", hinge->name,
                       "it must be non-zero and pass through the body's origin");
    if (hinge->range_rad[0] >= hinge->range_rad[1])
        return invalid(loader, node, "empty or missing range of joint", hinge->name,
                       "give range=\"min max\" in radians");
    for (int i = 0; i < 3; i++)
        hinge->axis[i] /= length;
    return STATUS_OK;
}

static enum status load_driven(struct loader *loader, const xmlNode *node, int link,
                               const struct hinge *hinge)
{
    struct robot_model *model = loader->model;
    if (model->joint_count == ROBOT_JOINTS_MAX)
        return invalid(loader, node, "too many joints:", "40",
                       "the messages hold at most 40 joints");
    struct robot_joint *joint = &model->joint[model->joint_count];
    *joint = (struct robot_joint){.link = link,
                                  .position_min_rad = hinge->range_rad[0],
                                  .position_max_rad = hinge->range_rad[1]};
    memcpy(joint->name, hinge->name, sizeof joint->name);
    model->link[link].joint = (int)model->joint_count++;
    return STATUS_OK;
}

static enum status load_passive(struct loader *loader, const xmlNode *node, int link,
                                const struct hinge *hinge, double stiffness_Nm_rad)
{
    struct robot_model *model = loader->model;
    double damping_Nms_rad = 0;
    const enum status status = read_numbers(loader, node, "damping", 1, &damping_Nms_rad);
    if (status != STATUS_OK)
        return status;
    if (stiffness_Nm_rad < 0 || damping_Nms_rad <= 0)
        return invalid(loader, node, "stiffness or damping of passive joint", hinge->name,
                       "a spring and its damper have positive ones");
    if (hinge->range_rad[0] > 0 || hinge->range_rad[1] < 0)
        return invalid(loader, node, "range of passive joint", hinge->name,
                       "its spring is at rest at 0, which must be within");
    if (model->passive_count == ROBOT_PASSIVE_MAX)
        return invalid(loader, node, "too many passive joints:", "8", "drive or fix the others");
    struct robot_passive *passive = &model->passive[model->passive_count];
    *passive = (struct robot_passive){.link = link,
                                      .stiffness_Nm_rad = stiffness_Nm_rad,
                                      .damping_Nms_rad = damping_Nms_rad,
                                      .position_min_rad = hinge->range_rad[0],
                                      .position_max_rad = hinge->range_rad[1]};
    memcpy(passive->name, hinge->name, sizeof passive->name);
    model->link[link].passive = (int)model->passive_count++;
    return STATUS_OK;
}

// A joint with a stiffness is passive.
static enum status load_joint(struct loader *loader, const xmlNode *node, int link)
{
    struct robot_link *moved = &loader->model->link[link];
    struct hinge hinge;
    double stiffness_Nm_rad = 0;
    if (moved->joint >= 0 || moved->passive >= 0)
        return invalid(loader, node, "second joint in body", moved->name,
                       "give every joint a body of its own");
    enum status status = read_hinge(loader, node, &hinge);
    if (status == STATUS_OK)
        status = read_numbers(loader, node, "stiffness", 1, &stiffness_Nm_rad);
    if (status != STATUS_OK)
        return status;
    memcpy(moved->axis, hinge.axis, sizeof moved->axis);
    return stiffness_Nm_rad != 0 ? load_passive(loader, node, link, &hinge, stiffness_Nm_rad)
                                 : load_driven(loader, node, link, &hinge);
}

static enum status load_site(struct loader *loader, const xmlNode *node, int link)
{
    struct robot_model *model = loader->model;
    if (model->site_count == ROBOT_SITES_MAX)
        return invalid(loader, node, "too many sites:", "24", "remove sites nobody uses");
    struct robot_site *site = &model->site[model->site_count++];
    site->link = link;
    enum status status = read_name(loader, node, "name", site->name);
    return status == STATUS_OK ? read_numbers(loader, node, "pos", 3, site->position_m) : status;
}

// Only boxes along the link's axes count.
static enum status load_geom(const struct loader *loader, const xmlNode *node,
                             struct robot_link *link)
{
    double at_m[3] = {0}, half_m[3] = {0};
    char *type = (char *)xmlGetNoNsProp(node, (const xmlChar *)"type");
    const bool box = type != NULL && strcmp(type, "box") == 0 &&
                     xmlHasProp(node, (const xmlChar *)"quat") == NULL &&
                     xmlHasProp(node, (const xmlChar *)"euler") == NULL;
    xmlFree(type);
    if (!box)
        return STATUS_OK;
    enum status status = read_numbers(loader, node, "pos", 3, at_m);
    if (status == STATUS_OK)
        status = read_numbers(loader, node, "size", 3, half_m);
    if (status == STATUS_OK)
        robot_link_box(link, at_m, half_m);
    return status;
}

static enum status load_inertial(const struct loader *loader, const xmlNode *node,
                                 struct robot_link *link)
{
    double mass = 0.0;
    enum status status = read_numbers(loader, node, "mass", 1, &mass);
    if (status == STATUS_OK)
        status = read_numbers(loader, node, "pos", 3, link->com_m);
    if (status == STATUS_OK)
        status = read_numbers(loader, node, "diaginertia", 3, link->inertia_kg_m2);
    if (status == STATUS_OK)
        status = refuse(loader, node, "fullinertia");
    if (status == STATUS_OK && mass <= 0.0)
        status = invalid(loader, node, "mass missing or not positive in body", link->name,
                         "give mass in kg");
    link->mass_kg = mass;
    loader->model->mass_kg += mass;
    return status;
}

static enum status load_link(struct loader *loader, const xmlNode *body, int parent, int *index)
{
    static const char *const turned[] = {"quat", "euler", "axisangle", "xyaxes", "zaxis"};
    struct robot_model *model = loader->model;
    if (model->link_count == ROBOT_LINKS_MAX)
        return invalid(loader, body, "too many bodies:", "48", "merge bodies without joints");
    *index = (int)model->link_count++;
    struct robot_link *link = &model->link[*index];
    link->parent = parent;
    link->joint = link->passive = -1;
    enum status status = read_name(loader, body, "name", link->name);
    if (status == STATUS_OK && parent >= 0)
        status = read_numbers(loader, body, "pos", 3, link->offset_m);
    for (size_t i = 0; i < sizeof turned / sizeof turned[0] && status == STATUS_OK; i++)
        status = refuse(loader, body, turned[i]);
    return status;
}

// A body with all below it, depth first: parents come before children. Depth is bounded by
// ROBOT_LINKS_MAX.
// NOLINTNEXTLINE(misc-no-recursion): see above
static enum status load_tree(struct loader *loader, const xmlNode *body, int parent)
{
    int index;
    enum status status = load_link(loader, body, parent, &index);
    for (const xmlNode *node = body->children; node != NULL && status == STATUS_OK;
         node = node->next) {
        if (is_element(node, "inertial"))
            status = load_inertial(loader, node, &loader->model->link[index]);
        else if (is_element(node, "joint"))
            status = load_joint(loader, node, index);
        else if (is_element(node, "site"))
            status = load_site(loader, node, index);
        else if (is_element(node, "geom"))
            status = load_geom(loader, node, &loader->model->link[index]);
        else if (is_element(node, "body"))
            status = load_tree(loader, node, index);
    }
    return status;
}

// Puts the joints into the order of the actuators, which is the description's.
static enum status order_joints(struct loader *loader, const xmlNode *actuators)
{
    struct robot_model *model = loader->model;
    unsigned count = 0;
    for (const xmlNode *node = actuators->children; node != NULL; node = node->next) {
        char name[ROBOT_NAME_MAX];
        if (node->type != XML_ELEMENT_NODE)
            continue;
        enum status status = read_name(loader, node, "joint", name);
        if (status != STATUS_OK)
            return status;
        int index = robot_model_joint(model, name);
        if (index < (int)count)
            return invalid(loader, node, "no such joint, or a second actuator for it:", name,
                           "give every joint exactly one actuator");
        struct robot_joint joint = model->joint[index];
        model->joint[index] = model->joint[count];
        model->joint[count] = joint;
        count++;
    }
    if (count != model->joint_count)
        return invalid(loader, actuators, "a joint has no actuator:", model->joint[count].name,
                       "give every joint exactly one actuator, or a stiffness if it is passive");
    for (unsigned j = 0; j < count; j++)
        model->link[model->joint[j].link].joint = (int)j;
    return STATUS_OK;
}

// The standing pose: `ctrl` of the key named "stand", in actuator order.
static enum status load_stand(struct loader *loader, const xmlNode *keyframe)
{
    for (const xmlNode *node = keyframe->children; node != NULL; node = node->next) {
        char name[ROBOT_NAME_MAX];
        if (!is_element(node, "key"))
            continue;
        enum status status = read_name(loader, node, "name", name);
        if (status == STATUS_OK && strcmp(name, "stand") == 0)
            status = read_numbers(loader, node, "ctrl", (int)loader->model->joint_count,
                                  loader->model->stand_rad);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static const xmlNode *find_child(const xmlNode *node, const char *name)
{
    for (const xmlNode *child = node->children; child != NULL; child = child->next)
        if (is_element(child, name))
            return child;
    return NULL;
}

static enum status load_document(struct loader *loader, const xmlNode *root)
{
    const xmlNode *world = find_child(root, "worldbody");
    const xmlNode *actuators = find_child(root, "actuator");
    const xmlNode *body = world != NULL ? find_child(world, "body") : NULL;
    if (!is_element(root, "mujoco") || body == NULL || actuators == NULL)
        return invalid(loader, root, "not a robot model:", (const char *)root->name,
                       "expected <mujoco> with <worldbody><body> and <actuator>");
    enum status status = load_tree(loader, body, -1);
    if (status == STATUS_OK)
        status = order_joints(loader, actuators);
    const xmlNode *keyframe = find_child(root, "keyframe");
    return status == STATUS_OK && keyframe != NULL ? load_stand(loader, keyframe) : status;
}

enum status robot_model_load(const char *path, struct robot_model **model)
{
    *model = NULL;
    xmlDoc *document = model_file_read(path);
    if (document == NULL)
        return STATUS_INVALID;
    struct robot_model *loaded = calloc(1, sizeof *loaded);
    enum status status = STATUS_NO_MEMORY;
    if (loaded != NULL) {
        struct loader loader = {path, loaded};
        status = load_document(&loader, xmlDocGetRootElement(document));
    }
    xmlFreeDoc(document);
    if (status != STATUS_OK) {
        free(loaded);
        return status;
    }
    *model = loaded;
    return STATUS_OK;
}

void robot_model_free(struct robot_model *model)
{
    free(model);
}

int robot_model_joint(const struct robot_model *model, const char *name)
{
    for (unsigned i = 0; i < model->joint_count; i++)
        if (strcmp(model->joint[i].name, name) == 0)
            return (int)i;
    return -1;
}

int robot_model_link(const struct robot_model *model, const char *name)
{
    for (unsigned i = 0; i < model->link_count; i++)
        if (strcmp(model->link[i].name, name) == 0)
            return (int)i;
    return -1;
}

int robot_model_site(const struct robot_model *model, const char *name)
{
    for (unsigned i = 0; i < model->site_count; i++)
        if (strcmp(model->site[i].name, name) == 0)
            return (int)i;
    return -1;
}

int robot_model_passive(const struct robot_model *model, const char *name)
{
    for (unsigned i = 0; i < model->passive_count; i++)
        if (strcmp(model->passive[i].name, name) == 0)
            return (int)i;
    return -1;
}

// out = R * rotation about a unit axis; the coordinate axes, which most joints have, cost two
// columns only.
static void turn(const double R[9], const double axis[3], double angle_rad, double out[9])
{
    for (int k = 0; k < 3; k++) {
        if (axis[k] < 1.0)
            continue;
        int a = (k + 1) % 3, b = (k + 2) % 3;
        double c = cos(angle_rad), s = sin(angle_rad);
        for (int i = 0; i < 3; i++) {
            double u = R[3 * i + a], v = R[3 * i + b];
            out[3 * i + k] = R[3 * i + k];
            out[3 * i + a] = c * u + s * v;
            out[3 * i + b] = c * v - s * u;
        }
        return;
    }
    double local[9];
    rotation_axis(axis, angle_rad, local);
    rotation_product(R, local, out);
}

void robot_model_forward(const struct robot_model *model, const double root_m[3],
                         const double root_rotation[9], const double *joint_rad,
                         struct robot_pose *pose)
{
    double moment[3] = {0, 0, 0};
    for (unsigned i = 0; i < model->link_count; i++) {
        const struct robot_link *link = &model->link[i];
        double *origin = pose->origin_m[i], *rotation = pose->rotation[i], com[3];
        if (link->parent < 0) {
            memcpy(origin, root_m, 3 * sizeof *origin);
            memcpy(rotation, root_rotation, 9 * sizeof *rotation);
        } else {
            const double *parent = pose->rotation[link->parent];
            double offset[3];
            rotate(parent, link->offset_m, offset);
            vec_add(pose->origin_m[link->parent], offset, origin);
            if (link->joint >= 0)
                turn(parent, link->axis, joint_rad[link->joint], rotation);
            else
                memcpy(rotation, parent, 9 * sizeof *rotation);
        }
        rotate(rotation, link->com_m, com);
        for (int k = 0; k < 3; k++)
            moment[k] += link->mass_kg * (origin[k] + com[k]);
    }
    for (int k = 0; k < 3; k++)
        pose->com_m[k] = moment[k] / model->mass_kg;
}

void robot_model_site_position(const struct robot_model *model, const struct robot_pose *pose,
                               int site, double position_m[3])
{
    const struct robot_site *s = &model->site[site];
    double offset[3];
    rotate(pose->rotation[s->link], s->position_m, offset);
    vec_add(pose->origin_m[s->link], offset, position_m);
}
