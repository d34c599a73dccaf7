// What a trace holds of lives, faults, messages, frames and lines, also of a history that may come
// from anywhere. Whole trials: tests/system/export.sh.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "harness/export/export_trace.h"
#include "message/message.h"
#include "tests/unit/common/unit.h"

static struct history *history;
static unsigned process_topic, fault_topic, output_topic, state_topic, log_topic;
static char *text;
static size_t text_B;

static void setup(void)
{
    ck_assert_int_eq(history_create(&history), STATUS_OK);
    const struct {
        const char *name;
        unsigned *topic;
    } topics[] = {{TOPIC_PROCESS, &process_topic},
                  {TOPIC_FAULT, &fault_topic},
                  {TOPIC_OUTPUT, &output_topic},
                  {TOPIC_BUS_LOG, &log_topic},
                  {"state", &state_topic}};
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++)
        ck_assert_int_eq(history_add_topic(history, topics[i].name, "", topics[i].topic),
                         STATUS_OK);
}

static void append(unsigned topic, int64_t at_ms, const void *data, size_t size_B)
{
    ck_assert_int_eq(history_append(history, topic, 7, instant_ns(at_ms * 1000000), data, size_B),
                     STATUS_OK);
}

static void lives(enum process_event_kind kind, int32_t value, uint32_t generation, int64_t at_ms)
{
    const struct process_event event = {.time = instant_ns(at_ms * 1000000),
                                        .kind = kind,
                                        .value = value,
                                        .generation = generation,
                                        .process = "control",
                                        .last_words = "\"bye\""};
    append(process_topic, at_ms, &event, sizeof event);
}

static struct export_trace_count traced(const struct target *target)
{
    struct export_trace_count count;
    FILE *out = open_memstream(&text, &text_B);
    ck_assert_ptr_nonnull(out);
    ck_assert_int_eq(export_trace(history, target, out, &count), STATUS_OK);
    fclose(out);
    history_free(history);
    return count;
}

static void check_has(const char *wanted)
{
    ck_assert_msg(strstr(text, wanted) != NULL, "no %s in %s", wanted, text);
}

START_TEST(a_life_is_a_span_from_each_start_to_its_end)
{
    setup();
    lives(PROCESS_STARTED, 0, 0, 1);
    lives(PROCESS_READY, 0, 0, 2);
    lives(PROCESS_STOPPED, 0, 0, 3);
    lives(PROCESS_KILLED, 9, 0, 5);
    lives(PROCESS_STARTED, 0, 1, 6);
    append(state_topic, 10, "", 0); // the trial's end
    ck_assert_int_eq(traced(NULL).events, 1);
    check_has("\"ph\":\"X\",\"pid\":4,\"tid\":1,\"ts\":1000.000,\"dur\":1000.000,\"name\":"
              "\"starting\"}");
    check_has("\"ts\":3000.000,\"dur\":2000.000,\"name\":\"stopped\"}");
    check_has("\"ts\":1000.000,\"dur\":4000.000,\"name\":\"start 1\",\"args\":{\"end\":\"ended by "
              "signal 9\",\"last words\":\"\\\"bye\\\"\"}}");
    check_has("\"ts\":6000.000,\"dur\":4000.000,\"name\":\"start 2\"}");
    free(text);
}
END_TEST

START_TEST(what_strikes_is_a_span_and_what_is_said_an_instant_of_its_writer)
{
    static struct target target = {.channel_count = 1,
                                   .channel = {{.name = "state", .writer = "hardware"}}};
    static struct output_event line = {.process = "hardware", .text = "a \x1b[1m line"};
    const struct fault_event fault = {.time = instant_ns(2000000),
                                      .kind = FAULT_APPLIED,
                                      .fault = "kill",
                                      .component = "Control",
                                      .evidence = "state Z"};
    setup();
    append(fault_topic, 2, &fault, sizeof fault);
    append(state_topic, 3, "12345678", 8);
    line.time = instant_ns(4000000);
    append(output_topic, 4, &line, offsetof(struct output_event, text) + sizeof "a \x1b[1m line");
    ck_assert_int_eq(traced(&target).events, 2);
    check_has("\"ts\":2000.000,\"dur\":2000.000,\"name\":\"kill Control\",\"args\":{\"evidence\":"
              "\"state Z\"}}");
    check_has("\"pid\":4,\"tid\":0,\"ts\":0.000,\"name\":\"process_name\",\"args\":{\"name\":"
              "\"hardware\"}}");
    check_has("{\"ph\":\"i\",\"pid\":4,\"tid\":7,\"ts\":3000.000,\"s\":\"t\",\"name\":\"state\","
              "\"args\":{\"frame\":7,\"bytes\":8}}");
    check_has("\"tid\":2,\"ts\":4000.000,\"s\":\"t\",\"name\":\"a ?[1m line\"}");
    free(text);
}
END_TEST

START_TEST(a_frame_lasts_as_long_as_its_bits)
{
    static struct target target = {.bus_count = 1,
                                   .bus = {{.name = "can0", .bitrate_bit_s = 1000000}}};
    static const struct bus_log_message log = {
        .count = 2,
        .frame = {{.time = {1000000}, .can_id = 0x60, .length = 1, .data = {0x55}},
                  {.time = {1200000}, .bus = 99, .can_id = 0x60}}}; // on no bus
    setup();
    append(log_topic, 2, &log,
           offsetof(struct bus_log_message, frame) + 2 * sizeof(struct bus_log_frame));
    append(log_topic, 3, &log, 4); // too short to be one
    ck_assert_int_eq(traced(&target).events, 1);
    check_has("{\"ph\":\"X\",\"pid\":2,\"tid\":1,\"ts\":944.000,\"dur\":56.000,\"name\":\"060 "
              "robot\"}");
    free(text);
}
END_TEST

UNIT_MAIN("export_trace", a_life_is_a_span_from_each_start_to_its_end,
          what_strikes_is_a_span_and_what_is_said_an_instant_of_its_writer,
          a_frame_lasts_as_long_as_its_bits)
