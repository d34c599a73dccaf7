#include "walk/balance/stabilizer.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "model/spatial.h"
#include "walk/segments/pattern.h"
#include "walk/zmp/preview.h"

#define SOLE_HALF_LENGTH_M 0.105
#define SOLE_HALF_WIDTH_M 0.065
#define SOLE_MARGIN_M 0.015  // a wanted centre of pressure stays this far from the edge
#define HINGE_MARGIN_M 0.005 // from a toe's joint
#define BENT_RAD 0.02        // of a foot from the floor: it stands on its toe
#define TOUCH_N 30.0         // below, a foot counts as lifted
#define TILT_MAX_RAD 0.12    // of an ankle correction
#define TILT_RATE_MAX_RAD_S 1.0
#define DIFFERENCE_MAX_M 0.02 // of the legs' lengths
#define SHIFT_MAX_M 0.04      // of the pelvis
#define INTEGRAL_MAX_M 0.02
#define LEVEL_1_S 20.0
#define LIFTED_DECAY_1_S 12.0 // ankle corrections of a lifted foot

struct stabilizer_parameters stabilizer_defaults(double com_height_m)
{
    return (struct stabilizer_parameters){
        .com_height_m = com_height_m,
        .capture_point_gain = 0.3,
        .capture_point_integral = 0.2,
        .ankle_admittance = 0.0005,
        .com_admittance = 0.5,
        .force_difference_admittance = 2e-5,
        .correction_decay_1_s = 1.0,
        .observer_1_s = 8.0,
        .sole_margin_m = SOLE_MARGIN_M,
        .delay_samples = 3,
    };
}

enum status stabilizer_init(struct stabilizer *stabilizer, const struct robot_model *model,
                            const struct stabilizer_parameters *parameters)
{
    expects(parameters->com_height_m > 0);
    memset(stabilizer, 0, sizeof *stabilizer);
    stabilizer->model = model;
    stabilizer->parameters = *parameters;
    if (stabilizer->parameters.delay_samples >= STABILIZER_DELAY_MAX)
        stabilizer->parameters.delay_samples = STABILIZER_DELAY_MAX - 1;
    enum status status = leg_from_model(model, SIDE_RIGHT, &stabilizer->leg[SIDE_RIGHT]);
    if (status == STATUS_OK)
        status = leg_from_model(model, SIDE_LEFT, &stabilizer->leg[SIDE_LEFT]);
    return status == STATUS_OK ? walk_toe_from_model(model, &stabilizer->toe) : status;
}

void stabilizer_reset(struct stabilizer *stabilizer)
{
    stabilizer->started = false;
    stabilizer->history_count = 0;
    memset(stabilizer->capture_point_integral_m, 0, sizeof stabilizer->capture_point_integral_m);
    memset(stabilizer->foot_tilt_rad, 0, sizeof stabilizer->foot_tilt_rad);
    memset(stabilizer->pelvis_shift_m, 0, sizeof stabilizer->pelvis_shift_m);
    memset(stabilizer->zmp_error_m, 0, sizeof stabilizer->zmp_error_m);
    stabilizer->leg_difference_m = 0.0;
}

static double limit(double value, double bound)
{
    return fmax(-bound, fmin(bound, value));
}

static bool on_toe(const struct stabilizer *s, enum side side)
{
    return s->toe.there && s->foot_pitch_rad[side] > BENT_RAD;
}

// Where along a sole its centre of pressure may be wanted: behind and ahead of the ankle.
static void sole_range(const struct stabilizer *s, double range_m[2])
{
    range_m[0] = -(SOLE_HALF_LENGTH_M - SOLE_MARGIN_M);
    range_m[1] = s->toe.there ? s->toe.hinge_m - HINGE_MARGIN_M : -range_m[0];
}

