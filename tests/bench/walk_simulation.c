#include "tests/bench/walk_simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "model/spatial.h"
#include "walk/zmp/geometry.h"

#define CYCLE_S PATTERN_PERIOD_S
#define TICKS_PER_RAD 63661.9772
#define SAMPLE_PHASE_S 0.004 // of the cycle, when encoders are read
#define APPLY_PHASE_S 0.002  // when references arrive
#define DELIVERY_SAMPLES 15  // between planning and splicing
#define LEGS 2

static const char *const ft_name[LEGS] = {"ft_right_foot", "ft_left_foot"};
static const char *const foot_name[LEGS] = {"right_foot", "left_foot"};

struct simulation {
    struct simulation_options options;
    mjModel *physics;
    mjData *data;
    struct robot_model *model;
    struct pattern *pattern;
    struct stabilizer stabilizer;
    struct segment_message segment; // the last one received
    struct segment_sample *held;    // samples by number, ring
    int64_t held_last;
    struct random_stream random;
    int qpos[ROBOT_JOINTS_MAX], ctrl[ROBOT_JOINTS_MAX];
    int force[LEGS], torque[LEGS], quaternion, gyro, foot_geom[LEGS], floor;
    double reference[ROBOT_JOINTS_MAX], velocity[ROBOT_JOINTS_MAX]; // control's filter
    double from[ROBOT_JOINTS_MAX], to[ROBOT_JOINTS_MAX];            // boards' interpolation
    double wanted[ROBOT_JOINTS_MAX], wanted_velocity[ROBOT_JOINTS_MAX];
    double measured[ROBOT_JOINTS_MAX];
    struct stabilizer_input input;
    struct stabilizer_output output;
    struct simulation_result result;
    uint64_t physics_steps, walking_cycles, outside_cycles;
    double physics_s;
};

#define RING 8192

static struct segment_sample *held(struct simulation *s, int64_t sample)
{
    int64_t at = sample < 0 ? 0 : sample > s->held_last ? s->held_last : sample;
    return &s->held[at % RING];
}

static int sensor(const struct simulation *s, const char *prefix, const char *suffix)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s", prefix, suffix);
    int id = mj_name2id(s->physics, mjOBJ_SENSOR, name);
    return id < 0 ? -1 : s->physics->sensor_adr[id];
}

static bool find_parts(struct simulation *s)
{
    bool good = true;
    for (unsigned j = 0; j < s->model->joint_count; j++) {
        int joint = mj_name2id(s->physics, mjOBJ_JOINT, s->model->joint[j].name);
        s->ctrl[j] = mj_name2id(s->physics, mjOBJ_ACTUATOR, s->model->joint[j].name);
        good = good && joint >= 0 && s->ctrl[j] >= 0;
        s->qpos[j] = joint >= 0 ? s->physics->jnt_qposadr[joint] : 0;
    }
    for (int i = 0; i < LEGS; i++) {
        s->force[i] = sensor(s, ft_name[i], "_force");
        s->torque[i] = sensor(s, ft_name[i], "_torque");
        s->foot_geom[i] = mj_name2id(s->physics, mjOBJ_GEOM, foot_name[i]);
        good = good && s->force[i] >= 0 && s->torque[i] >= 0 && s->foot_geom[i] >= 0;
    }
    s->floor = mj_name2id(s->physics, mjOBJ_GEOM, "floor");
    s->quaternion = sensor(s, "imu_quaternion", "");
    s->gyro = sensor(s, "imu_gyro", "");
    return good && s->floor >= 0 && s->quaternion >= 0 && s->gyro >= 0;
}

struct simulation *simulation_create(const struct simulation_options *options)
{
    char error[512] = "";
    struct simulation *s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->options = *options;
    s->held = calloc(RING, sizeof *s->held);
    s->physics = mj_loadXML(options->robot_xml, NULL, error, sizeof error);
    if (s->held == NULL || s->physics == NULL ||
        robot_model_load(options->robot_xml, &s->model) != STATUS_OK ||
        pattern_create(s->model, gait_parameters(options->gait), &s->pattern) != STATUS_OK ||
        !find_parts(s)) {
        fprintf(stderr, "simulation: cannot use %s %s\n", options->robot_xml, error);
        simulation_free(s);
        return NULL;
    }
    s->data = mj_makeData(s->physics);
    random_start(&s->random, 1, "sensors");
    struct stabilizer_parameters parameters = stabilizer_defaults(pattern_com_height_m(s->pattern));
    if (stabilizer_init(&s->stabilizer, s->model, &parameters) != STATUS_OK) {
        simulation_free(s);
        return NULL;
    }
    return s;
}

