#include "plant/scenery/ground.h"

#include <math.h>
#include <string.h>

#include "plant/scenery/model_edit.h"

#define HALF_WIDTH_M 2.0
#define SLOPE_HALF_THICK_M 0.5
#define SLOPE_TOP_HALF_M 2.0
#define BEHIND_M 2.0 // of the robot, where it begins above a slope

bool ground_is_level(const struct ground *ground)
{
    return ground->stairs == 0 && ground->slope_length_m == 0;
}

// A box the robot can stand on, like the floor.
static void add_box(xmlNode *world, const double centre_m[2], double half_x_m, double half_z_m,
                    double pitch_rad)
{
    xmlNode *box = model_add(world, "geom");
    model_set(box, "type", "box");
    model_set(box, "pos", "%.9g 0 %.9g", centre_m[0], centre_m[1]);
    model_set(box, "size", "%.9g %g %.9g", half_x_m, HALF_WIDTH_M, half_z_m);
    model_set(box, "euler", "0 %.9g 0", pitch_rad);
    model_set(box, "conaffinity", "1");
    model_set(box, "friction", "0.8 0.005 0.0001");
    model_set(box, "solref", "0.006 1");
    model_set(box, "rgba", "0.5 0.45 0.4 1");
}

static void add_stairs(xmlNode *world, const struct ground *ground)
{
    const double last_m =
        ground->stairs_x_m + 2 * (ground->stairs - 1) * ground->depth_m + ground->top_m;
    for (unsigned i = 0; i < ground->stairs; i++) {
        const double from_m = ground->stairs_x_m + i * ground->depth_m;
        const double to_m = last_m - i * ground->depth_m;
        const double centre_m[2] = {0.5 * (from_m + to_m), (i + 0.5) * ground->rise_m};
        add_box(world, centre_m, 0.5 * (to_m - from_m), 0.5 * ground->rise_m, 0);
    }
}

// The floor lies lower; the robot begins on a platform.
static void begin_above(xmlNode *world, double from_m, double height_m)
{
    const double centre_m[2] = {0.5 * (from_m - BEHIND_M), -0.5 * height_m};
    for (xmlNode *geom = world->children; geom != NULL; geom = geom->next) {
        xmlChar *name = xmlGetProp(geom, (const xmlChar *)"name");
        if (name != NULL && strcmp((const char *)name, "floor") == 0)
            model_set(geom, "pos", "0 0 %.9g", -height_m);
        xmlFree(name);
    }
    add_box(world, centre_m, 0.5 * (from_m + BEHIND_M), 0.5 * height_m, 0);
}

static void add_slope(xmlNode *world, const struct ground *ground)
{
    const double c = cos(ground->slope_rad), s = sin(ground->slope_rad);
    const double half_m = 0.5 * ground->slope_length_m / c;
    const double height_m = ground->slope_length_m * s / c;
    const double centre_m[2] = {ground->slope_x_m + half_m * c + SLOPE_HALF_THICK_M * s,
                                half_m * s - SLOPE_HALF_THICK_M * c};
    const double top_m[2] = {ground->slope_x_m + ground->slope_length_m + SLOPE_TOP_HALF_M,
                             0.5 * height_m};
    add_box(world, centre_m, half_m, SLOPE_HALF_THICK_M, -ground->slope_rad);
    if (height_m > 0)
        add_box(world, top_m, SLOPE_TOP_HALF_M, 0.5 * height_m, 0);
    else
        begin_above(world, ground->slope_x_m, -height_m);
}

void ground_extend(xmlNode *root, const struct ground *ground)
{
    xmlNode *world = model_section(root, "worldbody");
    if (ground->stairs > 0)
        add_stairs(world, ground);
    if (ground->slope_length_m > 0)
        add_slope(world, ground);
}
