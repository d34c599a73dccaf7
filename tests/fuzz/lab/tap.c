// A pattern and a line, as a target file and a program give them; a match ends, and its fields have
// a message that can be read.
#include "tests/fuzz/fuzz.h"

#include "harness/history/line_pattern.h"
#include "harness/history/message_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[256], wrong[160] = "", message[4096];
    double values[LINE_FIELDS_MAX];
    struct line_pattern *pattern;
    struct message_layout layout;
    struct message_mistake mistake;
    const uint8_t *end = memchr(data, '\n', size < sizeof text ? size : sizeof text - 1);
    if (end == NULL)
        return 0;
    snprintf(text, sizeof text, "%.*s", (int)(end - data), (const char *)data);
    if (line_pattern_create(text, &pattern, wrong, sizeof wrong) != STATUS_OK) {
        fuzz_check(wrong[0] != '\0');
        return 0;
    }
    if (line_pattern_message(pattern, message, sizeof message) &&
        message_measure(message, &layout, &mistake) == STATUS_OK)
        fuzz_check(layout.size_B == line_pattern_fields(pattern) * sizeof values[0]);
    (void)line_pattern_read(pattern, (const char *)end + 1, size - (size_t)(end + 1 - data),
                            values);
    line_pattern_free(pattern);
    return 0;
}
