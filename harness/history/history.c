#include "harness/history/history.h"

#include <stdatomic.h>
#include <stdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <xxhash.h>

#include "base/invariant.h"
#include "base/text.h"
#include "harness/history/wait.h"

// Address space of one history; pages are taken as they are written. A trial of a minute needs
// about 60 MB.
#define ARENA_SIZE_B ((size_t)1 << 30)
#define RECORD_ALIGN_B 8

struct topic {
    char name[48];
    char schema[96];
};

// At the start of the arena, so that a process that shares it finds everything.
struct arena {
    _Atomic uint64_t used_B; // from the start of the arena; moved after a record is complete
    uint32_t topic_count;
    uint32_t padding;
    struct topic topic[HISTORY_TOPICS_MAX];
};

struct record { // followed by size_B bytes, padded to 8
    uint32_t topic;
    uint32_t padding;
    uint64_t number;
    int64_t time_ns;
    uint64_t size_B;
};

struct history {
    struct arena *arena;
    uint64_t indexed_B; // records before this are in `event`
    struct event *event;
    size_t length;
    size_t capacity;
};

static size_t padded(size_t size_B)
{
    return (size_B + RECORD_ALIGN_B - 1) / RECORD_ALIGN_B * RECORD_ALIGN_B;
}

static size_t first_record_B(void)
{
    return padded(sizeof(struct arena));
}

static enum status create(struct history **history, int sharing)
{
    *history = NULL;
    struct history *new = calloc(1, sizeof *new);
    if (new == NULL)
        return STATUS_NO_MEMORY;
    void *memory = mmap(NULL, ARENA_SIZE_B, PROT_READ | PROT_WRITE,
                        sharing | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        free(new);
        return STATUS_NO_MEMORY;
    }
    new->arena = memory;
    new->indexed_B = first_record_B();
    atomic_store(&new->arena->used_B, first_record_B());
    *history = new;
    return STATUS_OK;
}

enum status history_create(struct history **history)
{
    return create(history, MAP_PRIVATE);
}

enum status history_create_shared(struct history **history)
{
    return create(history, MAP_SHARED);
}

void history_free(struct history *history)
{
    if (history == NULL)
        return;
    munmap(history->arena, ARENA_SIZE_B);
    free(history->event);
    free(history);
}

enum status history_add_topic(struct history *history, const char *name, const char *schema,
                              unsigned *topic)
{
    struct arena *arena = history->arena;
    if (arena->topic_count >= HISTORY_TOPICS_MAX)
        return STATUS_FULL;
    struct topic *new = &arena->topic[arena->topic_count];
    if (strlen(name) >= sizeof new->name || strlen(schema) >= sizeof new->schema)
        return STATUS_TOO_LARGE;
    text_copy(new->name, sizeof new->name, name);
    text_copy(new->schema, sizeof new->schema, schema);
    *topic = arena->topic_count++;
    return STATUS_OK;
}

int history_topic(const struct history *history, const char *name)
{
    for (unsigned i = 0; i < history->arena->topic_count; i++)
        if (strcmp(history->arena->topic[i].name, name) == 0)
            return (int)i;
    return -1;
}

unsigned history_topic_count(const struct history *history)
{
    return history->arena->topic_count;
}

const char *history_topic_name(const struct history *history, unsigned topic)
{
    invariant(topic < history->arena->topic_count);
    return history->arena->topic[topic].name;
}

const char *history_topic_schema(const struct history *history, unsigned topic)
{
    invariant(topic < history->arena->topic_count);
    return history->arena->topic[topic].schema;
}

