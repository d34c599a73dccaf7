#include "harness/history/output_log.h"

#include <stddef.h>
#include <stdio.h>

#include "harness/history/cdr.h"

#define NS_PER_S 1000000000
#define LEVEL_INFO 20

static void encode(const void *context, const struct event *event, struct bytes *bytes)
{
    char process[sizeof((struct output_event *)0)->process + 1], text[OUTPUT_LINE_MAX + 1];
    const struct output_event *line = event->data;
    (void)context;
    snprintf(process, sizeof process, "%.*s", (int)sizeof line->process, line->process);
    snprintf(text, sizeof text, "%.*s", (int)(event->size_B - offsetof(struct output_event, text)),
             line->text);
    const size_t start = cdr_begin(bytes);
    cdr_append_u32(bytes, start, (uint32_t)(line->time.ns / NS_PER_S));
    cdr_append_u32(bytes, start, (uint32_t)(line->time.ns % NS_PER_S));
    bytes_put_u8(bytes, LEVEL_INFO);
    cdr_append_string(bytes, start, process);
    cdr_append_string(bytes, start, text);
    cdr_append_string(bytes, start, ""); // file
    cdr_append_string(bytes, start, ""); // function
    cdr_append_u32(bytes, start, 0);     // line
}

const struct derived_topic output_log = {
    "/rosout",
    "rcl_interfaces/msg/Log",
    "builtin_interfaces/Time stamp\nuint8 level\nstring name\nstring msg\nstring file\n"
    "string function\nuint32 line\n"
    "================================================================================\n"
    "MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n",
    TOPIC_OUTPUT,
    0,
    encode};
