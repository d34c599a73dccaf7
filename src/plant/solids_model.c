#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/trouble.h"
#include "plant/solids_model_private.h"

#define FLOOR_BIT 30 // of what touches what; robot i has bit i
// For each robot and the floor. MuJoCo clears memory that grows with the square of the rows. Half
// of these are enough for three robots and for one that gets up; more than there is room for is a
// warning, which makes a trial an ERROR.
#define ROWS_MAX 400
#define CONTACTS_MAX 80

struct writing {
    FILE *out;
    const struct scene *scene;
    unsigned robot;
};

void solids_axis_name(char name[SOLIDS_MODEL_NAME_MAX], unsigned axis)
{
    snprintf(name, SOLIDS_MODEL_NAME_MAX, "axis%u", axis);
}

void solids_body_name(char name[SOLIDS_MODEL_NAME_MAX], unsigned robot, int solid)
{
    snprintf(name, SOLIDS_MODEL_NAME_MAX, "robot%u_%d", robot, solid);
}

// About x, then y, then z of the fixed frame.
static void quaternion_of(const double r[3], double q[4])
{
    const double cx = cos(r[0] / 2), sx = sin(r[0] / 2), cy = cos(r[1] / 2), sy = sin(r[1] / 2),
                 cz = cos(r[2] / 2), sz = sin(r[2] / 2);
    q[0] = cz * cy * cx + sz * sy * sx;
    q[1] = cz * cy * sx - sz * sy * cx;
    q[2] = cz * sy * cx + sz * cy * sx;
    q[3] = sz * cy * cx - cz * sy * sx;
}

static void rotate(const double q[4], const double v[3], double result[3])
{
    const double t[3] = {2 * (q[2] * v[2] - q[3] * v[1]), 2 * (q[3] * v[0] - q[1] * v[2]),
                         2 * (q[1] * v[1] - q[2] * v[0])};
    result[0] = v[0] + q[0] * t[0] + q[2] * t[2] - q[3] * t[1];
    result[1] = v[1] + q[0] * t[1] + q[3] * t[0] - q[1] * t[2];
    result[2] = v[2] + q[0] * t[2] + q[1] * t[1] - q[2] * t[0];
}

static void write_vector(FILE *out, const char *name, const double v[3])
{
    fprintf(out, " %s=\"%.17g %.17g %.17g\"", name, v[0], v[1], v[2]);
}

static void write_rotation(FILE *out, const double rotation_rad[3])
{
    double q[4];
    quaternion_of(rotation_rad, q);
    fprintf(out, " quat=\"%.17g %.17g %.17g %.17g\"", q[0], q[1], q[2], q[3]);
}

static void write_geom(FILE *out, const struct solid *solid, const double origin_m[3], unsigned bit)
{
    static const char *const type[] = {"box", "cylinder", "sphere"};
    const double *const s = solid->size_m;
    const double size[][3] = {[SOLID_CUBOID] = {s[0] / 2, s[1] / 2, s[2] / 2},
                              [SOLID_CYLINDER] = {s[0], s[2] / 2, 0},
                              [SOLID_SPHERE] = {s[0], 0, 0}};
    const double at_m[3] = {solid->position_m[0] - origin_m[0], solid->position_m[1] - origin_m[1],
                            solid->position_m[2] - origin_m[2]};
    fprintf(out, "<geom type=\"%s\" contype=\"%u\" conaffinity=\"%u\"", type[solid->shape],
            1u << bit, ((1u << (FLOOR_BIT + 1)) - 1) & ~(1u << bit));
    write_vector(out, "size", size[solid->shape]);
    write_vector(out, "pos", at_m);
    write_rotation(out, solid->rotation_rad);
    if (solid->mass_kg > 0)
        fprintf(out, " mass=\"%.17g\"", solid->mass_kg);
    fputs("/>\n", out);
}

// Of all axes, in the order of the files.
static unsigned axis_number(const struct writing *at, int articulation)
{
    const struct scene_robot *robot = &at->scene->robot[at->robot];
    unsigned number = robot->axis_first;
    for (int i = 0; i < articulation; i++)
        number += robot->robot->articulation[i].axes;
    return number;
}

