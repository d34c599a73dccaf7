#include "harness/files/target/target_tap.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/trouble.h"
#include "harness/files/target/message_file.h"
#include "harness/files/target/target.h"
#include "harness/history/history.h"
#include "harness/history/line_pattern.h"
#include "harness/history/schema.h"
#include "message/io.h"

#define PORT_MIN 1024
#define PORT_MAX 65535

const struct file_row target_tap_rows[] = {
    {"channel", VALUE_NAME, true, FIELD(struct tap_config, channel), .unique = true,
     .help = "name of its messages in formulas and in the history, as if on a channel"},
    {"from", VALUE_TEXT, true, FIELD(struct tap_config, from),
     .line = offsetof(struct tap_config, line),
     .help = "`unix:NAME`: datagrams to the socket NAME in the folder `UKEMI_TAP_DIR`; "
             "`udp:PORT`: datagrams to this port of 127.0.0.1; `stdout:PROCESS`: lines that the "
             "process prints"},
    {"message", VALUE_TEXT, false, FIELD(struct tap_config, message),
     .help = "for datagrams: their message type, as for a channel"},
    {"fields", VALUE_TEXT, false, FIELD(struct tap_config, fields),
     .help = "for lines: a regular expression (PCRE2), whose named groups are the fields, as in "
             "`angle=(?<angle_rad>[-0-9.e]+)`"},
    {"writer", VALUE_TEXT, false, FIELD(struct tap_config, writer),
     .help = "for datagrams: the process that must keep `floor_hz`; for lines it is the process "
             "that prints them"},
    {"floor_hz", VALUE_NUMBER, false, FIELD(struct tap_config, floor_hz), .min = FLOOR_MIN_HZ,
     .max = FLOOR_MAX_HZ, .absent = "0",
     .help = "least number of messages per second, as for a channel"},
    {.key = NULL}};

// What stands behind "unix:", say; NULL: it is another kind.
static const char *behind(const char *from, const char *kind)
{
    const size_t length = strlen(kind);
    return strncmp(from, kind, length) == 0 && from[length] == ':' ? from + length + 1 : NULL;
}

static bool is_socket_name(const char *name)
{
    const size_t length = strlen(name);
    bool good = length > 0 && name[0] != '.';
    for (const char *c = name; *c != '\0'; c++)
        good = good && (isalnum((unsigned char)*c) || strchr("-_.", *c) != NULL);
    return good;
}

static bool is_process(const struct target *target, const char *name)
{
    bool known = false;
    for (unsigned i = 0; i < target->process_count; i++)
        known |= strcmp(name, target->process[i].name) == 0;
    return known;
}

static void check_from(struct yaml_source *source, const char *key, const struct target *target,
                       struct tap_config *tap)
{
    const char *socket = behind(tap->from, "unix"), *port = behind(tap->from, "udp"),
               *process = behind(tap->from, "stdout");
    char *end = NULL;
    if (socket != NULL) {
        tap->kind = TAP_UNIX;
        if (!is_socket_name(socket))
            yaml_complain(source, key, "%s: not a name; use letters, digits, '-', '_' and '.'",
                          tap->from);
    } else if (port != NULL) {
        tap->kind = TAP_UDP;
        const unsigned long number = strtoul(port, &end, 10);
        if (!isdigit((unsigned char)*port) || *end != '\0' || number < PORT_MIN ||
            number > PORT_MAX)
            yaml_complain(source, key, "%s: not a port; use %d to %d", tap->from, PORT_MIN,
                          PORT_MAX);
    } else if (process != NULL) {
        tap->kind = TAP_STDOUT;
        if (!is_process(target, process))
            yaml_complain(source, key, "%s: no such process; use a name under processes",
                          tap->from);
    } else {
        yaml_complain(source, key, "%s: not a source; use unix:NAME, udp:PORT or stdout:PROCESS",
                      tap->from);
    }
    if (process != NULL && tap->writer[0] != '\0')
        yaml_complain(source, key, "%s: its writer is who prints; leave writer out", tap->from);
    else if (process != NULL)
        snprintf(tap->writer, sizeof tap->writer, "%s", process);
    snprintf(tap->name, sizeof tap->name, "%s",
             socket != NULL    ? socket
             : port != NULL    ? port
             : process != NULL ? process
                               : "");
}

