#include "plant/mocap.h"

void mocap_start(struct mocap *mocap, const struct mocap_config *config)
{
    *mocap = (struct mocap){.config = *config};
    random_start(&mocap->stream, config->seed, "mocap");
}

static double noisy(struct mocap *mocap, double value, double deviation)
{
    return deviation > 0 ? value + deviation * random_normal(&mocap->stream) : value;
}

void mocap_look(struct mocap *mocap, instant t, const double chest_m[3], double yaw_rad)
{
    if (!mocap->config.present || instant_before(t, mocap->next))
        return;
    struct mocap_message *pose = &mocap->held[mocap->taken % MOCAP_HELD_MAX];
    mocap->next.ns += MOCAP_PERIOD_NS;
    *pose = (struct mocap_message){.taken = t, .sequence = ++mocap->taken};
    pose->told = instant_add(t, duration_s(mocap->config.latency_s));
    pose->age = instant_sub(pose->told, t);
    pose->x_m = noisy(mocap, chest_m[0], mocap->config.noise_m);
    pose->y_m = noisy(mocap, chest_m[1], mocap->config.noise_m);
    pose->z_m = noisy(mocap, chest_m[2], mocap->config.noise_m);
    pose->yaw_rad = noisy(mocap, yaw_rad, mocap->config.noise_rad);
}

bool mocap_tell(struct mocap *mocap, instant t, struct mocap_message *message)
{
    if (mocap->told == mocap->taken)
        return false;
    const struct mocap_message *pose = &mocap->held[mocap->told % MOCAP_HELD_MAX];
    if (instant_before(t, pose->told))
        return false;
    *message = *pose;
    mocap->told++;
    return true;
}
