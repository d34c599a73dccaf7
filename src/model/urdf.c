// A robot from its URDF file (http://wiki.ros.org/urdf/XML), as the walking generator needs it: a
// carried body on two legs.
//
// Legs are found by what they are: six joints that turn about z, x, y, y, y and x, counted from the
// root. What hangs on other joints is rigid, as the half-sitting pose of the SRDF file has it.
// Frames of URDF are turned against each other; those of robot_model are parallel, so all is turned
// into the root's axes. Masses of all links between two leg joints become one.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/leg_ik.h"
#include "model/robot_link.h"
#include "model/robot_model.h"
#include "model/spatial.h"
#include "model/xml.h"

#define PARTS_MAX 400 // links or joints of a file
#define PARALLEL 1e-6 // of an axis from one of the root's
#define FEET_BELOW_M 0.2
#define LUMPS (1 + SIDE_COUNT * LEG_JOINTS)
#define KNEE_BENT_RAD 0.8 // without a half-sitting pose

struct urdf_link {
    const xmlNode *node;
    char *name;
    int above;            // the joint it hangs on; -1: it is the root
    bool placed;          //
    double at_m[3], R[9]; // in the root's frame
    int lump;             // 0 the body, then both legs' links
};

struct urdf_joint {
    const xmlNode *node;
    char *name;
    int parent, child; // links
    bool turns;
    double origin_m[3], R[9], axis[3];
    double min_rad, max_rad, stand_rad;
};

struct urdf {
    const char *path;
    struct urdf_link link[PARTS_MAX];
    struct urdf_joint joint[PARTS_MAX];
    unsigned links, joints;
    int root;
    int leg[SIDE_COUNT][LEG_JOINTS]; // joints
    bool half_sits;
};

// ---- reading ------------------------------------------------------------------------------------