// Keeps the last samples and returns the one the measurements show.
static const struct segment_sample *remember(struct stabilizer *s,
                                             const struct segment_sample *desired)
{
    unsigned delay = s->parameters.delay_samples;
    if (s->history_count <= delay)
        s->history_count++;
    memmove(s->history + 1, s->history, delay * sizeof s->history[0]);
    s->history[0] = *desired;
    invariant(s->history_count >= 1 && s->history_count <= delay + 1);
    return &s->history[s->history_count - 1];
}

// Share of the weight each foot carries: as measured, or as planned without foot sensors.
static bool weight_shares(const struct stabilizer_input *in, const struct segment_sample *planned,
                          double share[SIDE_COUNT])
{
    double right = in->foot[SIDE_RIGHT].force_z_N, left = in->foot[SIDE_LEFT].force_z_N;
    bool valid = in->foot[SIDE_RIGHT].valid && in->foot[SIDE_LEFT].valid;
    if (valid && right + left > TOUCH_N) {
        share[SIDE_RIGHT] = limit(fmax(0.0, right) / (fmax(0.0, right) + fmax(0.0, left)), 1.0);
        share[SIDE_LEFT] = 1.0 - share[SIDE_RIGHT];
        return true;
    }
    share[SIDE_RIGHT] = planned->support == SUPPORT_BOTH ? 0.5 : planned->support == SUPPORT_RIGHT;
    share[SIDE_LEFT] = 1.0 - share[SIDE_RIGHT];
    return false;
}

// Centre of mass in the odometry frame: the legs' kinematics from the standing feet, which are
// taken to be where they were planned.
static void measure_com(struct stabilizer *s, const struct stabilizer_input *in,
                        const struct segment_sample *planned, const double share[SIDE_COUNT],
                        double com[2])
{
    static const double origin[3] = {0};
    double root[9], pelvis[2] = {0};
    rotation_rpy(in->imu_valid ? in->roll_rad : 0.0, in->imu_valid ? in->pitch_rad : 0.0,
                 planned->pelvis_yaw_rad, root);
    robot_model_forward(s->model, origin, root, in->joint_rad, &s->pose);
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++) {
        double angle[LEG_JOINTS], local[3], sole[3], R[9];
        for (int i = 0; i < LEG_JOINTS; i++)
            angle[i] = in->joint_rad[s->leg[side].joint[i]];
        leg_forward(&s->leg[side], angle, local, R);
        rotate(root, local, sole);
        for (int k = 0; k < 2; k++)
            pelvis[k] += share[side] * (planned->foot_m[side][k] - sole[k]);
    }
    for (int k = 0; k < 2; k++)
        com[k] = pelvis[k] + s->pose.com_m[k];
}

// ZMP from the feet's centres of pressure (soles taken where planned, and as pitched).
static void measure_zmp(const struct stabilizer *s, const struct stabilizer_input *in,
                        const struct segment_sample *planned, double zmp[2])
{
    double force = 0.0, moment[2] = {0};
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++) {
        const struct stabilizer_foot *foot = &in->foot[side];
        double f = fmax(0.0, foot->force_z_N);
        if (f < TOUCH_N)
            continue;
        double c = cos(planned->foot_yaw_rad[side]), d = sin(planned->foot_yaw_rad[side]);
        const double front_m = s->toe.there ? s->toe.tip_m : SOLE_HALF_LENGTH_M;
        double x = fmax(-SOLE_HALF_LENGTH_M, fmin(front_m, -foot->moment_y_Nm / f));
        x *= on_toe(s, side) ? cos(s->foot_pitch_rad[side]) : 1;
        double y = limit(foot->moment_x_Nm / f, SOLE_HALF_WIDTH_M);
        force += f;
        moment[0] += f * (planned->foot_m[side][0] + c * x - d * y);
        moment[1] += f * (planned->foot_m[side][1] + d * x + c * y);
    }
    for (int k = 0; k < 2; k++)
        zmp[k] = force > TOUCH_N ? moment[k] / force : planned->zmp_m[k];
}

