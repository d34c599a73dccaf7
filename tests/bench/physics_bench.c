// Bare physics: a plain MuJoCo step loop of a robot model, the yardstick for the whole lab's speed.
//
//   physics_bench MODEL [SECONDS]
//
// The robot stands on its keyframe "stand" and squats, so that contacts and joints move; no boards,
// buses or processes.
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SQUAT_RAD 0.1
#define SQUAT_HZ 0.8

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Adds to the standing pose a squat that keeps the soles flat: hip and ankle bend half as much as
// the knee, the other way.
static void set_squat(const mjModel *model, mjData *data, const mjtNum *stand)
{
    static const char *const legs[] = {"LHP", "LKN", "LAP", "RHP", "RKN", "RAP"};
    static const double shares[] = {-1, 2, -1, -1, 2, -1};
    double bend = SQUAT_RAD * (1 - cos(2 * mjPI * SQUAT_HZ * data->time));
    for (size_t i = 0; i < sizeof legs / sizeof legs[0]; i++) {
        int actuator = mj_name2id(model, mjOBJ_ACTUATOR, legs[i]);
        if (actuator >= 0)
            data->ctrl[actuator] = stand[actuator] + shares[i] * bend;
    }
}

int main(int argc, char **argv)
{
    double seconds = argc > 2 ? atof(argv[2]) : 20;
    if (argc < 2 || argc > 3 || seconds <= 0) {
        fprintf(stderr, "usage: physics_bench MODEL [SECONDS]\n");
        return 2;
    }
    char error[500] = "";
    mjModel *model = mj_loadXML(argv[1], NULL, error, sizeof error);
    if (!model) {
        fprintf(stderr, "physics_bench: %s: %s\n", argv[1], error);
        return 2;
    }
    mjData *data = mj_makeData(model);
    int stand = mj_name2id(model, mjOBJ_KEY, "stand");
    if (stand >= 0)
        mj_resetDataKeyframe(model, data, stand);
    const mjtNum *pose = stand >= 0 ? model->key_ctrl + stand * model->nu : data->ctrl;

    double start = cpu_s();
    while (data->time < seconds) {
        set_squat(model, data, pose);
        mj_step(model, data);
    }
    double used = cpu_s() - start;
    printf("bare physics: %.1f simulated s in %.3f CPU s: %.1f simulated s per CPU s, %.1f us per "
           "step of %g ms\n",
           data->time, used, data->time / used, 1e6 * used * model->opt.timestep / data->time,
           1e3 * model->opt.timestep);
    mj_deleteData(data);
    mj_deleteModel(model);
    return EXIT_SUCCESS;
}
