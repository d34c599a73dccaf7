#include "harness/files/target/not_finite.h"

#include <stdio.h>
#include <string.h>

#include "harness/files/target/target.h"
#include "harness/history/schema.h"

const struct file_row not_finite_rows[] = {
    {"member", VALUE_TEXT, true, FIELD(struct not_finite_config, member), .unique = true,
     .help = "CHANNEL.MEMBER, without indices: all elements of its arrays"},
    {"reason", VALUE_TEXT, true, FIELD(struct not_finite_config, reason),
     .help = "what it means that it is not finite, and why its readers bear it"},
    {.key = NULL}};

static bool is_named(const char *member, const char *channel, const char *path)
{
    const size_t length = strlen(channel);
    if (strncmp(member, channel, length) != 0 || member[length] != '.')
        return false;
    for (member += length + 1; *path != '\0'; path++) {
        if (*path == '[') // no path lacks the other one
            path = strchr(path, ']');
        else if (*path != *member++)
            return false;
    }
    return *member == '\0';
}

bool not_finite_may_be(const struct not_finite_config *entry, unsigned count, const char *channel,
                       const char *path)
{
    for (unsigned i = 0; i < count; i++)
        if (is_named(entry[i].member, channel, path))
            return true;
    return false;
}

struct finding {
    const char *member, *channel;
    bool found;
};

static void look(void *context, const char *path, const struct message_field *field)
{
    struct finding *finding = context;
    finding->found |= field->kind == 'f' && is_named(finding->member, finding->channel, path);
}

static void look_at(struct finding *finding, const char *channel, const char *message)
{
    const struct schema *schema = message[0] == '\0' ? NULL : schema_find(message);
    finding->channel = channel;
    if (schema == NULL)
        return;
    message_each(schema->fields, schema->size_max_B, look, finding);
    message_each_of_sequence(schema->fields, schema->size_max_B, look, finding);
}

void not_finite_check(struct yaml_source *source, const struct target *target,
                      const struct not_finite_config *entry, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct finding finding = {.member = entry[i].member};
        for (unsigned c = 0; c < target->channel_count; c++)
            look_at(&finding, target->channel[c].name, target->channel[c].message);
        for (unsigned t = 0; t < target->tap_count; t++)
            look_at(&finding, target->tap[t].channel, target->tap[t].message);
        if (!finding.found)
            yaml_complain(source, yaml_key("not_finite[%u].member", i).text,
                          "%s: no real number of a message; write CHANNEL.MEMBER, without indices",
                          finding.member);
    }
}
