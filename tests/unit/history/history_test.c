#include "tests/unit/common/messages.h"
#include "tests/unit/common/unit.h"

#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/random.h"
#include "harness/history/cdr.h"
#include "harness/history/derived.h"
#include "harness/history/history.h"
#include "harness/history/output_log.h"
#include "harness/history/schema.h"
#include "harness/history/whole_file.h"
#include "message/message.h"

static char path[80];

static void use_file(void)
{
    choose_file(path, sizeof path);
}

static void append(struct history *history, unsigned topic, uint64_t number, int64_t ms,
                   const void *data, size_t size_B)
{
    instant time = instant_add(instant_ns(0), duration_ms(ms));
    ck_assert_int_eq(history_append(history, topic, number, time, data, size_B), STATUS_OK);
}

// Every kind of topic: whole and counted messages, raw bytes, malformed messages, in mixed order.
static struct history *sample(void)
{
    struct history *history;
    unsigned process, truth, segment, raw;
    ck_assert_int_eq(history_create(&history), STATUS_OK);
    ck_assert_int_eq(history_add_topic(history, TOPIC_PROCESS, "process_event", &process),
                     STATUS_OK);
    ck_assert_int_eq(history_add_topic(history, "truth", hubo2_message("truth")->name, &truth),
                     STATUS_OK);
    ck_assert_int_eq(
        history_add_topic(history, "segment", hubo2_message("segment")->name, &segment), STATUS_OK);
    ck_assert_int_eq(history_add_topic(history, "raw", "", &raw), STATUS_OK);
    struct segment_message *long_one = calloc(1, sizeof *long_one);
    ck_assert_ptr_nonnull(long_one);
    struct random_stream stream;
    random_start(&stream, 1, "history-test");
    for (int i = 0; i < 300; i++) {
        struct truth_message state = {.joint_count = 2, .pelvis_m = {0, 0, random_normal(&stream)}};
        struct process_event event = {.kind = PROCESS_READY, .pid = i, .process = "control"};
        long_one->count = (uint32_t)(i % 5);
        long_one->sample[i % 5].phase = random_normal(&stream);
        append(history, truth, (uint64_t)i + 1, 10 * i, &state, sizeof state);
        append(history, process, 0, 10 * i, &event, sizeof event);
        append(history, segment, (uint64_t)i + 1, 10 * i - i % 3, long_one,
               offsetof(struct segment_message, sample) +
                   long_one->count * sizeof long_one->sample[0]);
        append(history, raw, (uint64_t)i + 1, 10 * i, "abcdefghijklm", (size_t)(i % 13));
    }
    append(history, truth, 301, 3000, "short", 5);
    free(long_one);
    return history;
}

static void encode_height(const void *context, const struct event *event, struct bytes *bytes)
{
    const struct truth_message *truth = event->data;
    (*(unsigned *)(uintptr_t)context)++;
    bytes_put(bytes, CDR_HEAD, CDR_HEAD_SIZE_B);
    bytes_put_f64(bytes, truth->pelvis_m[2]);
}

START_TEST(a_written_history_reads_back_the_same_with_the_same_hash)
{
    static const struct derived_topic height = {
        "/height", "std_msgs/msg/Float64",       "float64 data\n",
        "truth",   sizeof(struct truth_message), encode_height};
    unsigned encoded = 0;
    const struct derived_topics derived = {.count = 1, .topic = {&height}, .context = &encoded};
    struct history *written = sample(), *read;
    char before[33], after[33];
    use_file();
    ck_assert_int_eq(history_write(written, &derived, path), STATUS_OK);
    ck_assert_uint_eq(encoded, 300); // the malformed one is left out
    ck_assert_int_eq(history_read(path, &read), STATUS_OK);
    history_hash(written, before);
    history_hash(read, after);
    ck_assert_str_eq(before, after);
    ck_assert_uint_eq(history_topic_count(read), history_topic_count(written));
    ck_assert_uint_eq(history_length(read), history_length(written));
    for (size_t i = 0; i < history_length(read); i++) {
        const struct event *a = history_event(written, i), *b = history_event(read, i);
        ck_assert_str_eq(history_topic_name(written, a->topic), history_topic_name(read, b->topic));
        ck_assert_int_eq(a->time.ns, b->time.ns);
        ck_assert_uint_eq(a->number, b->number);
        ck_assert_uint_eq(a->size_B, b->size_B);
        ck_assert_mem_eq(a->data, b->data, a->size_B);
        ck_assert_uint_eq((uintptr_t)b->data % 8, 0);
    }
    ck_assert_str_eq(history_topic_schema(read, 2), "hubo2/segment.msg");
    history_free(written);
    history_free(read);
}
END_TEST

