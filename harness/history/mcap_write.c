#include "harness/history/mcap_writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/log.h"
#include "harness/history/cdr.h"
#include "harness/history/schema.h"
#include "harness/history/file_place.h"
#include "harness/history/whole_file.h"

#define COMPRESSION_LEVEL                                                                          \
    1 // files are large and written often; level 3 gains 5 % for twice the time

// ---- file

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
        size_t begin = mcap_record_begin(out, MCAP_MESSAGE_INDEX);
        bytes_put_u16(out, (uint16_t)channel);
        bytes_put_u32(out, (uint32_t)index->size);
        bytes_put(out, index->data, index->size);
        mcap_record_end(out, begin);
        index->size = 0;
    }
}

static const char *compression_of(const struct writer *writer)
{
    return writer->compressor == NULL ? "" : "zstd";
}

static void put_chunk_index(struct writer *writer, uint64_t chunk_at, uint64_t chunk_length,
                            const struct bytes *offsets, uint64_t index_length, size_t compressed)
{
    struct bytes *out = &writer->chunk_indexes;
    size_t begin = mcap_record_begin(out, MCAP_CHUNK_INDEX);
    bytes_put_u64(out, writer->chunk_first_ns);
    bytes_put_u64(out, writer->chunk_last_ns);
    bytes_put_u64(out, chunk_at);
    bytes_put_u64(out, chunk_length);
    bytes_put_u32(out, (uint32_t)offsets->size);
    bytes_put(out, offsets->data, offsets->size);
    bytes_put_u64(out, index_length);
    bytes_put_text(out, compression_of(writer));
    bytes_put_u64(out, compressed);
    bytes_put_u64(out, writer->chunk.size);
    mcap_record_end(out, begin);
}

// Puts the chunk's records behind `out`, as they are or compressed. False: they cannot be.
static bool pack(struct writer *writer, struct bytes *out, size_t *size)
{
    if (writer->compressor == NULL) {
        *size = writer->chunk.size;
        bytes_put_u64(out, *size);
        bytes_put(out, writer->chunk.data, *size);
        return true;
    }
    const size_t bound = ZSTD_compressBound(writer->chunk.size);
    void *packed = malloc(bound);
    if (packed == NULL)
        return false;
    *size =
        ZSTD_compress2(writer->compressor, packed, bound, writer->chunk.data, writer->chunk.size);
    const bool good = !ZSTD_isError(*size);
    if (good) {
        bytes_put_u64(out, *size);
        bytes_put(out, packed, *size);
    }
    free(packed);
    return good;
}

static bool flush_chunk(struct writer *writer)
{
    expects(writer->chunk.failed || writer->chunk.size > 0);
    if (writer->chunk.failed)
        return false;
    struct bytes out = {0}, offsets = {0};
    size_t begin = mcap_record_begin(&out, MCAP_CHUNK), size = 0;
    bytes_put_u64(&out, writer->chunk_first_ns);
    bytes_put_u64(&out, writer->chunk_last_ns);
    bytes_put_u64(&out, writer->chunk.size);
    bytes_put_u32(&out, 0); // no CRC: a zstd frame has a checksum of its own
    bytes_put_text(&out, compression_of(writer));
    bool good = pack(writer, &out, &size);
    mcap_record_end(&out, begin);
    uint64_t chunk_at = writer->position, chunk_length = out.size;
    put_message_indexes(writer, &out, &offsets);
    put_chunk_index(writer, chunk_at, chunk_length, &offsets, out.size - chunk_length, size);
    good = good && !out.failed && !offsets.failed;
    if (good)
        write_bytes(writer, out.data, out.size);
    bytes_free(&out);
    bytes_free(&offsets);
    writer->chunk.size = 0;
    writer->chunk_count++;
    return good;
}

// ---- messages

// Begins a message on `channel` and indexes it; its data is put after it and closed with
// record_end.
static size_t message_begin(struct writer *writer, unsigned channel, const struct event *event)
{
    expects(channel < MCAP_CHANNELS_MAX);
    uint64_t time_ns = (uint64_t)event->time.ns;
    bool first = writer->chunk_first_ns > writer->chunk_last_ns;
    if (first || time_ns < writer->chunk_first_ns)
        writer->chunk_first_ns = time_ns;
    if (first || time_ns > writer->chunk_last_ns)
        writer->chunk_last_ns = time_ns;
    bytes_put_u64(&writer->index[channel], time_ns);
    bytes_put_u64(&writer->index[channel], writer->chunk.size);
    writer->count[channel]++;
    size_t begin = mcap_record_begin(&writer->chunk, MCAP_MESSAGE);
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
    mcap_record_end(out, begin);
}

