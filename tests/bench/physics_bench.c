// Bare physics: a plain MuJoCo step loop of a robot model, the yardstick for the whole lab's speed.
//
//   physics_bench MODEL [SECONDS]        the robot stands on its keyframe "stand" and squats
//   physics_bench MODEL MOTION.tsv       the robot does what it did in a trial: `trial_run` wrote
//   it
//
// No boards, buses or processes. A motion's set points are those of the trial's motor boards, every
// 10 ms; between them they move on straight lines, as the boards move them. So physics makes the
// same steps with the same contacts as in the trial.
#include <errno.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SQUAT_RAD 0.1
#define SQUAT_HZ 0.8
#define ROWS_MAX 200000
#define ACTUATORS_MAX 64
#define LINE_MAX_B 8192

struct motion {
    unsigned rows, columns;
    int actuator[ACTUATORS_MAX]; // by column; -1: the model does not have it
    double *time_s;              // by row
    double *setpoint_rad;        // by row and column
    double pelvis_m[3];          // at the end of the trial
};

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- what the robot does ------------------------------------------------------------------------

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

// The first line names the columns: time, pelvis x, y, z, then joints.
static void read_names(struct motion *motion, const mjModel *model, char *line)
{
    char *rest = line;
    for (unsigned skipped = 0; skipped < 4; skipped++)
        (void)strsep(&rest, "\t\n");
    for (char *name; (name = strsep(&rest, "\t\n")) != NULL && motion->columns < ACTUATORS_MAX;)
        if (name[0] != '\0')
            motion->actuator[motion->columns++] = mj_name2id(model, mjOBJ_ACTUATOR, name);
}

static void read_row(struct motion *motion, char *line)
{
    char *rest = line;
    motion->time_s[motion->rows] = strtod(rest, &rest);
    for (unsigned i = 0; i < 3; i++)
        motion->pelvis_m[i] = strtod(rest, &rest);
    for (unsigned i = 0; i < motion->columns; i++)
        motion->setpoint_rad[motion->rows * motion->columns + i] = strtod(rest, &rest);
    motion->rows++;
}

static int read_motion(const char *path, const mjModel *model, struct motion *motion)
{
    static char line[LINE_MAX_B];
    FILE *file = fopen(path, "re");
    if (file == NULL || fgets(line, sizeof line, file) == NULL) {
        fprintf(stderr, "physics_bench: %s: %s; have trial_run write it\n", path, strerror(errno));
        return 2;
    }
    read_names(motion, model, line);
    motion->time_s = calloc(ROWS_MAX, sizeof *motion->time_s);
    motion->setpoint_rad = calloc((size_t)ROWS_MAX * (motion->columns + 1), sizeof(double));
    const bool room = motion->time_s != NULL && motion->setpoint_rad != NULL;
    while (room && motion->rows < ROWS_MAX && fgets(line, sizeof line, file) != NULL)
        read_row(motion, line);
    (void)fclose(file); // only read
    if (!room)
        return 3;
    if (motion->rows >= 2)
        return 0;
    fprintf(stderr, "physics_bench: %s: holds no motion; have trial_run write it\n", path);
    return 2;
}

// Set points at `time_s`, which lies between rows `row` and `row` + 1.
static void set_motion(const struct motion *motion, unsigned row, double time_s, mjtNum *ctrl)
{
    const double *from = motion->setpoint_rad + (size_t)row * motion->columns;
    const double *to = from + motion->columns;
    const double share =
        (time_s - motion->time_s[row]) / (motion->time_s[row + 1] - motion->time_s[row]);
    for (unsigned i = 0; i < motion->columns; i++)
        if (motion->actuator[i] >= 0)
            ctrl[motion->actuator[i]] = from[i] + (to[i] - from[i]) * share;
}

// ---- stepping -----------------------------------------------------------------------------------

static void squat(const mjModel *model, mjData *data, double seconds)
{
    int stand = mj_name2id(model, mjOBJ_KEY, "stand");
    const mjtNum *pose = stand >= 0 ? model->key_ctrl + stand * model->nu : data->ctrl;
    while (data->time < seconds) {
        set_squat(model, data, pose);
        mj_step(model, data);
    }
}

static void replay(const mjModel *model, mjData *data, const struct motion *motion)
{
    const double step_s = model->opt.timestep;
    const long steps = lround(motion->time_s[motion->rows - 1] / step_s);
    unsigned row = 0;
    for (long k = 1; k <= steps; k++) {
        const double time_s = (double)k * step_s; // at the end of the step, as in the trial
        while (row + 2 < motion->rows && motion->time_s[row + 1] < time_s - step_s / 2)
            row++;
        set_motion(motion, row, time_s, data->ctrl);
        mj_step(model, data);
    }
}

static void print_end(const mjModel *model, const mjData *data, const struct motion *motion)
{
    const mjtNum *pelvis = data->xpos + 3 * mj_name2id(model, mjOBJ_BODY, "pelvis");
    double sum = 0;
    for (unsigned i = 0; i < 3; i++)
        sum += (pelvis[i] - motion->pelvis_m[i]) * (pelvis[i] - motion->pelvis_m[i]);
    printf("replayed: the pelvis ends %.1f mm from where it ended in the trial\n",
           1000 * sqrt(sum));
}

// Steps the squat, or the motion if there is one, and prints what that took.
static void measure(const mjModel *model, mjData *data, const struct motion *motion, double seconds)
{
    int stand = mj_name2id(model, mjOBJ_KEY, "stand");
    if (stand >= 0)
        mj_resetDataKeyframe(model, data, stand);
    const double start = cpu_s();
    if (motion != NULL)
        replay(model, data, motion);
    else
        squat(model, data, seconds);
    const double used = cpu_s() - start;
    if (motion != NULL)
        print_end(model, data, motion);
    printf("bare physics: %.1f simulated s in %.3f CPU s: %.1f simulated s per CPU s, %.1f us per "
           "step of %g ms\n",
           data->time, used, data->time / used, 1e6 * used * model->opt.timestep / data->time,
           1e3 * model->opt.timestep);
}

static int run(const mjModel *model, mjData *data, const char *what)
{
    struct motion motion = {0};
    char *end;
    const double seconds = strtod(what, &end);
    const bool moves = *end != '\0';
    const int status = moves ? read_motion(what, model, &motion) : seconds > 0 ? 0 : 2;
    if (status == 0)
        measure(model, data, moves ? &motion : NULL, seconds);
    free(motion.time_s);
    free(motion.setpoint_rad);
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: physics_bench MODEL [SECONDS | MOTION.tsv]\n");
        return 2;
    }
    char error[500] = "";
    mjModel *model = mj_loadXML(argv[1], NULL, error, sizeof error);
    if (!model) {
        fprintf(stderr, "physics_bench: %s: %s\n", argv[1], error);
        return 2;
    }
    mjData *data = mj_makeData(model);
    const int status = run(model, data, argc > 2 ? argv[2] : "20");
    mj_deleteData(data);
    mj_deleteModel(model);
    return status;
}