void simulation_free(struct simulation *s)
{
    if (s == NULL)
        return;
    pattern_free(s->pattern);
    robot_model_free(s->model);
    if (s->data != NULL)
        mj_deleteData(s->data);
    if (s->physics != NULL)
        mj_deleteModel(s->physics);
    free(s->held);
    free(s);
}

struct stabilizer_parameters *simulation_parameters(struct simulation *s)
{
    return &s->stabilizer.parameters;
}

// ---- ground truth -------------------------------------------------------------------------------

// Signed distance of a point from the convex hull of points: least over the hull's edges, positive
// inside. A hull edge has all points on its left.
static double hull_margin(double point[][2], int count, const double at[2])
{
    double margin = HUGE_VAL;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            double ex = point[j][0] - point[i][0], ey = point[j][1] - point[i][1],
                   length = hypot(ex, ey);
            if (length < 1e-4)
                continue;
            bool edge = true;
            for (int k = 0; k < count && edge; k++)
                edge = ex * (point[k][1] - point[i][1]) - ey * (point[k][0] - point[i][0]) > -1e-9;
            if (edge)
                margin = fmin(margin,
                              (ex * (at[1] - point[i][1]) - ey * (at[0] - point[i][0])) / length);
        }
    }
    return margin == HUGE_VAL ? -1.0 : margin;
}

static double com_margin(const struct simulation *s)
{
    double point[SIMULATION_CONTACTS_MAX][2];
    int count = 0;
    for (int i = 0; i < s->data->ncon && count < SIMULATION_CONTACTS_MAX; i++) {
        const mjContact *contact = &s->data->contact[i];
        int other = contact->geom1 == s->floor ? contact->geom2 : contact->geom1;
        if (other != s->foot_geom[0] && other != s->foot_geom[1])
            continue;
        memcpy(point[count++], contact->pos, 2 * sizeof(double));
    }
    return hull_margin(point, count, s->data->subtree_com + 3);
}

static double pelvis_tilt(const struct simulation *s)
{
    return acos(fmax(-1.0, fmin(1.0, s->data->xmat[9 + 8])));
}

static bool fallen(const struct simulation *s)
{
    struct truth_message truth = {.pelvis_m = {0, 0, s->data->qpos[2]}};
    memcpy(truth.pelvis_quaternion, s->data->qpos + 3, sizeof truth.pelvis_quaternion);
    return has_fallen(&truth, pattern_pelvis_height_m(s->pattern));
}

// ---- chain --------------------------------------------------------------------------------------

static double noise(struct simulation *s, double deviation)
{
    return s->options.noise ? deviation * random_normal(&s->random) : 0.0;
}

static double rounded(double value, double unit)
{
    return round(value / unit) * unit;
}

static void read_sensors(struct simulation *s)
{
    const double *data = s->data->sensordata, *q = data + s->quaternion, *gyro = data + s->gyro;
    for (unsigned j = 0; j < s->model->joint_count; j++)
        s->measured[j] = rounded(s->data->qpos[s->qpos[j]], 1.0 / TICKS_PER_RAD);
    double R[9];
    rotation_quaternion(q, R);
    s->input.joint_rad = s->measured;
    s->input.pitch_rad = rounded(asin(-R[6]) + noise(s, 5e-4), 1.745e-4); // 0.01 degrees on the bus
    s->input.roll_rad = rounded(atan2(R[7], R[8]) + noise(s, 5e-4), 1.745e-4);
    s->input.roll_rate_rad_s = rounded(gyro[0] + noise(s, 2e-3), 1.745e-4);
    s->input.pitch_rate_rad_s = rounded(gyro[1] + noise(s, 2e-3), 1.745e-4);
    s->input.imu_valid = true;
    for (int i = 0; i < LEGS; i++) {
        s->input.foot[i].force_z_N = rounded(-data[s->force[i] + 2] + noise(s, 1.0), 0.1);
        s->input.foot[i].moment_x_Nm = rounded(-data[s->torque[i]] + noise(s, 0.05), 0.01);
        s->input.foot[i].moment_y_Nm = rounded(-data[s->torque[i] + 1] + noise(s, 0.05), 0.01);
        s->input.foot[i].valid = true;
    }
}