// The message is made up of the fields: it has no file.
static void make_message(struct yaml_source *source, const char *key, const struct target *target,
                         struct tap_config *tap)
{
    char wrong[160] = "out of memory", text[LINE_FIELDS_MAX * NAME_MAX_LENGTH];
    struct line_pattern *pattern;
    struct message_mistake mistake = {0};
    enum status status = line_pattern_create(tap->fields, &pattern, wrong, sizeof wrong);
    if (status == STATUS_NO_MEMORY)
        (void)trouble_note(ENOMEM);
    if (status != STATUS_OK) {
        yaml_complain(source, key, "%s: %s", tap->fields, wrong);
        return;
    }
    snprintf(tap->message, sizeof tap->message, "%s/%s", target->name, tap->channel);
    const bool whole = line_pattern_message(pattern, text, sizeof text);
    if (whole)
        status = schema_declare(tap->message, text, &mistake);
    if (status == STATUS_NO_MEMORY)
        (void)trouble_note(ENOMEM);
    if (!whole)
        yaml_complain(source, key, "%s: too long; use shorter names", tap->fields);
    else if (status != STATUS_OK)
        yaml_complain(source, key, "%s: %s", tap->fields,
                      mistake.words[0] != '\0' ? mistake.words
                                               : "a message of this name has other fields; "
                                                 "give the channel another name");
    line_pattern_free(pattern);
}

// A datagram has a type, a line has fields.
static void check_content(struct yaml_source *source, const char *key, const struct target *target,
                          struct tap_config *tap)
{
    const bool lines = tap->kind == TAP_STDOUT;
    const struct yaml_key wanted = yaml_key("%s.%s", key, lines ? "fields" : "message");
    const struct yaml_key other = yaml_key("%s.%s", key, lines ? "message" : "fields");
    if (yaml_has(source, other.text))
        yaml_complain(source, other.text, "not of %s; leave it out", tap->from);
    else if (!yaml_has(source, wanted.text))
        yaml_complain(source, key, "%s: %s", tap->from,
                      lines ? "fields: missing; say what in a line is a number"
                            : "message: missing; name the type of its datagrams");
    else if (lines)
        make_message(source, wanted.text, target, tap);
    else
        (void)message_file_check(source, wanted.text, target, tap->message);
}

static void check_names(struct yaml_source *source, const char *key, const struct target *target,
                        unsigned number)
{
    static const char *const kept[] = {TOPIC_PROCESS, TOPIC_FAULT,     TOPIC_LIMIT,
                                       TOPIC_LOSS,    TOPIC_VARIATION, TOPIC_TAP,
                                       TOPIC_OUTPUT,  TOPIC_END,       IO_CHANNEL};
    const struct tap_config *tap = &target->tap[number];
    bool taken = false;
    for (unsigned i = 0; i < target->channel_count; i++)
        taken |= strcmp(tap->channel, target->channel[i].name) == 0;
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        taken |= strcmp(tap->channel, kept[i]) == 0;
    if (taken)
        yaml_complain(source, yaml_key("%s.channel", key).text,
                      "%s: there is one of this name already; choose another", tap->channel);
    for (unsigned i = 0; i < number && tap->kind != TAP_STDOUT; i++)
        if (strcmp(tap->from, target->tap[i].from) == 0)
            yaml_complain(source, yaml_key("%s.from", key).text,
                          "%s: two taps read it; give each a socket of its own", tap->from);
}

void target_tap_check(struct yaml_source *source, struct target *target)
{
    for (unsigned i = 0; i < target->tap_count; i++) {
        const struct yaml_key key = yaml_key("taps[%u]", i);
        check_from(source, yaml_key("%s.from", key.text).text, target, &target->tap[i]);
        check_names(source, key.text, target, i);
        check_content(source, key.text, target, &target->tap[i]);
    }
}
