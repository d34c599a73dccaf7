#include "harness/history.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/log.h"
#include "harness/bytes.h"
#include "harness/mcap.h"
#include "harness/schema.h"
#include "harness/viewer.h"

#define COMPRESSION_LEVEL                                                                          \
    1 // files are large and written often; level 3 gains 5 % for twice the time
#define DERIVED_SCHEMA 1000 // number of the first viewer topic's schema
#define SUMMARY_GROUPS 5

struct writer {
    const struct history *history;
    FILE *file;
    uint64_t position; // in the file
    ZSTD_CCtx *compressor;
    struct bytes chunk;                     // records, not yet compressed
    struct bytes index[MCAP_CHANNELS_MAX];  // of the chunk: (time, offset) per message
    uint64_t chunk_first_ns, chunk_last_ns; // log times in the chunk
    struct bytes chunk_indexes;             // records of the summary
    uint32_t chunk_count;
    uint64_t count[MCAP_CHANNELS_MAX]; // messages per channel
    uint64_t metadata_at, metadata_length;
    bool used[MCAP_CHANNELS_MAX];
};

// ---- records
// -------------------------------------------------------------------------------------

static size_t record_begin(struct bytes *bytes, enum mcap_record kind)
{
    bytes_put_u8(bytes, (uint8_t)kind);
    bytes_put_u64(bytes, 0);
    return bytes->size;
}

static void record_end(struct bytes *bytes, size_t begin)
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
    size_t begin = record_begin(bytes, MCAP_SCHEMA);
    bytes_put_u16(bytes, (uint16_t)id);
    bytes_put_text(bytes, name);
    bytes_put_text(bytes, "ros2msg");
    bytes_put_text(bytes, fields);
    record_end(bytes, begin);
}

static void put_schemas(const struct writer *writer, struct bytes *bytes)
{
    bool wanted[64] = {false};
    assert(schema_count() <= sizeof wanted);
    for (unsigned t = 0; t < history_topic_count(writer->history); t++) {
        const struct schema *schema = schema_find(history_topic_schema(writer->history, t));
        if (schema != NULL)
            wanted[schema - schema_at(0)] = true;
    }
    for (size_t i = 0; i < schema_count(); i++) {
        char name[64];
        snprintf(name, sizeof name, "ukemi/msg/%s", schema_at(i)->name);
        if (wanted[i])
            put_schema(bytes, (unsigned)i + 1, name, schema_at(i)->fields);
    }
    for (unsigned i = 0; i < VIEWER_TOPICS; i++)
        if (writer->used[MCAP_DERIVED + i])
            put_schema(bytes, DERIVED_SCHEMA + i, viewer_topics[i].schema, viewer_topics[i].fields);
}

static void put_channel(struct bytes *bytes, unsigned id, unsigned schema, const char *topic,
                        const char *key, const char *value)
{
    size_t begin = record_begin(bytes, MCAP_CHANNEL);
    bytes_put_u16(bytes, (uint16_t)id);
    bytes_put_u16(bytes, (uint16_t)schema);
    bytes_put_text(bytes, topic);
    bytes_put_text(bytes, schema > 0 ? "cdr" : "");
    size_t map = map_begin(bytes);
    put_pair(bytes, key, value);
    map_end(bytes, map);
    record_end(bytes, begin);
}

static void put_channels(const struct writer *writer, struct bytes *bytes)
{
    for (unsigned t = 0; t < history_topic_count(writer->history); t++) {
        const char *name = history_topic_name(writer->history, t);
        const char *type = history_topic_schema(writer->history, t);
        const struct schema *schema = schema_find(type);
        unsigned id = schema == NULL ? 0 : (unsigned)(schema - schema_at(0)) + 1;
        char malformed[64];
        put_channel(bytes, t, id, name, MCAP_KEY_SCHEMA, type);
        snprintf(malformed, sizeof malformed, "%s/malformed", name);
        if (writer->used[MCAP_MALFORMED + t])
            put_channel(bytes, MCAP_MALFORMED + t, 0, malformed, MCAP_KEY_MALFORMED, name);
    }
    for (unsigned i = 0; i < VIEWER_TOPICS; i++)
        if (writer->used[MCAP_DERIVED + i])
            put_channel(bytes, MCAP_DERIVED + i, DERIVED_SCHEMA + i, viewer_topics[i].topic,
                        MCAP_KEY_DERIVED, "truth");
}

// ---- file
// ------------------------------------------------------------------------------------------

