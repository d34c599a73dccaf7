// The walker, broken in the way that its argument says: hasty takes steps of twice the limit;
// lost has the goal 0.2 m before, 0.15 m beside and 10 degrees off where it is; endless is never
// there.
#include <string.h>

#include "robot/participant.h"
#include "walk/walking_task.h"

static const char *way = "";

enum status __real_participant_begin(int argc, char **argv);
enum status __wrap_participant_begin(int argc, char **argv);
void __real_walking_task_error(struct pose2d at, struct pose2d goal, double error[TASK_AXES]);
void __wrap_walking_task_error(struct pose2d at, struct pose2d goal, double error[TASK_AXES]);
bool __real_walking_task_reached(const struct walking_task_parameters *parameters,
                                 const double error[TASK_AXES]);
bool __wrap_walking_task_reached(const struct walking_task_parameters *parameters,
                                 const double error[TASK_AXES]);
void __real_walking_task_step(struct walking_task *task, const struct walking_task_parameters *p,
                              struct pose2d at, struct pose2d goal, double step[TASK_AXES]);
void __wrap_walking_task_step(struct walking_task *task, const struct walking_task_parameters *p,
                              struct pose2d at, struct pose2d goal, double step[TASK_AXES]);

static bool is(const char *word)
{
    return strcmp(way, word) == 0;
}

static struct pose2d moved(struct pose2d goal)
{
    return is("lost") ? (struct pose2d){goal.x_m - 0.2, goal.y_m + 0.15, goal.yaw_rad + 0.1745}
                      : goal;
}

enum status __wrap_participant_begin(int argc, char **argv)
{
    if (argc > 1)
        way = argv[1];
    return __real_participant_begin(1, argv);
}

void __wrap_walking_task_error(struct pose2d at, struct pose2d goal, double error[TASK_AXES])
{
    __real_walking_task_error(at, moved(goal), error);
}

bool __wrap_walking_task_reached(const struct walking_task_parameters *parameters,
                                 const double error[TASK_AXES])
{
    return __real_walking_task_reached(parameters, error) && !is("endless");
}

void __wrap_walking_task_step(struct walking_task *task, const struct walking_task_parameters *p,
                              struct pose2d at, struct pose2d goal, double step[TASK_AXES])
{
    struct walking_task_parameters wide = *p;
    if (is("hasty"))
        wide.limit[TASK_X] *= 2;
    __real_walking_task_step(task, &wide, at, moved(goal), step);
}