static void step_physics(struct simulation *s, double cycle_phase_s)
{
    double share = (cycle_phase_s - APPLY_PHASE_S) / CYCLE_S;
    share = share < 0.0 ? share + 1.0 : share;
    for (unsigned j = 0; j < s->model->joint_count; j++)
        s->data->ctrl[s->ctrl[j]] = s->from[j] + share * (s->to[j] - s->from[j]);
    double t = s->data->time;
    bool pushed = s->options.push_N != 0.0 && t >= s->options.push_s && t < s->options.push_s + 0.1;
    s->data->xfrc_applied[6 + 1] = pushed ? s->options.push_N : 0.0;
    struct timespec a, b;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
    mj_step(s->physics, s->data);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
    s->physics_s += (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) * 1e-9;
    s->physics_steps++;
    for (int i = 0; i < s->physics->nu; i++)
        s->result.torque_max_Nm = fmax(s->result.torque_max_Nm, fabs(s->data->actuator_force[i]));
}

// Where arms, neck and waist shall be.
static void upper_body(struct simulation *s, int64_t sample)
{
    double t = (double)sample * CYCLE_S;
    for (unsigned j = 0; j < s->model->joint_count; j++) {
        const char *name = s->model->joint[j].name;
        bool arm = name[1] == 'S' || name[1] == 'E' || (name[1] == 'W' && name[0] != 'W');
        s->wanted[j] = s->model->stand_rad[j];
        if (s->options.arms_move && arm) {
            double swing = 0.3 * (1.0 - cos(2.0 * M_PI * t / (2.0 + 0.1 * j)));
            double room =
                name[1] == 'E' || (name[0] == 'R' && strcmp(name, "RSR") == 0) ? -1.0 : 1.0;
            s->wanted[j] += 0.5 * room * swing;
        }
    }
}

// Control's velocity mode: the reference goes where it is wanted as far as the limits let it.
static void limit_references(struct simulation *s)
{
    double dv = s->options.acceleration_max_rad_s2 * CYCLE_S, vmax = s->options.velocity_max_rad_s;
    bool limited = false;
    for (unsigned j = 0; j < s->model->joint_count; j++) {
        double v = (s->wanted[j] - s->reference[j]) / CYCLE_S;
        double allowed = fmax(s->velocity[j] - dv, fmin(s->velocity[j] + dv, v));
        allowed = fmax(-vmax, fmin(vmax, allowed));
        limited = limited || fabs(allowed - v) > 1e-9;
        s->velocity[j] = allowed;
        s->reference[j] += allowed * CYCLE_S;
    }
    s->result.limited += limited;
}

static void note_peaks(struct simulation *s, const double leg[SIDE_COUNT][LEG_JOINTS], bool valid)
{
    for (int side = 0; side < LEGS; side++) {
        for (int i = 0; i < LEG_JOINTS; i++) {
            int j = s->stabilizer.leg[side].joint[i];
            double v = (leg[side][i] - s->wanted[j]) / CYCLE_S;
            double a = (v - s->wanted_velocity[j]) / CYCLE_S;
            s->wanted_velocity[j] = v;
            if (!valid)
                continue;
            double *peak_v = &s->result.peak_velocity_rad_s[i];
            double *peak_a = &s->result.peak_acceleration_rad_s2[i];
            *peak_v = fmax(*peak_v, fabs(v));
            *peak_a = fmax(*peak_a, fabs(a));
        }
    }
}

