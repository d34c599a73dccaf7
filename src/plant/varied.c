#include "plant/varied.h"

#include <math.h>
#include <string.h>

#include "base/log.h"
#include "plant/physics.h"

#define PLANE 2
#define SPACE 3

enum status varied_read(struct varied *varied, uint64_t seed)
{
    random_start(&varied->noise, seed, "vary-noise");
    for (unsigned i = 0; i < VARIATION_COUNT; i++)
        if (variation_read((enum variation_number)i, &varied->of[i]) != STATUS_OK)
            return STATUS_INVALID;
    return STATUS_OK;
}

bool varied_has(const struct varied *varied, enum variation_number number)
{
    return varied->of[number].count > 0;
}

double varied_at(const struct varied *varied, enum variation_number number, unsigned i)
{
    return variation_at(&varied->of[number], i);
}

// ---- the robot in its model ---------------------------------------------------------------------

struct robot_of_model {
    int root;            // its first body
    int place, velocity; // of its free joint
};

static bool find_robot(const mjModel *model, struct robot_of_model *robot)
{
    for (int j = 0; j < model->njnt; j++)
        if (model->jnt_type[j] == mjJNT_FREE) {
            *robot = (struct robot_of_model){model->jnt_bodyid[j], model->jnt_qposadr[j],
                                             model->jnt_dofadr[j]};
            return true;
        }
    return false;
}

static bool is_link(const mjModel *model, const struct robot_of_model *robot, int body)
{
    return model->body_rootid[body] == robot->root && model->body_mass[body] > 0;
}

// A hinge that something drives: a spring of its own says that nothing does.
static bool is_driven(const mjModel *model, const struct robot_of_model *robot, int joint)
{
    return model->jnt_type[joint] == mjJNT_HINGE && model->jnt_stiffness[joint] == 0 &&
           model->body_rootid[model->jnt_bodyid[joint]] == robot->root;
}

static unsigned count_links(const mjModel *model, const struct robot_of_model *robot)
{
    unsigned count = 0;
    for (int b = 0; b < model->nbody; b++)
        count += is_link(model, robot, b);
    return count;
}

static unsigned count_driven(const mjModel *model, const struct robot_of_model *robot)
{
    unsigned count = 0;
    for (int j = 0; j < model->njnt; j++)
        count += is_driven(model, robot, j);
    return count;
}

static enum status check_counts(const struct varied *varied, const char *path, unsigned joints,
                                unsigned links)
{
    const unsigned wanted[] = {
        [EACH_ONE] = 1,
        [EACH_PLANE] = PLANE,
        [EACH_SPACE] = SPACE,
        [EACH_JOINT] = joints,
        [EACH_LINK] = links,
        [EACH_LINK_SPACE] = SPACE * links,
        [EACH_FORCE_TORQUE] = ROBOT_FORCE_TORQUE_MAX,
        [EACH_FORCE_TORQUE_PLANE] = PLANE * ROBOT_FORCE_TORQUE_MAX,
    };
    for (unsigned i = 0; i < VARIATION_COUNT; i++) {
        const unsigned given = varied->of[i].count, right = wanted[variation_kinds[i].each];
        if (given <= 1 || given == right)
            continue;
        log_error(VARIATION_PREFIX "%s: %u values, and the robot of %s has %u; write each: %u",
                  variation_kinds[i].name, given, path, right, right);
        return STATUS_INVALID;
    }
    return STATUS_OK;
}

// ---- model --------------------------------------------------------------------------------------

static void vary_links(const struct varied *varied, mjModel *model,
                       const struct robot_of_model *robot)
{
    unsigned link = 0;
    for (int b = 0; b < model->nbody; b++) {
        if (!is_link(model, robot, b))
            continue;
        const double share = 1 + varied_at(varied, VARY_link_mass_share, link);
        model->body_mass[b] *= share;
        for (int i = 0; i < SPACE; i++) {
            model->body_inertia[SPACE * b + i] *= share;
            model->body_ipos[SPACE * b + i] +=
                varied_at(varied, VARY_link_com_m, SPACE * link + (unsigned)i);
        }
        link++;
    }
}

