// The whole body, with two priorities swapped: the posture is above the centre of mass.
#include <string.h>

#include "task/stack.h"

enum status __real_task_stack_add(struct task_stack *stack, const struct task *task);
enum status __wrap_task_stack_add(struct task_stack *stack, const struct task *task);

enum status __wrap_task_stack_add(struct task_stack *stack, const struct task *task)
{
    const enum status added = __real_task_stack_add(stack, task);
    return added == STATUS_OK && strcmp(task->name, "posture") == 0
               ? task_stack_swap(stack, "posture", "balance")
               : added;
}
