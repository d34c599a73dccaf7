#include "harness/history/history.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/file_kind.h"
#include "base/log.h"
#include "base/trouble.h"
#include "base/text.h"
#include "harness/history/bytes.h"
#include "harness/history/cdr.h"
#include "harness/history/mcap.h"
#include "harness/history/schema.h"
#include "harness/history/whole_file.h"

// More than a history in memory may have (history.c).
#define FILE_MAX_B ((size_t)1 << 30)

enum channel_kind { CHANNEL_UNKNOWN, CHANNEL_TOPIC, CHANNEL_MALFORMED, CHANNEL_DERIVED };

struct mcap_channel {
    enum channel_kind kind;
    unsigned topic;
    const struct schema *schema; // of a topic's messages; NULL: bytes as they are
};

#define LIBRARY_MAX_B 64
#define METADATA_MAX_B 1024 // of one value: older files hold more than the hash
#define SCHEMA_IDS_MAX 1000 // beyond are those for viewers (mcap_records.c)

struct reader {
    struct history *history;
    struct mcap_channel channel[MCAP_CHANNELS_MAX];
    char hash[33];              // as written
    bool ended;                 // Data End has come
    char *text[SCHEMA_IDS_MAX]; // of the file's schema records, by their number
    char words[192];            // what is wrong, where they are not fixed
};

// Keeps its text: a channel says later what the type is called here.
static bool read_schema(struct reader *reader, struct view *view)
{
    char name[128], encoding[16];
    const unsigned id = view_u16(view);
    if (!view_text(view, name, sizeof name) || !view_text(view, encoding, sizeof encoding))
        return false;
    const struct view text = view_part(view, view_u32(view));
    if (view->failed || id >= SCHEMA_IDS_MAX || reader->text[id] != NULL)
        return !view->failed; // a viewer's, or repeated
    reader->text[id] = strndup((const char *)text.data, text.size);
    return reader->text[id] != NULL;
}

// The type called `name`; one that this lab does not have is declared by the file's text.
static const struct schema *find_type(const struct reader *reader, const char *name, unsigned id)
{
    struct message_mistake mistake;
    if (schema_find(name) == NULL && name[0] != '\0' && id < SCHEMA_IDS_MAX &&
        reader->text[id] != NULL && schema_declare(name, reader->text[id], &mistake) != STATUS_OK)
        return NULL;
    return schema_find(name);
}

static bool read_channel(struct reader *reader, struct view *view)
{
    char topic[64], encoding[16], key[32], value[96];
    unsigned id = view_u16(view);
    const unsigned schema = view_u16(view); // its number; its name is in the metadata
    if (!view_text(view, topic, sizeof topic) || !view_text(view, encoding, sizeof encoding))
        return false;
    struct view map = view_part(view, view_u32(view));
    if (id >= MCAP_CHANNELS_MAX || !view_text(&map, key, sizeof key) ||
        !view_text(&map, value, sizeof value))
        return false;
    struct mcap_channel *channel = &reader->channel[id];
    if (channel->kind != CHANNEL_UNKNOWN)
        return true; // repeated
    if (strcmp(key, MCAP_KEY_DERIVED) == 0) {
        channel->kind = CHANNEL_DERIVED;
    } else if (strcmp(key, MCAP_KEY_MALFORMED) == 0) {
        int original = history_topic(reader->history, value);
        *channel = (struct mcap_channel){.kind = CHANNEL_MALFORMED, .topic = (unsigned)original};
        return original >= 0;
    } else if (strcmp(key, MCAP_KEY_SCHEMA) == 0) {
        *channel = (struct mcap_channel){.kind = CHANNEL_TOPIC,
                                         .schema = find_type(reader, value, schema)};
        return (channel->schema != NULL || value[0] == '\0') &&
               history_add_topic(reader->history, topic, value, &channel->topic) == STATUS_OK;
    } else {
        return false;
    }
    return true;
}

