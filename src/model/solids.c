#include "model/solids.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "model/solids_private.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define DEGREE (3.14159265358979323846 / 180)
#define SERVO_MAX 253

// ---- joints -------------------------------------------------------------------------------------

// A joint while it is read: the solids it connects may stand behind it in the file.
struct joint_reading {
    struct solid_robot *robot;
    struct articulation joint;
    bool second, second_limits;
};

static void read_id(struct solids_reading *reading, const xmlNode *element, void *into)
{
    struct joint_reading *at = into;
    (void)solids_text(reading, element, "value", at->joint.id);
}

static void read_position(struct solids_reading *reading, const xmlNode *element, void *into)
{
    struct joint_reading *at = into;
    solids_vector(reading, element, at->joint.position_m, false);
}

static void read_axis(struct solids_reading *reading, const xmlNode *element, void *into)
{
    struct joint_reading *at = into;
    const bool second = strcmp((const char *)element->name, "axis2") == 0;
    struct articulation_axis *axis = &at->joint.axis[second];
    double *const d = axis->direction, servo = 0, wrap = 0;
    const struct solids_number table[] = {
        {"x", &d[0], false},
        {"y", &d[1], false},
        {"z", &d[2], false},
        {xmlHasProp(element, (const xmlChar *)"wrap") ? "wrap" : "servo",
         xmlHasProp(element, (const xmlChar *)"wrap") ? &wrap : &servo, true}};
    at->second |= second;
    if (!solids_numbers(reading, element, table, COUNT(table)))
        return;
    const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (!(length > 1e-9) || !isfinite(length))
        solids_refuse(reading, element, "an axis of length %g; write for example y='1'", length);
    if (servo != floor(servo) || servo < 0 || servo > SERVO_MAX)
        solids_refuse(reading, element, "servo=\"%g\": is not a whole number from 1 to %d", servo,
                      SERVO_MAX);
    if (!reading->ok)
        return;
    axis->servo = (unsigned)servo;
    for (int i = 0; i < 3; i++)
        d[i] /= length;
}

static void read_limits(struct solids_reading *reading, const xmlNode *element, void *into)
{
    struct joint_reading *at = into;
    const bool second = strcmp((const char *)element->name, "limits2") == 0;
    struct articulation_axis *axis = &at->joint.axis[second];
    double least = 0, most = 0;
    const struct solids_number table[] = {{"Min", &least, false}, {"Max", &most, false}};
    at->second_limits |= second;
    if (!solids_numbers(reading, element, table, COUNT(table)))
        return;
    if (!(least < most))
        solids_refuse(reading, element, "Min=\"%g\": is not below Max=\"%g\"; swap or correct them",
                      least, most);
    if (least < -360 || most > 360)
        solids_refuse(reading, element, "%g to %g degrees: is out of range; use -360 to 360", least,
                      most);
    axis->min_rad = least * DEGREE;
    axis->max_rad = most * DEGREE;
}

static int solid_called(const struct solid_robot *robot, const char *id)
{
    for (unsigned i = 0; i < robot->solid_count; i++)
        if (strcmp(robot->solid[i].id, id) == 0)
            return (int)i;
    return SOLIDS_MAX;
}

// Whether there is such a solid is asked when the robot is connected.
static void read_connect(struct solids_reading *reading, const xmlNode *element, void *into)
{
    struct joint_reading *at = into;
    char id[2][SOLIDS_NAME_MAX] = {"", ""};
    const struct xml_attribute table[] = {{"B1", XML_TEXT, id[0], SOLIDS_NAME_MAX, 0, 0, false},
                                          {"B2", XML_TEXT, id[1], SOLIDS_NAME_MAX, 0, 0, false}};
    if (!xml_read_attributes(reading->file, element, table, COUNT(table))) {
        reading->ok = false;
        return;
    }
    if (strcmp(id[0], id[1]) == 0)
        solids_refuse(reading, element, "B1 and B2 are both '%s'; name two solids", id[0]);
    for (int i = 0; i < 2; i++)
        at->joint.solid[i] =
            strcmp(id[i], "world") == 0 ? SOLIDS_WORLD : solid_called(at->robot, id[i]);
}

static void read_type(struct solids_reading *reading, const xmlNode *element, void *into)
{
    struct joint_reading *at = into;
    char type[SOLIDS_NAME_MAX] = "";
    if (!solids_text(reading, element, "value", type))
        return;
    at->joint.axes = strcmp(type, "Universal") == 0 ? 2 : 1;
    if (at->joint.axes == 1 && strcmp(type, "Hinge") != 0)
        solids_refuse(reading, element,
                      "value=\"%s\": is not a type of joint; use Hinge or Universal", type);
}

static void read_name(struct solids_reading *reading, const xmlNode *element, void *into)
{
    struct joint_reading *at = into;
    xmlChar *text = xmlGetNoNsProp(element, (const xmlChar *)"Eng");
    (void)reading;
    if (text != NULL)
        snprintf(at->joint.name, sizeof at->joint.name, "%.31s", (const char *)text);
    xmlFree(text);
}