// A torque motor exerts so much more than it was told; a position loop's gains are so much larger.
static void vary_motor(mjModel *model, int joint, double share)
{
    for (int a = 0; a < model->nu; a++) {
        if (model->actuator_trntype[a] != mjTRN_JOINT || model->actuator_trnid[2 * a] != joint)
            continue;
        if (model->actuator_biastype[a] == mjBIAS_NONE)
            model->actuator_gear[6 * a] *= share;
        else {
            model->actuator_gainprm[mjNGAIN * a] *= share;
            model->actuator_biasprm[mjNBIAS * a + 1] *= share;
            model->actuator_biasprm[mjNBIAS * a + 2] *= share;
        }
    }
}

static void vary_joints(const struct varied *varied, mjModel *model,
                        const struct robot_of_model *robot)
{
    unsigned number = 0;
    for (int j = 0; j < model->njnt; j++) {
        if (!is_driven(model, robot, j))
            continue;
        model->qpos0[model->jnt_qposadr[j]] -= varied_at(varied, VARY_joint_zero_rad, number);
        model->dof_frictionloss[model->jnt_dofadr[j]] +=
            varied_at(varied, VARY_joint_friction_Nm, number);
        vary_motor(model, j, 1 + varied_at(varied, VARY_motor_strength_share, number));
        number++;
    }
}

static void vary_friction(const struct varied *varied, mjModel *model,
                          const struct robot_of_model *robot)
{
    const double share = 1 + varied_at(varied, VARY_floor_friction_share, 0);
    for (int g = 0; g < model->ngeom; g++) {
        const int root = model->body_rootid[model->geom_bodyid[g]];
        if (root == 0 || root == robot->root)
            model->geom_friction[SPACE * g] *= share;
    }
}

static void turn_joints(const struct varied *varied, const mjModel *model,
                        const struct robot_of_model *robot, mjData *data, double share)
{
    unsigned number = 0;
    for (int j = 0; j < model->njnt; j++)
        if (is_driven(model, robot, j))
            data->qpos[model->jnt_qposadr[j]] +=
                share * varied_at(varied, VARY_joint_zero_rad, number++);
}

static bool varies(const struct varied *varied)
{
    for (unsigned i = 0; i < VARIATION_COUNT; i++)
        if (varied->of[i].count > 0)
            return true;
    return false;
}

enum status varied_model(const struct varied *varied, const char *path, mjModel *model,
                         mjData *data)
{
    struct robot_of_model robot;
    if (!varies(varied) || !find_robot(model, &robot))
        return STATUS_OK;
    const enum status status =
        check_counts(varied, path, count_driven(model, &robot), count_links(model, &robot));
    if (status != STATUS_OK)
        return status;
    vary_links(varied, model, &robot);
    vary_joints(varied, model, &robot);
    vary_friction(varied, model, &robot);
    mj_setConst(model, data);
    mj_resetData(model, data);
    turn_joints(varied, model, &robot, data, 1); // what encoders read then is as it would be
    return STATUS_OK;
}

// ---- start --------------------------------------------------------------------------------------

static double deepest_m(const mjModel *model, mjData *data)
{
    mj_fwdPosition(model, data);
    double least_m = 0;
    for (int c = 0; c < data->ncon; c++)
        least_m = fmin(least_m, data->contact[c].dist);
    return least_m;
}

static const double axis_x[] = {1, 0, 0}, axis_y[] = {0, 1, 0}, axis_z[] = {0, 0, 1};

// About an axis of the world's.
static void turn(mjtNum *quaternion, const double axis[SPACE], double angle_rad)
{
    mjtNum by[4], turned[4];
    mju_axisAngle2Quat(by, axis, angle_rad);
    mju_mulQuat(turned, by, quaternion);
    memcpy(quaternion, turned, sizeof turned);
}

