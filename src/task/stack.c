#include "task/stack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "model/spatial.h"

#define LEVEL_ROWS_MAX 96
#define TOLERANCE 1e-3 // m or rad a second, of rows a radian a second changes

struct task_stack {
    const struct robot_model *model;
    struct task_limits limits;
    struct hierarchy *hierarchy;
    struct task task[TASKS_MAX];
    unsigned count;
    double last[TASK_UNKNOWNS_MAX]; // velocity of the last period
    double row[TASK_LEVELS_MAX][LEVEL_ROWS_MAX * TASK_UNKNOWNS_MAX];
    double lower[TASK_LEVELS_MAX][LEVEL_ROWS_MAX], upper[TASK_LEVELS_MAX][LEVEL_ROWS_MAX];
    struct hierarchy_level level[TASK_LEVELS_MAX];
    struct robot_pose pose;
};

enum status task_stack_create(const struct robot_model *model, const struct task_limits *limits,
                              struct task_stack **stack)
{
    *stack = NULL;
    if (!(limits->speed_max_rad_s > 0 && limits->acceleration_max_rad_s2 > 0 &&
          limits->range_margin_rad >= 0))
        return STATUS_INVALID;
    struct task_stack *made = calloc(1, sizeof *made);
    if (!made || hierarchy_create(TASK_ROOT + model->joint_count, LEVEL_ROWS_MAX,
                                  &made->hierarchy) != STATUS_OK) {
        free(made);
        return STATUS_NO_MEMORY;
    }
    made->model = model;
    made->limits = *limits;
    *stack = made;
    return STATUS_OK;
}

void task_stack_free(struct task_stack *stack)
{
    if (stack)
        hierarchy_free(stack->hierarchy);
    free(stack);
}

void task_stack_forget(struct task_stack *stack)
{
    hierarchy_forget(stack->hierarchy);
}

void task_stack_rest(struct task_stack *stack)
{
    memset(stack->last, 0, sizeof stack->last);
    hierarchy_forget(stack->hierarchy);
}

// ---- which tasks there are
// ------------------------------------------------------------------------

static unsigned rows_of(const struct task_stack *stack, enum task_kind kind)
{
    expects((unsigned)kind < TASK_KINDS);
    static const unsigned rows[TASK_KINDS] = {6, 3, 3, 3, 2, 0, 1};
    return kind == TASK_POSTURE ? stack->model->joint_count : rows[kind];
}

static bool are_finite(const double *number, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!isfinite(number[i]))
            return false;
    return true;
}

static bool is_link(const struct task_stack *stack, int link)
{
    return link >= 0 && link < (int)stack->model->link_count;
}

static bool is_valid(const struct task_stack *stack, const struct task *task)
{
    bool whole = task->kind == TASK_COM || task->kind == TASK_POSTURE;
    return task->name[0] && memchr(task->name, 0, sizeof task->name) &&
           (unsigned)task->kind < TASK_KINDS && task->level < TASK_LEVELS_MAX &&
           (whole || is_link(stack, task->link)) && (!task->based || is_link(stack, task->base)) &&
           are_finite(task->point_m, 3) && are_finite(task->place_m, 3) &&
           are_finite(task->along_m, 3) && are_finite(task->rotation, 9) &&
           are_finite(task->velocity, 6) &&
           are_finite(task->joint_rad, stack->model->joint_count) &&
           are_finite(task->joint_rad_s, stack->model->joint_count) && task->gain.at_zero >= 0 &&
           task->gain.far >= 0 && task->gain.decay >= 0 && task->distance_m >= 0 &&
           isfinite(task->gain.at_zero + task->gain.far + task->gain.decay + task->distance_m);
}

struct task *task_stack_find(struct task_stack *stack, const char *name)
{
    for (unsigned i = 0; i < stack->count; i++)
        if (strcmp(stack->task[i].name, name) == 0)
            return &stack->task[i];
    return NULL;
}

enum status task_stack_add(struct task_stack *stack, const struct task *task)
{
    invariant(stack->count <= TASKS_MAX);
    if (!is_valid(stack, task) || task_stack_find(stack, task->name))
        return STATUS_INVALID;
    unsigned rows = rows_of(stack, task->kind);
    for (unsigned i = 0; i < stack->count; i++)
        if (stack->task[i].level == task->level)
            rows += rows_of(stack, stack->task[i].kind);
    if (stack->count == TASKS_MAX || rows > LEVEL_ROWS_MAX)
        return STATUS_FULL;
    stack->task[stack->count++] = *task;
    return STATUS_OK;
}