// The event's bytes: CDR without its head, and without the length before a counted type's array.
static bool append(struct reader *reader, const struct mcap_channel *channel, uint32_t number,
                   instant time, struct view data)
{
    const uint8_t *bytes = data.data;
    size_t size = data.size;
    uint8_t *joined = NULL;
    const struct schema *schema = channel->schema;
    if (schema != NULL) {
        size_t skip = schema->element_size_B > 0 ? 2 * sizeof(uint32_t) : 0;
        if (size < CDR_HEAD_SIZE_B + schema->head_size_B + skip ||
            memcmp(bytes, CDR_HEAD, CDR_HEAD_SIZE_B) != 0)
            return false;
        bytes += CDR_HEAD_SIZE_B;
        size -= CDR_HEAD_SIZE_B + skip;
        if (!schema_fits(schema, size))
            return false;
        if (skip > 0) {
            joined = malloc(size);
            if (joined == NULL)
                return false;
            memcpy(joined, bytes, schema->head_size_B);
            memcpy(joined + schema->head_size_B, bytes + schema->head_size_B + skip,
                   size - schema->head_size_B);
            bytes = joined;
        }
    }
    enum status status = history_append(reader->history, channel->topic, number, time, bytes, size);
    free(joined);
    return status == STATUS_OK;
}

static bool read_message(struct reader *reader, struct view *view)
{
    unsigned id = view_u16(view);
    uint32_t number = view_u32(view);
    (void)view_u64(view); // log time
    instant time = instant_ns((int64_t)view_u64(view));
    struct view data = view_part(view, view->size - view->at);
    if (view->failed || id >= MCAP_CHANNELS_MAX)
        return false;
    const struct mcap_channel *channel = &reader->channel[id];
    if (channel->kind == CHANNEL_DERIVED)
        return true;
    return channel->kind != CHANNEL_UNKNOWN && append(reader, channel, number, time, data);
}

static bool read_chunk_records(struct reader *reader, struct view records)
{
    while (records.at < records.size) {
        uint8_t kind = view_u8(&records);
        struct view record = view_part(&records, view_u64(&records));
        if (records.failed || (kind == MCAP_CHANNEL && !read_channel(reader, &record)) ||
            (kind == MCAP_SCHEMA && !read_schema(reader, &record)) ||
            (kind == MCAP_MESSAGE && !read_message(reader, &record)))
            return false;
    }
    return true;
}

static bool read_chunk(struct reader *reader, struct view *view)
{
    char compression[16];
    (void)view_u64(view); // first and last log time
    (void)view_u64(view);
    uint64_t size = view_u64(view);
    (void)view_u32(view); // CRC
    if (!view_text(view, compression, sizeof compression))
        return false;
    struct view packed = view_part(view, view_u64(view));
    if (view->failed || size > MCAP_CHUNK_SIZE_MAX_B)
        return false;
    if (compression[0] == '\0')
        return packed.size == size && read_chunk_records(reader, packed);
    uint8_t *records = malloc(size > 0 ? size : 1);
    bool good = records != NULL && strcmp(compression, "zstd") == 0 &&
                ZSTD_decompress(records, size, packed.data, packed.size) == size &&
                read_chunk_records(reader, (struct view){.data = records, .size = size});
    free(records);
    return good;
}

static bool read_metadata(struct reader *reader, struct view *view)
{
    char name[32], key[32], value[METADATA_MAX_B];
    if (!view_text(view, name, sizeof name))
        return false;
    struct view map = view_part(view, view_u32(view));
    while (map.at < map.size) {
        if (!view_text(&map, key, sizeof key) || !view_text(&map, value, sizeof value))
            return false;
        if (strcmp(key, MCAP_KEY_HASH) == 0 && strlen(value) < sizeof reader->hash)
            text_copy(reader->hash, sizeof reader->hash, value);
    }
    return !view->failed;
}