START_TEST(the_hash_sees_every_part_of_an_event)
{
    char hash[5][33];
    for (int i = 0; i < 5; i++) {
        struct history *history;
        unsigned topic;
        ck_assert_int_eq(history_create(&history), STATUS_OK);
        ck_assert_int_eq(history_add_topic(history, i == 1 ? "b" : "a", "", &topic), STATUS_OK);
        append(history, topic, i == 2 ? 2 : 1, i == 3 ? 6 : 5, i == 4 ? "y" : "x", 1);
        history_hash(history, hash[i]);
        history_free(history);
        for (int j = 0; j < i; j++)
            ck_assert_str_ne(hash[i], hash[j]);
    }
}
END_TEST

static void spoil(size_t at, int how)
{
    int file = open(path, O_RDWR);
    ck_assert_int_ge(file, 0);
    uint8_t byte = 0;
    if (how == 0) {
        ck_assert_int_eq(ftruncate(file, (off_t)at), 0);
    } else {
        ck_assert_int_eq(pread(file, &byte, 1, (off_t)at), 1);
        byte ^= (uint8_t)how;
        ck_assert_int_eq(pwrite(file, &byte, 1, (off_t)at), 1);
    }
    close(file);
}

START_TEST(a_cut_off_or_damaged_file_is_refused_or_harmless_and_never_crashes)
{
    struct history *written = sample(), *read;
    char good[33], hash[33];
    struct stat about;
    struct random_stream stream;
    use_file();
    history_hash(written, good);
    random_start(&stream, 2, "history-test");
    if (freopen("/dev/null", "w", stderr) == NULL) // each refusal says why
        ck_abort();
    for (int round = 0; round < 200; round++) {
        ck_assert_int_eq(history_write(written, NULL, path), STATUS_OK);
        ck_assert_int_eq(stat(path, &about), 0);
        int how = round % 2 == 0 ? 0 : 1 << (random_bits(&stream) % 8);
        spoil(random_bits(&stream) % (uint64_t)about.st_size, how);
        enum status status = history_read(path, &read);
        ck_assert(status == STATUS_CORRUPT || (how != 0 && status == STATUS_OK));
        if (status != STATUS_OK)
            continue;
        history_hash(read, hash); // it hit something that says nothing about the events
        ck_assert_str_eq(hash, good);
        history_free(read);
    }
    history_free(written);
}
END_TEST

static void refused_because(const char *reason)
{
    struct history *read;
    char words[256], errors[128];
    snprintf(errors, sizeof errors, "%s.errors", path);
    ck_assert_ptr_nonnull(freopen(errors, "w+", stderr));
    ck_assert_int_eq(history_read(path, &read), STATUS_CORRUPT);
    rewind(stderr);
    ck_assert_ptr_nonnull(fgets(words, sizeof words, stderr));
    ck_assert_msg(strstr(words, reason) != NULL, "%s", words);
    ck_assert_int_eq(unlink(errors), 0);
}