// How deep the model's own robot stands in the floor is said by its pose without zeros: as deep as
// the contact needs to carry it.
static double own_depth_m(const struct varied *varied, const mjModel *model, mjData *data,
                          const struct robot_of_model *robot)
{
    turn_joints(varied, model, robot, data, -1);
    const double depth_m = deepest_m(model, data);
    turn_joints(varied, model, robot, data, 1);
    return depth_m;
}

void varied_start(const struct varied *varied, const mjModel *model, mjData *data)
{
    struct robot_of_model robot;
    if (!varies(varied) || !find_robot(model, &robot))
        return;
    const double depth_m = own_depth_m(varied, model, data, &robot);
    mjtNum *const place = data->qpos + robot.place;
    place[0] += varied_at(varied, VARY_start_place_m, 0);
    place[1] += varied_at(varied, VARY_start_place_m, 1);
    turn(place + SPACE, axis_x, varied_at(varied, VARY_start_tilt_rad, 0));
    turn(place + SPACE, axis_y, varied_at(varied, VARY_start_tilt_rad, 1));
    turn(place + SPACE, axis_z, varied_at(varied, VARY_start_yaw_rad, 0));
    place[2] += fmax(depth_m - deepest_m(model, data), 0);
    place[2] += varied_at(varied, VARY_start_height_m, 0);
}

// ---- sensors ------------------------------------------------------------------------------------

// About an axis of its own.
static void mount(mjtNum *quaternion, const double axis[SPACE], double angle_rad)
{
    mjtNum by[4], turned[4];
    mju_axisAngle2Quat(by, axis, angle_rad);
    mju_mulQuat(turned, quaternion, by);
    memcpy(quaternion, turned, sizeof turned);
}

void varied_sensors(const struct varied *varied, struct sensor_truth *sensors)
{
    for (unsigned i = 0; i < ROBOT_FORCE_TORQUE_MAX; i++) {
        double *const read = sensors->force_torque_Nm[i];
        read[0] += varied_at(varied, VARY_moment_zero_Nm, PLANE * i);
        read[1] += varied_at(varied, VARY_moment_zero_Nm, PLANE * i + 1);
        read[2] = read[2] * (1 + varied_at(varied, VARY_force_share, i)) +
                  varied_at(varied, VARY_force_zero_N, i);
    }
    mount(sensors->imu_quaternion, axis_x, varied_at(varied, VARY_imu_zero_rad, 0));
    mount(sensors->imu_quaternion, axis_y, varied_at(varied, VARY_imu_zero_rad, 1));
    for (unsigned i = 0; i < SPACE; i++) {
        sensors->imu_rate_rad_s[i] += varied_at(varied, VARY_imu_rate_zero_rad_s, i);
        sensors->imu_acceleration_m_s2[i] += varied_at(varied, VARY_imu_acceleration_zero_m_s2, i);
    }
}

static void add_noise(struct varied *varied, enum variation_number number, double *value,
                      unsigned count)
{
    for (unsigned i = 0; i < count && varied_has(varied, number); i++)
        value[i] += varied_at(varied, number, 0) * random_normal(&varied->noise);
}

void varied_noise(struct varied *varied, struct sensor_truth *sensors)
{
    for (unsigned i = 0; i < ROBOT_FORCE_TORQUE_MAX; i++) {
        add_noise(varied, VARY_moment_noise_Nm, sensors->force_torque_Nm[i], PLANE);
        add_noise(varied, VARY_force_noise_N, sensors->force_torque_Nm[i] + PLANE, 1);
    }
    add_noise(varied, VARY_imu_rate_noise_rad_s, sensors->imu_rate_rad_s, SPACE);
    add_noise(varied, VARY_imu_acceleration_noise_m_s2, sensors->imu_acceleration_m_s2, SPACE);
}