enum status task_stack_remove(struct task_stack *stack, const char *name)
{
    struct task *task = task_stack_find(stack, name);
    if (!task)
        return STATUS_NOT_FOUND;
    size_t behind = (size_t)(stack->task + stack->count - (task + 1));
    memmove(task, task + 1, behind * sizeof *task);
    stack->count--;
    return STATUS_OK;
}

enum status task_stack_swap(struct task_stack *stack, const char *one, const char *other)
{
    struct task *a = task_stack_find(stack, one), *b = task_stack_find(stack, other);
    if (!a || !b)
        return STATUS_NOT_FOUND;
    unsigned level = a->level;
    a->level = b->level;
    b->level = level;
    return STATUS_OK;
}

// ---- rows of a task
// -------------------------------------------------------------------------------

static unsigned width_of(const struct task_stack *stack)
{
    return TASK_ROOT + stack->model->joint_count;
}

static double lambda(const struct task_gain *gain, double error)
{
    return (gain->at_zero - gain->far) * exp(-gain->decay * error) + gain->far;
}

// Writes the velocity that lets `error` (target less present) decay.
static void ask(struct task *task, const double *error, unsigned count, const double *velocity,
                double *lower, double *upper)
{
    double square = 0;
    for (unsigned i = 0; i < count; i++)
        square += error[i] * error[i];
    task->error = sqrt(square);
    double gain = lambda(&task->gain, task->error);
    for (unsigned i = 0; i < count; i++)
        lower[i] = upper[i] = gain * error[i] + (velocity ? velocity[i] : 0);
}

// Two directions across a unit vector.
static void across(const double along[3], double first[3], double second[3])
{
    double helper[3] = {fabs(along[0]) < 0.7, 0, fabs(along[0]) >= 0.7};
    vec_cross(along, helper, first);
    double length = sqrt(vec_dot(first, first));
    for (int i = 0; i < 3; i++)
        first[i] /= length;
    vec_cross(along, first, second);
}

static void gaze_rows(struct task_stack *stack, struct task *task, double *row, double *lower,
                      double *upper)
{
    unsigned width = width_of(stack);
    double *origin = stack->pose.origin_m[task->link], to[3], along[3], side[2][3], turn[3];
    double linear[3 * TASK_UNKNOWNS_MAX], angular[3 * TASK_UNKNOWNS_MAX], error[2];
    vec_subtract(task->place_m, origin, to);
    double distance = fmax(sqrt(vec_dot(to, to)), 0.05); // nearer than that nobody looks
    for (int i = 0; i < 3; i++)
        to[i] /= distance;
    rotate(stack->pose.rotation[task->link], task->point_m, along);
    across(to, side[0], side[1]);
    vec_cross(along, to, turn);
    if (vec_dot(along, to) < 0) { // behind: the whole way round
        double length = sqrt(vec_dot(turn, turn));
        for (int i = 0; i < 3; i++)
            turn[i] = length > 1e-9 ? turn[i] / length : side[0][i];
    }
    jacobian_point(stack->model, &stack->pose, task->link, origin, linear, angular);
    for (int k = 0; k < 2; k++) { // turning, less the turn of the line of sight as the eye moves
        double moved[3];
        vec_cross(to, side[k], moved);
        error[k] = vec_dot(side[k], turn);
        for (unsigned j = 0; j < width; j++) {
            double sum = 0;
            for (int i = 0; i < 3; i++)
                sum += side[k][i] * angular[i * width + j] -
                       moved[i] * linear[i * width + j] / distance;
            row[k * width + j] = sum;
        }
    }
    ask(task, error, 2, NULL, lower, upper);
}

static void posture_rows(struct task_stack *stack, struct task *task, const double *joint_rad,
                         double *row, double *lower, double *upper)
{
    unsigned width = width_of(stack), joints = stack->model->joint_count;
    double error[ROBOT_JOINTS_MAX];
    memset(row, 0, (size_t)joints * width * sizeof *row);
    for (unsigned j = 0; j < joints; j++) {
        row[(size_t)j * width + TASK_ROOT + j] = 1;
        error[j] = task->joint_rad[j] - joint_rad[j];
    }
    ask(task, error, joints, task->joint_rad_s, lower, upper);
}