// Writes a history in whose file these seven bytes stand in place of "ukemi 1".
static void write_as(const char library[8])
{
    struct history *written = sample();
    char *content;
    size_t size_B;
    use_file();
    ck_assert_int_eq(history_write(written, NULL, path), STATUS_OK);
    ck_assert_int_eq(whole_file_read(path, SIZE_MAX, &content, &size_B), STATUS_OK);
    const char *at = memmem(content, size_B, "ukemi 1", 7);
    ck_assert_ptr_nonnull(at);
    for (unsigned i = 0; i < 7; i++)
        if (library[i] != at[i])
            spoil((uint64_t)(at - content) + i, (unsigned char)(library[i] ^ at[i]));
    free(content);
    history_free(written);
}

START_TEST(a_file_of_a_later_format_is_refused)
{
    write_as("ukemi 2");
    refused_because("a history of a later format");
}
END_TEST

// Even a whole one, with a hash: it is somebody else's, and no trial brings it again.
START_TEST(a_file_of_another_writer_is_refused_with_its_name)
{
    write_as("rosbag2");
    refused_because("is not a history of Ukemi (library 'rosbag2'); name a file that");
    write_as("\033[1mabc");
    refused_because("is not a history of Ukemi (library '?[1mabc')");
    ck_assert_int_eq(truncate(path, 1000), 0);
    refused_because("is not a history of Ukemi");
}
END_TEST

// Cuts the file off and mends it again and again, until killed.
static _Noreturn void cut_and_mend(const void *content, off_t size_B)
{
    const int file = open(path, O_RDWR | O_CLOEXEC);
    for (uint64_t turn = 0;; turn++)
        if (ftruncate(file, (off_t)(turn * 4099 % (uint64_t)size_B)) != 0 ||
            pwrite(file, content, (size_t)size_B, 0) != size_B)
            _exit(EXIT_FAILURE);
}

START_TEST(a_file_that_is_cut_off_while_it_is_read_is_refused_and_kills_nobody)
{
    struct history *written = sample(), *read;
    char *content, good[33], hash[33];
    size_t size_B;
    use_file();
    history_hash(written, good);
    ck_assert_int_eq(history_write(written, NULL, path), STATUS_OK);
    ck_assert_int_eq(whole_file_read(path, SIZE_MAX, &content, &size_B), STATUS_OK);
    const pid_t vandal = fork();
    if (vandal == 0)
        cut_and_mend(content, (off_t)size_B);
    if (freopen("/dev/null", "w", stderr) == NULL) // each refusal says why
        ck_abort();
    int refused = 0;
    for (int round = 0; round < 100000 && refused < 300; round++) {
        const enum status status = history_read(path, &read);
        ck_assert(status == STATUS_OK || status == STATUS_CORRUPT);
        refused += status != STATUS_OK;
        if (status != STATUS_OK)
            continue;
        history_hash(read, hash);
        ck_assert_str_eq(hash, good);
        history_free(read);
    }
    ck_assert_int_gt(refused, 0);
    ck_assert_int_eq(kill(vandal, SIGKILL), 0);
    ck_assert_int_eq(waitpid(vandal, NULL, 0), vandal);
    free(content);
    history_free(written);
}
END_TEST