static bool is(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

static const xmlNode *child_of(const xmlNode *node, const char *name)
{
    for (const xmlNode *child = node != NULL ? node->children : NULL; child != NULL;
         child = child->next)
        if (is(child, name))
            return child;
    return NULL;
}

// Numbers of an attribute; without it (or without the element) they stay.
static bool numbers(const char *path, const xmlNode *node, const char *name, int count,
                    double *value)
{
    char *text = node != NULL ? (char *)xmlGetNoNsProp(node, (const xmlChar *)name) : NULL;
    const char *at = text;
    int found = 0;
    if (text == NULL)
        return true;
    for (char *end; found < count; found++, at = end) {
        value[found] = strtod(at, &end);
        if (end == at || !isfinite(value[found]))
            break;
    }
    const bool good = found == count && at[strspn(at, " \t\r\n")] == '\0';
    if (!good)
        xml_complain(path, node, "%s=\"%.40s\": %d finite number%s", name, text, count,
                     text_plural((unsigned)count));
    xmlFree(text);
    return good;
}

static bool read_origin(const char *path, const xmlNode *element, double at_m[3], double R[9])
{
    const xmlNode *origin = child_of(element, "origin");
    double rpy_rad[3] = {0};
    memset(at_m, 0, 3 * sizeof *at_m);
    if (!numbers(path, origin, "xyz", 3, at_m) || !numbers(path, origin, "rpy", 3, rpy_rad))
        return false;
    rotation_rpy(rpy_rad[0], rpy_rad[1], rpy_rad[2], R);
    return true;
}

static int link_named(const struct urdf *urdf, const char *name)
{
    for (unsigned i = 0; i < urdf->links; i++)
        if (name != NULL && strcmp(urdf->link[i].name, name) == 0)
            return (int)i;
    return -1;
}

static struct urdf_joint *joint_named(struct urdf *urdf, const char *name)
{
    for (unsigned i = 0; i < urdf->joints; i++)
        if (name != NULL && strcmp(urdf->joint[i].name, name) == 0)
            return &urdf->joint[i];
    return NULL;
}

static int end_of(const struct urdf *urdf, const xmlNode *joint, const char *which)
{
    const xmlNode *end = child_of(joint, which);
    char *name = end != NULL ? (char *)xmlGetNoNsProp(end, (const xmlChar *)"link") : NULL;
    const int link = link_named(urdf, name);
    if (link < 0)
        xml_complain(urdf->path, joint, "its %s '%.60s' is no link of this file", which,
                     name != NULL ? name : "");
    xmlFree(name);
    return link;
}

static bool turns(const xmlNode *node)
{
    char *type = (char *)xmlGetNoNsProp(node, (const xmlChar *)"type");
    const bool turning =
        type != NULL && (strcmp(type, "revolute") == 0 || strcmp(type, "continuous") == 0);
    xmlFree(type);
    return turning;
}

static bool read_joint(struct urdf *urdf, struct urdf_joint *joint)
{
    const xmlNode *node = joint->node;
    joint->parent = end_of(urdf, node, "parent");
    joint->child = end_of(urdf, node, "child");
    joint->turns = turns(node);
    joint->axis[0] = 1;
    joint->min_rad = -M_PI;
    joint->max_rad = M_PI;
    if (joint->parent < 0 || joint->child < 0 ||
        !read_origin(urdf->path, node, joint->origin_m, joint->R) ||
        !numbers(urdf->path, child_of(node, "axis"), "xyz", 3, joint->axis) ||
        !numbers(urdf->path, child_of(node, "limit"), "lower", 1, &joint->min_rad) ||
        !numbers(urdf->path, child_of(node, "limit"), "upper", 1, &joint->max_rad))
        return false;
    if (urdf->link[joint->child].above >= 0) {
        xml_complain(urdf->path, node, "its child hangs on two joints");
        return false;
    }
    urdf->link[joint->child].above = (int)(joint - urdf->joint);
    return true;
}

// Names first, as joints name links that may come behind them.
static bool read_parts(struct urdf *urdf, const xmlNode *robot)
{
    for (const xmlNode *node = robot->children; node != NULL; node = node->next) {
        const bool link = is(node, "link");
        if (!link && !is(node, "joint"))
            continue;
        char *name = (char *)xmlGetNoNsProp(node, (const xmlChar *)"name");
        if (name == NULL || (link ? urdf->links : urdf->joints) == PARTS_MAX) {
            xml_complain(urdf->path, node, name == NULL ? "it has no name" : "more than %d of them",
                         PARTS_MAX);
            xmlFree(name);
            return false;
        }
        if (link)
            urdf->link[urdf->links++] = (struct urdf_link){.node = node, .name = name, .above = -1};
        else
            urdf->joint[urdf->joints++] = (struct urdf_joint){.node = node, .name = name};
    }
    for (unsigned i = 0; i < urdf->joints; i++)
        if (!read_joint(urdf, &urdf->joint[i]))
            return false;
    unsigned roots = 0;
    for (unsigned i = 0; i < urdf->links; i++)
        if (urdf->link[i].above < 0) {
            urdf->root = (int)i;
            roots++;
        }
    if (roots != 1)
        xml_complain(urdf->path, robot, "%u links hang on no joint; one does, the root", roots);
    return roots == 1;
}

// ---- where links are ----------------------------------------------------------------------------

static void turn_about(const double axis[3], double angle_rad, double R[9])
{
    const double c = cos(angle_rad), s = sin(angle_rad), x = axis[0], y = axis[1], z = axis[2];
    const double value[9] = {
        c + x * x * (1 - c),     x * y * (1 - c) - z * s, x * z * (1 - c) + y * s,
        y * x * (1 - c) + z * s, c + y * y * (1 - c),     y * z * (1 - c) - x * s,
        z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)};
    memcpy(R, value, sizeof value);
}

static void place(const struct urdf_link *parent, const struct urdf_joint *joint,
                  struct urdf_link *link)
{
    double at_m[3], R[9], turned[9];
    rotate(parent->R, joint->origin_m, at_m);
    vec_add(parent->at_m, at_m, link->at_m);
    rotation_product(parent->R, joint->R, R);
    turn_about(joint->axis, joint->turns ? joint->stand_rad : 0, turned);
    rotation_product(R, turned, link->R);
    link->placed = true;
}