// Linear-inverted-pendulum observer of the centre of mass and its velocity.
static void observe(struct stabilizer *s, const double com[2], const double zmp[2], double omega2)
{
    for (int k = 0; k < 2; k++) {
        double acceleration = omega2 * (s->com_m[k] - zmp[k]);
        s->com_m[k] += PATTERN_PERIOD_S * s->com_velocity_m_s[k];
        s->com_velocity_m_s[k] += PATTERN_PERIOD_S * acceleration;
        double error = com[k] - s->com_m[k];
        s->com_m[k] += 0.5 * error;
        s->com_velocity_m_s[k] += s->parameters.observer_1_s * error;
    }
}

// Capture-point feedback: the ZMP wanted instead of the planned one (Kajita 2010, eq. 17; Caron
// 2019, eq. 10).
static void wanted_zmp(struct stabilizer *s, const struct segment_sample *planned,
                       const struct segment_sample *desired, double omega, double zmp[2])
{
    const struct stabilizer_parameters *p = &s->parameters;
    for (int k = 0; k < 2; k++) {
        double measured = s->com_m[k] + s->com_velocity_m_s[k] / omega;
        double error = measured - planned->com_m[k] - planned->com_velocity_m_s[k] / omega;
        s->capture_point_integral_m[k] += PATTERN_PERIOD_S * p->capture_point_integral *
                                          (error - 0.2 * s->capture_point_integral_m[k]);
        s->capture_point_integral_m[k] = limit(s->capture_point_integral_m[k], INTEGRAL_MAX_M);
        zmp[k] = desired->zmp_m[k] + (1.0 + p->capture_point_gain) * error +
                 s->capture_point_integral_m[k];
    }
}

// Splits a wanted ZMP into the weight shares of the feet and the offset of the centres of pressure
// from the soles' centres, both feet alike: what the shares cannot do, the ankles must (Kajita
// 2010, section IV). The offset comes back in the world's axes.
static void distribute(const struct stabilizer *s, const struct segment_sample *desired,
                       const double zmp[2], double share[SIDE_COUNT], double offset[2])
{
    const double *right = desired->foot_m[SIDE_RIGHT], *left = desired->foot_m[SIDE_LEFT];
    share[SIDE_RIGHT] = desired->support == SUPPORT_RIGHT;
    if (desired->support == SUPPORT_BOTH) {
        double dx = right[0] - left[0], dy = right[1] - left[1];
        double along =
            ((zmp[0] - left[0]) * dx + (zmp[1] - left[1]) * dy) / fmax(1e-4, dx * dx + dy * dy);
        share[SIDE_RIGHT] = fmax(0.0, fmin(1.0, along));
    }
    share[SIDE_LEFT] = 1.0 - share[SIDE_RIGHT];
    for (int k = 0; k < 2; k++)
        offset[k] = zmp[k] - share[SIDE_RIGHT] * right[k] - share[SIDE_LEFT] * left[k];
    enum side main_side = share[SIDE_RIGHT] > 0.5 ? SIDE_RIGHT : SIDE_LEFT;
    double c = cos(desired->foot_yaw_rad[main_side]), d = sin(desired->foot_yaw_rad[main_side]);
    const double planned_m =
        c * (desired->zmp_m[0] - zmp[0] + offset[0]) + d * (desired->zmp_m[1] - zmp[1] + offset[1]);
    double range_m[2], x = c * offset[0] + d * offset[1];
    sole_range(s, range_m);
    if (on_toe(s, main_side))
        x = planned_m;
    else
        x = fmax(range_m[0], fmin(range_m[1], x));
    double y =
        limit(-d * offset[0] + c * offset[1], SOLE_HALF_WIDTH_M - s->parameters.sole_margin_m);
    offset[0] = c * x - d * y;
    offset[1] = d * x + c * y;
}

