#include "model/movement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/trouble.h"
#include "model/movement_private.h"
#include "model/solids_private.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define DEGREE (3.14159265358979323846 / 180)
#define FINAL_TIME_MAX_S 3600

struct movement *movements_add(struct movements **movements)
{
    const unsigned count = *movements != NULL ? (*movements)->count : 0;
    if (count == MOVEMENTS_MAX)
        return NULL;
    struct movements *grown = trouble_realloc(
        *movements, sizeof **movements + (count + 1) * sizeof(*movements)->movement[0]);
    if (grown == NULL)
        return NULL;
    *movements = grown;
    grown->count = count + 1;
    memset(&grown->movement[count], 0, sizeof grown->movement[count]);
    return &grown->movement[count];
}

const struct movement *movements_find(const struct movements *movements, const char *name)
{
    for (unsigned i = 0; i < movements->count; i++)
        if (strcmp(movements->movement[i].name, name) == 0)
            return &movements->movement[i];
    return NULL;
}

enum status movements_read(const char *path, const struct solid_robot *robot,
                           struct movements **movements)
{
    const size_t length = strlen(path);
    *movements = NULL;
    if (length >= 4 && strcmp(path + length - 4, ".mtn") == 0)
        return movements_read_mtn(path, movements);
    return movements_read_way_points(path, robot, movements);
}

// ---- way points ---------------------------------------------------------------------------------

struct way_points {
    const struct solid_robot *robot;
    struct movement *movement;
    double time_s; // when the state before this ends
};

static const struct articulation *joint_called(const struct solid_robot *robot, const char *id)
{
    for (unsigned i = 0; i < robot->articulation_count; i++)
        if (strcmp(robot->articulation[i].id, id) == 0)
            return &robot->articulation[i];
    return NULL;
}

// The axis that the element names; NULL: it is refused.
static const struct articulation_axis *axis_of(struct solids_reading *reading,
                                               const xmlNode *element,
                                               const struct solid_robot *robot, const char *id,
                                               uint32_t number)
{
    const struct articulation *joint = joint_called(robot, id);
    if (joint == NULL) {
        solids_refuse(reading, element, "ID=\"%s\": the robot has no such joint; see %s", id,
                      robot->path);
        return NULL;
    }
    if (number > joint->axes) {
        solids_refuse(reading, element, "axis=\"%u\": joint '%s' has %u; correct it", number, id,
                      joint->axes);
        return NULL;
    }
    const struct articulation_axis *axis = &joint->axis[number - 1];
    if (axis->servo > 0 && axis->servo < MOVEMENT_SERVOS)
        return axis;
    solids_refuse(reading, element,
                  "ID=\"%s\": no servo from 1 to %d drives this axis; number it in %s", id,
                  MOVEMENT_SERVOS - 1, robot->path);
    return NULL;
}

static void read_joint(struct solids_reading *reading, const xmlNode *element, void *into)
{
    struct way_points *at = into;
    struct movement_step *step = &at->movement->step[at->movement->step_count];
    char id[SOLIDS_NAME_MAX] = "";
    uint32_t number = 1;
    double theta = 0, w = 0;
    const struct xml_attribute table[] = {
        {"ID", XML_TEXT, id, sizeof id, 0, 0, false},
        {"axis", XML_UNSIGNED, &number, 0, 1, 2, true},
        {"theta", XML_REAL, &theta, 0, -360, 360, false},
        {"w", XML_REAL, &w, 0, -10000, 10000, true},
    };
    if (!xml_read_attributes(reading->file, element, table, COUNT(table))) {
        reading->ok = false;
        return;
    }
    const struct articulation_axis *axis = axis_of(reading, element, at->robot, id, number);
    if (axis == NULL)
        return;
    if (axis->min_rad < axis->max_rad &&
        (theta * DEGREE < axis->min_rad - 1e-9 || theta * DEGREE > axis->max_rad + 1e-9))
        solids_refuse(reading, element,
                      "theta=\"%g\": joint '%s' has limits %g and %g; stay within", theta, id,
                      axis->min_rad / DEGREE, axis->max_rad / DEGREE);
    if ((step->servos & 1u << axis->servo) != 0)
        solids_refuse(reading, element, "ID=\"%s\": this state moves the joint twice; remove one",
                      id);
    step->servos |= 1u << axis->servo;
    step->angle_rad[axis->servo] = theta * DEGREE;
    step->velocity_rad_s[axis->servo] = w * DEGREE;
}

static void read_state(struct solids_reading *reading, const xmlNode *element, void *into)
{
    static const struct solids_child joints[] = {{"joint", read_joint, true, false}};
    struct way_points *at = into;
    char id[SOLIDS_NAME_MAX] = "";
    double time_s = 0;
    const struct xml_attribute table[] = {
        {"ID", XML_TEXT, id, sizeof id, 0, 0, false},
        {"final_time", XML_REAL, &time_s, 0, 0, FINAL_TIME_MAX_S, false},
    };
    if (at->movement->step_count == MOVEMENT_STEPS_MAX) {
        solids_refuse(reading, element, "is one state too many; use at most %d",
                      MOVEMENT_STEPS_MAX);
        return;
    }
    if (!xml_read_attributes(reading->file, element, table, COUNT(table))) {
        reading->ok = false;
        return;
    }
    if (!(time_s > at->time_s + 1e-9))
        solids_refuse(reading, element,
                      "final_time=\"%g\": is not after %g s; states follow in time", time_s,
                      at->time_s);
    struct movement_step *step = &at->movement->step[at->movement->step_count];
    step->duration_s = time_s - at->time_s;
    solids_children(reading, element, joints, COUNT(joints), at);
    at->time_s = time_s;
    at->movement->step_count++;
}

static void name_after(const char *path, char name[MOVEMENT_NAME_MAX])
{
    const char *slash = strrchr(path, '/');
    const char *file = slash != NULL ? slash + 1 : path;
    snprintf(name, MOVEMENT_NAME_MAX, "%.*s", (int)strcspn(file, "."), file);
}

enum status movements_read_way_points(const char *path, const struct solid_robot *robot,
                                      struct movements **movements)
{
    static const struct solids_child states[] = {{"state", read_state, true, true}};
    xmlDoc *document = xml_read(path);
    if (document == NULL)
        return STATUS_INVALID;
    struct solids_reading reading = {.file = path, .ok = true};
    struct way_points at = {robot, movements_add(movements), 0};
    const xmlNode *root = xmlDocGetRootElement(document);
    if (at.movement == NULL) {
        xmlFreeDoc(document);
        return STATUS_NO_MEMORY;
    }
    name_after(path, at.movement->name);
    at.movement->repeat = 1;
    if (strcmp((const char *)root->name, "joint_waypoints") != 0)
        solids_refuse(&reading, root,
                      "is not a movement; its first element must be <joint_waypoints>");
    else
        solids_children(&reading, root, states, COUNT(states), &at);
    xmlFreeDoc(document);
    if (reading.ok)
        return STATUS_OK;
    free(*movements);
    *movements = NULL;
    return STATUS_INVALID;
}
