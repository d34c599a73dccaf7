#include "base/variation.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/invariant.h"
#include "base/log.h"

#define VARY_KIND(name, each, worlds) [VARY_##name] = {#name, each, worlds},
const struct variation_kind variation_kinds[VARIATION_COUNT] = {VARIATIONS(VARY_KIND)};
#undef VARY_KIND

static const char *variable_of(const char *name, char *variable, size_t size)
{
    snprintf(variable, size, VARIATION_PREFIX "%s", name);
    for (char *c = variable; *c != '\0'; c++)
        *c = (char)toupper((unsigned char)*c);
    return getenv(variable);
}

enum status variation_read(enum variation_number number, struct variation *variation)
{
    char variable[sizeof VARIATION_PREFIX + VARIATION_NAME_MAX];
    const char *text = variable_of(variation_kinds[number].name, variable, sizeof variable);
    variation->count = 0;
    while (text != NULL && *text != '\0') {
        char *end;
        const double value = strtod(text, &end);
        if (end == text || (*end != '\0' && *end != ' ') || !isfinite(value) ||
            variation->count == VARIATION_VALUES_MAX) {
            log_error("%s: is not 1 to %d finite numbers with a blank between; write for example "
                      "%s=\"0.01 -0.02\"",
                      variable, VARIATION_VALUES_MAX, variable);
            return STATUS_INVALID;
        }
        variation->value[variation->count++] = value;
        text = *end == ' ' ? end + 1 : end;
    }
    return STATUS_OK;
}

double variation_at(const struct variation *variation, unsigned i)
{
    invariant(variation->count <= 1 || i < variation->count);
    return variation->count == 0 ? 0 : variation->value[variation->count == 1 ? 0 : i];
}