START_TEST(what_a_forked_process_appends_is_seen_after_a_refresh)
{
    struct history *history;
    unsigned topic;
    int status;
    ck_assert_int_eq(history_create_shared(&history), STATUS_OK);
    pid_t child = fork();
    if (child == 0) {
        if (history_add_topic(history, "a", "", &topic) != STATUS_OK ||
            history_append(history, topic, 7, instant_ns(3), "hello", 5) != STATUS_OK)
            _exit(1);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_uint_eq(history_length(history), 0);
    ck_assert_int_eq(history_refresh(history), STATUS_OK);
    ck_assert_uint_eq(history_length(history), 1);
    ck_assert_mem_eq(history_event(history, 0)->data, "hello", 5);
    ck_assert_uint_eq(history_event(history, 0)->number, 7);
    history_free(history);
}
END_TEST

// ---- field lists against structures -------------------------------------------------------------

static size_t primitive_size(const char *type)
{
    static const struct {
        const char *name;
        size_t size;
    } primitives[] = {{"float64", 8}, {"float32", 4}, {"int64", 8},  {"uint64", 8},
                      {"int32", 4},   {"uint32", 4},  {"uint16", 2}, {"uint8", 1}};
    for (size_t i = 0; i < sizeof primitives / sizeof primitives[0]; i++)
        if (strcmp(primitives[i].name, type) == 0)
            return primitives[i].size;
    return 0;
}

static size_t fields_size(const char *all, const char *fields);

// Size of one field "type[n] name"; *sequence is set for "type[]", whose size is that of one
// element.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the schema's types nest
static size_t field_size(const char *all, const char *line, bool *sequence)
{
    char type[64], marker[96];
    ck_assert_int_eq(sscanf(line, "%63s", type), 1);
    size_t count = 1;
    char *bracket = strchr(type, '[');
    *sequence = bracket != NULL && bracket[1] == ']';
    if (bracket != NULL) {
        count = *sequence ? 1 : strtoul(bracket + 1, NULL, 10);
        *bracket = '\0';
    }
    size_t size = primitive_size(type);
    if (size == 0) {
        ck_assert_msg(isupper((unsigned char)strchr(type, '/')[1]), "%s: ROS wants CamelCase",
                      type);
        snprintf(marker, sizeof marker, "MSG: %s\n", type);
        const char *nested = strstr(all, marker);
        ck_assert_msg(nested != NULL, "%s: not described", type);
        size = fields_size(all, nested + strlen(marker));
    }
    return count * size;
}

// Size of the fixed part of a type whose fields start at `fields` and end at a line of '='.
// NOLINTNEXTLINE(misc-no-recursion): see field_size
static size_t fields_size(const char *all, const char *fields)
{
    size_t size = 0;
    for (const char *line = fields; *line != '\0' && *line != '='; line = strchr(line, '\n') + 1) {
        bool sequence;
        size_t more = field_size(all, line, &sequence);
        size += sequence ? 0 : more;
    }
    return size;
}

START_TEST(field_lists_describe_exactly_the_structures)
{
    for (size_t i = 0; i < schema_count(); i++) {
        const struct schema *schema = schema_at(i);
        size_t size = fields_size(schema->fields, schema->fields);
        ck_assert_msg(size == schema->head_size_B, "%s: fields give %zu B, the structure has %zu",
                      schema->name, size, schema->head_size_B);
        const char *sequence = strstr(schema->fields, "[] ");
        ck_assert_int_eq(sequence != NULL, schema->element_size_B > 0);
        if (sequence == NULL)
            continue;
        ck_assert_uint_eq(schema->head_size_B % 8, 0); // the elements follow without a gap
        while (sequence > schema->fields && sequence[-1] != '\n')
            sequence--;
        bool is_sequence;
        ck_assert_uint_eq(field_size(schema->fields, sequence, &is_sequence),
                          schema->element_size_B);
    }
}
END_TEST

#define STRANGE_TYPE "int64 time_ns\nfloat64 angle_rad\n"

// In a process of its own: what it declares the reader does not know.
static void write_strange_history(void)
{
    const struct {
        int64_t time_ns;
        double angle_rad;
    } message = {5, 0.25};
    struct history *history;
    struct message_mistake mistake;
    unsigned topic;
    if (schema_declare("strange.msg", STRANGE_TYPE, &mistake) == STATUS_OK &&
        history_create(&history) == STATUS_OK &&
        history_add_topic(history, "pole", "strange.msg", &topic) == STATUS_OK &&
        history_append(history, topic, 1, instant_ns(5), &message, sizeof message) == STATUS_OK &&
        history_write(history, NULL, path) == STATUS_OK)
        _exit(0);
    _exit(1);
}

START_TEST(a_file_declares_the_types_that_its_reader_does_not_know)
{
    struct history *read;
    int status;
    use_file();
    const pid_t child = fork();
    if (child == 0)
        write_strange_history();
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_ptr_null(schema_find("strange.msg"));
    ck_assert_int_eq(history_read(path, &read), STATUS_OK);
    ck_assert_str_eq(schema_find("strange.msg")->fields, STRANGE_TYPE);
    struct message_field field;
    ck_assert(message_find(schema_find("strange.msg")->fields, "angle_rad", &field));
    const struct event *event = history_event(read, 0);
    ck_assert_double_eq(message_value(&field, 0, event->data, event->size_B), 0.25);
    history_free(read);
}
END_TEST

// A history in which process a printed hi at 1.5 s.
static struct history *printed(void)
{
    struct history *history;
    unsigned topic;
    static struct output_event line = {.time = {1500000000}, .count = 3};
    strcpy(line.process, "a");
    strcpy(line.text, "hi");
    ck_assert_int_eq(history_create(&history), STATUS_OK);
    ck_assert_int_eq(history_add_topic(history, TOPIC_OUTPUT, "output_event", &topic), STATUS_OK);
    append(history, topic, 0, 1500, &line, offsetof(struct output_event, text) + line.count);
    return history;
}

START_TEST(a_line_is_kept_and_not_hashed)
{
    char none[33], hash[33], text[3];
    struct history *empty, *history = printed(), *read;
    ck_assert_int_eq(history_create(&empty), STATUS_OK);
    history_hash(empty, none);
    history_hash(history, hash);
    ck_assert_str_eq(hash, none);
    use_file();
    const struct derived_topics derived = {.count = 1, .topic = {&output_log}};
    ck_assert_int_eq(history_write(history, &derived, path), STATUS_OK);
    ck_assert_int_eq(history_read(path, &read), STATUS_OK);
    ck_assert_uint_eq(history_length(read), 1);
    const struct output_event *line = history_event(read, 0)->data;
    ck_assert_uint_eq(history_event(read, 0)->size_B, offsetof(struct output_event, text) + 3);
    memcpy(text, line->text, sizeof text);
    ck_assert_str_eq(text, "hi");
    history_free(read);
    history_free(history);
    history_free(empty);
}
END_TEST

START_TEST(a_line_is_a_standard_log_message_too)
{
    static const char wanted[] = "\0\1\0\0"                         // CDR, little-endian
                                 "\1\0\0\0"                         // s
                                 "\0\x65\xcd\x1d"                   // 500000000 ns
                                 "\x14\0\0\0"                       // INFO, padded
                                 "\2\0\0\0a\0\0\0"                  // name, padded
                                 "\3\0\0\0hi\0\0"                   // text, padded
                                 "\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0" // file, function
                                 "\0\0\0\0";                        // line
    struct history *history = printed();
    struct bytes bytes = {0};
    ck_assert_str_eq(output_log.source, TOPIC_OUTPUT);
    output_log.encode(NULL, history_event(history, 0), &bytes);
    ck_assert_mem_eq(bytes.data, wanted, sizeof wanted - 1);
    ck_assert_uint_eq(bytes.size, sizeof wanted - 1);
    bytes_free(&bytes);
    history_free(history);
}
END_TEST

UNIT_MAIN("history", a_written_history_reads_back_the_same_with_the_same_hash,
          the_hash_sees_every_part_of_an_event, a_file_of_a_later_format_is_refused,
          a_file_of_another_writer_is_refused_with_its_name,
          a_cut_off_or_damaged_file_is_refused_or_harmless_and_never_crashes,
          a_file_that_is_cut_off_while_it_is_read_is_refused_and_kills_nobody,
          what_a_forked_process_appends_is_seen_after_a_refresh,
          field_lists_describe_exactly_the_structures,
          a_file_declares_the_types_that_its_reader_does_not_know, a_line_is_kept_and_not_hashed,
          a_line_is_a_standard_log_message_too)