static void write_bytes(struct writer *writer, const void *data, size_t size)
{
    fwrite(data, 1, size, writer->file); // ferror is looked at in the end
    writer->position += size;
}

static void put_message_indexes(struct writer *writer, struct bytes *out, struct bytes *offsets)
{
    for (unsigned channel = 0; channel < MCAP_CHANNELS_MAX; channel++) {
        struct bytes *index = &writer->index[channel];
        if (index->size == 0)
            continue;
        bytes_put_u16(offsets, (uint16_t)channel);
        bytes_put_u64(offsets, writer->position + out->size);
        size_t begin = record_begin(out, MCAP_MESSAGE_INDEX);
        bytes_put_u16(out, (uint16_t)channel);
        bytes_put_u32(out, (uint32_t)index->size);
        bytes_put(out, index->data, index->size);
        record_end(out, begin);
        index->size = 0;
    }
}

static void put_chunk_index(struct writer *writer, uint64_t chunk_at, uint64_t chunk_length,
                            const struct bytes *offsets, uint64_t index_length, size_t compressed)
{
    struct bytes *out = &writer->chunk_indexes;
    size_t begin = record_begin(out, MCAP_CHUNK_INDEX);
    bytes_put_u64(out, writer->chunk_first_ns);
    bytes_put_u64(out, writer->chunk_last_ns);
    bytes_put_u64(out, chunk_at);
    bytes_put_u64(out, chunk_length);
    bytes_put_u32(out, (uint32_t)offsets->size);
    bytes_put(out, offsets->data, offsets->size);
    bytes_put_u64(out, index_length);
    bytes_put_text(out, "zstd");
    bytes_put_u64(out, compressed);
    bytes_put_u64(out, writer->chunk.size);
    record_end(out, begin);
}

static bool flush_chunk(struct writer *writer)
{
    size_t bound = ZSTD_compressBound(writer->chunk.size);
    void *packed = malloc(bound);
    if (packed == NULL || writer->chunk.failed) {
        free(packed);
        return false;
    }
    size_t size =
        ZSTD_compress2(writer->compressor, packed, bound, writer->chunk.data, writer->chunk.size);
    struct bytes out = {0}, offsets = {0};
    size_t begin = record_begin(&out, MCAP_CHUNK);
    bytes_put_u64(&out, writer->chunk_first_ns);
    bytes_put_u64(&out, writer->chunk_last_ns);
    bytes_put_u64(&out, writer->chunk.size);
    bytes_put_u32(&out, 0); // no CRC: the zstd frame has a checksum of its own
    bytes_put_text(&out, "zstd");
    bytes_put_u64(&out, size);
    bytes_put(&out, packed, size);
    record_end(&out, begin);
    free(packed);
    uint64_t chunk_at = writer->position, chunk_length = out.size;
    put_message_indexes(writer, &out, &offsets);
    put_chunk_index(writer, chunk_at, chunk_length, &offsets, out.size - chunk_length, size);
    bool good = !ZSTD_isError(size) && !out.failed && !offsets.failed;
    if (good)
        write_bytes(writer, out.data, out.size);
    bytes_free(&out);
    bytes_free(&offsets);
    writer->chunk.size = 0;
    writer->chunk_count++;
    return good;
}

// ---- messages
// --------------------------------------------------------------------------------------

// Begins a message on `channel` and indexes it; its data is put after it and closed with
// record_end.
static size_t message_begin(struct writer *writer, unsigned channel, const struct event *event)
{
    uint64_t time_ns = (uint64_t)event->time.ns;
    bool first = writer->chunk_first_ns > writer->chunk_last_ns;
    if (first || time_ns < writer->chunk_first_ns)
        writer->chunk_first_ns = time_ns;
    if (first || time_ns > writer->chunk_last_ns)
        writer->chunk_last_ns = time_ns;
    bytes_put_u64(&writer->index[channel], time_ns);
    bytes_put_u64(&writer->index[channel], writer->chunk.size);
    writer->count[channel]++;
    size_t begin = record_begin(&writer->chunk, MCAP_MESSAGE);
    bytes_put_u16(&writer->chunk, (uint16_t)channel);
    bytes_put_u32(&writer->chunk, (uint32_t)event->number);
    bytes_put_u64(&writer->chunk, time_ns);
    bytes_put_u64(&writer->chunk, time_ns);
    return begin;
}

