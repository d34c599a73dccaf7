#include "model/xml.h"

#include <errno.h>
#include <libxml/parser.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_kind.h"
#include "base/log.h"
#include "base/trouble.h"

#define COMPLAINT_MAX 512
#define FILE_MAX_B (16l << 20)

static long length_of(FILE *file)
{
    if (fseek(file, 0, SEEK_END) != 0)
        return -1;
    const long length_B = ftell(file);
    if (length_B < 0 || length_B > FILE_MAX_B) {
        errno = EFBIG;
        return -1;
    }
    return fseek(file, 0, SEEK_SET) == 0 ? length_B : -1;
}

// The whole file, as libxml2 takes an error while it reads for the end of the file. NULL: errno.
static char *read_file(const char *path, size_t *size_B)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    const long length_B = length_of(file);
    char *text = length_B < 0 ? NULL : trouble_malloc((size_t)length_B + 1);
    if (text != NULL)
        *size_B = fread(text, 1, (size_t)length_B, file);
    const int error = errno;
    const bool good = text != NULL && ferror(file) == 0;
    (void)fclose(file); // only read
    errno = error;
    if (good)
        return text;
    free(text);
    return NULL;
}

xmlDoc *xml_read(const char *path)
{
    static bool prepared;
    size_t size_B = 0;
    if (!prepared)
        prepared = xmlMemSetup(free, trouble_malloc, trouble_realloc, trouble_strdup) == 0;
    const char *special = file_special(path);
    if (special != NULL) {
        log_error("%s:1: %s", path, special);
        return NULL;
    }
    errno = 0;
    char *text = read_file(path, &size_B);
    if (text == NULL) {
        (void)trouble_note(errno);
        log_error("%s:1: cannot be read: %s; name another file", path, strerror(errno));
        return NULL;
    }
    xmlResetLastError();
    xmlDoc *document = xmlReadMemory(text, (int)size_B, path, NULL,
                                     XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    free(text);
    if (document != NULL)
        return document;
    const xmlError *error = xmlGetLastError();
    const char *message = error && error->message ? error->message : "cannot be read\n";
    if (trouble_words() != NULL)
        log_error("%s: cannot be read: %s", path, trouble_words());
    else
        log_error("%s:%d: %.*s; check that the file is well-formed XML", path,
                  error ? error->line : 0, (int)strcspn(message, "\n"), message);
    return NULL;
}

void xml_complain(const char *file, const xmlNode *element, const char *format, ...)
{
    char text[COMPLAINT_MAX];
    va_list arguments;
    if (trouble_words() != NULL) { // it may be as good as ever
        log_error("%s: cannot be read: %s", file, trouble_words());
        return;
    }
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
        xml_complain(file, element, "%s=\"%.40s\": too short or too long; use 1 to %zu characters",
                     attribute->name, text, attribute->size - 1);
        return false;
    }
    memcpy(attribute->value, text, length + 1);
    return true;
}

// Digits without blanks, and no 0 before them, which some take for octal; a whole number also 0x...
static bool is_plain(const char *text, bool real)
{
    if (!real && strncmp(text, "0x", 2) == 0)
        return text[2] != '\0';
    const size_t sign = real && (*text == '-' || *text == '+');
    const char *const digits = text + sign;
    return *digits != '\0' &&
           digits[strspn(digits, real ? "0123456789.eE+-" : "0123456789")] == '\0' &&
           !(digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9');
}

static bool read_number(const char *file, const xmlNode *element,
                        const struct xml_attribute *attribute, const char *text)
{
    char *end;
    errno = 0;
    const bool real = attribute->kind == XML_REAL;
    const double number = real ? strtod(text, &end) : (double)strtol(text, &end, 0);
    if (!is_plain(text, real) || *end || errno == ERANGE || !isfinite(number)) {
        xml_complain(file, element, "%s=\"%.40s\": is not %s", attribute->name, text,
                     attribute->kind == XML_REAL ? "a finite number; write for example 0.8"
                                                 : "a whole number; write for example 3 or 0x60");
        return false;
    }
    if (number < attribute->min || number > attribute->max) {
        xml_complain(file, element, "%s=\"%.40s\": is out of range; use %g to %g", attribute->name,
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
        xml_complain(file, element, "unknown attribute %.40s; remove it or correct its spelling",
                     (const char *)given->name);
        ok = false;
    }
    for (size_t i = 0; i < count; i++)
        ok &= read_attribute(file, element, &table[i]);
    return ok;
}

// The first word of `text` that is a number, and not finite; NULL: there is none.
static const char *not_finite(const char *text)
{
    while (*text != '\0') {
        char *end;
        text += strspn(text, " \t\r\n");
        const double number = strtod(text, &end);
        if (end != text && strchr(" \t\r\n", *end) != NULL && !isfinite(number))
            return text;
        text += strcspn(text, " \t\r\n");
    }
    return NULL;
}

static bool check_element(const char *file, const xmlNode *element)
{
    bool ok = true;
    for (const xmlAttr *given = element->properties; given; given = given->next) {
        xmlChar *text = xmlGetNoNsProp(element, given->name);
        const char *wrong = text != NULL ? not_finite((const char *)text) : NULL;
        if (wrong != NULL) {
            xml_complain(file, element, "%s: '%.20s': is not a finite number; correct it",
                         (const char *)given->name, wrong);
            ok = false;
        }
        xmlFree(text);
    }
    return ok;
}

const xmlNode *xml_behind(const xmlNode *node)
{
    if (node->children != NULL && node->type == XML_ELEMENT_NODE)
        return node->children;
    while (node != NULL && node->next == NULL)
        node = node->parent;
    return node != NULL ? node->next : NULL;
}

bool xml_check_numbers(const char *path, const xmlDoc *document)
{
    bool ok = true;
    for (const xmlNode *node = xmlDocGetRootElement(document); node != NULL;
         node = xml_behind(node))
        if (node->type == XML_ELEMENT_NODE)
            ok &= check_element(path, node);
    return ok;
}