// All links with joints at stand_rad. false, said: joints go round in a circle.
static bool place_all(struct urdf *urdf)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (unsigned i = 0; i < urdf->links; i++)
        urdf->link[i].placed = false;
    struct urdf_link *root = &urdf->link[urdf->root];
    memset(root->at_m, 0, sizeof root->at_m);
    memcpy(root->R, identity, sizeof root->R);
    root->placed = true;
    unsigned placed = 1;
    for (unsigned before = 0; placed > before;) {
        before = placed;
        for (unsigned i = 0; i < urdf->joints; i++) {
            const struct urdf_joint *joint = &urdf->joint[i];
            if (urdf->link[joint->child].placed || !urdf->link[joint->parent].placed)
                continue;
            place(&urdf->link[joint->parent], joint, &urdf->link[joint->child]);
            placed++;
        }
    }
    if (placed != urdf->links)
        xml_complain(urdf->path, root->node, "%u of %u links do not hang on it",
                     urdf->links - placed, urdf->links);
    return placed == urdf->links;
}

// ---- legs ---------------------------------------------------------------------------------------

static bool along(const struct urdf *urdf, int joint, int axis)
{
    double turned[3];
    rotate(urdf->link[urdf->joint[joint].child].R, urdf->joint[joint].axis, turned);
    return turned[axis] > 1 - PARALLEL;
}

// Whether the way from the root to a joint's child is a leg; its joints.
static bool is_leg(const struct urdf *urdf, int joint, int leg[LEG_JOINTS])
{
    static const int axis[LEG_JOINTS] = {2, 0, 1, 1, 1, 0};
    int count = 0;
    for (int j = joint; j >= 0; j = urdf->link[urdf->joint[j].parent].above) {
        if (!urdf->joint[j].turns)
            continue;
        if (count == LEG_JOINTS || !along(urdf, j, axis[LEG_JOINTS - 1 - count]))
            return false;
        leg[LEG_JOINTS - 1 - count++] = j;
    }
    return count == LEG_JOINTS && urdf->link[urdf->joint[joint].child].at_m[2] < -FEET_BELOW_M;
}

static bool find_legs(struct urdf *urdf)
{
    unsigned found[SIDE_COUNT] = {0};
    for (unsigned j = 0; j < urdf->joints; j++) {
        int leg[LEG_JOINTS];
        if (!urdf->joint[j].turns || !is_leg(urdf, (int)j, leg))
            continue;
        const enum side side =
            urdf->link[urdf->joint[leg[0]].child].at_m[1] > 0 ? SIDE_LEFT : SIDE_RIGHT;
        memcpy(urdf->leg[side], leg, sizeof leg);
        found[side]++;
    }
    if (found[SIDE_RIGHT] == 1 && found[SIDE_LEFT] == 1)
        return true;
    xml_complain(
        urdf->path, urdf->link[urdf->root].node,
        "%u right and %u left legs; a leg's six joints from the root turn about z, x, y, y, "
        "y and x, none about the opposite",
        found[SIDE_RIGHT], found[SIDE_LEFT]);
    return false;
}

static bool of_leg(const struct urdf *urdf, int joint, int *lump)
{
    for (int side = 0; side < SIDE_COUNT; side++)
        for (int i = 0; i < LEG_JOINTS; i++)
            if (urdf->leg[side][i] == joint) {
                *lump = 1 + side * LEG_JOINTS + i;
                return true;
            }
    return false;
}

// To which moving part each link belongs.
static void find_lumps(struct urdf *urdf)
{
    for (unsigned i = 0; i < urdf->links; i++) {
        int joint = urdf->link[i].above, lump = 0;
        while (joint >= 0 && !of_leg(urdf, joint, &lump))
            joint = urdf->link[urdf->joint[joint].parent].above;
        urdf->link[i].lump = lump;
    }
}

// ---- the half-sitting pose ----------------------------------------------------------------------

static bool read_state(struct urdf *urdf, const char *path, const xmlNode *state)
{
    for (const xmlNode *node = state->children; node != NULL; node = node->next) {
        if (!is(node, "joint"))
            continue;
        char *name = (char *)xmlGetNoNsProp(node, (const xmlChar *)"name");
        struct urdf_joint *joint = joint_named(urdf, name);
        xmlFree(name);
        // A virtual joint of the SRDF file is none here, and may have more values than one.
        if (joint != NULL && !numbers(path, node, "value", 1, &joint->stand_rad))
            return false;
    }
    urdf->half_sits = true;
    return true;
}

