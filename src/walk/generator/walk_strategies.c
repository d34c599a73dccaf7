// The strategies there are, one table each. The first of each is used if no command says otherwise.
#include <math.h>
#include <stddef.h>

#include "base/invariant.h"
#include "model/spatial.h"
#include "walk/generator/swing_spline.h"
#include "walk/generator/walkgen_private.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

// ---- realisation --------------------------------------------------------------------------------

#define WITHIN_M 1e-7 // of the centre of mass; what is left is a noise of its acceleration

// Centre of mass exactly where it is wanted.
static enum status by_com(const struct walk_body *body, const struct walk_posture *wanted,
                          struct walk_body_pose *pose)
{
    double rotation[9];
    rotation_z(wanted->waist_yaw_rad, rotation);
    pose->pelvis_m[2] = wanted->waist_height_m;
    return walk_body_over(body, wanted->com_m, WITHIN_M, rotation, &wanted->soles, pose);
}

// Waist and centre of mass rigidly bound together (section 2.5.1).
static enum status by_geometry(const struct walk_body *body, const struct walk_posture *wanted,
                               struct walk_body_pose *pose)
{
    double rotation[9];
    rotation_z(wanted->waist_yaw_rad, rotation);
    for (int a = 0; a < 2; a++)
        pose->pelvis_m[a] = wanted->com_m[a] + rotation[3 * a] * wanted->com_to_waist_m[0] +
                            rotation[3 * a + 1] * wanted->com_to_waist_m[1];
    pose->pelvis_m[2] = wanted->waist_height_m;
    return walk_body_place(body, rotation, &wanted->soles, pose);
}

static const struct walk_realisation realisation[] = {{"com", by_com}, {"geometry", by_geometry}};

const struct walk_realisation *walk_realisation(unsigned number)
{
    return number < COUNT(realisation) ? &realisation[number] : NULL;
}

// ---- dynamics -----------------------------------------------------------------------------------

// Links as points: what turns on the spot does not count.
static void of_points(const struct walk_body *body, const struct walk_body_pose *from,
                      const struct walk_body_pose *to, double period_s,
                      struct walk_body_momentum *momentum)
{
    *momentum = (struct walk_body_momentum){0};
    for (unsigned n = 0; n < body->links; n++) {
        const double mass_kg = body->link[n].mass_kg;
        double velocity[3], middle[3], orbit[3];
        for (int k = 0; k < 3; k++) {
            velocity[k] = (to->link_com_m[n][k] - from->link_com_m[n][k]) / period_s;
            middle[k] = 0.5 * (to->link_com_m[n][k] + from->link_com_m[n][k]);
        }
        vec_cross(middle, velocity, orbit);
        for (int k = 0; k < 3; k++) {
            momentum->angular[k] += mass_kg * orbit[k];
            momentum->linear[k] += mass_kg * velocity[k];
        }
    }
}

static const struct walk_dynamics dynamics[] = {{"multibody", walk_body_momentum},
                                                {"reduced", of_points}};

const struct walk_dynamics *walk_dynamics(unsigned number)
{
    return number < COUNT(dynamics) ? &dynamics[number] : NULL;
}

// ---- ZMP reference ------------------------------------------------------------------------------

// From the foot that carried to the one that carries during double support, then there, or along
// its sole as far as it is shifted.
static void kajita(const struct walk_block *block, unsigned i, double zmp_m[2])
{
    expects(block->single > 0 && i < block->both + block->single);
    const struct pose2d *foot = &block->support;
    const double share = i >= block->both ? (double)(i + 1 - block->both) / block->single : 0;
    const double ahead_m = block->shift_m[0] + share * (block->shift_m[1] - block->shift_m[0]);
    const double to_m[2] = {foot->x_m + cos(foot->yaw_rad) * ahead_m,
                            foot->y_m + sin(foot->yaw_rad) * ahead_m};
    for (int a = 0; a < 2; a++)
        zmp_m[a] = i < block->both
                       ? block->from_m[a] + i * ((to_m[a] - block->from_m[a]) / block->both)
                       : to_m[a];
}

// From the foot that carried to the heel of the one that carries, then along its sole to the toe,
// where it rests until the other foot is down (section 6.1.2).
static void heel_to_toe(const struct walk_block *block, unsigned i, double zmp_m[2])
{
    struct walk_block along = *block;
    const double s = i >= block->both ? (double)(i + 1 - block->both) / block->single : 0;
    const double share = block->stage > 0 ? fmin(1, s / block->stage) : 1;
    along.shift_m[0] = along.shift_m[1] =
        i >= block->both ? share * (block->heel_m + block->toe_m) - block->heel_m : -block->heel_m;
    kajita(&along, i, zmp_m);
}

static const struct walk_zmp zmp[] = {
    {"Kajita", kajita, .smooth = true},
    {"KajitaOneStage", kajita, .smooth = true, .one_stage = true},
    {"PBW", kajita, .smooth = true, .plans = true},
    {"Herdt", kajita, .smooth = true, .drives = true},
    {"Naveau", kajita, .smooth = true, .drives = true, .turns = true},
    {"Morisawa", kajita, .solves = true},
    {"Toe", heel_to_toe, .smooth = true, .toes = true}};

const struct walk_zmp *walk_zmp(unsigned number)
{
    return number < COUNT(zmp) ? &zmp[number] : NULL;
}

// ---- foot trajectory ----------------------------------------------------------------------------

#define MIDDLE 0.9 // share of the single support in which a foot moves sideways and forward

static double within(double s)
{
    return s < 0 ? 0 : s > 1 ? 1 : s;
}

// Quintics forward, sideways and turning over the middle of the single support, a bump upwards.
static void polynomial(const struct walk_swing *swing, double t_s, struct walk_foot *foot)
{
    const double u = within(t_s / swing->single_s);
    const double v = within((u - (1 - MIDDLE) / 2) / MIDDLE);
    const double share = v * v * v * (10 + v * (6 * v - 15)), bump = 4 * u * (1 - u);
    const double *from = swing->from.position_m, *to = swing->to.position_m;
    for (int a = 0; a < 2; a++)
        foot->position_m[a] = from[a] + share * (to[a] - from[a]);
    foot->position_m[2] =
        walk_swing_climb(from[2], to[2], u) + swing->height_m * bump * bump * bump;
    foot->yaw_rad = swing->from.yaw_rad + share * (swing->to.yaw_rad - swing->from.yaw_rad);
}

static const struct walk_trajectory trajectory[] = {{"polynomial", polynomial},
                                                    {"spline", swing_spline}};

const struct walk_trajectory *walk_trajectory(unsigned number)
{
    return number < COUNT(trajectory) ? &trajectory[number] : NULL;
}

const struct walk_trajectory *walk_trajectory_over(void)
{
    return &trajectory[1];
}
