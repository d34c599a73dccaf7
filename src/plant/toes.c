#include "plant/toes.h"

void toes_find(struct toes *toes, const mjModel *model)
{
    static const char *const name[SIDE_COUNT] = {"RTO", "LTO"};
    for (int side = 0; side < SIDE_COUNT; side++) {
        toes->joint[side] = mj_name2id(model, mjOBJ_JOINT, name[side]);
        toes->body[side] = toes->joint[side] < 0 ? -1 : model->jnt_bodyid[toes->joint[side]];
        toes->force_N[side] = 0;
    }
}

void toes_truth(const struct toes *toes, const mjModel *model, const mjData *data,
                struct toe_message *message)
{
    *message = (struct toe_message){0};
    for (int side = 0; side < SIDE_COUNT; side++) {
        const int joint = toes->joint[side];
        if (joint < 0)
            continue;
        const int dof = model->jnt_dofadr[joint];
        message->angle_rad[side] = data->qpos[model->jnt_qposadr[joint]];
        message->rate_rad_s[side] = data->qvel[dof];
        message->moment_Nm[side] = model->jnt_stiffness[joint] * message->angle_rad[side] +
                                   model->dof_damping[dof] * message->rate_rad_s[side];
        message->force_N[side] = toes->force_N[side];
    }
}
