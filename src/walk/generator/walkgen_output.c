// What a tick of walkgen says of its sample.
#include <string.h>

#include "model/spatial.h"
#include "walk/generator/walkgen_private.h"

// Value, slope and curvature at the sample between `before` and `after`.
static void differences(double before, double now, double after, double period_s, double *slope,
                        double *curvature)
{
    *slope = (after - before) / (2 * period_s);
    *curvature = (after - 2 * now + before) / (period_s * period_s);
}

static void say_upper(const struct walkgen *walkgen, const int at[3], struct walkgen_output *out)
{
    const double T = walkgen->gains.period_s;
    const unsigned count = walkgen->body.links - WALK_BODY_CARRIED;
    for (unsigned i = 0; i < count; i++) {
        const int joint = walkgen->body.upper[i].joint;
        out->joint_rad[joint] = walkgen->upper_rad[at[1]][i];
        differences(walkgen->upper_rad[at[0]][i], walkgen->upper_rad[at[1]][i],
                    walkgen->upper_rad[at[2]][i], T, &out->joint_rad_s[joint],
                    &out->joint_rad_s2[joint]);
    }
}

static void say_joints(const struct walkgen *walkgen, int64_t sample, struct walkgen_output *out)
{
    const double T = walkgen->gains.period_s;
    const int now = (int)(sample & 3), before = (now + 3) & 3, after = (now + 1) & 3;
    memcpy(out->joint_rad, walkgen->stand_rad, sizeof out->joint_rad);
    memset(out->joint_rad_s, 0, sizeof out->joint_rad_s);
    memset(out->joint_rad_s2, 0, sizeof out->joint_rad_s2);
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++)
        for (int i = 0; i < LEG_JOINTS; i++) {
            const int joint = walkgen->body.leg[side].joint[i];
            out->joint_rad[joint] = walkgen->leg_rad[now][side][i];
            differences(walkgen->leg_rad[before][side][i], walkgen->leg_rad[now][side][i],
                        walkgen->leg_rad[after][side][i], T, &out->joint_rad_s[joint],
                        &out->joint_rad_s2[joint]);
        }
    say_upper(walkgen, (const int[3]){before, now, after}, out);
    for (int k = 0; k < 3; k++) {
        double curvature;
        out->waist_m[k] = walkgen->waist_m[now][k];
        differences(walkgen->waist_m[before][k], walkgen->waist_m[now][k],
                    walkgen->waist_m[after][k], T, &out->waist_m_s[k], &curvature);
    }
    out->reachable = walkgen->reachable[now];
}

// second: the state of the second preview at the sample; com_m of the realised posture.
static void say_motion(const struct walkgen *walkgen, int64_t sample,
                       const struct preview_state second[2], const double com_m[3],
                       struct walkgen_output *out)
{
    const struct walk_reference *reference = walk_reference_at(walkgen, sample);
    const struct walk_reference *next = walk_reference_at(walkgen, sample + 1);
    const double T = walkgen->gains.period_s;
    for (int a = 0; a < 2; a++) {
        const double *first = walkgen->first_com_m[WALK_PIPE(sample)][a];
        const struct preview_state cart = {.com = {first[0], first[1], first[2]}};
        out->first_com_m[a] = first[0];
        out->first_zmp_m[a] = preview_zmp(&walkgen->gains, &cart);
        out->com_m_s[a] = first[1] + second[a].com[1];
        out->com_m_s2[a] = first[2] + second[a].com[2];
        out->zmp_m[a] = *walk_zmp_from(walkgen, a, sample) - reference->load_m[a];
        out->load_m[a] = reference->load_m[a];
        out->zmp_unfiltered_m[a] = walkgen->unfiltered_m[WALK_PIPE(sample)][a];
    }
    memcpy(out->com_m, com_m, sizeof out->com_m);
    out->waist_yaw_rad = reference->yaw_rad;
    out->waist_yaw_rad_s = (next->yaw_rad - reference->yaw_rad) / T;
    const double from[3] = {out->zmp_m[0] - out->waist_m[0], out->zmp_m[1] - out->waist_m[1],
                            reference->floor_m - out->waist_m[2]};
    double waist[9];
    rotation_z(reference->yaw_rad, waist);
    rotate_back(waist, from, out->zmp_waist_m);
    memcpy(out->foot, reference->foot, sizeof out->foot);
    memcpy(out->toe_rad, reference->toe_rad, sizeof out->toe_rad);
    memcpy(out->toe_moment_Nm, reference->toe_moment_Nm, sizeof out->toe_moment_Nm);
    out->support = reference->support;
    out->step = reference->step;
    out->phase = reference->phase;
    out->over = reference->over;
}

void walk_output_say(const struct walkgen *walkgen, const struct preview_state second[2],
                     const double com_m[3], struct walkgen_output *out)
{
    const int64_t sample = walkgen->tick;
    out->time_s = (double)sample * walkgen->gains.period_s;
    say_joints(walkgen, sample, out);
    say_motion(walkgen, sample, second, com_m, out);
}