// Channel of an event: its topic's, or the one for malformed bytes.
static unsigned channel_of(const struct history *history, const struct event *event)
{
    const struct schema *schema = schema_find(history_topic_schema(history, event->topic));
    return schema == NULL || schema_fits(schema, event->size_B) ? event->topic
                                                                : MCAP_MALFORMED + event->topic;
}

static void put_event(struct writer *writer, const struct event *event)
{
    unsigned channel = channel_of(writer->history, event);
    const struct schema *schema = schema_find(history_topic_schema(writer->history, event->topic));
    size_t begin = message_begin(writer, channel, event);
    struct bytes *out = &writer->chunk;
    if (channel >= MCAP_MALFORMED || schema == NULL) {
        bytes_put(out, event->data, event->size_B);
    } else {
        bytes_put(out, CDR_HEAD, CDR_HEAD_SIZE_B);
        bytes_put(out, event->data, schema->head_size_B);
    }
    if (channel < MCAP_MALFORMED && schema != NULL && schema->element_size_B > 0) {
        size_t rest = event->size_B - schema->head_size_B;
        bytes_put_u32(out, (uint32_t)(rest / schema->element_size_B));
        bytes_put_u32(out, 0); // aligns the elements to 8
        bytes_put(out, (const char *)event->data + schema->head_size_B, rest);
    }
    record_end(out, begin);
}

static void put_viewer_messages(struct writer *writer, const struct event *event)
{
    for (unsigned i = 0; i < VIEWER_TOPICS; i++) {
        size_t begin = message_begin(writer, MCAP_DERIVED + i, event);
        viewer_topics[i].encode(writer->history, event->data, &writer->chunk);
        record_end(&writer->chunk, begin);
    }
}

static bool is_truth(const struct history *history, const struct event *event)
{
    return event->topic == history_topic(history, "truth") &&
           event->size_B == sizeof(struct truth_message);
}

static void start_chunk(struct writer *writer)
{
    writer->chunk_first_ns = 1; // first > last: no message yet
    writer->chunk_last_ns = 0;
}

static bool write_events(struct writer *writer)
{
    const struct history *history = writer->history;
    start_chunk(writer);
    put_schemas(writer, &writer->chunk);
    put_channels(writer, &writer->chunk);
    for (size_t i = 0; i < history_length(history); i++) {
        const struct event *event = history_event(history, i);
        put_event(writer, event);
        if (is_truth(history, event))
            put_viewer_messages(writer, event);
        if (writer->chunk.size >= MCAP_CHUNK_SIZE_B) {
            if (!flush_chunk(writer))
                return false;
            start_chunk(writer);
        }
    }
    return writer->chunk.size == 0 || flush_chunk(writer);
}

static void mark_used(struct writer *writer)
{
    const struct history *history = writer->history;
    for (size_t i = 0; i < history_length(history); i++) {
        const struct event *event = history_event(history, i);
        writer->used[channel_of(history, event)] = true;
        if (is_truth(history, event))
            for (unsigned v = 0; v < VIEWER_TOPICS; v++)
                writer->used[MCAP_DERIVED + v] = true;
    }
}

// ---- what stands around the messages
// -----------------------------------------------------------------

static void put_metadata(struct writer *writer, struct bytes *out)
{
    char hash[33], joints[ROBOT_JOINTS_MAX * 17] = "";
    history_hash(writer->history, hash);
    for (unsigned i = 0; i < history_joint_count(writer->history); i++) {
        strcat(joints, i > 0 ? " " : "");
        strcat(joints, history_joint_name(writer->history, i));
    }
    writer->metadata_at = writer->position + out->size;
    size_t begin = record_begin(out, MCAP_METADATA);
    bytes_put_text(out, MCAP_METADATA_NAME);
    size_t map = map_begin(out);
    put_pair(out, MCAP_KEY_HASH, hash);
    put_pair(out, MCAP_KEY_JOINTS, joints);
    map_end(out, map);
    record_end(out, begin);
    writer->metadata_length = writer->position + out->size - writer->metadata_at;
}

static void put_statistics(const struct writer *writer, struct bytes *out)
{
    uint64_t messages = 0, first_ns = UINT64_MAX, last_ns = 0;
    uint32_t channels = history_topic_count(writer->history);
    unsigned schemas = 0;
    struct bytes counted = {0};
    put_schemas(writer, &counted);
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
    size_t begin = record_begin(out, MCAP_STATISTICS);
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
    record_end(out, begin);
}

