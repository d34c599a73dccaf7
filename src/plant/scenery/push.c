#include "plant/scenery/push.h"

#include <math.h>
#include <string.h>

void push_change(struct push *push, const mjModel *model, mjData *data, double yaw_rad,
                 const struct push_change_message *change)
{
    struct push_message *truth = &push->truth;
    char name[sizeof change->body + 1] = "";
    if (change->id == truth->change_id)
        return;
    memcpy(name, change->body, sizeof change->body);
    const int body = mj_name2id(model, mjOBJ_BODY, name);
    truth->change_id = change->id;
    if (body <= 0 || !isfinite(change->force_N) || !isfinite(change->direction_rad)) {
        truth->refused++;
        return;
    }
    if (push->body > 0) // whoever pushed lets go
        memset(data->xfrc_applied + 6 * push->body, 0, 3 * sizeof(mjtNum));
    const double direction_rad = yaw_rad + change->direction_rad;
    push->body = change->force_N != 0 ? body : 0;
    truth->force_N = change->force_N;
    truth->force_world_N[0] = change->force_N * cos(direction_rad);
    truth->force_world_N[1] = change->force_N * sin(direction_rad);
}

void push_step(struct push *push, const mjModel *model, mjData *data)
{
    struct push_message *truth = &push->truth;
    if (push->body == 0)
        return;
    memcpy(data->xfrc_applied + 6 * push->body, truth->force_world_N, 3 * sizeof(mjtNum));
    for (int i = 0; i < 3; i++)
        truth->impulse_world_Ns[i] += model->opt.timestep * truth->force_world_N[i];
}
