// Adding to a robot's model before MuJoCo reads it. Private to the plant; not real-time.
#pragma once

#include <libxml/tree.h>

// The child of that name; made if there is none.
xmlNode *model_section(xmlNode *parent, const char *name);
xmlNode *model_add(xmlNode *parent, const char *element);
void model_set(xmlNode *node, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