// Adds the record at `offset` to the index; *next is where the one after it starts.
static enum status index_record(struct history *history, uint64_t offset, uint64_t used_B,
                                uint64_t *next)
{
    expects(offset % RECORD_ALIGN_B == 0);
    if (used_B - offset < sizeof(struct record))
        return STATUS_CORRUPT;
    const struct record *record = (const struct record *)((const char *)history->arena + offset);
    if (record->topic >= history->arena->topic_count ||
        record->size_B > used_B - offset - sizeof *record)
        return STATUS_CORRUPT;
    if (history->length == history->capacity) {
        size_t capacity = history->capacity == 0 ? 4096 : 2 * history->capacity;
        struct event *grown = realloc(history->event, capacity * sizeof *grown);
        if (grown == NULL)
            return STATUS_NO_MEMORY;
        history->event = grown;
        history->capacity = capacity;
    }
    history->event[history->length++] = (struct event){.topic = (uint16_t)record->topic,
                                                       .number = record->number,
                                                       .time = {record->time_ns},
                                                       .size_B = record->size_B,
                                                       .data = record + 1};
    *next = offset + sizeof *record + padded(record->size_B);
    return STATUS_OK;
}

enum status history_refresh(struct history *history)
{
    invariant(history->indexed_B >= first_record_B());
    uint64_t used_B = atomic_load(&history->arena->used_B);
    if (used_B > ARENA_SIZE_B || history->arena->topic_count > HISTORY_TOPICS_MAX)
        return STATUS_CORRUPT;
    while (history->indexed_B < used_B) {
        enum status status = index_record(history, history->indexed_B, used_B, &history->indexed_B);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

enum status history_append(struct history *history, unsigned topic, uint64_t number, instant time,
                           const void *data, size_t size_B)
{
    invariant(history->length <= history->capacity);
    struct arena *arena = history->arena;
    invariant(topic < arena->topic_count);
    uint64_t offset = atomic_load_explicit(&arena->used_B, memory_order_relaxed);
    if (size_B > ARENA_SIZE_B || offset + sizeof(struct record) + padded(size_B) > ARENA_SIZE_B)
        return STATUS_NO_MEMORY;
    struct record *record = (struct record *)((char *)arena + offset);
    *record =
        (struct record){.topic = topic, .number = number, .time_ns = time.ns, .size_B = size_B};
    if (size_B > 0)
        memcpy(record + 1, data, size_B);
    atomic_store(&arena->used_B, offset + sizeof *record + padded(size_B));
    return history_refresh(history);
}

bool signal_is_crash(int signal)
{
    return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL ||
           signal == SIGABRT || signal == SIGTRAP || signal == SIGSYS;
}

size_t history_length(const struct history *history)
{
    return history->length;
}

const struct event *history_event(const struct history *history, size_t index)
{
    invariant(index < history->length);
    return &history->event[index];
}

#define LONGEST_NS (3600 * INT64_C(1000000000)) // that a scenario may last

int64_t history_end_ns(const struct history *history)
{
    const int said = history_topic(history, TOPIC_END);
    int64_t end_ns = 0, last_ns = 0;
    for (size_t i = 0; i < history->length; i++) {
        const struct event *event = &history->event[i];
        if (event->time.ns > LONGEST_NS)
            continue;
        int64_t *latest_ns = event->topic == said ? &end_ns : &last_ns;
        *latest_ns = event->time.ns > *latest_ns ? event->time.ns : *latest_ns;
    }
    return end_ns > 0 ? end_ns : last_ns;
}

void history_hash(const struct history *history, char hex[33])
{
    XXH3_state_t *state = XXH3_createState();
    if (state == NULL) {
        text_copy(hex, 33, "out-of-memory");
        return;
    }
    XXH3_128bits_reset(state);
    for (size_t i = 0; i < history->length; i++) {
        const struct event *event = &history->event[i];
        const char *name = history->arena->topic[event->topic].name;
        // The end says nothing of what happened, nor who waited then; older histories have neither.
        if (strcmp(name, TOPIC_END) == 0 || strcmp(name, TOPIC_OUTPUT) == 0 ||
            strcmp(name, TOPIC_WAIT) == 0)
            continue;
        uint64_t head[3] = {event->number, (uint64_t)event->time.ns, event->size_B};
        XXH3_128bits_update(state, name, strlen(name) + 1);
        XXH3_128bits_update(state, head, sizeof head);
        XXH3_128bits_update(state, event->data, event->size_B);
    }
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    snprintf(hex, 33, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
}
