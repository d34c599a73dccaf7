// Scenes: several robots and obstacles.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "model/solids.h"
#include "model/solids_private.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct scene_reading {
    struct scene *scene;
    char file[SOLIDS_PATH_MAX]; // that an element names
    enum status status;
};

// What `element` names, beside the scene's file.
static void read_file(struct solids_reading *reading, const xmlNode *element, void *into)
{
    struct scene_reading *at = into;
    char name[SOLIDS_NAME_MAX] = "";
    if (!solids_text(reading, element, "file", name))
        return;
    const char *slash = strrchr(reading->file, '/');
    const int folder = slash != NULL ? (int)(slash - reading->file) + 1 : 0;
    if (snprintf(at->file, sizeof at->file, "%.*s%s", folder, reading->file, name) >=
        (int)sizeof at->file)
        solids_refuse(reading, element, "file: the path is too long; move the file");
}

static void read_name(struct solids_reading *reading, const xmlNode *element, void *into)
{
    struct scene_reading *at = into;
    (void)solids_text(reading, element, "name", at->scene->robot[at->scene->robot_count].name);
}

static void read_position(struct solids_reading *reading, const xmlNode *element, void *into)
{
    struct scene_reading *at = into;
    solids_vector(reading, element, at->scene->robot[at->scene->robot_count].position_m, true);
}

static void read_rotation(struct solids_reading *reading, const xmlNode *element, void *into)
{
    struct scene_reading *at = into;
    solids_read_rotation(reading, element, at->scene->robot[at->scene->robot_count].rotation_rad);
}

static unsigned axes_of(const struct solid_robot *robot)
{
    unsigned axes = 0;
    for (unsigned i = 0; i < robot->articulation_count; i++)
        axes += robot->articulation[i].axes;
    return axes;
}

// The robot whose place has been read. What is wrong with it has been said.
static enum status add_robot(struct scene *scene, const char *path)
{
    struct scene_robot *robot = &scene->robot[scene->robot_count];
    enum status status = solids_read(path, &robot->robot);
    if (status == STATUS_OK)
        status = solids_connect(robot->robot, &robot->tree);
    if (status != STATUS_OK) {
        free(robot->robot);
        robot->robot = NULL;
        return status;
    }
    const struct scene_robot *before = scene->robot_count > 0 ? robot - 1 : NULL;
    robot->axis_first = before != NULL ? before->axis_first + before->axis_count : 0;
    robot->axis_count = axes_of(robot->robot);
    scene->robot_count++;
    return STATUS_OK;
}

static void read_robot(struct solids_reading *reading, const xmlNode *element, void *into)
{
    static const struct solids_child table[] = {{"ID", read_name, false, false},
                                                {"pos", read_position, false, true},
                                                {"rot_deg", read_rotation, false, false},
                                                {"body", read_file, false, true}};
    struct scene_reading *at = into;
    if (at->scene->robot_count == SOLIDS_ROBOTS_MAX) {
        solids_refuse(reading, element, "is one robot too many; use at most %d", SOLIDS_ROBOTS_MAX);
        return;
    }
    at->scene->robot[at->scene->robot_count] = (struct scene_robot){0};
    solids_children(reading, element, table, COUNT(table), into);
    if (!reading->ok)
        return;
    at->status = add_robot(at->scene, at->file);
    reading->ok = at->status == STATUS_OK;
}

static void read_obstacle(struct solids_reading *reading, const xmlNode *element, void *into)
{
    struct scene_reading *at = into;
    struct solid *obstacle = &at->scene->obstacle[at->scene->obstacle_count];
    if (at->scene->obstacle_count == SOLIDS_OBSTACLES_MAX) {
        solids_refuse(reading, element, "is one obstacle too many; use at most %d",
                      SOLIDS_OBSTACLES_MAX);
        return;
    }
    solids_read_solid(reading, element, true, obstacle);
    at->scene->obstacle_count++;
}

static const struct solids_child shapes[] = {{"cuboid", read_obstacle, true, false},
                                             {"cylinder", read_obstacle, true, false},
                                             {"sphere", read_obstacle, true, false}};

static void read_obstacles(struct solids_reading *reading, const xmlNode *element, void *into)
{
    struct scene_reading *at = into;
    if (!xmlHasProp(element, (const xmlChar *)"file")) {
        solids_children(reading, element, shapes, COUNT(shapes), into);
        return;
    }
    read_file(reading, element, into);
    xmlDoc *document = reading->ok ? xml_read(at->file) : NULL;
    struct solids_reading inner = {.file = at->file, .ok = document != NULL};
    if (document != NULL)
        solids_children(&inner, xmlDocGetRootElement(document), shapes, COUNT(shapes), into);
    xmlFreeDoc(document);
    reading->ok &= inner.ok;
}

static void read_scene(struct solids_reading *reading, const xmlNode *root,
                       struct scene_reading *at)
{
    static const struct solids_child table[] = {
        {"robot", read_robot, true, true}, {"defines", solids_read_defines, true, false},
        {"sensors", NULL, true, false},    {"obstacles", read_obstacles, true, false},
        {"things", NULL, false, false},    {"track", NULL, false, false}};
    if (strcmp((const char *)root->name, "robot") == 0) { // alone in the world
        at->status = add_robot(at->scene, reading->file);
        reading->ok = at->status == STATUS_OK;
    } else if (strcmp((const char *)root->name, "scene") == 0) {
        solids_children(reading, root, table, COUNT(table), at);
    } else {
        solids_refuse(reading, root,
                      "is not a scene; its first element must be <scene> or <robot>");
    }
}

enum status scene_read(const char *path, struct scene **scene)
{
    *scene = NULL;
    xmlDoc *document = xml_read(path);
    if (document == NULL)
        return STATUS_INVALID;
    struct scene_reading at = {.scene = calloc(1, sizeof *at.scene), .status = STATUS_INVALID};
    struct solids_reading reading = {.file = path, .ok = true};
    if (at.scene != NULL)
        read_scene(&reading, xmlDocGetRootElement(document), &at);
    xmlFreeDoc(document);
    if (at.scene == NULL)
        return STATUS_NO_MEMORY;
    if (!reading.ok) {
        scene_free(at.scene);
        return at.status == STATUS_OK ? STATUS_INVALID : at.status;
    }
    *scene = at.scene;
    return STATUS_OK;
}

void scene_free(struct scene *scene)
{
    for (unsigned i = 0; scene != NULL && i < scene->robot_count; i++)
        free(scene->robot[i].robot);
    free(scene);
}