static bool read_half_sitting(struct urdf *urdf, const char *path)
{
    xmlDoc *document = xml_read(path);
    bool good = document != NULL;
    const xmlNode *root = good ? xmlDocGetRootElement(document) : NULL;
    for (const xmlNode *node = good ? root->children : NULL; node != NULL && good;
         node = node->next) {
        char *name =
            is(node, "group_state") ? (char *)xmlGetNoNsProp(node, (const xmlChar *)"name") : NULL;
        if (name != NULL && strcmp(name, "half_sitting") == 0)
            good = read_state(urdf, path, node);
        xmlFree(name);
    }
    if (good && !urdf->half_sits) {
        xml_complain(path, root, "there is no <group_state name=\"half_sitting\">");
        good = false;
    }
    xmlFreeDoc(document);
    return good;
}

// ---- the model ----------------------------------------------------------------------------------

static bool read_mass(const struct urdf *urdf, const struct urdf_link *link, double *mass_kg,
                      double com_m[3], double inertia[9])
{
    static const char *const name[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    const xmlNode *inertial = child_of(link->node, "inertial"), *of = child_of(inertial, "inertia");
    double at_m[3], R[9], turned[9], i[6] = {0}, half[9];
    *mass_kg = 0;
    if (inertial == NULL)
        return true;
    if (!read_origin(urdf->path, inertial, at_m, R) ||
        !numbers(urdf->path, child_of(inertial, "mass"), "value", 1, mass_kg))
        return false;
    for (int k = 0; k < 6; k++)
        if (!numbers(urdf->path, of, name[k], 1, &i[k]))
            return false;
    rotate(link->R, at_m, com_m);
    vec_add(com_m, link->at_m, com_m);
    rotation_product(link->R, R, turned);
    const double own[9] = {i[0], i[1], i[2], i[1], i[3], i[4], i[2], i[4], i[5]};
    rotation_product(turned, own, half);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            inertia[3 * a + b] = vec_dot(half + 3 * a, turned + 3 * b);
    return true;
}

// Adds a mass to a link, first to its mass and centre, then to its inertia about that centre.
static void add_mass(double mass_kg, const double com_m[3], struct robot_link *to)
{
    for (int k = 0; k < 3; k++)
        to->com_m[k] = (to->mass_kg * to->com_m[k] + mass_kg * com_m[k]) / (to->mass_kg + mass_kg);
    to->mass_kg += mass_kg;
}

static void add_inertia(double mass_kg, const double com_m[3], const double inertia[9],
                        struct robot_link *to)
{
    double d[3];
    vec_subtract(com_m, to->com_m, d);
    for (int k = 0; k < 3; k++)
        to->inertia_kg_m2[k] += inertia[4 * k] + mass_kg * (vec_dot(d, d) - d[k] * d[k]);
    to->product_kg_m2[0] += inertia[1] - mass_kg * d[0] * d[1];
    to->product_kg_m2[1] += inertia[2] - mass_kg * d[0] * d[2];
    to->product_kg_m2[2] += inertia[5] - mass_kg * d[1] * d[2];
}

// Gives the masses of a lump's links, which are in the root's frame, to its link at at_m.
static bool lump_mass(const struct urdf *urdf, int lump, const double at_m[3],
                      struct robot_link *to)
{
    double mass_kg, com_m[3], inertia[9];
    for (unsigned i = 0; i < 2 * urdf->links; i++) { // all masses, then all inertias
        const struct urdf_link *link = &urdf->link[i % urdf->links];
        if (link->lump != lump)
            continue;
        if (!read_mass(urdf, link, &mass_kg, com_m, inertia))
            return false;
        if (mass_kg > 0 && i < urdf->links)
            add_mass(mass_kg, com_m, to);
        else if (mass_kg > 0)
            add_inertia(mass_kg, com_m, inertia, to);
    }
    vec_subtract(to->com_m, at_m, to->com_m);
    return true;
}

static bool ends_with_sole(const char *name)
{
    char lower[ROBOT_NAME_MAX * 4];
    size_t i = 0;
    for (; name[i] != '\0' && i + 1 < sizeof lower; i++)
        lower[i] = (char)tolower((unsigned char)name[i]);
    lower[i] = '\0';
    return strstr(lower, "sole") != NULL;
}

// Adds the boxes of a link's collision elements, in axes of the root about at_m.
static bool add_boxes(const struct urdf *urdf, const struct urdf_link *link, const double at_m[3],
                      struct robot_link *to)
{
    for (const xmlNode *node = link->node->children; node != NULL; node = node->next) {
        const xmlNode *box =
            is(node, "collision") ? child_of(child_of(node, "geometry"), "box") : NULL;
        double size_m[3] = {0}, origin_m[3], middle_m[3], half_m[3], R[9], turned[9];
        if (box == NULL)
            continue;
        if (!numbers(urdf->path, box, "size", 3, size_m) ||
            !read_origin(urdf->path, node, origin_m, R))
            return false;
        rotate(link->R, origin_m, middle_m);
        rotation_product(link->R, R, turned);
        for (int k = 0; k < 3; k++) {
            middle_m[k] += link->at_m[k] - at_m[k];
            half_m[k] =
                0.5 * (fabs(turned[3 * k]) * size_m[0] + fabs(turned[3 * k + 1]) * size_m[1] +
                       fabs(turned[3 * k + 2]) * size_m[2]);
        }
        robot_link_box(to, middle_m, half_m);
    }
    return true;
}

// The foot below an ankle: its sole's rectangle, and how far it is below.
static bool add_foot(const struct urdf *urdf, enum side side, struct robot_model *model)
{
    const int lump = 1 + (int)side * LEG_JOINTS + LEG_AR;
    const double *at_m = urdf->link[urdf->joint[urdf->leg[side][LEG_AR]].child].at_m;
    struct robot_link *foot = &model->link[model->link_count++];
    struct robot_site *site = &model->site[model->site_count++];
    double sole_m = NAN;
    *foot = (struct robot_link){.parent = lump, .joint = -1, .passive = -1};
    snprintf(foot->name, sizeof foot->name, "%s_foot", side == SIDE_LEFT ? "left" : "right");
    for (unsigned i = 0; i < urdf->links; i++) {
        if (urdf->link[i].lump != lump)
            continue;
        if (ends_with_sole(urdf->link[i].name))
            sole_m = urdf->link[i].at_m[2] - at_m[2];
        if (!add_boxes(urdf, &urdf->link[i], at_m, foot))
            return false;
    }
    if (isnan(sole_m) && foot->boxed)
        sole_m = foot->box_m[2][0];
    if (!(sole_m < 0)) {
        xml_complain(urdf->path, urdf->joint[urdf->leg[side][LEG_AR]].node,
                     "where its sole is nobody says: give its child's <collision> a <box>, or a "
                     "fixed link whose name has \"sole\" in it");
        return false;
    }
    *site = (struct robot_site){.link = (int)model->link_count - 1, .position_m = {0, 0, sole_m}};
    snprintf(site->name, sizeof site->name, "ft_%s_foot", side == SIDE_LEFT ? "left" : "right");
    return true;
}

static void add_leg_joint(const struct urdf *urdf, enum side side, int i, struct robot_model *model)
{
    static const char *const name[LEG_JOINTS] = {"HY", "HR", "HP", "KN", "AP", "AR"};
    static const double bent[LEG_JOINTS] = {
        0, 0, -KNEE_BENT_RAD / 2, KNEE_BENT_RAD, -KNEE_BENT_RAD / 2, 0};
    const struct urdf_joint *from = &urdf->joint[urdf->leg[side][i]];
    const int above = i == 0 ? urdf->root : urdf->joint[urdf->leg[side][i - 1]].child;
    const int lump = 1 + (int)side * LEG_JOINTS + i;
    struct robot_link *link = &model->link[lump];
    struct robot_joint *joint = &model->joint[model->joint_count];
    *joint = (struct robot_joint){
        .link = lump, .position_min_rad = from->min_rad, .position_max_rad = from->max_rad};
    snprintf(joint->name, sizeof joint->name, "%c%s", side == SIDE_LEFT ? 'L' : 'R', name[i]);
    link->parent = i == 0 ? 0 : lump - 1;
    link->passive = -1;
    link->joint = (int)model->joint_count;
    link->axis[i == LEG_HY ? 2 : i == LEG_HR || i == LEG_AR ? 0 : 1] = 1;
    memcpy(link->name, joint->name, sizeof link->name);
    for (int k = 0; k < 3; k++) {
        const double away_m = urdf->link[from->child].at_m[k] - urdf->link[above].at_m[k];
        link->offset_m[k] = fabs(away_m) < 1e-9 ? 0 : away_m; // what turning has left of 0
    }
    model->stand_rad[model->joint_count++] = urdf->half_sits ? from->stand_rad : bent[i];
}

static bool make_model(struct urdf *urdf, struct robot_model *model)
{
    static const double nowhere_m[3];
    model->link[0] =
        (struct robot_link){.name = "pelvis", .parent = -1, .joint = -1, .passive = -1};
    model->link_count = LUMPS;
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++)
        for (int i = 0; i < LEG_JOINTS; i++)
            add_leg_joint(urdf, side, i, model);
    for (int lump = 0; lump < LUMPS; lump++) {
        const int joint =
            lump > 0 ? urdf->leg[(lump - 1) / LEG_JOINTS][(lump - 1) % LEG_JOINTS] : -1;
        const double *at_m = lump > 0 ? urdf->link[urdf->joint[joint].child].at_m : nowhere_m;
        if (!lump_mass(urdf, lump, at_m, &model->link[lump]))
            return false;
        if (model->link[lump].mass_kg <= 0) {
            xml_complain(urdf->path,
                         lump > 0 ? urdf->joint[joint].node : urdf->link[urdf->root].node,
                         "no link below it, to the next leg joint, has a mass");
            return false;
        }
        model->mass_kg += model->link[lump].mass_kg;
    }
    return add_foot(urdf, SIDE_RIGHT, model) && add_foot(urdf, SIDE_LEFT, model);
}

