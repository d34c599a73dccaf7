#include "plant/scenery/model_edit.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

xmlNode *model_section(xmlNode *parent, const char *name)
{
    for (xmlNode *node = parent->children; node != NULL; node = node->next)
        if (node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0)
            return node;
    return model_add(parent, name);
}

xmlNode *model_add(xmlNode *parent, const char *element)
{
    return xmlNewChild(parent, NULL, (const xmlChar *)element, NULL);
}

void model_set(xmlNode *node, const char *name, const char *format, ...)
{
    char text[200];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    xmlSetProp(node, (const xmlChar *)name, (const xmlChar *)text);
}
