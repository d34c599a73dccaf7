#include "plant/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plant/body_private.h"
#include "plant/offscreen.h"

#define GEOMS_MAX 2000
#define SHADOW_SIDE 1024
#define SAMPLES 2 // of a pixel
#define AZIMUTH_DEG 150
#define ELEVATION_DEG (-15)
#define AWAY 1.4 // of the body's size
#define TILES_PER_SIZE 3
#define FOG_START 2.0f // of it, too: what is farther fades into the background
#define FOG_END 6.0f

struct picture {
    struct body *body;
    struct offscreen *offscreen;
    mjvScene scene;
    mjvCamera camera;
    mjvOption option;
    mjrContext context;
    mjrRect frame;
    uint8_t *drawn, *turned; // from the bottom, as OpenGL reads it; from the top
    int tracked;             // body that the camera follows
    double size_m;
    bool has_scene, has_context;
};

// ---- what the camera looks at -------------------------------------------------------------------

// The first body that moves freely; without one, all of it.
static int tracked_body(const mjModel *model)
{
    for (int j = 0; j < model->njnt; j++)
        if (model->jnt_type[j] == mjJNT_FREE)
            return model->jnt_bodyid[j];
    return model->nbody > 1 ? 1 : 0;
}

// Of the tracked body with what hangs on it, at the model's own pose.
static double size_of(const struct body *body, int tracked)
{
    const mjModel *model = body->model;
    double reach_m = 0;
    for (int g = 0; g < model->ngeom; g++) {
        const int part = model->geom_bodyid[g];
        if (model->body_rootid[part] != model->body_rootid[tracked] || part == 0)
            continue;
        double away_m[3];
        mju_sub3(away_m, body->data->geom_xpos + 3 * g, body->data->xpos + 3 * tracked);
        reach_m = fmax(reach_m, mju_norm3(away_m) + model->geom_rbound[g]);
    }
    return reach_m > 0 ? 2 * reach_m : 1;
}

// ---- floor and sky ------------------------------------------------------------------------------

static const float sky_colour[4] = {0.80f, 0.86f, 0.93f, 1};

static mjvGeom *add_geom(struct picture *picture, int type, const double size_m[3],
                         const double at_m[3], const float colour[4])
{
    if (picture->scene.ngeom >= picture->scene.maxgeom)
        return NULL;
    mjvGeom *geom = &picture->scene.geoms[picture->scene.ngeom++];
    mjv_initGeom(geom, type, size_m, at_m, NULL, colour);
    geom->category = mjCAT_DECOR; // casts no shadow
    geom->reflectance = 0;
    geom->specular = 0;
    return geom;
}

// The model's horizontal plane, in one colour; NULL: it has none.
static const mjvGeom *paint_floor(struct picture *picture)
{
    static const float light[4] = {0.62f, 0.67f, 0.72f, 1};
    for (int i = 0; i < picture->scene.ngeom; i++) {
        mjvGeom *geom = &picture->scene.geoms[i];
        if (geom->type != mjGEOM_PLANE || geom->mat[8] < 0.999f)
            continue;
        memcpy(geom->rgba, light, sizeof light);
        geom->texid = -1;
        geom->reflectance = 0;
        geom->specular = 0;
        return geom;
    }
    return NULL;
}

// Every second tile of a checkerboard around the camera's point: it shows what moves.
static void lay_tiles(struct picture *picture, double height_m)
{
    enum { AROUND = 12 };
    static const float dark[4] = {0.53f, 0.58f, 0.64f, 1};
    const double edge_m = picture->size_m / TILES_PER_SIZE;
    const double size_m[3] = {edge_m / 2, edge_m / 2, 1};
    const int column = (int)floor(picture->camera.lookat[0] / edge_m),
              row = (int)floor(picture->camera.lookat[1] / edge_m);
    for (int x = column - AROUND; x < column + AROUND; x++)
        for (int y = row - AROUND; y < row + AROUND; y++) {
            const double at_m[3] = {(x + 0.5) * edge_m, (y + 0.5) * edge_m, height_m};
            if (((x + y) & 1) != 0)
                (void)add_geom(picture, mjGEOM_PLANE, size_m, at_m, dark);
        }
}

