#include "base/status.h"

#include <stddef.h>

static const struct {
    const char *name;
    const char *text;
} table[] = {
#define STATUS_ROW(name, text) {#name, text},
    STATUS_TABLE(STATUS_ROW)
#undef STATUS_ROW
};

static const size_t table_length = sizeof table / sizeof table[0];

const char *status_name(enum status status)
{
    return (size_t)status < table_length ? table[status].name : "UNKNOWN";
}

const char *status_text(enum status status)
{
    return (size_t)status < table_length ? table[status].text : "not a status code";
}