// Ankle admittance of one foot: tilts it until its centre of pressure is where it is wanted.
static void tilt_foot(struct stabilizer *s, const struct stabilizer_input *in,
                      const struct segment_sample *desired, enum side side, const double offset[2],
                      bool loaded)
{
    const struct stabilizer_foot *foot = &in->foot[side];
    double *tilt = s->foot_tilt_rad[side], rate[2];
    if (loaded && foot->valid && foot->force_z_N > TOUCH_N) {
        double c = cos(desired->foot_yaw_rad[side]), d = sin(desired->foot_yaw_rad[side]);
        double x = c * offset[0] + d * offset[1], y = -d * offset[0] + c * offset[1];
        double gain = s->parameters.ankle_admittance, decay = s->parameters.correction_decay_1_s;
        rate[0] = gain * (foot->moment_x_Nm - foot->force_z_N * y) - decay * tilt[0];
        rate[1] = on_toe(s, side)
                      ? -LIFTED_DECAY_1_S * tilt[1]
                      : gain * (foot->moment_y_Nm + foot->force_z_N * x) - decay * tilt[1];
    } else {
        rate[0] = -LIFTED_DECAY_1_S * tilt[0];
        rate[1] = -LIFTED_DECAY_1_S * tilt[1];
        if (s->parameters.level_swing > 0 && in->imu_valid) {
            rate[0] -= LEVEL_1_S * (tilt[0] + s->parameters.level_swing * in->roll_rad);
            rate[1] -= LEVEL_1_S * (tilt[1] + s->parameters.level_swing * in->pitch_rad);
        }
    }
    for (int k = 0; k < 2; k++)
        tilt[k] =
            limit(tilt[k] + PATTERN_PERIOD_S * limit(rate[k], TILT_RATE_MAX_RAD_S), TILT_MAX_RAD);
}

// Leg-length control in double support, towards the wanted shares of weight.
static void balance_legs(struct stabilizer *s, const struct stabilizer_input *in, bool both,
                         const double share[SIDE_COUNT])
{
    double rate = -5.0 * s->leg_difference_m;
    if (both && in->foot[SIDE_RIGHT].valid && in->foot[SIDE_LEFT].valid) {
        double right = in->foot[SIDE_RIGHT].force_z_N, left = in->foot[SIDE_LEFT].force_z_N;
        double wanted = (share[SIDE_RIGHT] - share[SIDE_LEFT]) * (right + left);
        rate = s->parameters.force_difference_admittance * (wanted - (right - left)) -
               s->parameters.correction_decay_1_s * s->leg_difference_m;
    }
    s->leg_difference_m =
        limit(s->leg_difference_m + PATTERN_PERIOD_S * limit(rate, 0.1), DIFFERENCE_MAX_M);
}

// The pelvis gives way to the ZMP error, so that the centre of mass accelerates the way the ZMP
// wants it (Caron 2019, eq. 24).
static void shift_pelvis(struct stabilizer *s, bool valid, const double wanted[2],
                         const double measured[2])
{
    for (int k = 0; k < 2; k++) {
        double error = valid ? measured[k] - wanted[k] : 0.0;
        s->zmp_error_m[k] += 0.4 * (limit(error, 0.05) - s->zmp_error_m[k]);
        double rate = s->parameters.com_admittance * s->zmp_error_m[k] -
                      s->parameters.correction_decay_1_s * s->pelvis_shift_m[k];
        s->pelvis_shift_m[k] = limit(s->pelvis_shift_m[k] + PATTERN_PERIOD_S * rate, SHIFT_MAX_M);
    }
}

