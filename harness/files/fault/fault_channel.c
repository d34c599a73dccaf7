#include "harness/files/fault/fault_channel.h"

#include <string.h>

#include "base/text.h"
#include "harness/files/target/target.h"
#include "harness/history/schema.h"

// Of the channels that have an interposer's two sides: a writer, and messages that are recorded.
void fault_channel_check(struct yaml_source *source, const char *key, const char *name,
                         const struct target *target)
{
    char known[1024] = "";
    for (unsigned i = 0; i < target->channel_count; i++) {
        const struct channel_config *channel = &target->channel[i];
        if (channel->writer[0] == '\0' || channel->message[0] == '\0')
            continue;
        if (strcmp(name, channel->name) == 0)
            return;
        text_add(known, sizeof known, " %s", channel->name);
    }
    yaml_complain(source, key,
                  "%s: target %s has no such channel with `writer` and `message`; use one of:%s",
                  name, target->name, known);
}

const struct channel_config *fault_channel(const struct fault_request *request,
                                           const struct target *target)
{
    for (unsigned i = 0; i < target->channel_count; i++)
        if (request->struck == STRUCK_CHANNEL &&
            strcmp(target->channel[i].name, request->component) == 0)
            return &target->channel[i];
    return NULL;
}

bool fault_field(const struct fault_parameter *parameter, const struct fault_request *request,
                 const struct target *target, struct message_field *field)
{
    const struct channel_config *channel = fault_channel(request, target);
    const struct schema *schema = channel == NULL ? NULL : schema_find(channel->message);
    return schema != NULL &&
           message_find(schema->fields, catalogue_parameter(parameter, request), field) &&
           field->kind == 'f' && field->group == 0;
}

// Of a parameter: whether it names a number, which *field then is, and one that suits the `first`.
static bool is_field_sound(struct yaml_source *source, const char *key,
                           const struct fault_parameter *parameter,
                           const struct fault_request *request, const struct target *target,
                           const struct message_field *first, struct message_field *field)
{
    const char *value = catalogue_parameter(parameter, request);
    const char *where = yaml_key("%s.parameters", key).text;
    if (!fault_field(parameter, request, target, field))
        yaml_complain(
            source, where, "%s=%s: not a floating-point number of %s; write %s=PATH with one of it",
            parameter->name, value, fault_channel(request, target)->message, parameter->name);
    else if (first->width_B > 0 &&
             (field->width_B != first->width_B || field->offset_B == first->offset_B))
        yaml_complain(source, where, "%s=%s: write %s=PATH with another number that has %u bytes",
                      parameter->name, value, parameter->name, first->width_B);
    else
        return true;
    return false;
}

void fault_fields_check(struct yaml_source *source, const char *key, const struct fault_kind *kind,
                        const struct fault_request *request, const struct target *target)
{
    struct message_field first = {0};
    const bool strikes = kind != NULL && fault_channel(request, target) != NULL;
    for (unsigned i = 0; strikes && i < kind->parameter_count; i++) {
        struct message_field field;
        const struct fault_parameter *parameter = &kind->parameter[i];
        if (parameter->field &&
            is_field_sound(source, key, parameter, request, target, &first, &field))
            first = field;
    }
}