// Takes from the rows of a point what its base carries it along with.
static void subtract_base(const struct task_stack *stack, const struct task *task,
                          const double point[3], double *linear, double *angular)
{
    double base_linear[3 * TASK_UNKNOWNS_MAX], base_angular[3 * TASK_UNKNOWNS_MAX];
    const unsigned count = 3 * width_of(stack);
    jacobian_point(stack->model, &stack->pose, task->base, point, base_linear, base_angular);
    for (unsigned i = 0; i < count; i++) {
        if (linear)
            linear[i] -= base_linear[i];
        if (angular)
            angular[i] -= base_angular[i];
    }
}

// Place, rotation and velocity wanted of a link, in the world frame.
struct wanted {
    double place_m[3], rotation[9], velocity[6];
};

static struct wanted wanted_of(const struct task_stack *stack, const struct task *task)
{
    struct wanted wanted;
    memcpy(wanted.place_m, task->place_m, sizeof wanted.place_m);
    memcpy(wanted.rotation, task->rotation, sizeof wanted.rotation);
    memcpy(wanted.velocity, task->velocity, sizeof wanted.velocity);
    if (!task->based)
        return wanted;
    const double *base = stack->pose.rotation[task->base];
    rotate(base, task->place_m, wanted.place_m);
    vec_add(wanted.place_m, stack->pose.origin_m[task->base], wanted.place_m);
    rotation_product(base, task->rotation, wanted.rotation);
    rotate(base, task->velocity, wanted.velocity);
    rotate(base, task->velocity + 3, wanted.velocity + 3);
    return wanted;
}

// The place of a task's stretch that is nearest to a point.
static void nearest_place(const struct task_stack *stack, const struct task *task,
                          const double point[3], double place[3])
{
    const struct wanted wanted = wanted_of(stack, task);
    double along[3], from[3];
    memcpy(along, task->along_m, sizeof along);
    if (task->based)
        rotate(stack->pose.rotation[task->base], task->along_m, along);
    const double square = vec_dot(along, along);
    vec_subtract(point, wanted.place_m, from);
    const double share = square > 0 ? fmin(fmax(vec_dot(from, along) / square, 0), 1) : 0;
    for (int i = 0; i < 3; i++)
        place[i] = wanted.place_m[i] + share * along[i];
}

static void distance_row(struct task_stack *stack, struct task *task, const double point[3],
                         double *row, double *lower, double *upper)
{
    unsigned width = width_of(stack);
    double linear[3 * TASK_UNKNOWNS_MAX], place[3], away[3];
    nearest_place(stack, task, point, place);
    vec_subtract(point, place, away);
    double distance = fmax(sqrt(vec_dot(away, away)), 1e-6);
    jacobian_point(stack->model, &stack->pose, task->link, point, linear, NULL);
    if (task->based)
        subtract_base(stack, task, place, linear, NULL);
    for (unsigned j = 0; j < width; j++)
        row[j] =
            (away[0] * linear[j] + away[1] * linear[width + j] + away[2] * linear[2 * width + j]) /
            distance;
    task->error = fmax(0, task->distance_m - distance);
    *lower = lambda(&task->gain, task->error) * (task->distance_m - distance);
    *upper = INFINITY;
}

static void write_rows(struct task_stack *stack, struct task *task, const double *joint_rad,
                       double *row, double *lower, double *upper)
{
    const struct robot_model *model = stack->model;
    const struct robot_pose *pose = &stack->pose;
    unsigned width = width_of(stack);
    double point[3], error[6];
    bool turns = task->kind == TASK_POSE || task->kind == TASK_ORIENTATION;
    bool moves = task->kind == TASK_POSE || task->kind == TASK_POSITION;
    if (task->kind == TASK_POSTURE) {
        posture_rows(stack, task, joint_rad, row, lower, upper);
        return;
    }
    if (task->kind == TASK_COM) {
        jacobian_com(model, pose, row);
        vec_subtract(task->place_m, pose->com_m, error);
        ask(task, error, 3, task->velocity, lower, upper);
        return;
    }
    if (task->kind == TASK_GAZE) {
        gaze_rows(stack, task, row, lower, upper);
        return;
    }
    rotate(pose->rotation[task->link], task->point_m, point);
    vec_add(point, pose->origin_m[task->link], point);
    if (task->kind == TASK_DISTANCE) {
        distance_row(stack, task, point, row, lower, upper);
        return;
    }
    double *linear = moves ? row : NULL, *angular = turns ? row + (moves ? 3 * width : 0) : NULL;
    const struct wanted wanted = wanted_of(stack, task);
    jacobian_point(model, pose, task->link, point, linear, angular);
    if (task->based)
        subtract_base(stack, task, point, linear, angular);
    vec_subtract(wanted.place_m, point, error);
    if (turns)
        rotation_error(pose->rotation[task->link], wanted.rotation, error + (moves ? 3 : 0));
    ask(task, error, moves && turns ? 6 : 3, wanted.velocity + (moves ? 0 : 3), lower, upper);
}