static void compute_references(struct simulation *s, int64_t sample)
{
    double before[ROBOT_JOINTS_MAX];
    memcpy(before, s->wanted, sizeof before);
    upper_body(s, sample);
    for (int side = 0; side < LEGS; side++)
        for (int i = 0; i < LEG_JOINTS; i++)
            s->wanted[s->stabilizer.leg[side].joint[i]] = before[s->stabilizer.leg[side].joint[i]];
    s->input.desired = held(s, sample);
    if (s->options.stabilise) {
        stabilizer_step(&s->stabilizer, &s->input, &s->output);
        s->result.unreachable += s->output.unreachable;
    } else if (stabilizer_feedforward(&s->stabilizer, s->input.desired, s->output.leg_rad) !=
               STATUS_OK) {
        s->result.unreachable++;
    }
    note_peaks(s, s->output.leg_rad, sample > 10);
    for (int side = 0; side < LEGS; side++)
        for (int i = 0; i < LEG_JOINTS; i++)
            s->wanted[s->stabilizer.leg[side].joint[i]] = s->output.leg_rad[side][i];
    limit_references(s);
}

// What the joints do without commands: the boards hold, or Control goes on at the last velocity for
// 0.5 s and winds down at 10 rad/s2.
static void without_commands(struct simulation *s, int64_t since)
{
    for (unsigned j = 0; j < s->model->joint_count; j++) {
        if (s->options.loss == LOSS_FREEZE)
            s->velocity[j] = 0.0;
        else if (since >= 50)
            s->velocity[j] -= fmax(-0.1, fmin(0.1, s->velocity[j]));
        s->reference[j] += s->velocity[j] * CYCLE_S;
    }
}

static void note_truth(struct simulation *s, int64_t sample, bool lost)
{
    double margin = com_margin(s), tilt = pelvis_tilt(s);
    if (lost)
        return;
    s->result.com_margin_m = fmin(s->result.com_margin_m, margin);
    s->result.tilt_max_rad = fmax(s->result.tilt_max_rad, tilt);
    s->result.loss_margin_m = margin;
    s->walking_cycles++;
    s->outside_cycles += margin < 0.0;
    if (s->options.trace != NULL) {
        const struct segment_sample *d = held(s, sample);
        const double *com = s->data->subtree_com + 3;
        fprintf(s->options.trace, "%lld", (long long)sample);
        for (int k = 0; k < 2; k++)
            fprintf(s->options.trace, " %.4f %.4f %.4f %.4f %.4f", d->com_m[k], com[k],
                    s->output.com_m[k], d->zmp_m[k], s->output.zmp_m[k]);
        fprintf(s->options.trace, " %u %.1f %.1f %.4f %.4f %.4f %.4f %.4f\n", d->support,
                s->input.foot[0].force_z_N, s->input.foot[1].force_z_N, s->input.roll_rad,
                s->input.pitch_rad, margin, s->data->qpos[2], s->stabilizer.leg_difference_m);
    }
}

// One cycle of the chain. Returns false when the robot has fallen.
static bool cycle(struct simulation *s, int64_t sample)
{
    int per_cycle = (int)lround(CYCLE_S / s->physics->opt.timestep);
    bool lost = s->options.loss_sample >= 0 && sample >= s->options.loss_sample;
    for (int i = 0; i < per_cycle; i++) {
        double phase = i * s->physics->opt.timestep;
        if (fabs(phase - APPLY_PHASE_S) <
            1e-6) { // the references computed in the last cycle arrive
            memcpy(s->from, s->to, sizeof s->from);
            for (unsigned j = 0; j < s->model->joint_count; j++)
                s->to[j] = rounded(s->reference[j], 1.0 / TICKS_PER_RAD);
        }
        step_physics(s, phase);
        if (fabs(phase + s->physics->opt.timestep - SAMPLE_PHASE_S) < 1e-6)
            read_sensors(s);
        if (s->data->warning[mjWARN_BADQACC].number > 0)
            return false;
    }
    note_truth(s, sample, lost);
    if (lost && s->options.loss != LOSS_NONE)
        without_commands(s, sample - s->options.loss_sample);
    else
        compute_references(s, sample);
    return !fallen(s);
}

// ---- planner ------------------------------------------------------------------------------------

