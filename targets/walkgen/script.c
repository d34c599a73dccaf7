#include "targets/walkgen/script.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

#define FILE_MAX_B (1 << 20)

struct reader {
    const char *name;
    const char *at;
    unsigned line; // of `at`
    struct script *script;
};

static enum status invalid(const struct reader *reader, const char *what, const char *value)
{
    log_error("%s:%u: '%.60s': %s", reader->name, reader->line, value, what);
    return STATUS_INVALID;
}

static enum status add(struct reader *reader, struct script_item item, const char *text)
{
    struct script *script = reader->script;
    if (script->count == SCRIPT_ITEMS_MAX)
        return invalid(reader, "more commands than a file may have; shorten it", text);
    if (item.kind == SCRIPT_COMMAND && (item.text = strdup(text)) == NULL)
        return STATUS_NO_MEMORY;
    item.line = reader->line;
    script->item[script->count++] = item;
    return STATUS_OK;
}

// A quoted text up to its end: backslash and newline join, other escapes are refused.
static enum status read_quoted(struct reader *reader, char quote, char text[SCRIPT_LINE_MAX])
{
    size_t length = 0;
    for (reader->at++; *reader->at != quote; reader->at++) {
        if (reader->at[0] == '\\' && reader->at[1] == '\n') {
            reader->at++;
            reader->line++;
            continue;
        }
        if (*reader->at == '\0' || *reader->at == '\n')
            return invalid(reader, "a quoted text does not end; close it, or join lines with \\",
                           text);
        if (length + 1 == SCRIPT_LINE_MAX)
            return invalid(reader, "is too long", text);
        text[length++] = *reader->at;
        text[length] = '\0';
    }
    text[length] = '\0';
    reader->at++;
    return STATUS_OK;
}

// A program's text: commands are the quoted texts that begin with a colon.
static enum status read_listing(struct reader *reader)
{
    static char text[SCRIPT_LINE_MAX];
    enum status status = STATUS_OK;
    while (*reader->at != '\0' && status == STATUS_OK) {
        const bool comment = strncmp(reader->at, "//", 2) == 0;
        if (comment) {
            reader->at += strcspn(reader->at, "\n");
        } else if (*reader->at == '"') {
            const unsigned line = reader->line;
            text[0] = '\0';
            status = read_quoted(reader, '"', text);
            const char *command = text + strspn(text, " \t");
            if (status == STATUS_OK && *command == ':') {
                const unsigned end = reader->line;
                reader->line = line;
                status = add(reader, (struct script_item){.kind = SCRIPT_COMMAND}, command);
                reader->line = end;
            }
        } else {
            reader->line += *reader->at++ == '\n';
        }
    }
    return status;
}

static enum status read_wait(struct reader *reader, const char *text)
{
    if (strcmp(text, "end") == 0)
        return add(reader, (struct script_item){.kind = SCRIPT_WAIT_END}, text);
    char *rest;
    const double wait_s = strtod(text, &rest);
    if (rest == text || rest[strspn(rest, " \t\r")] != '\0' || !(wait_s >= 0 && wait_s <= 3600))
        return invalid(reader, "is neither seconds from 0 to 3600 nor 'end'", text);
    return add(reader, (struct script_item){.kind = SCRIPT_WAIT, .wait_s = wait_s}, text);
}

// A message that a script sends: OBJECT.sendMsg("...") or sendMessage.
static enum status read_message(struct reader *reader, char *text)
{
    char *open = strchr(text, '"'), *close = strrchr(text, '"');
    if ((strstr(text, "sendMsg(") == NULL && strstr(text, "sendMessage(") == NULL) ||
        open == NULL || close == open)
        return invalid(reader, "is not a command; write for example :stepheight 0.07", text);
    *close = '\0';
    return add(reader, (struct script_item){.kind = SCRIPT_COMMAND}, open + 1);
}

static enum status read_one(struct reader *reader, char *text)
{
    text += strspn(text, " \t");
    for (size_t n = strlen(text); n > 0 && strchr(" \t\r", text[n - 1]) != NULL; n--)
        text[n - 1] = '\0';
    if (*text == '\0' || *text == '#')
        return STATUS_OK;
    if (*text == ':')
        return add(reader, (struct script_item){.kind = SCRIPT_COMMAND}, text);
    if (strncmp(text, "wait ", 5) == 0)
        return read_wait(reader, text + 5 + strspn(text + 5, " \t"));
    return read_message(reader, text);
}

static enum status read_lines(struct reader *reader)
{
    static char text[SCRIPT_LINE_MAX];
    enum status status = STATUS_OK;
    while (*reader->at != '\0' && status == STATUS_OK) {
        size_t length = 0;
        unsigned lines = 0;
        for (;;) {
            const size_t part = strcspn(reader->at, "\n");
            if (length + part + 1 >= SCRIPT_LINE_MAX)
                return invalid(reader, "is too long", text);
            memcpy(text + length, reader->at, part);
            length += part;
            text[length] = '\0';
            reader->at += part + (reader->at[part] == '\n');
            lines++;
            if (length == 0 || text[length - 1] != '\\' || *reader->at == '\0')
                break;
            text[length - 1] = ' ';
        }
        status = read_one(reader, text);
        reader->line += lines;
    }
    return status;
}

static bool ends_with(const char *name, const char *ending)
{
    const size_t length = strlen(name), end = strlen(ending);
    return length >= end && strcmp(name + length - end, ending) == 0;
}

enum status script_read(const char *name, const char *text, struct script **script)
{
    *script = calloc(1, sizeof **script);
    if (*script == NULL)
        return STATUS_NO_MEMORY;
    struct reader reader = {name, text, 1, *script};
    const bool listing =
        ends_with(name, ".cc") || ends_with(name, ".cpp") || ends_with(name, ".py");
    const enum status status = listing ? read_listing(&reader) : read_lines(&reader);
    if (status != STATUS_OK) {
        script_free(*script);
        *script = NULL;
    }
    return status;
}

enum status script_load(const char *path, struct script **script)
{
    *script = NULL;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        log_error("%s: %s", path, strerror(errno));
        return STATUS_NOT_FOUND;
    }
    char *text = calloc(1, FILE_MAX_B + 1);
    const size_t size_B = text != NULL ? fread(text, 1, FILE_MAX_B + 1, file) : 0;
    const bool failed = ferror(file) != 0;
    (void)fclose(file);
    enum status status = STATUS_INVALID;
    if (text == NULL)
        status = STATUS_NO_MEMORY;
    else if (failed || size_B > FILE_MAX_B || memchr(text, '\0', size_B) != NULL)
        log_error("%s: cannot be read, is larger than 1 MiB, or is not text", path);
    else
        status = script_read(path, text, script);
    free(text);
    return status;
}

void script_free(struct script *script)
{
    for (unsigned i = 0; script != NULL && i < script->count; i++)
        free(script->item[i].text);
    free(script);
}