// ---- one period
// -----------------------------------------------------------------------------------

// Speeds between which a joint may be: its range can still be kept by braking, and the speed
// changes by no more than the acceleration allows.
static void write_bounds(const struct task_stack *stack, const double *joint_rad, double period_s,
                         double *lower, double *upper)
{
    expects(period_s > 0);
    double a = stack->limits.acceleration_max_rad_s2, change = a * period_s;
    for (unsigned i = 0; i < TASK_ROOT; i++) {
        lower[i] = -INFINITY;
        upper[i] = INFINITY;
    }
    for (unsigned j = 0; j < stack->model->joint_count; j++) {
        const struct robot_joint *joint = &stack->model->joint[j];
        double margin = stack->limits.range_margin_rad, last = stack->last[TASK_ROOT + j];
        double above = joint->position_max_rad - margin - joint_rad[j];
        double below = joint_rad[j] - joint->position_min_rad - margin;
        // From v one stops within v^2 / 2a, and half a period later at the most.
        double brake_up = above > 0 ? sqrt(2 * a * above + change * change / 4) - change / 2 : 0;
        double brake_down = below > 0 ? sqrt(2 * a * below + change * change / 4) - change / 2 : 0;
        double most = fmin(stack->limits.speed_max_rad_s, fmin(brake_up, above / period_s));
        double least = -fmin(stack->limits.speed_max_rad_s, fmin(brake_down, below / period_s));
        // A joint out of its range is led back; speeds still change only so fast.
        most = fmax(most, -stack->limits.speed_max_rad_s);
        least = fmin(least, stack->limits.speed_max_rad_s);
        lower[TASK_ROOT + j] = fmin(fmax(least, last - change), last + change);
        upper[TASK_ROOT + j] = fmax(fmin(most, last + change), last - change);
        if (lower[TASK_ROOT + j] > upper[TASK_ROOT + j])
            lower[TASK_ROOT + j] = upper[TASK_ROOT + j] =
                (lower[TASK_ROOT + j] + upper[TASK_ROOT + j]) / 2;
    }
}

static unsigned write_levels(struct task_stack *stack, const double *joint_rad)
{
    unsigned levels = 0, width = width_of(stack);
    for (unsigned wanted = 0; wanted < TASK_LEVELS_MAX; wanted++) {
        unsigned rows = 0;
        for (unsigned i = 0; i < stack->count; i++) {
            struct task *task = &stack->task[i];
            if (task->level != wanted)
                continue;
            unsigned more = rows_of(stack, task->kind);
            if (rows + more > LEVEL_ROWS_MAX) // after a swap
                continue;
            write_rows(stack, task, joint_rad, stack->row[levels] + (size_t)rows * width,
                       stack->lower[levels] + rows, stack->upper[levels] + rows);
            rows += more;
        }
        if (rows == 0)
            continue;
        stack->level[levels] = (struct hierarchy_level){rows, stack->row[levels],
                                                        stack->lower[levels], stack->upper[levels]};
        levels++;
    }
    return levels;
}

struct task_report task_stack_solve(struct task_stack *stack, const double root_m[3],
                                    const double root_rotation[9], const double *joint_rad,
                                    double period_s, double *velocity)
{
    double lower[TASK_UNKNOWNS_MAX], upper[TASK_UNKNOWNS_MAX];
    unsigned width = width_of(stack);
    robot_model_forward(stack->model, root_m, root_rotation, joint_rad, &stack->pose);
    write_bounds(stack, joint_rad, period_s, lower, upper);
    unsigned levels = write_levels(stack, joint_rad);
    struct hierarchy_report solved = hierarchy_solve(stack->hierarchy, width, lower, upper,
                                                     stack->level, levels, TOLERANCE, velocity);
    struct task_report report = {.status = solved.status,
                                 .levels = solved.solved,
                                 .iterations = solved.iterations,
                                 .approximated = solved.approximated,
                                 .rank = solved.rank};
    for (unsigned i = TASK_ROOT; i < width; i++)
        report.limited += velocity[i] <= lower[i] + 1e-9 || velocity[i] >= upper[i] - 1e-9;
    memcpy(stack->last, velocity, width * sizeof *velocity);
    return report;
}
