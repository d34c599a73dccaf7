#include "targets/hrp3p/node_control.h"

#include <math.h>

double node_p_Nm_rad(double torque_max_Nm)
{
    return torque_max_Nm / NODE_STIFF_RAD;
}

double node_d_Nms_rad(double torque_max_Nm)
{
    return node_p_Nm_rad(torque_max_Nm) * NODE_DAMPING_S;
}

static double clip(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

void node_begin(struct node_control *control, const uint32_t counter[LINK_JOINTS])
{
    control->mode = NODE_START;
    control->ticks_left = control->silent_ticks = 0;
    for (unsigned i = 0; i < control->joint_count; i++) {
        struct node_joint *joint = &control->joint[i];
        joint->angle_rad = link_angle_rad(counter[i], joint->ticks_per_rad);
        joint->velocity_rad_s = 0;
        joint->reference_rad = joint->line_rad = joint->target_rad =
            clip(joint->angle_rad, joint->min_rad, joint->max_rad);
        joint->beside_rad = 0;
        joint->p_Nm_rad = node_p_Nm_rad(joint->torque_max_Nm);
        joint->d_Nms_rad = node_d_Nms_rad(joint->torque_max_Nm);
    }
}

// A line begins at the first target: the reference joins it from where it is, and that of a joint
// that gave way while its gains were low from where the joint is.
static void begin_line(struct node_joint *joint, bool gave_way)
{
    if (gave_way)
        joint->reference_rad = clip(joint->angle_rad, joint->min_rad, joint->max_rad);
    joint->line_rad = joint->target_rad;
    joint->beside_rad = joint->reference_rad - joint->line_rad;
}

void node_take(struct node_control *control, const struct node_command command[LINK_JOINTS])
{
    const bool follows = control->mode == NODE_TRACK || control->mode == NODE_REJOIN;
    for (unsigned i = 0; i < control->joint_count; i++) {
        struct node_joint *joint = &control->joint[i];
        joint->target_rad = clip(command[i].reference_rad, joint->min_rad, joint->max_rad);
        joint->p_Nm_rad = command[i].p_Nm_rad;
        joint->d_Nms_rad = command[i].d_Nms_rad;
        if (!follows)
            begin_line(joint, control->mode == NODE_SOFT);
    }
    if (!follows)
        control->mode = NODE_REJOIN;
    control->silent_ticks = 0;
    control->ticks_left = NODE_TICKS;
}

static void move_reference(struct node_joint *joint, unsigned ticks_left)
{
    const double step_rad = NODE_REJOIN_RAD_S * NODE_TICK_S, before_rad = joint->reference_rad;
    if (ticks_left > 0)
        joint->line_rad += (joint->target_rad - joint->line_rad) / ticks_left;
    joint->beside_rad -= clip(joint->beside_rad, -step_rad, step_rad);
    joint->reference_rad =
        clip(joint->line_rad + joint->beside_rad, joint->min_rad, joint->max_rad);
    joint->speed_rad_s = (joint->reference_rad - before_rad) / NODE_TICK_S;
}

static void move_references(struct node_control *control)
{
    bool beside = false;
    if (control->mode == NODE_START)
        return;
    for (unsigned i = 0; i < control->joint_count; i++) {
        move_reference(&control->joint[i], control->ticks_left);
        beside |= fabs(control->joint[i].beside_rad) > 0;
    }
    if (control->mode == NODE_REJOIN && !beside)
        control->mode = NODE_TRACK;
    if (control->ticks_left > 0)
        control->ticks_left--;
}

static void count_silence(struct node_control *control)
{
    if (control->mode == NODE_START || control->silent_ticks == UINT32_MAX)
        return;
    control->silent_ticks++;
    if (control->silent_ticks > NODE_SOFT_TICKS)
        control->mode = NODE_SOFT;
    else if (control->silent_ticks > NODE_HOLD_TICKS)
        control->mode = NODE_HOLD;
}

// Of the gains: 1 unless nobody has commanded for long.
static double share_of_gains(const struct node_control *control)
{
    if (control->mode != NODE_SOFT)
        return 1;
    const double softening =
        (double)(control->silent_ticks - NODE_SOFT_TICKS) / NODE_SOFTENING_TICKS;
    return 1 - (1 - NODE_SOFT_SHARE) * (softening < 1 ? softening : 1);
}

static double difference_rad(uint32_t counter, const struct node_joint *joint)
{
    const uint32_t before = link_count(joint->angle_rad, joint->ticks_per_rad);
    return link_angle_rad(counter - before, joint->ticks_per_rad); // a wrapped counter, too
}

void node_tick(struct node_control *control, const uint32_t counter[LINK_JOINTS],
               uint32_t output[LINK_JOINTS])
{
    const double share = share_of_gains(control);
    move_references(control);
    for (unsigned i = 0; i < control->joint_count; i++) {
        struct node_joint *joint = &control->joint[i];
        const double moved_rad = difference_rad(counter[i], joint);
        joint->angle_rad = link_angle_rad(counter[i], joint->ticks_per_rad);
        joint->velocity_rad_s = moved_rad / NODE_TICK_S;
        const double torque_Nm =
            share * joint->p_Nm_rad * (joint->reference_rad - joint->angle_rad) +
            sqrt(share) * joint->d_Nms_rad * (joint->speed_rad_s - joint->velocity_rad_s);
        output[i] =
            link_code(clip(torque_Nm / joint->torque_max_Nm, -1, 1) * LINK_VOLTS, LINK_DA_BITS);
    }
    count_silence(control);
}