static void put_metadata_index(const struct writer *writer, struct bytes *out)
{
    size_t begin = record_begin(out, MCAP_METADATA_INDEX);
    bytes_put_u64(out, writer->metadata_at);
    bytes_put_u64(out, writer->metadata_length);
    bytes_put_text(out, MCAP_METADATA_NAME);
    record_end(out, begin);
}

static void put_summary(const struct writer *writer, struct bytes *out)
{
    static const enum mcap_record kinds[SUMMARY_GROUPS] = {
        MCAP_SCHEMA, MCAP_CHANNEL, MCAP_STATISTICS, MCAP_CHUNK_INDEX, MCAP_METADATA_INDEX};
    const uint64_t summary_at = writer->position + out->size;
    uint64_t start[SUMMARY_GROUPS + 1];
    for (int group = 0; group < SUMMARY_GROUPS; group++) {
        start[group] = writer->position + out->size;
        if (kinds[group] == MCAP_SCHEMA)
            put_schemas(writer, out);
        else if (kinds[group] == MCAP_CHANNEL)
            put_channels(writer, out);
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
        size_t begin = record_begin(out, MCAP_SUMMARY_OFFSET);
        bytes_put_u8(out, (uint8_t)kinds[group]);
        bytes_put_u64(out, start[group]);
        bytes_put_u64(out, start[group + 1] - start[group]);
        record_end(out, begin);
    }
    size_t begin = record_begin(out, MCAP_FOOTER);
    bytes_put_u64(out, summary_at);
    bytes_put_u64(out, start[SUMMARY_GROUPS]);
    bytes_put_u32(out, 0); // no CRC
    record_end(out, begin);
}

static bool write_head(struct writer *writer)
{
    struct bytes out = {0};
    bytes_put(&out, MCAP_MAGIC, MCAP_MAGIC_SIZE_B);
    size_t begin = record_begin(&out, MCAP_HEADER);
    bytes_put_text(&out, "");
    bytes_put_text(&out, "ukemi");
    record_end(&out, begin);
    bool good = !out.failed;
    write_bytes(writer, out.data, out.size);
    bytes_free(&out);
    return good;
}

static bool write_tail(struct writer *writer)
{
    struct bytes out = {0};
    put_metadata(writer, &out);
    size_t begin = record_begin(&out, MCAP_DATA_END);
    bytes_put_u32(&out, 0); // no CRC
    record_end(&out, begin);
    put_summary(writer, &out);
    bytes_put(&out, MCAP_MAGIC, MCAP_MAGIC_SIZE_B);
    bool good = !out.failed;
    write_bytes(writer, out.data, out.size);
    bytes_free(&out);
    return good;
}

static enum status write_file(const struct history *history, FILE *file)
{
    struct writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL)
        return STATUS_NO_MEMORY;
    writer->history = history;
    writer->file = file;
    writer->compressor = ZSTD_createCCtx();
    bool good = writer->compressor != NULL;
    if (good) {
        ZSTD_CCtx_setParameter(writer->compressor, ZSTD_c_compressionLevel, COMPRESSION_LEVEL);
        ZSTD_CCtx_setParameter(writer->compressor, ZSTD_c_checksumFlag, 1);
        mark_used(writer);
        good = write_head(writer) && write_events(writer) && write_tail(writer);
    }
    ZSTD_freeCCtx(writer->compressor);
    for (unsigned i = 0; i < MCAP_CHANNELS_MAX; i++)
        bytes_free(&writer->index[i]);
    bytes_free(&writer->chunk);
    bytes_free(&writer->chunk_indexes);
    free(writer);
    return good ? STATUS_OK : STATUS_NO_MEMORY;
}

enum status history_write(const struct history *history, const char *path)
{
    char temporary[PATH_MAX];
    snprintf(temporary, sizeof temporary, "%s.%d.part", path, (int)getpid());
    FILE *file = fopen(temporary, "wbe");
    if (file == NULL) {
        log_error("%s: cannot be written: %s; choose another folder", path, strerror(errno));
        return STATUS_SYSTEM;
    }
    enum status status = write_file(history, file);
    bool failed = ferror(file) != 0;
    failed = fclose(file) != 0 || failed;
    if (status == STATUS_OK && (failed || rename(temporary, path) != 0))
        status = STATUS_SYSTEM;
    if (status != STATUS_OK) {
        log_error("%s: cannot be written: %s; is the disk full?", path,
                  status == STATUS_SYSTEM ? strerror(errno) : status_text(status));
        unlink(temporary);
    }
    return status;
}