static struct stabilizer_placement place(const struct stabilizer *s,
                                         const struct segment_sample *desired, bool corrected)
{
    struct stabilizer_placement at;
    memcpy(at.pelvis_m, desired->pelvis_m, sizeof at.pelvis_m);
    for (int k = 0; k < 2 && corrected; k++)
        at.pelvis_m[k] += s->pelvis_shift_m[k];
    rotation_z(desired->pelvis_yaw_rad, at.pelvis_rotation);
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++) {
        double *sole = at.soles.position_m[side];
        memcpy(sole, desired->foot_m[side], sizeof at.soles.position_m[side]);
        if (corrected)
            sole[2] += side == SIDE_RIGHT ? -0.5 * s->leg_difference_m : 0.5 * s->leg_difference_m;
        rotation_rpy(corrected ? s->foot_tilt_rad[side][0] : 0.0,
                     s->foot_pitch_rad[side] + (corrected ? s->foot_tilt_rad[side][1] : 0.0),
                     desired->foot_yaw_rad[side], at.soles.rotation[side]);
    }
    return at;
}

static bool solve_legs(const struct stabilizer *s, const struct stabilizer_placement *at,
                       double leg_rad[SIDE_COUNT][LEG_JOINTS])
{
    bool reachable = true;
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++)
        if (leg_inverse(&s->leg[side], at->pelvis_m, at->pelvis_rotation,
                        at->soles.position_m[side], at->soles.rotation[side],
                        leg_rad[side]) != STATUS_OK)
            reachable = false;
    return reachable;
}

void stabilizer_step(struct stabilizer *s, const struct stabilizer_input *input,
                     struct stabilizer_output *output)
{
    const struct segment_sample *desired = input->desired;
    const struct segment_sample *planned = remember(s, desired);
    double omega2 = PREVIEW_GRAVITY_M_S2 / s->parameters.com_height_m, omega = sqrt(omega2);
    double measured_share[SIDE_COUNT], share[SIDE_COUNT], com[2], measured[2], wanted[2], offset[2];

    bool valid = weight_shares(input, planned, measured_share);
    measure_com(s, input, planned, measured_share, com);
    if (valid)
        measure_zmp(s, input, planned, measured);
    else
        memcpy(measured, planned->zmp_m, sizeof measured);
    if (!s->started) {
        memcpy(s->com_m, com, sizeof com);
        memcpy(s->com_velocity_m_s, planned->com_velocity_m_s, sizeof s->com_velocity_m_s);
        s->started = true;
    }
    observe(s, com, measured, omega2);
    wanted_zmp(s, planned, desired, omega, wanted);
    distribute(s, desired, wanted, share, offset);
    for (int k = 0; k < 2; k++) // what the feet can really do
        wanted[k] = share[SIDE_RIGHT] * desired->foot_m[SIDE_RIGHT][k] +
                    share[SIDE_LEFT] * desired->foot_m[SIDE_LEFT][k] + offset[k];

    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++) {
        bool loaded = desired->support == SUPPORT_BOTH ||
                      desired->support == (side == SIDE_RIGHT ? SUPPORT_RIGHT : SUPPORT_LEFT);
        tilt_foot(s, input, desired, side, offset, loaded);
    }
    balance_legs(s, input, desired->support == SUPPORT_BOTH, share);
    shift_pelvis(s, valid, wanted, measured);
    output->placement = place(s, desired, true);
    output->unreachable = !solve_legs(s, &output->placement, output->leg_rad);
    for (int k = 0; k < 2; k++) {
        output->com_m[k] = s->com_m[k];
        output->capture_point_m[k] = s->com_m[k] + s->com_velocity_m_s[k] / omega;
        output->zmp_m[k] = measured[k];
    }
    output->tilt_rad = input->imu_valid ? hypot(input->roll_rad, input->pitch_rad) : 0.0;
}

enum status stabilizer_feedforward(const struct stabilizer *s, const struct segment_sample *sample,
                                   double leg_rad[SIDE_COUNT][LEG_JOINTS])
{
    const struct stabilizer_placement at = place(s, sample, false);
    return solve_legs(s, &at, leg_rad) ? STATUS_OK : STATUS_UNREACHABLE;
}