// What is wrong with the record that every MCAP file begins with; NULL: a history of ours.
static const char *check_header(struct reader *reader, struct view *file)
{
    char profile[32], library[LIBRARY_MAX_B];
    unsigned format = 0;
    const uint8_t kind = view_u8(file);
    struct view record = view_part(file, view_u64(file));
    if (file->failed || kind != MCAP_HEADER)
        return "damaged; run the trial again";
    if (!view_text(&record, profile, sizeof profile) ||
        !view_text(&record, library, sizeof library))
        text_copy(library, sizeof library, "of a long name");
    if (strcmp(library, MCAP_LIBRARY) == 0 || sscanf(library, MCAP_LIBRARY " %u", &format) == 1)
        return format <= MCAP_FORMAT ? NULL
                                     : "a history of a later format; use the ukemi that wrote it, "
                                       "or a newer one";
    text_clean(library);
    snprintf(reader->words, sizeof reader->words,
             "is not a history of Ukemi (library '%s'); name a file that `ukemi run --keep` wrote",
             library);
    return reader->words;
}

static const char *read_records(struct reader *reader, struct view file)
{
    const size_t least = 2 * MCAP_MAGIC_SIZE_B;
    if (file.size < least || memcmp(file.data, MCAP_MAGIC, MCAP_MAGIC_SIZE_B) != 0)
        return "not an MCAP file; name a history";
    const size_t end = file.size - MCAP_MAGIC_SIZE_B;
    file.at = MCAP_MAGIC_SIZE_B;
    const char *wrong = check_header(reader, &file);
    if (wrong != NULL)
        return wrong;
    if (memcmp(file.data + end, MCAP_MAGIC, MCAP_MAGIC_SIZE_B) != 0)
        return "cut off; run the trial again";
    file.size = end;
    while (file.at < file.size &&
           !reader->ended) { // what follows Data End repeats what came before
        uint8_t kind = view_u8(&file);
        struct view record = view_part(&file, view_u64(&file));
        if (file.failed || (kind == MCAP_CHUNK && !read_chunk(reader, &record)) ||
            (kind == MCAP_METADATA && !read_metadata(reader, &record)))
            return "damaged; run the trial again";
        reader->ended = kind == MCAP_DATA_END;
    }
    char hash[33];
    history_hash(reader->history, hash);
    if (!reader->ended || strcmp(hash, reader->hash) != 0)
        return "damaged: its events do not give the hash that was written with them; run the trial "
               "again";
    return NULL;
}

static enum status load_file(const char *path, char **data, struct view *file)
{
    size_t size_B;
    const enum status status = whole_file_read(path, FILE_MAX_B, data, &size_B);
    if (status == STATUS_OK && size_B > 0) {
        *file = (struct view){.data = (const uint8_t *)*data, .size = size_B};
        return STATUS_OK;
    }
    free(*data);
    const int error = errno;
    if (status == STATUS_SYSTEM || status == STATUS_NO_MEMORY)
        (void)trouble_note(status == STATUS_NO_MEMORY ? ENOMEM : error);
    const char *special = file_special(path);
    if (special != NULL)
        log_error("%s: %s", path, special);
    else
        log_error("%s: cannot be read: %s", path,
                  status == STATUS_OK          ? "it is empty"
                  : status == STATUS_TOO_LARGE ? "it is larger than a history can be"
                                               : strerror(error));
    return status == STATUS_NOT_FOUND || status == STATUS_NO_MEMORY ? status : STATUS_CORRUPT;
}

enum status history_read(const char *path, struct history **history)
{
    char hash[33];
    return history_read_hash(path, history, hash);
}

enum status history_read_hash(const char *path, struct history **history, char hash[33])
{
    *history = NULL;
    char *data;
    struct view file;
    enum status status = load_file(path, &data, &file);
    if (status != STATUS_OK)
        return status;
    struct reader *reader = calloc(1, sizeof *reader);
    status = reader == NULL ? STATUS_NO_MEMORY : history_create(&reader->history);
    if (status == STATUS_OK) {
        const char *wrong = read_records(reader, file);
        if (wrong != NULL) {
            log_error("%s: %s", path, wrong);
            history_free(reader->history);
            status = STATUS_CORRUPT;
        } else {
            *history = reader->history;
            text_copy(hash, 33, reader->hash);
        }
    }
    for (unsigned i = 0; reader != NULL && i < SCHEMA_IDS_MAX; i++)
        free(reader->text[i]);
    free(reader);
    free(data);
    return status;
}