// The angle is that of B1 against B2: a child that is B2 turns the other way round.
static void write_axes(const struct writing *at, const struct solid_link *link)
{
    const struct articulation *joint =
        &at->scene->robot[at->robot].robot->articulation[link->articulation];
    const bool reversed = joint->solid[1] == link->parent;
    for (unsigned i = 0; i < joint->axes; i++) {
        const unsigned a = reversed ? joint->axes - 1 - i : i;
        const struct articulation_axis *axis = &joint->axis[a];
        const double sign = reversed ? 1 : -1;
        const double direction[3] = {sign * axis->direction[0], sign * axis->direction[1],
                                     sign * axis->direction[2]};
        char name[SOLIDS_MODEL_NAME_MAX];
        solids_axis_name(name, axis_number(at, link->articulation) + a);
        fprintf(at->out, "<joint name=\"%s\" type=\"hinge\" pos=\"0 0 0\"", name);
        write_vector(at->out, "axis", direction);
        if (axis->min_rad < axis->max_rad)
            fprintf(at->out, " limited=\"true\" range=\"%.17g %.17g\"", axis->min_rad,
                    axis->max_rad);
        fputs("/>\n", at->out);
    }
}

static const double *origin_of(const struct solid_robot *robot, const struct solid_link *link)
{
    return link->articulation >= 0 ? robot->articulation[link->articulation].position_m
                                   : robot->solid[link->solid].position_m;
}

static void write_place(const struct writing *at, const struct solid_link *link,
                        const double parent_m[3])
{
    const struct scene_robot *robot = &at->scene->robot[at->robot];
    const double *const own_m = origin_of(robot->robot, link);
    double at_m[3], q[4];
    if (link->parent != SOLIDS_WORLD) {
        for (int i = 0; i < 3; i++)
            at_m[i] = own_m[i] - parent_m[i];
        write_vector(at->out, "pos", at_m);
        return;
    }
    quaternion_of(robot->rotation_rad, q);
    rotate(q, own_m, at_m);
    for (int i = 0; i < 3; i++)
        at_m[i] += robot->position_m[i];
    write_vector(at->out, "pos", at_m);
    write_rotation(at->out, robot->rotation_rad);
}

// A body with all that hangs on it; as deep as the tree, whose links are at most SOLIDS_MAX.
static void write_body(const struct writing *at, unsigned l, // NOLINT(misc-no-recursion)
                       const double parent_m[3])
{
    const struct scene_robot *robot = &at->scene->robot[at->robot];
    const struct solid_link *link = &robot->tree.link[l];
    const double *const own_m = origin_of(robot->robot, link);
    char name[SOLIDS_MODEL_NAME_MAX];
    solids_body_name(name, at->robot, link->solid);
    fprintf(at->out, "<body name=\"%s\"", name);
    write_place(at, link, parent_m);
    fputs(link->free ? "><freejoint/>\n" : ">\n", at->out);
    if (link->articulation >= 0)
        write_axes(at, link);
    write_geom(at->out, &robot->robot->solid[link->solid], own_m, at->robot);
    for (unsigned i = l + 1; i < robot->tree.count; i++)
        if (robot->tree.link[i].parent == link->solid)
            write_body(at, i, own_m);
    fputs("</body>\n", at->out);
}

static void write_robot(const struct writing *at)
{
    static const double origin_m[3] = {0, 0, 0};
    const struct solid_tree *tree = &at->scene->robot[at->robot].tree;
    for (unsigned l = 0; l < tree->count; l++)
        if (tree->link[l].parent == SOLIDS_WORLD)
            write_body(at, l, origin_m);
}

char *solids_model_text(const struct scene *scene, double armature_kg_m2)
{
    static const double origin_m[3] = {0, 0, 0};
    char *text = NULL;
    size_t size_B = 0;
    FILE *out = open_memstream(&text, &size_B);
    if (out == NULL) {
        (void)trouble_note(errno);
        return NULL;
    }
    fprintf(out,
            "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"true\"/>\n"
            "<option timestep=\"%.17g\" iterations=\"30\"/>\n"
            "<size njmax=\"%u\" nconmax=\"%u\"/>\n"
            "<default><joint armature=\"%.17g\"/></default>\n"
            "<worldbody><geom type=\"plane\" size=\"0 0 1\" contype=\"%u\" conaffinity=\"%u\"/>\n",
            SOLIDS_WORLD_STEP_NS * 1e-9, ROWS_MAX * (scene->robot_count + 1),
            CONTACTS_MAX * (scene->robot_count + 1), armature_kg_m2, 1u << FLOOR_BIT,
            (1u << FLOOR_BIT) - 1);
    for (unsigned i = 0; i < scene->obstacle_count; i++)
        write_geom(out, &scene->obstacle[i], origin_m, FLOOR_BIT);
    for (unsigned i = 0; i < scene->robot_count; i++)
        write_robot(&(struct writing){out, scene, i});
    fputs("</worldbody></mujoco>\n", out);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}
