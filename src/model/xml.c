#include "model/xml.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

#define COMPLAINT_MAX 512

void xml_complain(const char *file, const xmlNode *element, const char *format, ...)
{
    char text[COMPLAINT_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    log_error("%s:%ld: <%s>: %s", file, xmlGetLineNo(element), (const char *)element->name, text);
}

const xmlNode *xml_next_element(const char *file, const xmlNode *node, bool *ok)
{
    for (; node; node = node->next) {
        if (node->type == XML_ELEMENT_NODE)
            return node;
        if (node->type == XML_COMMENT_NODE || xmlIsBlankNode(node))
            continue;
        xml_complain(file, node->parent, "text between the elements; remove it");
        *ok = false;
    }
    return NULL;
}

static bool read_text(const char *file, const xmlNode *element,
                      const struct xml_attribute *attribute, const char *text)
{
    size_t length = strlen(text);
    if (length == 0 || length >= attribute->size) {
        xml_complain(file, element, "%s=\"%s\": needs 1 to %zu characters", attribute->name, text,
                     attribute->size - 1);
        return false;
    }
    memcpy(attribute->value, text, length + 1);
    return true;
}

static bool read_number(const char *file, const xmlNode *element,
                        const struct xml_attribute *attribute, const char *text)
{
    char *end;
    errno = 0;
    double number =
        attribute->kind == XML_REAL ? strtod(text, &end) : (double)strtol(text, &end, 0);
    if (end == text || *end || errno == ERANGE || !isfinite(number)) {
        xml_complain(file, element, "%s=\"%s\": is not %s", attribute->name, text,
                     attribute->kind == XML_REAL ? "a finite number, write for example 0.8"
                                                 : "a whole number, write for example 3 or 0x60");
        return false;
    }
    if (number < attribute->min || number > attribute->max) {
        xml_complain(file, element, "%s=\"%s\": is out of range; use %g to %g", attribute->name,
                     text, attribute->min, attribute->max);
        return false;
    }
    if (attribute->kind == XML_REAL)
        *(double *)attribute->value = number;
    else
        *(uint32_t *)attribute->value = (uint32_t)number;
    return true;
}

static bool read_attribute(const char *file, const xmlNode *element,
                           const struct xml_attribute *attribute)
{
    xmlChar *text = xmlGetNoNsProp(element, (const xmlChar *)attribute->name);
    if (!text) {
        if (attribute->optional)
            return true;
        xml_complain(file, element, "%s is missing; add %s=\"...\"", attribute->name,
                     attribute->name);
        return false;
    }
    bool ok = attribute->kind == XML_TEXT
                  ? read_text(file, element, attribute, (const char *)text)
                  : read_number(file, element, attribute, (const char *)text);
    xmlFree(text);
    return ok;
}

static bool known(const xmlAttr *given, const struct xml_attribute *table, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp((const char *)given->name, table[i].name) == 0)
            return true;
    return false;
}

bool xml_read_attributes(const char *file, const xmlNode *element,
                         const struct xml_attribute *table, size_t count)
{
    bool ok = true;
    for (const xmlAttr *given = element->properties; given; given = given->next) {
        if (known(given, table, count))
            continue;
        xml_complain(file, element, "unknown attribute %s; remove it or correct its spelling",
                     (const char *)given->name);
        ok = false;
    }
    for (size_t i = 0; i < count; i++)
        ok &= read_attribute(file, element, &table[i]);
    return ok;
}