// Whether viewers get a message of this event on derived topic `number`.
static bool derives(const struct writer *writer, const struct event *event, unsigned number)
{
    expects(number < writer->derived->count);
    const struct derived_topic *derived = writer->derived->topic[number];
    const bool fits = derived->size_B == 0 ? channel_of(writer->history, event) < MCAP_MALFORMED
                                           : event->size_B == derived->size_B;
    return fits && event->topic == history_topic(writer->history, derived->source);
}

static void put_derived(struct writer *writer, const struct event *event)
{
    for (unsigned i = 0; i < writer->derived->count; i++) {
        if (!derives(writer, event, i))
            continue;
        size_t begin = message_begin(writer, MCAP_DERIVED + i, event);
        writer->derived->topic[i]->encode(writer->derived->context, event, &writer->chunk);
        mcap_record_end(&writer->chunk, begin);
    }
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
    mcap_put_schemas(writer, &writer->chunk);
    mcap_put_channels(writer, &writer->chunk);
    for (size_t i = 0; i < history_length(history); i++) {
        const struct event *event = history_event(history, i);
        put_event(writer, event);
        put_derived(writer, event);
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
        for (unsigned d = 0; d < writer->derived->count; d++)
            writer->used[MCAP_DERIVED + d] |= derives(writer, event, d);
    }
}

// ---- the whole file

static bool write_head(struct writer *writer)
{
    struct bytes out = {0};
    char library[32];
    snprintf(library, sizeof library, MCAP_LIBRARY " %d", MCAP_FORMAT);
    bytes_put(&out, MCAP_MAGIC, MCAP_MAGIC_SIZE_B);
    size_t begin = mcap_record_begin(&out, MCAP_HEADER);
    bytes_put_text(&out, "");
    bytes_put_text(&out, library);
    mcap_record_end(&out, begin);
    bool good = !out.failed;
    write_bytes(writer, out.data, out.size);
    bytes_free(&out);
    return good;
}

static bool write_tail(struct writer *writer)
{
    struct bytes out = {0};
    mcap_put_metadata(writer, &out);
    size_t begin = mcap_record_begin(&out, MCAP_DATA_END);
    bytes_put_u32(&out, 0); // no CRC
    mcap_record_end(&out, begin);
    mcap_put_summary(writer, &out);
    bytes_put(&out, MCAP_MAGIC, MCAP_MAGIC_SIZE_B);
    bool good = !out.failed;
    write_bytes(writer, out.data, out.size);
    bytes_free(&out);
    return good;
}

static bool start_compressor(struct writer *writer)
{
    writer->compressor = ZSTD_createCCtx();
    if (writer->compressor == NULL)
        return false;
    ZSTD_CCtx_setParameter(writer->compressor, ZSTD_c_compressionLevel, COMPRESSION_LEVEL);
    ZSTD_CCtx_setParameter(writer->compressor, ZSTD_c_checksumFlag, 1);
    return true;
}

static enum status write_file(const struct history *history, const struct derived_topics *derived,
                              bool compressed, FILE *file)
{
    static const struct derived_topics none;
    struct writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL)
        return STATUS_NO_MEMORY;
    writer->history = history;
    writer->derived = derived == NULL ? &none : derived;
    writer->file = file;
    bool good = !compressed || start_compressor(writer);
    if (good) {
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

static enum status complain(const char *path, enum status status)
{
    if (status == STATUS_SYSTEM)
        log_error("%s: cannot be written: %s; make room or choose another folder", path,
                  file_place_why(errno));
    else
        log_error("%s: cannot be written: %s", path, status_text(status));
    return status;
}

enum status history_write(const struct history *history, const struct derived_topics *derived,
                          const char *path)
{
    struct whole_file *file;
    enum status status = whole_file_start(path, &file);
    if (status != STATUS_OK)
        return complain(path, status);
    status = write_file(history, derived, true, whole_file_stream(file));
    if (status == STATUS_OK)
        status = whole_file_commit(file);
    else
        whole_file_drop(file);
    return status == STATUS_OK ? STATUS_OK : complain(path, status);
}

enum status history_write_plain(const struct history *history, FILE *file)
{
    const enum status status = write_file(history, NULL, false, file);
    if (status != STATUS_OK)
        return status;
    return fflush(file) == 0 && ferror(file) == 0 ? STATUS_OK : STATUS_SYSTEM;
}
