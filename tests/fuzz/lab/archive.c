// Histories written to disk and read again: events of any size and content under any schema come
// back as they were.
#include "tests/fuzz/fuzz.h"

#include "harness/history/history.h"
#include "harness/history/schema.h"

#define EVENTS_MAX 64

static char path[] = "/dev/shm/ukemi-fuzz-archive-XXXXXX";
static bool started;

static void remove_file(void)
{
    unlink(path);
}

static void start(void)
{
    const int fd = mkstemp(path);
    fuzz_check(fd >= 0 && close(fd) == 0 && atexit(remove_file) == 0);
    started = true; // the name could not tell: it may end in an X of its own
}

static size_t choose_size(struct fuzz_input *input, const struct schema *schema)
{
    const uint8_t what = fuzz_u8(input);
    if (schema == NULL || what & 1)
        return fuzz_u16(input) % 3000;
    return schema->head_size_B + (what >> 4) * schema->element_size_B;
}

static void record(struct history *history, struct fuzz_input *input)
{
    static uint8_t bytes[1 << 20];
    for (uint64_t n = 1; fuzz_more(input) && n <= EVENTS_MAX; n++) {
        const unsigned topic = fuzz_u8(input) % history_topic_count(history);
        const size_t size_B = choose_size(input, schema_find(history_topic_schema(history, topic)));
        fuzz_check(size_B <= sizeof bytes);
        memset(bytes, fuzz_u8(input), size_B);
        if (size_B >= 8)
            fuzz_disturb(input, bytes, size_B);
        uint32_t number;
        instant time;
        fuzz_take(input, &number, sizeof number);
        fuzz_take(input, &time, sizeof time);
        fuzz_check(history_append(history, topic, number, time, bytes, size_B) == STATUS_OK);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!started)
        start();
    struct fuzz_input input = {.data = data, .size = size};
    struct history *history, *again;
    unsigned topic;
    fuzz_check(history_create(&history) == STATUS_OK);
    fuzz_check(history_add_topic(history, "bytes", "", &topic) == STATUS_OK);
    for (size_t i = 0; i < schema_count() && i + 1 < HISTORY_TOPICS_MAX; i++)
        fuzz_check(history_add_topic(history, schema_at(i)->name, schema_at(i)->name, &topic) ==
                   STATUS_OK);
    record(history, &input);
    char before[33], after[33];
    history_hash(history, before);
    fuzz_check(history_write(history, NULL, path) == STATUS_OK);
    fuzz_check(history_read(path, &again) == STATUS_OK);
    history_hash(again, after);
    fuzz_check(strcmp(before, after) == 0);
    history_free(again);
    history_free(history);
    return 0;
}
