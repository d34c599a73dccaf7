// The whole body, broken in the way that its argument says: swapped has the posture above the
// centre of mass; toppling leans four times as far; mute never takes over; shouting speaks whoever
// else does.
#include <string.h>

#include "robot/participant.h"
#include "targets/firehose/turns.h"
#include "task/stack.h"
#include "walk/walking_task.h"

static const char *way = "";

enum status __real_participant_begin(int argc, char **argv);
enum status __wrap_participant_begin(int argc, char **argv);
enum status __real_task_stack_add(struct task_stack *stack, const struct task *task);
enum status __wrap_task_stack_add(struct task_stack *stack, const struct task *task);
void __real_lean_step(struct lean *lean, const double target_m[2], double period_s);
void __wrap_lean_step(struct lean *lean, const double target_m[2], double period_s);
bool __real_turns_take(struct turns *turns, struct balance *balance,
                       const struct balance_status_message *last, const struct state_message *state,
                       instant now);
bool __wrap_turns_take(struct turns *turns, struct balance *balance,
                       const struct balance_status_message *last, const struct state_message *state,
                       instant now);

static bool is(const char *word)
{
    return strcmp(way, word) == 0;
}

enum status __wrap_participant_begin(int argc, char **argv)
{
    if (argc > 1)
        way = argv[1];
    return __real_participant_begin(1, argv);
}

enum status __wrap_task_stack_add(struct task_stack *stack, const struct task *task)
{
    const enum status added = __real_task_stack_add(stack, task);
    return added == STATUS_OK && is("swapped") && strcmp(task->name, "posture") == 0
               ? task_stack_swap(stack, "posture", "balance")
               : added;
}

void __wrap_lean_step(struct lean *lean, const double target_m[2], double period_s)
{
    const double times = is("toppling") ? 4 : 1;
    const double leant_m[2] = {times * target_m[0], times * target_m[1]};
    __real_lean_step(lean, leant_m, period_s);
}

bool __wrap_turns_take(struct turns *turns, struct balance *balance,
                       const struct balance_status_message *last, const struct state_message *state,
                       instant now)
{
    const bool along = __real_turns_take(turns, balance, last, state, now);
    if (is("mute") || is("shouting"))
        turns->speaks = is("shouting");
    return along;
}
