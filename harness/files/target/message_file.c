#include "harness/files/target/message_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/trouble.h"
#include "harness/files/program.h"
#include "harness/files/target/target.h"
#include "harness/history/whole_file.h"

#define TEXT_MAX_B ((size_t)1 << 16)
#define ENDING ".msg"

static void declare(struct yaml_source *source, const char *key, const char *name, const char *path,
                    const char *text)
{
    struct message_mistake mistake;
    switch (schema_declare(name, text, &mistake)) {
    case STATUS_OK:
        break;
    case STATUS_INVALID:
        yaml_complain(source, key, "%s:%u: %s", path, mistake.line, mistake.words);
        break;
    case STATUS_BUSY:
        yaml_complain(source, key,
                      "%s: another target of this name says something else; give this one "
                      "another name",
                      path);
        break;
    case STATUS_NO_MEMORY:
        (void)trouble_note(ENOMEM);
        yaml_complain(source, key, "%s: out of memory", path);
        break;
    default:
        yaml_complain(source, key, "%s: no room for more than %d message types", path,
                      SCHEMAS_DECLARED_MAX);
    }
}

static bool is_message_file(const char *message)
{
    const char *dot = strrchr(message, '.');
    return dot != NULL && strcmp(dot, ENDING) == 0;
}

static void read_and_declare(struct yaml_source *source, const char *key, const char *path,
                             const char *name)
{
    char *text;
    size_t size_B;
    errno = 0;
    const enum status status = whole_file_read(path, TEXT_MAX_B, &text, &size_B);
    (void)trouble_note(status == STATUS_NO_MEMORY ? ENOMEM : errno);
    if (status != STATUS_OK)
        yaml_complain(source, key, "%s: cannot be read; write the message's fields there", path);
    else if (strlen(text) != size_B)
        yaml_complain(source, key, "%s: holds a byte of 0; a message file is text", path);
    else
        declare(source, key, name, path, text);
    free(text);
}

const struct schema *message_file_check(struct yaml_source *source, const char *key,
                                        const struct target *target, char *message)
{
    char path[2 * PATH_MAX_LENGTH], file[MESSAGE_NAME_LENGTH];
    program_check_inside(source, key, message);
    if (!is_message_file(message)) {
        yaml_complain(source, key,
                      "%s: not a message file; name one, NAME" ENDING ", beside target.yaml",
                      message);
        return NULL;
    }
    snprintf(path, sizeof path, "%s/%s", target->folder, message);
    snprintf(file, sizeof file, "%s", message);
    if ((size_t)snprintf(message, MESSAGE_NAME_LENGTH, "%s/%.*s", target->name,
                         MESSAGE_NAME_LENGTH - 1, file) >= MESSAGE_NAME_LENGTH) {
        yaml_complain(source, key, "%s: too long; use a shorter name", file);
        return NULL;
    }
    read_and_declare(source, key, path, message);
    return schema_find(message);
}
