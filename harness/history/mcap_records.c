#include "harness/history/mcap_writer.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/invariant.h"
#include "harness/history/schema.h"

#define DERIVED_SCHEMA 1000 // number of the first derived topic's schema
#define SUMMARY_GROUPS 5
#define TYPE_NAME_MAX_B 128 // more than a history's topic has

// ---- records

size_t mcap_record_begin(struct bytes *bytes, enum mcap_record kind)
{
    bytes_put_u8(bytes, (uint8_t)kind);
    bytes_put_u64(bytes, 0);
    return bytes->size;
}

void mcap_record_end(struct bytes *bytes, size_t begin)
{
    bytes_set_u64(bytes, begin - sizeof(uint64_t), bytes->size - begin);
}

static size_t map_begin(struct bytes *bytes)
{
    bytes_put_u32(bytes, 0);
    return bytes->size;
}

static void map_end(struct bytes *bytes, size_t begin)
{
    bytes_set_u32(bytes, begin - sizeof(uint32_t), (uint32_t)(bytes->size - begin));
}

static void put_pair(struct bytes *bytes, const char *key, const char *value)
{
    bytes_put_text(bytes, key);
    bytes_put_text(bytes, value);
}

static void put_schema(struct bytes *bytes, unsigned id, const char *name, const char *fields)
{
    size_t begin = mcap_record_begin(bytes, MCAP_SCHEMA);
    bytes_put_u16(bytes, (uint16_t)id);
    bytes_put_text(bytes, name);
    bytes_put_text(bytes, "ros2msg");
    bytes_put_text(bytes, fields);
    mcap_record_end(bytes, begin);
}

// ROS wants packages in lower case and types in CamelCase: "cart/pole_state.msg" is
// "cart/msg/PoleState", and "process_event", the lab's own, "ukemi/msg/ProcessEvent".
static void type_name(const char *type, char *name, size_t size)
{
    const char *slash = strrchr(type, '/'), *own = slash == NULL ? type : slash + 1;
    size_t used = 0;
    for (const char *c = slash == NULL ? "ukemi" : type; *c != '\0' && c != slash; c++)
        name[used++] = (char)(isalnum((unsigned char)*c) ? tolower((unsigned char)*c) : '_');
    used += (size_t)snprintf(name + used, size - used, "/msg/");
    bool upper = true;
    for (const char *c = own; *c != '\0' && *c != '.' && used + 1 < size; c++) {
        const bool counts = isalnum((unsigned char)*c);
        if (counts)
            name[used++] = (char)(upper ? toupper((unsigned char)*c) : *c);
        upper = !counts;
    }
    name[used] = '\0';
}

void mcap_put_schemas(const struct writer *writer, struct bytes *bytes)
{
    bool wanted[SCHEMAS_DECLARED_MAX + 64] = {false};
    invariant(schema_count() <= sizeof wanted);
    for (unsigned t = 0; t < history_topic_count(writer->history); t++) {
        const size_t number = schema_number(history_topic_schema(writer->history, t));
        if (number < schema_count())
            wanted[number] = true;
    }
    for (size_t i = 0; i < schema_count(); i++) {
        char name[TYPE_NAME_MAX_B];
        type_name(schema_at(i)->name, name, sizeof name);
        if (wanted[i])
            put_schema(bytes, (unsigned)i + 1, name, schema_at(i)->fields);
    }
    for (unsigned i = 0; i < writer->derived->count; i++)
        if (writer->used[MCAP_DERIVED + i])
            put_schema(bytes, DERIVED_SCHEMA + i, writer->derived->topic[i]->schema,
                       writer->derived->topic[i]->fields);
}

static void put_channel(struct bytes *bytes, unsigned id, unsigned schema, const char *topic,
                        const char *key, const char *value)
{
    size_t begin = mcap_record_begin(bytes, MCAP_CHANNEL);
    bytes_put_u16(bytes, (uint16_t)id);
    bytes_put_u16(bytes, (uint16_t)schema);
    bytes_put_text(bytes, topic);
    bytes_put_text(bytes, schema > 0 ? "cdr" : "");
    size_t map = map_begin(bytes);
    put_pair(bytes, key, value);
    map_end(bytes, map);
    mcap_record_end(bytes, begin);
}

void mcap_put_channels(const struct writer *writer, struct bytes *bytes)
{
    for (unsigned t = 0; t < history_topic_count(writer->history); t++) {
        const char *name = history_topic_name(writer->history, t);
        const char *type = history_topic_schema(writer->history, t);
        const size_t number = schema_number(type);
        unsigned id = number == schema_count() ? 0 : (unsigned)number + 1;
        char malformed[64];
        put_channel(bytes, t, id, name, MCAP_KEY_SCHEMA, type);
        snprintf(malformed, sizeof malformed, "%s/malformed", name);
        if (writer->used[MCAP_MALFORMED + t])
            put_channel(bytes, MCAP_MALFORMED + t, 0, malformed, MCAP_KEY_MALFORMED, name);
    }
    for (unsigned i = 0; i < writer->derived->count; i++)
        if (writer->used[MCAP_DERIVED + i])
            put_channel(bytes, MCAP_DERIVED + i, DERIVED_SCHEMA + i,
                        writer->derived->topic[i]->topic, MCAP_KEY_DERIVED,
                        writer->derived->topic[i]->source);
}

