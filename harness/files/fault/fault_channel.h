// What faults of channels ask of a target: channels with a writer, and numbers in their messages.
#pragma once

#include "harness/files/fault/catalogue.h"
#include "harness/files/yaml/yaml_source.h"
#include "harness/history/message_text.h"

struct target;

// The channel that a request strikes; NULL: it strikes none.
const struct channel_config *fault_channel(const struct fault_request *request,
                                           const struct target *target);

// Where the number lies that a parameter with `field` names. False: it names none.
bool fault_field(const struct fault_parameter *parameter, const struct fault_request *request,
                 const struct target *target, struct message_field *field);

// Complains unless the target has such a channel, with a writer and recorded messages.
void fault_channel_check(struct yaml_source *source, const char *key, const char *name,
                         const struct target *target);

// Complains of parameters that name no floating-point number in the messages of the channel that is
// struck, and of two that name the same one, or numbers of different widths; `key` is where the
// fault stands: "faults[0]".
void fault_fields_check(struct yaml_source *source, const char *key, const struct fault_kind *kind,
                        const struct fault_request *request, const struct target *target);