static void receive(struct simulation *s)
{
    for (unsigned i = 0; i < s->segment.count; i++)
        s->held[(s->segment.first + i) % RING] = s->segment.sample[i];
    s->held_last = s->segment.first + s->segment.count - 1;
}

// Hands over the next portion of steps; *given is the number handed over so far.
static bool extend(struct simulation *s, int64_t now, const struct footstep *step, unsigned count,
                   unsigned *given)
{
    int64_t earliest = now == 0 ? 0 : now + DELIVERY_SAMPLES;
    unsigned first = now == 0 ? 0 : pattern_free_step(s->pattern, earliest);
    unsigned portion = s->options.gait == GAIT_DYNAMIC ? 3 : 2;
    first = first < count ? first : count;
    *given = first + portion < count ? first + portion : count;
    enum status status =
        pattern_extend(s->pattern, earliest, first, step + first, *given - first, &s->segment);
    if (status != STATUS_OK) {
        fprintf(stderr, "simulation: no segment from sample %lld, step %u: %s\n",
                (long long)earliest, first, status_text(status));
        return false;
    }
    receive(s);
    return true;
}

static void stand(struct simulation *s)
{
    const struct segment_sample *first = held(s, 0);
    upper_body(s, 0);
    if (stabilizer_feedforward(&s->stabilizer, first, s->output.leg_rad) != STATUS_OK)
        fprintf(stderr, "simulation: the standing pose is out of reach\n");
    for (int side = 0; side < LEGS; side++)
        for (int i = 0; i < LEG_JOINTS; i++)
            s->wanted[s->stabilizer.leg[side].joint[i]] = s->output.leg_rad[side][i];
    mj_resetData(s->physics, s->data);
    memcpy(s->data->qpos, first->pelvis_m, sizeof first->pelvis_m);
    for (unsigned j = 0; j < s->model->joint_count; j++) {
        s->data->qpos[s->qpos[j]] = s->wanted[j];
        s->reference[j] = s->from[j] = s->to[j] = s->wanted[j];
        s->data->ctrl[s->ctrl[j]] = s->wanted[j];
    }
    for (int i = 0; i < (int)lround(0.5 / s->physics->opt.timestep); i++)
        step_physics(s, 0.0);
    read_sensors(s);
    stabilizer_reset(&s->stabilizer);
}

static void finish(struct simulation *s, int64_t sample)
{
    struct simulation_result *r = &s->result;
    r->time_s = (double)sample * CYCLE_S;
    r->outside_share =
        s->walking_cycles > 0 ? (double)s->outside_cycles / (double)s->walking_cycles : 0.0;
    r->step_us = 1e6 * s->physics_s / (double)s->physics_steps;
    const struct segment_sample *d = held(s, sample);
    r->position_error_m =
        hypot(s->data->subtree_com[3] - d->com_m[0], s->data->subtree_com[4] - d->com_m[1]);
}

struct simulation_result simulation_walk(struct simulation *s, const struct footstep *step,
                                         unsigned count, double watch_s)
{
    unsigned given = 0, executed = 0;
    int64_t sample = 0, end;
    s->result = (struct simulation_result){.com_margin_m = HUGE_VAL};
    if (!extend(s, 0, step, count, &given)) {
        s->result.fell = true;
        return s->result;
    }
    stand(s);
    end = INT64_MAX;
    for (;; sample++) {
        bool lost = s->options.loss_sample >= 0 && sample >= s->options.loss_sample;
        if (executed < pattern_step_count(s->pattern) && !lost &&
            sample >= pattern_landing(s->pattern, executed)) {
            executed++;
            if (given < count && !extend(s, sample, step, count, &given))
                s->result.fell = true;
        }
        if (lost && end == INT64_MAX)
            end = sample + (int64_t)lround(watch_s / CYCLE_S);
        if (given >= count && sample >= s->held_last && end == INT64_MAX)
            end = sample + (int64_t)lround(watch_s / CYCLE_S);
        if (!cycle(s, sample))
            s->result.fell = true;
        if (s->result.fell || sample >= end)
            break;
    }
    s->result.steps = executed;
    finish(s, sample);
    return s->result;
}