// A wall far behind what the camera looks at, across its view.
static void hang_sky(struct picture *picture)
{
    const double az = AZIMUTH_DEG * M_PI / 180, el = ELEVATION_DEG * M_PI / 180;
    const double far_m = 15 * picture->size_m;
    const double size_m[3] = {2 * far_m, 2 * far_m, 1};
    const double right[3] = {-sin(az), cos(az), 0},
                 back[3] = {-cos(el) * cos(az), -cos(el) * sin(az), -sin(el)};
    double up[3], at_m[3];
    mju_cross(up, back, right);
    mju_addScl3(at_m, picture->camera.lookat, back, -far_m);
    mjvGeom *sky = add_geom(picture, mjGEOM_PLANE, size_m, at_m, sky_colour);
    for (int i = 0; sky != NULL && i < 3; i++) {
        sky->mat[3 * i] = (float)right[i];
        sky->mat[3 * i + 1] = (float)up[i];
        sky->mat[3 * i + 2] = (float)back[i];
        sky->emission = 1;
    }
}

static void lay_floor(struct picture *picture)
{
    const mjvGeom *floor = paint_floor(picture);
    if (floor != NULL)
        lay_tiles(picture, (double)floor->pos[2] + 5e-4 * picture->size_m);
    hang_sky(picture);
}

// ---- drawing ------------------------------------------------------------------------------------

// The heaviest part of what hangs on the tracked body.
static int core_of(const mjModel *model, int tracked)
{
    int core = tracked;
    for (int i = 1; i < model->nbody; i++)
        if (model->body_rootid[i] == model->body_rootid[tracked] &&
            model->body_mass[i] > model->body_mass[core])
            core = i;
    return core;
}

static bool is_grey(const float *rgba)
{
    return fabsf(rgba[0] - rgba[1]) < 0.1f && fabsf(rgba[1] - rgba[2]) < 0.1f;
}

// What is grey gets a colour, so that it stands out from the floor.
static void colour(mjModel *model, int core)
{
    static const float bright[4] = {0.90f, 0.52f, 0.20f, 1}, pale[4] = {0.72f, 0.76f, 0.83f, 1};
    for (int g = 0; g < model->ngeom; g++) {
        float *rgba = model->geom_rgba + 4 * g;
        if (model->geom_matid[g] < 0 && is_grey(rgba))
            memcpy(rgba, model->geom_bodyid[g] == core ? bright : pale, 3 * sizeof *rgba);
    }
}

static void prepare(mjModel *model, double size_m, unsigned width, unsigned height)
{
    model->vis.global.offwidth = (int)width;
    model->vis.global.offheight = (int)height;
    model->vis.quality.offsamples = SAMPLES;
    model->vis.quality.shadowsize = SHADOW_SIDE;
    model->vis.quality.numquads = 1;
    model->stat.extent = size_m; // of which the following are shares
    model->vis.map.znear = 0.05f;
    model->vis.map.zfar = 50;
    model->vis.map.fogstart = FOG_START;
    model->vis.map.fogend = FOG_END;
    memcpy(model->vis.rgba.fog, sky_colour, sizeof sky_colour);
    for (int i = 0; i < 3; i++) {
        model->vis.headlight.ambient[i] = 0.35f;
        model->vis.headlight.diffuse[i] = 0.35f;
        model->vis.headlight.specular[i] = 0.05f;
    }
}

// From above and beside, behind the headlight. A model's own lights would make it brighter than
// white.
static void light(struct picture *picture)
{
    static const float away[3] = {-0.6f, -0.8f, 2.4f};
    const float length = sqrtf(away[0] * away[0] + away[1] * away[1] + away[2] * away[2]);
    mjvLight sun = {.directional = 1, .castshadow = 1};
    for (int i = 0; i < 3; i++) {
        sun.pos[i] = (float)picture->camera.lookat[i] + away[i] * (float)picture->size_m;
        sun.dir[i] = -away[i] / length;
        sun.diffuse[i] = 0.45f;
        sun.specular[i] = 0.1f;
    }
    picture->scene.lights[1] = sun;
    picture->scene.nlight = 2;
}

