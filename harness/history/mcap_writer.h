// The parts of an MCAP file that stand around its messages. Private to mcap_write.c and
// mcap_records.c.
#pragma once

#include <stdio.h>
#include <zstd.h>

#include "harness/history/bytes.h"
#include "harness/history/derived.h"
#include "harness/history/history.h"
#include "harness/history/mcap.h"

struct writer {
    const struct history *history;
    const struct derived_topics *derived; // may be none, but not NULL
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

// A record, or a map in it, is begun, filled and ended; its length is set at the end.
size_t mcap_record_begin(struct bytes *bytes, enum mcap_record kind);
void mcap_record_end(struct bytes *bytes, size_t begin);

// Schema and Channel records of all topics in use.
void mcap_put_schemas(const struct writer *writer, struct bytes *bytes);
void mcap_put_channels(const struct writer *writer, struct bytes *bytes);

// Metadata of the history; notes where it stands.
void mcap_put_metadata(struct writer *writer, struct bytes *out);

// Summary, Summary Offsets and Footer, to be written at writer->position.
void mcap_put_summary(const struct writer *writer, struct bytes *out);
