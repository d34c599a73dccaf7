// Whether a target has what its packs read.
#include "harness/judge/pack.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "harness/files/target/target.h"
#include "harness/history/schema.h"

static const struct channel_config *find(const struct target *target, const char *name)
{
    for (unsigned i = 0; i < target->channel_count; i++)
        if (strcmp(target->channel[i].name, name) == 0)
            return &target->channel[i];
    return NULL;
}

// False, reported: the channel is wanted and not there, or its messages are others.
static bool check_channel(const struct target *target, const struct pack *pack,
                          const struct pack_channel *wanted)
{
    char words[160];
    const struct channel_config *channel = find(target, wanted->name);
    if (channel == NULL && !wanted->optional)
        log_at(target->file, target->channels_line,
               "channels: pack %s reads %s, which is not among them; add it, or leave the pack out "
               "of packs",
               pack->name, wanted->name);
    if (channel == NULL)
        return wanted->optional;
    const struct schema *schema = schema_find(channel->message);
    if (schema == NULL)
        log_at(target->file, channel->line,
               "channels: %s: not recorded, but pack %s reads it; give it a message", channel->name,
               pack->name);
    else if (message_structure_fits(schema->fields, wanted->message, words, sizeof words))
        return true;
    else
        log_at(
            target->file, channel->line,
            "message: %s: not what pack %s reads on %s: %s; correct it, or leave the pack out of "
            "packs",
            channel->message, pack->name, channel->name, words);
    return false;
}

enum status packs_check(const struct pack *const *packs, const struct target *target)
{
    bool good = true;
    for (unsigned i = 0; packs[i] != NULL; i++) {
        const struct pack_channel *channel =
            pack_in_force(packs, packs[i], target) ? packs[i]->channel : NULL;
        for (; channel != NULL && channel->name != NULL; channel++)
            good &= check_channel(target, packs[i], channel);
    }
    return good ? STATUS_OK : STATUS_INVALID;
}
