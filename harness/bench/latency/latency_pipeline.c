// The loop's stages and deadlines, with the names that the target gives them.
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "harness/bench/latency/latency.h"
#include "harness/files/target/target.h"
#include "harness/history/schema.h"
#include "harness/packs/robot/messages.h"

const struct latency_stage latency_stages[LATENCY_STAGES] = {
    {"readings gathered", "", -1, LATENCY_OLDEST_READING, LATENCY_STATE_PUBLISHED},
    {"", " wakes", LATENCY_ANSWERS, LATENCY_STATE_PUBLISHED, LATENCY_STATE_TAKEN},
    {"", " computes", LATENCY_ANSWERS, LATENCY_STATE_TAKEN, LATENCY_COMMAND_PUBLISHED},
    {"command waits for ", "", LATENCY_DRIVES, LATENCY_COMMAND_PUBLISHED, LATENCY_COMMAND_TAKEN},
    {"", " computes", LATENCY_DRIVES, LATENCY_COMMAND_TAKEN, LATENCY_REFERENCE_PUBLISHED},
    {"reference waits for ", "", LATENCY_SENSES, LATENCY_REFERENCE_PUBLISHED,
     LATENCY_REFERENCE_TAKEN},
    {"frames reach the boards", "", -1, LATENCY_REFERENCE_TAKEN, LATENCY_FRAMES_ON_BUS},
    {"boards are read", "", -1, LATENCY_FRAMES_ON_BUS, LATENCY_BOARDS_SAMPLED},
    {"state completed", "", -1, LATENCY_BOARDS_SAMPLED, LATENCY_STATE_ACQUIRED},
    {"frames handed over", "", -1, LATENCY_REFERENCE_TAKEN, LATENCY_FRAMES_QUEUED},
    {"state to acquired", "", -1, LATENCY_STATE_PUBLISHED, LATENCY_STATE_ACQUIRED},
    {"sensor to board", "", -1, LATENCY_OLDEST_READING, LATENCY_FRAMES_ON_BUS},
    {"state to command", "", -1, LATENCY_STATE_PUBLISHED, LATENCY_COMMAND_PUBLISHED},
};

void latency_stage_name(const struct latency_pipeline *pipeline, unsigned stage, char *name,
                        size_t size)
{
    const struct latency_stage *of = &latency_stages[stage];
    snprintf(name, size, "%s%s%s", of->before,
             of->role < 0 ? "" : pipeline->channel[of->role]->writer, of->after);
}

bool latency_stage_of(const struct latency_chain *chain, const struct latency_stage *stage,
                      duration *took)
{
    const instant from = chain->at[stage->from], to = chain->at[stage->to];
    if (from.ns == INSTANT_NEVER.ns || to.ns == INSTANT_NEVER.ns)
        return false;
    *took = instant_sub(to, from);
    return true;
}

static const struct {
    const char *name;
    enum latency_role role;
} deadlines[LATENCY_DEADLINES] = {[LATENCY_STATE_DUE] = {"state", LATENCY_SENSES},
                                  [LATENCY_COMMAND_DUE] = {"command", LATENCY_ANSWERS},
                                  [LATENCY_REFERENCE_DUE] = {"reference", LATENCY_DRIVES},
                                  [LATENCY_SEND_DUE] = {"send", LATENCY_SENSES}};

const char *latency_deadline_name(enum latency_deadline deadline)
{
    return deadlines[deadline].name;
}

const char *latency_deadline_process(const struct latency_pipeline *pipeline,
                                     enum latency_deadline deadline)
{
    return pipeline->channel[deadlines[deadline].role]->writer;
}

// ---- of a target ------------------------------------------------------------------------------

// Messages that say what they were made from (the trace fields of message/message.h).
static const struct message_structure *const traced[LATENCY_ROLES] = {&robot_state, &robot_command,
                                                                      &robot_reference};

static const struct channel_config *channel_called(const struct target *target, const char *name)
{
    for (unsigned i = 0; i < target->channel_count; i++)
        if (strcmp(target->channel[i].name, name) == 0)
            return &target->channel[i];
    return NULL;
}

static bool carries(const struct channel_config *channel, const struct message_structure *structure,
                    char *words, size_t size)
{
    const struct schema *schema = schema_find(channel->message);
    snprintf(words, size, "it is not recorded");
    return schema != NULL && message_structure_fits(schema->fields, structure, words, size);
}

enum status latency_pipeline_of(const struct target *target, struct latency_pipeline *pipeline)
{
    char words[160] = "there is none";
    *pipeline = (struct latency_pipeline){.bus_log = ""};
    for (unsigned i = 0; i < LATENCY_ROLES; i++) {
        const struct channel_config *channel =
            i < target->pipeline_count ? channel_called(target, target->pipeline[i]) : NULL;
        if (channel == NULL || !carries(channel, traced[i], words, sizeof words)) {
            log_error("%s: pipeline: entry %u is not a channel of a %s, so its loop cannot be "
                      "followed: %s; declare the loop's three channels (doc/reference/latency.md)",
                      target->file, i + 1, traced[i]->name, words);
            return STATUS_INVALID;
        }
        pipeline->channel[i] = channel;
    }
    for (unsigned i = 0; i < target->channel_count; i++)
        if (carries(&target->channel[i], &robot_bus_log, words, sizeof words))
            pipeline->bus_log = target->channel[i].name;
    return STATUS_OK;
}
