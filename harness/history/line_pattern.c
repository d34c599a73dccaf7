#define PCRE2_CODE_UNIT_WIDTH 8
#include "harness/history/line_pattern.h"

#include <math.h>
#include <pcre2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define STEPS_MAX 100000 // of a match; a line takes some hundred
#define HEAP_MAX_KB 1024
#define NUMBER_MAX 64

struct line_pattern {
    pcre2_code *code;
    pcre2_match_data *match;
    pcre2_match_context *limits;
    unsigned count;
    uint32_t group[LINE_FIELDS_MAX];
    const char *name[LINE_FIELDS_MAX]; // the library's
};

// The library's table is in the order of names; a message is in that of the groups.
static void insert(struct line_pattern *pattern, uint32_t group, const char *name)
{
    unsigned at = pattern->count++;
    for (; at > 0 && pattern->group[at - 1] > group; at--) {
        pattern->group[at] = pattern->group[at - 1];
        pattern->name[at] = pattern->name[at - 1];
    }
    pattern->group[at] = group;
    pattern->name[at] = name;
}

static bool find_groups(struct line_pattern *pattern, char *wrong, size_t size)
{
    uint32_t count = 0, entry_B = 0;
    PCRE2_SPTR table = NULL;
    (void)pcre2_pattern_info(pattern->code, PCRE2_INFO_NAMECOUNT, &count);
    (void)pcre2_pattern_info(pattern->code, PCRE2_INFO_NAMEENTRYSIZE, &entry_B);
    (void)pcre2_pattern_info(pattern->code, PCRE2_INFO_NAMETABLE, (void *)&table);
    if (count == 0 || count > LINE_FIELDS_MAX) {
        snprintf(wrong, size, "%u named groups; write (?<NAME>...) around each number, at most %d",
                 count, LINE_FIELDS_MAX);
        return false;
    }
    for (uint32_t i = 0; i < count; i++, table += entry_B)
        insert(pattern, (uint32_t)table[0] << 8 | table[1], (const char *)table + 2);
    return true;
}

enum status line_pattern_create(const char *text, struct line_pattern **result, char *wrong,
                                size_t size)
{
    int error = 0;
    PCRE2_SIZE at = 0;
    struct line_pattern *pattern = calloc(1, sizeof *pattern);
    *result = NULL;
    if (pattern == NULL)
        return STATUS_NO_MEMORY;
    pattern->code = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, PCRE2_NEVER_BACKSLASH_C,
                                  &error, &at, NULL);
    if (pattern->code == NULL) {
        char words[128];
        (void)pcre2_get_error_message(error, (PCRE2_UCHAR *)words, sizeof words);
        snprintf(wrong, size, "column %zu: %s", at + 1, words);
        line_pattern_free(pattern);
        return error == PCRE2_ERROR_NOMEMORY ? STATUS_NO_MEMORY : STATUS_INVALID;
    }
    if (!find_groups(pattern, wrong, size)) {
        line_pattern_free(pattern);
        return STATUS_INVALID;
    }
    pattern->match = pcre2_match_data_create_from_pattern(pattern->code, NULL);
    pattern->limits = pcre2_match_context_create(NULL);
    if (pattern->match == NULL || pattern->limits == NULL) {
        line_pattern_free(pattern);
        return STATUS_NO_MEMORY;
    }
    (void)pcre2_set_match_limit(pattern->limits, STEPS_MAX);
    (void)pcre2_set_heap_limit(pattern->limits, HEAP_MAX_KB);
    *result = pattern;
    return STATUS_OK;
}

void line_pattern_free(struct line_pattern *pattern)
{
    if (pattern == NULL)
        return;
    pcre2_match_context_free(pattern->limits);
    pcre2_match_data_free(pattern->match);
    pcre2_code_free(pattern->code);
    free(pattern);
}

unsigned line_pattern_fields(const struct line_pattern *pattern)
{
    return pattern->count;
}

bool line_pattern_message(const struct line_pattern *pattern, char *text, size_t size)
{
    text[0] = '\0';
    for (unsigned i = 0; i < pattern->count; i++)
        text_add(text, size, "float64 %s\n", pattern->name[i]);
    return strlen(text) + 1 < size;
}

static bool read_number(const char *text, size_t length, double *value)
{
    char number[NUMBER_MAX], *end;
    if (length == 0 || length >= sizeof number)
        return false;
    memcpy(number, text, length);
    number[length] = '\0';
    *value = strtod(number, &end);
    return end == number + length;
}

enum line_found line_pattern_read(struct line_pattern *pattern, const char *line, size_t length,
                                  double *values)
{
    const int found =
        pcre2_match(pattern->code, (PCRE2_SPTR)line, length, 0, 0, pattern->match, pattern->limits);
    if (found < 0)
        return found == PCRE2_ERROR_NOMATCH ? LINE_OTHER : LINE_BAD;
    const PCRE2_SIZE *place = pcre2_get_ovector_pointer(pattern->match);
    for (unsigned i = 0; i < pattern->count; i++) {
        const PCRE2_SIZE begin = place[2 * pattern->group[i]];
        const PCRE2_SIZE end = place[2 * pattern->group[i] + 1];
        values[i] = NAN;
        if (begin != PCRE2_UNSET &&
            (end < begin || !read_number(line + begin, end - begin, &values[i])))
            return LINE_BAD;
    }
    return LINE_NUMBERS;
}