// ---- metadata and summary

void mcap_put_metadata(struct writer *writer, struct bytes *out)
{
    char hash[33];
    history_hash(writer->history, hash);
    writer->metadata_at = writer->position + out->size;
    size_t begin = mcap_record_begin(out, MCAP_METADATA);
    bytes_put_text(out, MCAP_METADATA_NAME);
    size_t map = map_begin(out);
    put_pair(out, MCAP_KEY_HASH, hash);
    map_end(out, map);
    mcap_record_end(out, begin);
    writer->metadata_length = writer->position + out->size - writer->metadata_at;
}

static void put_statistics(const struct writer *writer, struct bytes *out)
{
    uint64_t messages = 0, first_ns = UINT64_MAX, last_ns = 0;
    uint32_t channels = history_topic_count(writer->history);
    unsigned schemas = 0;
    struct bytes counted = {0};
    mcap_put_schemas(writer, &counted);
    for (struct view view = {.data = counted.data, .size = counted.size}; view.at < view.size;) {
        (void)view_u8(&view);
        (void)view_part(&view, view_u64(&view));
        schemas++;
    }
    bytes_free(&counted);
    for (unsigned i = 0; i < MCAP_CHANNELS_MAX; i++) {
        messages += writer->count[i];
        channels += i >= MCAP_MALFORMED && writer->used[i];
    }
    for (size_t i = 0; i < history_length(writer->history); i++) {
        uint64_t time_ns = (uint64_t)history_event(writer->history, i)->time.ns;
        first_ns = time_ns < first_ns ? time_ns : first_ns;
        last_ns = time_ns > last_ns ? time_ns : last_ns;
    }
    size_t begin = mcap_record_begin(out, MCAP_STATISTICS);
    bytes_put_u64(out, messages);
    bytes_put_u16(out, (uint16_t)schemas);
    bytes_put_u32(out, channels);
    bytes_put_u32(out, 0); // attachments
    bytes_put_u32(out, 1); // metadata
    bytes_put_u32(out, writer->chunk_count);
    bytes_put_u64(out, messages > 0 ? first_ns : 0);
    bytes_put_u64(out, last_ns);
    size_t map = map_begin(out);
    for (unsigned i = 0; i < MCAP_CHANNELS_MAX; i++)
        if (writer->count[i] > 0) {
            bytes_put_u16(out, (uint16_t)i);
            bytes_put_u64(out, writer->count[i]);
        }
    map_end(out, map);
    mcap_record_end(out, begin);
}

static void put_metadata_index(const struct writer *writer, struct bytes *out)
{
    size_t begin = mcap_record_begin(out, MCAP_METADATA_INDEX);
    bytes_put_u64(out, writer->metadata_at);
    bytes_put_u64(out, writer->metadata_length);
    bytes_put_text(out, MCAP_METADATA_NAME);
    mcap_record_end(out, begin);
}

void mcap_put_summary(const struct writer *writer, struct bytes *out)
{
    static const enum mcap_record kinds[SUMMARY_GROUPS] = {
        MCAP_SCHEMA, MCAP_CHANNEL, MCAP_STATISTICS, MCAP_CHUNK_INDEX, MCAP_METADATA_INDEX};
    const uint64_t summary_at = writer->position + out->size;
    uint64_t start[SUMMARY_GROUPS + 1];
    for (int group = 0; group < SUMMARY_GROUPS; group++) {
        start[group] = writer->position + out->size;
        if (kinds[group] == MCAP_SCHEMA)
            mcap_put_schemas(writer, out);
        else if (kinds[group] == MCAP_CHANNEL)
            mcap_put_channels(writer, out);
        else if (kinds[group] == MCAP_STATISTICS)
            put_statistics(writer, out);
        else if (kinds[group] == MCAP_CHUNK_INDEX)
            bytes_put(out, writer->chunk_indexes.data, writer->chunk_indexes.size);
        else
            put_metadata_index(writer, out);
    }
    start[SUMMARY_GROUPS] = writer->position + out->size;
    for (int group = 0; group < SUMMARY_GROUPS; group++) {
        if (start[group + 1] == start[group])
            continue;
        size_t begin = mcap_record_begin(out, MCAP_SUMMARY_OFFSET);
        bytes_put_u8(out, (uint8_t)kinds[group]);
        bytes_put_u64(out, start[group]);
        bytes_put_u64(out, start[group + 1] - start[group]);
        mcap_record_end(out, begin);
    }
    size_t begin = mcap_record_begin(out, MCAP_FOOTER);
    bytes_put_u64(out, summary_at);
    bytes_put_u64(out, start[SUMMARY_GROUPS]);
    bytes_put_u32(out, 0); // no CRC
    mcap_record_end(out, begin);
}