static void check_joint(struct solids_reading *reading, const xmlNode *element,
                        const struct joint_reading *at)
{
    const struct articulation *joint = &at->joint;
    for (unsigned i = 0; i < at->robot->articulation_count; i++)
        if (strcmp(at->robot->articulation[i].id, joint->id) == 0)
            solids_refuse(reading, element,
                          "ID '%s' is that of the joint in line %ld, too; give it one of its own",
                          joint->id, at->robot->articulation[i].line);
    if ((joint->axes == 2) != at->second)
        solids_refuse(reading, element,
                      joint->axes == 2 ? "a Universal joint without <axis2 .../>; add it"
                                       : "a Hinge with an <axis2 .../>; remove it");
    if (joint->axes == 1 && at->second_limits)
        solids_refuse(reading, element, "a Hinge with <limits2 .../>; remove it");
    if (joint->axes == 2 && at->second &&
        fabs(joint->axis[0].direction[0] * joint->axis[1].direction[0] +
             joint->axis[0].direction[1] * joint->axis[1].direction[1] +
             joint->axis[0].direction[2] * joint->axis[1].direction[2]) > 0.99)
        solids_refuse(reading, element, "both axes of the Universal joint are the same; turn one");
    if (at->robot->articulation_count == SOLIDS_AXES_MAX)
        solids_refuse(reading, element, "is one joint too many; use at most %d", SOLIDS_AXES_MAX);
}

static void read_joint(struct solids_reading *reading, const xmlNode *element, void *into)
{
    static const struct solids_child table[] = {
        {"ID", read_id, false, true},           {"pos", read_position, false, true},
        {"axis", read_axis, false, true},       {"axis2", read_axis, false, false},
        {"connect", read_connect, false, true}, {"limits", read_limits, false, false},
        {"limits2", read_limits, false, false}, {"type", read_type, false, false},
        {"desc", read_name, true, false},       {"draw", NULL, false, false},
        {"ndraw", NULL, false, false},          {"motor", NULL, false, false},
        {"rotor", NULL, false, false},          {"gear", NULL, false, false},
        {"friction", NULL, false, false},       {"encoder", NULL, false, false},
        {"controller", NULL, false, false},     {"spring", NULL, false, false},
    };
    struct joint_reading at = {.robot = into, .joint = {.axes = 1}};
    const bool good = reading->ok;
    at.joint.line = xmlGetLineNo(element);
    reading->ok = true;
    solids_children(reading, element, table, COUNT(table), &at);
    if (reading->ok)
        check_joint(reading, element, &at);
    if (reading->ok)
        at.robot->articulation[at.robot->articulation_count++] = at.joint;
    reading->ok &= good;
}

// ---- a robot ------------------------------------------------------------------------------------

static void read_kind(struct solids_reading *reading, const xmlNode *element, void *into)
{
    struct solid_robot *robot = into;
    (void)solids_text(reading, element, "value", robot->kind);
}

static void read_constant(struct solids_reading *reading, const xmlNode *element, void *into)
{
    char name[ARITHMETIC_NAME_MAX] = "", text[128] = "";
    const struct xml_attribute table[] = {{"name", XML_TEXT, name, sizeof name, 0, 0, false},
                                          {"value", XML_TEXT, text, sizeof text, 0, 0, false}};
    double value = 0;
    const char *why;
    (void)into;
    if (!xml_read_attributes(reading->file, element, table, COUNT(table)))
        reading->ok = false;
    else if (!arithmetic_value(&reading->arithmetic, text, &value, &why))
        solids_refuse(reading, element, "value=\"%.40s\": %s", text, why);
    else if (!arithmetic_define(&reading->arithmetic, name, value, &why))
        solids_refuse(reading, element, "name=\"%s\": %s", name, why);
}

void solids_read_defines(struct solids_reading *reading, const xmlNode *element, void *into)
{
    static const struct solids_child table[] = {{"const", read_constant, true, false}};
    solids_children(reading, element, table, COUNT(table), into);
}

static void read_solid(struct solids_reading *reading, const xmlNode *element, void *into)
{
    struct solid_robot *robot = into;
    struct solid solid;
    const bool good = reading->ok;
    reading->ok = true;
    solids_read_solid(reading, element, false, &solid);
    const int other = reading->ok ? solid_called(robot, solid.id) : SOLIDS_MAX;
    if (other != SOLIDS_MAX)
        solids_refuse(reading, element,
                      "ID '%s' is that of the solid in line %ld, too; give it one of its own",
                      solid.id, robot->solid[other].line);
    if (strcmp(solid.id, "world") == 0)
        solids_refuse(reading, element, "ID 'world' means what does not move; choose another");
    if (robot->solid_count == SOLIDS_MAX)
        solids_refuse(reading, element, "is one solid too many; use at most %d", SOLIDS_MAX);
    if (reading->ok)
        robot->solid[robot->solid_count++] = solid;
    reading->ok &= good;
}

