#include "harness/files/message_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/program.h"
#include "harness/files/scenario.h"
#include "harness/history/schema.h"
#include "harness/history/whole_file.h"

#define TEXT_MAX_B ((size_t)1 << 16)

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
        yaml_complain(source, key, "%s: another target's %s says something else; rename this one",
                      path, name);
        break;
    default:
        yaml_complain(source, key, "%s: no room for more than %d message types", path,
                      SCHEMAS_DECLARED_MAX);
    }
}

static bool is_message_file(const char *message)
{
    const char *dot = strrchr(message, '.');
    return dot != NULL && strcmp(dot, ".msg") == 0;
}

static void read_and_declare(struct yaml_source *source, const char *key, const char *folder,
                             const char *name)
{
    char path[2 * PATH_MAX_LENGTH];
    char *text;
    size_t size_B;
    program_check_inside(source, key, name);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (whole_file_read(path, TEXT_MAX_B, &text, &size_B) != STATUS_OK)
        yaml_complain(source, key, "%s: cannot be read; write the message's fields there", path);
    else if (strlen(text) != size_B)
        yaml_complain(source, key, "%s: holds a byte of 0; a message file is text", path);
    else
        declare(source, key, name, path, text);
    free(text);
}

const struct schema *message_file_check(struct yaml_source *source, const char *key,
                                        const char *folder, const char *name)
{
    if (is_message_file(name))
        read_and_declare(source, key, folder, name);
    const struct schema *schema = schema_find(name);
    if (schema == NULL && !is_message_file(name))
        yaml_complain(source, key,
                      "%s: no such message type; name a file NAME.msg beside target.yaml, or one "
                      "of harness/history/schema.c",
                      name);
    return schema;
}
