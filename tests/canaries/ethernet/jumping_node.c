// A node of hrp3p that goes to a far reference at once.
#include "targets/hrp3p/node_control.h"

void __real_node_take(struct node_control *control, const struct node_command *command);
void __wrap_node_take(struct node_control *control, const struct node_command *command);

void __wrap_node_take(struct node_control *control, const struct node_command *command)
{
    __real_node_take(control, command);
    for (unsigned i = 0; i < control->joint_count; i++)
        control->joint[i].beside_rad = 0;
}