static void read_solids(struct solids_reading *reading, const xmlNode *element, void *into)
{
    static const struct solids_child table[] = {{"cuboid", read_solid, true, false},
                                                {"cylinder", read_solid, true, false},
                                                {"sphere", read_solid, true, false}};
    solids_children(reading, element, table, COUNT(table), into);
}

static void read_joints(struct solids_reading *reading, const xmlNode *element, void *into)
{
    static const struct solids_child table[] = {{"joint", read_joint, true, false},
                                                {"default", NULL, false, false}};
    solids_children(reading, element, table, COUNT(table), into);
}

static void read_robot(struct solids_reading *reading, const xmlNode *root,
                       struct solid_robot *robot)
{
    static const struct solids_child table[] = {
        {"kind", read_kind, false, false},   {"defines", solids_read_defines, true, false},
        {"solids", read_solids, true, true}, {"articulations", read_joints, true, false},
        {"shells", NULL, false, false},      {"sensors", NULL, false, false},
        {"tools", NULL, false, false},
    };
    if (strcmp((const char *)root->name, "robot") != 0) {
        solids_refuse(reading, root, "is not a robot; its first element must be <robot>");
        return;
    }
    solids_children(reading, root, table, COUNT(table), robot);
    if (reading->ok && robot->solid_count == 0)
        solids_refuse(reading, root, "has no solid; add one to <solids>");
}

enum status solids_read(const char *path, struct solid_robot **robot)
{
    *robot = NULL;
    xmlDoc *document = xml_read(path);
    if (document == NULL)
        return STATUS_INVALID;
    struct solid_robot *read = calloc(1, sizeof *read);
    struct solids_reading reading = {.file = path, .ok = true};
    if (read != NULL) {
        snprintf(read->path, sizeof read->path, "%.255s", path);
        read_robot(&reading, xmlDocGetRootElement(document), read);
    }
    xmlFreeDoc(document);
    if (read == NULL)
        return STATUS_NO_MEMORY;
    if (!reading.ok) {
        free(read);
        return STATUS_INVALID;
    }
    *robot = read;
    return STATUS_OK;
}

// ---- the tree -----------------------------------------------------------------------------------

static bool complain(const struct solid_robot *robot, const struct articulation *joint,
                     const char *what)
{
    log_error("%s:%ld: <joint>: '%s': %s", robot->path, joint->line, joint->id, what);
    return false;
}

static bool check_connections(const struct solid_robot *robot)
{
    bool servo[SERVO_MAX + 1] = {false}, ok = true;
    for (unsigned i = 0; i < robot->articulation_count; i++) {
        const struct articulation *joint = &robot->articulation[i];
        if (joint->solid[0] == SOLIDS_MAX || joint->solid[1] == SOLIDS_MAX)
            ok = complain(robot, joint,
                          "<connect> names a solid that is not there; add it to <solids>");
        for (unsigned a = 0; a < joint->axes; a++) {
            const unsigned number = joint->axis[a].servo;
            if (number > 0 && servo[number])
                ok = complain(robot, joint, "its servo drives another axis already; renumber it");
            servo[number] = true;
        }
    }
    return ok;
}

struct connecting {
    const struct solid_robot *robot;
    struct solid_tree *tree;
    bool placed[SOLIDS_MAX], used[SOLIDS_AXES_MAX];
};

static void place(struct connecting *at, int solid, int parent, int joint, bool is_free)
{
    at->placed[solid] = true;
    at->tree->link[at->tree->count++] = (struct solid_link){solid, parent, joint, is_free};
}

// All that hangs on `parent`. False, reported: a loop.
static bool hang(struct connecting *at, int parent)
{
    for (unsigned j = 0; j < at->robot->articulation_count; j++) {
        const struct articulation *joint = &at->robot->articulation[j];
        if (at->used[j] || (joint->solid[0] != parent && joint->solid[1] != parent))
            continue;
        const int child = joint->solid[joint->solid[0] == parent];
        at->used[j] = true;
        if (child == SOLIDS_WORLD || at->placed[child])
            return complain(at->robot, joint,
                            "closes a loop of bodies; remove one joint of the loop");
        place(at, child, parent, (int)j, false);
    }
    return true;
}

// From the first link that has not been looked at to the last, which grow in number meanwhile.
static bool grow(struct connecting *at, unsigned from)
{
    bool ok = true;
    for (unsigned l = from; l < at->tree->count && ok; l++)
        ok = hang(at, at->tree->link[l].solid);
    return ok;
}

enum status solids_connect(const struct solid_robot *robot, struct solid_tree *tree)
{
    struct connecting at = {.robot = robot, .tree = tree};
    tree->count = 0;
    if (!check_connections(robot) || !hang(&at, SOLIDS_WORLD) || !grow(&at, 0))
        return STATUS_INVALID;
    for (int s = 0; s < (int)robot->solid_count; s++) {
        const unsigned first = tree->count;
        if (at.placed[s])
            continue;
        place(&at, s, SOLIDS_WORLD, -1, true);
        if (!grow(&at, first))
            return STATUS_INVALID;
    }
    return STATUS_OK;
}
