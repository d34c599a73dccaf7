// Reading of checked attributes from an XML element (libxml2). Not real-time.
//
// Every complaint goes to standard error as "file:line: <element>: attribute="value": what is
// wrong; what to do" and makes the call return false. All complaints of an element are made, not
// only the first.
#pragma once

#include <libxml/tree.h>
#include <stdbool.h>
#include <stddef.h>

enum xml_kind {
    XML_TEXT,     // value: char[size]
    XML_UNSIGNED, // value: uint32_t, decimal or 0x..., min..max
    XML_REAL,     // value: double, finite, min..max
};

struct xml_attribute {
    const char *name;
    enum xml_kind kind;
    void *value;
    size_t size;     // of a text, with its final zero
    double min, max; // of a number, both allowed
    bool optional;   // the value stays as it was when the attribute is absent
};

// Reads a file; NULL, reported: it cannot be read or is not XML. The caller frees it (xmlFreeDoc).
xmlDoc *xml_read(const char *path);

// Reads the attributes of `element` as the table says; unknown, missing and out-of-range ones are
// errors.
bool xml_read_attributes(const char *file, const xmlNode *element,
                         const struct xml_attribute *table, size_t count);

// Whether no attribute of the document holds a number that is not finite ("nan", "1e999").
bool xml_check_numbers(const char *path, const xmlDoc *document);

// The node behind `node` in the order of the file, children first; NULL at the end.
const xmlNode *xml_behind(const xmlNode *node);

// Next element at or after `node` among its siblings, NULL at the end. Comments and blanks are
// skipped; other text is an error, which sets *ok to false.
const xmlNode *xml_next_element(const char *file, const xmlNode *node, bool *ok);

// Says "file:line: <element>: text".
void xml_complain(const char *file, const xmlNode *element, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