static enum status start(struct picture *picture, unsigned width, unsigned height)
{
    struct body *body = picture->body;
    picture->frame = (mjrRect){0, 0, (int)width, (int)height};
    picture->drawn = malloc((size_t)3 * width * height);
    picture->turned = malloc((size_t)3 * width * height);
    if (picture->drawn == NULL || picture->turned == NULL)
        return STATUS_NO_MEMORY;
    const enum status status = offscreen_open(&picture->offscreen);
    if (status != STATUS_OK)
        return status;
    mj_kinematics(body->model, body->data);
    picture->tracked = tracked_body(body->model);
    picture->size_m = size_of(body, picture->tracked);
    prepare(body->model, picture->size_m, width, height);
    colour(body->model, core_of(body->model, picture->tracked));
    mjv_defaultScene(&picture->scene);
    mjv_makeScene(body->model, &picture->scene, GEOMS_MAX);
    picture->scene.flags[mjRND_FOG] = 1;
    picture->has_scene = true;
    mjr_defaultContext(&picture->context);
    mjr_makeContext(body->model, &picture->context, mjFONTSCALE_100);
    picture->has_context = true;
    mjr_setBuffer(mjFB_OFFSCREEN, &picture->context);
    mjv_defaultOption(&picture->option);
    mjv_defaultCamera(&picture->camera);
    picture->camera.azimuth = AZIMUTH_DEG;
    picture->camera.elevation = ELEVATION_DEG;
    picture->camera.distance = AWAY * picture->size_m;
    return STATUS_OK;
}

enum status picture_create(struct body *body, unsigned width, unsigned height,
                           struct picture **picture)
{
    *picture = calloc(1, sizeof **picture);
    if (*picture == NULL)
        return STATUS_NO_MEMORY;
    (*picture)->body = body;
    const enum status status = start(*picture, width, height);
    if (status != STATUS_OK) {
        picture_free(*picture);
        *picture = NULL;
    }
    return status;
}

void picture_free(struct picture *picture)
{
    if (picture == NULL)
        return;
    if (picture->has_context)
        mjr_freeContext(&picture->context);
    if (picture->has_scene)
        mjv_freeScene(&picture->scene);
    offscreen_close(picture->offscreen);
    free(picture->drawn);
    free(picture->turned);
    free(picture);
}

static void write_on(const struct picture *picture, int corner, const char *text)
{
    if (text[0] != '\0')
        mjr_overlay(mjFONT_NORMAL, corner, picture->frame, text, NULL, &picture->context);
}

static void turn(const struct picture *picture)
{
    const size_t row_B = (size_t)3 * (size_t)picture->frame.width;
    const size_t rows = (size_t)picture->frame.height;
    for (size_t i = 0; i < rows; i++)
        memcpy(picture->turned + i * row_B, picture->drawn + (rows - 1 - i) * row_B, row_B);
}

const uint8_t *picture_draw(struct picture *picture, const struct body_state *state,
                            unsigned robots, const char *title, const char *note)
{
    struct body *body = picture->body;
    body_place(body, state, robots);
    mj_comPos(body->model, body->data); // where lights and cameras look from
    mj_camlight(body->model, body->data);
    mju_copy3(picture->camera.lookat, body->data->xpos + 3 * picture->tracked);
    mjv_updateScene(body->model, body->data, &picture->option, NULL, &picture->camera, mjCAT_ALL,
                    &picture->scene);
    lay_floor(picture);
    light(picture);
    mjr_render(picture->frame, &picture->scene, &picture->context);
    write_on(picture, mjGRID_TOPLEFT, title);
    write_on(picture, mjGRID_BOTTOMLEFT, note);
    mjr_readPixels(picture->drawn, NULL, picture->frame, &picture->context);
    turn(picture);
    return picture->turned;
}
