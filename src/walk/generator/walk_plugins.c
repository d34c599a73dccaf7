// The plug-ins that are always there: the commands of a generator. To add one: a line of the table.
#include <stddef.h>

#include "walk/generator/walkgen_private.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

static const struct walk_plugin *const plugin[] = {&walk_parameters, &walk_steps, &walk_velocity,
                                                   &walk_step_over};

const struct walk_plugin *walk_plugin(unsigned number)
{
    return number < COUNT(plugin) ? plugin[number] : NULL;
}
