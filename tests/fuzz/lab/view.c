// Histories, as the page of a trial shows them: events of any size, at any time, in any order. The
// page is whole, and no text of a history ends its script.
#include "happenings.h"

#include <stddef.h>

#include "harness/files/scenario.h"
#include "harness/history/schema.h"
#include "harness/view/view.h"
#include "message/message.h"

enum { POLE, TRUTH, BUS, PROCESS, FAULT, OUTPUT, TOPICS };
static const char *const topic_name[TOPICS] = {"pole",        "truth",     TOPIC_BUS_LOG,
                                               TOPIC_PROCESS, TOPIC_FAULT, TOPIC_OUTPUT};
static const char *const topic_schema[TOPICS] = {"fuzz_pole",       "truth_message",
                                                 "bus_log_message", "process_event",
                                                 "fault_event",     "output_event"};

static union {
    double pole[2];
    struct truth_message truth;
    struct bus_log_message bus;
    struct process_event process;
    struct fault_event fault;
    struct output_event output;
} message;

static const struct target target = {
    .name = "fuzz",
    .channel_count = 3,
    .channel = {{.name = "pole"}, {.name = "truth"}, {.name = TOPIC_BUS_LOG}},
    .bus_count = 1,
    .bus = {{.name = "can0"}},
    .pack_count = 1,
    .pack = {"walking"},
    .quantity_count = 1,
    .quantity = {{.name = "lean", .text = "abs(pole.angle_rad)"}},
};
static const struct scenario scenario = {
    .promise_count = 2,
    .promise = {
        {.name = "stays", .operator= FORMULA_ALWAYS, .formula = {[FORMULA_ALWAYS] = "lean < 1"}},
        {.name = "odd", .operator= FORMULA_ALWAYS, .formula = {[FORMULA_ALWAYS] = "gone < 1"}}}};

static size_t fill(unsigned topic, instant now, uint8_t what)
{
    memset(&message, 0, sizeof message);
    switch (topic) {
    case POLE:
        message.pole[1] = 0.01 * what;
        return sizeof message.pole;
    case TRUTH:
        message.truth.time = now;
        message.truth.pelvis_m[2] = 0.002 * what;
        message.truth.pelvis_quaternion[0] = 1;
        return sizeof message.truth;
    case BUS:
        message.bus.count = what & 3;
        return offsetof(struct bus_log_message, frame) + 2 * sizeof message.bus.frame[0];
    case PROCESS:
        message.process = (struct process_event){.time = now, .kind = what & 7, .process = "p"};
        return sizeof message.process;
    case FAULT:
        message.fault = (struct fault_event){.time = now, .kind = what & 1, .fault = "kill"};
        return sizeof message.fault;
    default:
        message.output = (struct output_event){.time = now, .count = 11, .text = "</script>x"};
        return offsetof(struct output_event, text) + message.output.count;
    }
}

static const struct happenings happenings = {.topic = topic_name,
                                             .topics = TOPICS,
                                             .step_ns = {0, 2000000, 10000000, 100000000},
                                             .events_max = 200,
                                             .message = &message,
                                             .fill = fill};

static struct history *make_history(struct fuzz_input *input)
{
    struct history *history;
    struct message_mistake mistake;
    fuzz_check(schema_declare("fuzz_pole", "int64 time_ns\nfloat64 angle_rad\n", &mistake) ==
               STATUS_OK);
    fuzz_check(history_create(&history) == STATUS_OK);
    for (unsigned i = 0, topic; i < TOPICS; i++)
        fuzz_check(history_add_topic(history, topic_name[i], topic_schema[i], &topic) == STATUS_OK);
    instant now = {0};
    for (uint64_t n = 1; fuzz_more(input) && n < happenings.events_max; n++)
        happen_once(history, &happenings, input, n, &now);
    return history;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct description *description;
    if (description == NULL)
        fuzz_check(description_load(FUZZ_DESCRIPTION, &description) == STATUS_OK);
    struct fuzz_input input = {.data = data, .size = size};
    struct history *history = make_history(&input);
    const struct view_request request = {.history = history,
                                         .target = &target,
                                         .description = description,
                                         .scenario = &scenario,
                                         .title = "fuzz",
                                         .again = "",
                                         .hash = ""};
    char *page = NULL;
    size_t size_B;
    FILE *out = open_memstream(&page, &size_B);
    fuzz_check(out != NULL && view_write(&request, out) == STATUS_OK && fclose(out) == 0);
    unsigned scripts = 0;
    for (const char *at = page; (at = strstr(at, "</script>")) != NULL; at++)
        scripts++;
    fuzz_check(strlen(page) == size_B && scripts == 2 && strstr(page, "</html>") != NULL);
    free(page);
    history_free(history);
    return 0;
}
