// The MCAP file format as far as histories use it (https://mcap.dev/spec, version 0). Private to
// mcap_write.c and mcap_read.c.
//
// File: magic, Header, Chunks (zstd, with checksum) each followed by its Message Indexes, Metadata,
// Data End, Summary (Schemas, Channels, Statistics, Chunk Indexes, Metadata Index), Summary
// Offsets, Footer, magic. Events keep their order in the file.
//
// A topic's events are CDR messages of its schema on the channel with the topic's number. Bytes
// that are no message of the topic's schema (a daemon may write what it likes) go on a channel
// "TOPIC/malformed" instead. Channels for viewers only (harness/history/derived.h) are marked
// "derived".
#pragma once

#include <stdint.h>

#define MCAP_MAGIC "\x89MCAP0\r\n"
#define MCAP_MAGIC_SIZE_B 8
#define MCAP_CHUNK_SIZE_B ((size_t)1 << 20)
#define MCAP_CHUNK_SIZE_MAX_B ((size_t)64 << 20) // a reader's bound

enum mcap_record {
    MCAP_HEADER = 0x01,
    MCAP_FOOTER = 0x02,
    MCAP_SCHEMA = 0x03,
    MCAP_CHANNEL = 0x04,
    MCAP_MESSAGE = 0x05,
    MCAP_CHUNK = 0x06,
    MCAP_MESSAGE_INDEX = 0x07,
    MCAP_CHUNK_INDEX = 0x08,
    MCAP_STATISTICS = 0x0B,
    MCAP_METADATA = 0x0C,
    MCAP_METADATA_INDEX = 0x0D,
    MCAP_SUMMARY_OFFSET = 0x0E,
    MCAP_DATA_END = 0x0F,
};

// Channel numbers: of a topic's messages the topic's own, then
#define MCAP_MALFORMED 256 // + topic: bytes that are no message of its schema
#define MCAP_DERIVED 512   // from here on: for viewers
#define MCAP_CHANNELS_MAX 544

#define MCAP_KEY_DERIVED "derived"
#define MCAP_KEY_SCHEMA "schema"       // metadata of a channel: name in harness/history/schema.h
#define MCAP_KEY_MALFORMED "malformed" // metadata of a channel: its topic
// The library that the header names, with the format of the history: an older lab refuses what it
// would misread. Without a number: 1.
#define MCAP_LIBRARY "ukemi"
#define MCAP_FORMAT 1
#define MCAP_METADATA_NAME "ukemi"
#define MCAP_KEY_HASH "history_hash"