static void normalise(struct urdf *urdf)
{
    for (unsigned i = 0; i < urdf->joints; i++) {
        double *axis = urdf->joint[i].axis;
        const double length = sqrt(vec_dot(axis, axis));
        for (int k = 0; k < 3 && length > 0; k++)
            axis[k] /= length;
    }
}

// Legs are looked for as the file draws them; then what they carry takes its pose.
static bool load(struct urdf *urdf, const xmlNode *robot, const char *srdf,
                 struct robot_model *model)
{
    if (!is(robot, "robot")) {
        xml_complain(urdf->path, robot, "no URDF file: its root is <robot>");
        return false;
    }
    if (!read_parts(urdf, robot))
        return false;
    normalise(urdf);
    if (!place_all(urdf) || !find_legs(urdf) || (srdf != NULL && !read_half_sitting(urdf, srdf)))
        return false;
    double stand_rad[SIDE_COUNT][LEG_JOINTS];
    for (int side = 0; side < SIDE_COUNT; side++)
        for (int i = 0; i < LEG_JOINTS; i++) {
            stand_rad[side][i] = urdf->joint[urdf->leg[side][i]].stand_rad;
            urdf->joint[urdf->leg[side][i]].stand_rad = 0;
        }
    if (!place_all(urdf))
        return false;
    for (int side = 0; side < SIDE_COUNT; side++)
        for (int i = 0; i < LEG_JOINTS; i++)
            urdf->joint[urdf->leg[side][i]].stand_rad = stand_rad[side][i];
    find_lumps(urdf);
    return make_model(urdf, model);
}

static void free_names(struct urdf *urdf)
{
    for (unsigned i = 0; i < urdf->links; i++)
        xmlFree(urdf->link[i].name);
    for (unsigned i = 0; i < urdf->joints; i++)
        xmlFree(urdf->joint[i].name);
}

enum status robot_model_load_urdf(const char *path, const char *srdf, struct robot_model **model)
{
    *model = NULL;
    xmlDoc *document = xml_read(path);
    if (document == NULL)
        return STATUS_INVALID;
    struct urdf *urdf = calloc(1, sizeof *urdf);
    struct robot_model *made = calloc(1, sizeof *made);
    enum status status = STATUS_NO_MEMORY;
    if (urdf != NULL && made != NULL) {
        urdf->path = path;
        status =
            load(urdf, xmlDocGetRootElement(document), srdf, made) ? STATUS_OK : STATUS_INVALID;
        free_names(urdf);
    }
    free(urdf);
    xmlFreeDoc(document);
    if (status != STATUS_OK) {
        free(made);
        return status;
    }
    *model = made;
    return STATUS_OK;
}
