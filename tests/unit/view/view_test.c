// view: signals in columns without a lost peak, texts of strangers in a script, and the whole page.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "harness/files/scenario.h"
#include "harness/history/schema.h"
#include "harness/view/envelope.h"
#include "base/json.h"
#include "harness/view/view.h"

#define END_NS 10000000000

// ---- envelopes ----------------------------------------------------------------------------------

// What follows a member's name up to the next quote or comma; valid until the next call.
static const char *member(const char *json, const char *name)
{
    static char value[3 * 4 * ENVELOPE_COLUMNS];
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", name);
    const char *at = strstr(json, quoted);
    ck_assert_msg(at != NULL, "no %s in %.200s", name, json);
    at += strlen(quoted);
    at += *at == '"';
    snprintf(value, sizeof value, "%.*s", (int)strcspn(at, "\",}"), at);
    return value;
}

static unsigned bits_of(char letter)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(letters, letter);
    ck_assert(letter != '\0' && at != NULL);
    return (unsigned)(at - letters);
}

// Number `index` of 16 bits, little-endian, in base64.
static unsigned number_at(const char *base64, unsigned index)
{
    unsigned byte[2];
    for (unsigned i = 0; i < 2; i++) {
        const unsigned bit = 8 * (2 * index + i);
        const unsigned pair = bits_of(base64[bit / 6]) << 6 | bits_of(base64[bit / 6 + 1]);
        byte[i] = pair >> (4 - bit % 6) & 255;
    }
    return byte[1] << 8 | byte[0];
}

static char *written(const struct envelope *envelope, unsigned merged)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    envelope_write(envelope, merged, out);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

static struct envelope envelope;

START_TEST(no_peak_is_lost_however_few_the_columns)
{
    envelope_start(&envelope, END_NS);
    for (int64_t t_ns = 0; t_ns <= END_NS; t_ns += 100000)
        envelope_sample(&envelope, t_ns, t_ns == 3333300000 ? 7 : t_ns == 6666600000 ? -9 : 1);
    for (unsigned merged = 1; merged <= 32; merged *= 4) {
        char *text = written(&envelope, merged);
        const unsigned columns = ENVELOPE_COLUMNS / merged;
        ck_assert_str_eq(member(text, "least"), "-9");
        ck_assert_str_eq(member(text, "greatest"), "7");
        const char *data = member(text, "data");
        ck_assert_uint_eq(number_at(data, 2 * (unsigned)(0.33333 * columns) + 1), 65534);
        ck_assert_uint_eq(number_at(data, 2 * (unsigned)(0.66666 * columns)), 0);
        const unsigned low = number_at(data, 0), high = number_at(data, 1);
        ck_assert_msg(low <= 40958 && high >= 40959, "1 is not from %u to %u", low, high);
        free(text);
    }
}
END_TEST

START_TEST(what_is_not_known_has_no_value_and_what_holds_has_it_throughout)
{
    envelope_start(&envelope, END_NS);
    envelope_sample(&envelope, 0, 1);
    envelope_hold(&envelope, END_NS / 2, 3 * (END_NS / 4), 2);
    envelope_sample(&envelope, END_NS / 4, NAN);
    envelope_sample(&envelope, END_NS / 4, INFINITY);
    envelope_sample(&envelope, END_NS + 1, 100);
    envelope_sample(&envelope, -1, 100);
    char *text = written(&envelope, 1);
    ck_assert_str_eq(member(text, "greatest"), "2");
    ck_assert_str_eq(member(text, "odd"), "2");
    const char *data = member(text, "data");
    ck_assert_uint_eq(number_at(data, 0), 0);
    ck_assert_uint_eq(number_at(data, 2 * 256), 65535); // not a number
    ck_assert_uint_eq(number_at(data, 2 * 511), 65535);
    for (unsigned i = 512; i <= 768; i++)
        ck_assert_uint_eq(number_at(data, 2 * i), 65534);
    ck_assert_uint_eq(number_at(data, 2 * 769), 65535);
    free(text);
}
END_TEST

START_TEST(a_constant_is_one_number)
{
    envelope_start(&envelope, END_NS);
    envelope_sample(&envelope, 5, 4.5);
    envelope_sample(&envelope, 6, 4.5);
    char *text = written(&envelope, 1);
    ck_assert_str_eq(text, "\"n\":1024,\"least\":4.5,\"greatest\":4.5");
    free(text);
    envelope_start(&envelope, END_NS);
    text = written(&envelope, 1);
    ck_assert_str_eq(text, "\"n\":1024,\"least\":null,\"greatest\":null");
    free(text);
}
END_TEST

START_TEST(base64_has_the_values_of_its_specification)
{
    static const char *const cases[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"fooba", "Zm9vYmE="},
                                           {"foobar", "Zm9vYmFy"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        json_base64(out, cases[i][0], strlen(cases[i][0]));
        ck_assert_int_eq(fclose(out), 0);
        ck_assert_str_eq(text, cases[i][1]);
        free(text);
    }
}
END_TEST

START_TEST(a_text_of_a_stranger_cannot_end_the_script)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    json_text(out, "</script><!--\"\\\n\x1b\xFF\xE2\x80\xA8 beyond",
              strlen("</script><!--\"\\\n") + 5);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_str_eq(text, "\"\\u003c/script>\\u003c!--\\\"\\\\\\n?????\"");
    free(text);
}
END_TEST

// ---- the page -----------------------------------------------------------------------------------

static struct target target = {
    .name = "cart",
    .channel_count = 1,
    .channel = {{.name = "pole", .message = "view_pole"}},
    .quantity_count = 1,
    .quantity = {{.name = "lean_rad", .text = "abs(pole.angle_rad)"}},
};
static struct scenario scenario = {
    .promise_count = 1,
    .promise = {{.name = "stays",
                 .operator= FORMULA_ALWAYS,
                 .formula = {[FORMULA_ALWAYS] = "lean_rad < 0.5"}}},
};

static struct history *make_history(void)
{
    struct history *history;
    struct message_mistake mistake;
    unsigned pole, process, output, fault;
    ck_assert_int_eq(schema_declare("view_pole", "int64 time_ns\nfloat64 angle_rad\n", &mistake),
                     STATUS_OK);
    ck_assert_int_eq(history_create(&history), STATUS_OK);
    ck_assert_int_eq(history_add_topic(history, "pole", "view_pole", &pole), STATUS_OK);
    ck_assert_int_eq(history_add_topic(history, TOPIC_PROCESS, "process_event", &process), 0);
    ck_assert_int_eq(history_add_topic(history, TOPIC_OUTPUT, "output_event", &output), 0);
    ck_assert_int_eq(history_add_topic(history, TOPIC_FAULT, "fault_event", &fault), 0);
    const struct process_event killed = {
        .time = {400000000}, .kind = PROCESS_KILLED, .value = 9, .process = "controller"};
    const struct fault_event applied = {
        .time = {400000000}, .proven = 1, .fault = "kill", .component = "Controller"};
    static struct output_event said = {.process = "controller", .count = 10, .text = "</script>"};
    ck_assert_int_eq(history_append(history, output, 1, (instant){0}, &said,
                                    offsetof(struct output_event, text) + said.count),
                     STATUS_OK);
    for (int64_t i = 0; i <= 100; i++) {
        const struct {
            int64_t time_ns;
            double angle_rad;
        } message = {i * 10000000, i == 50 ? -0.75 : 0.25};
        ck_assert_int_eq(history_append(history, pole, (uint64_t)i, (instant){message.time_ns},
                                        &message, sizeof message),
                         STATUS_OK);
    }
    ck_assert_int_eq(history_append(history, process, 1, killed.time, &killed, sizeof killed), 0);
    ck_assert_int_eq(history_append(history, fault, 1, applied.time, &applied, sizeof applied), 0);
    return history;
}

static char *make_page(const struct history *history)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    const struct view_request request = {.history = history,
                                         .target = &target,
                                         .scenario = &scenario,
                                         .title = "trial <1>",
                                         .claim = "It stays.",
                                         .again = "",
                                         .hash = "abc"};
    ck_assert_int_eq(view_write(&request, out), STATUS_OK);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

static unsigned count_of(const char *text, const char *what)
{
    unsigned count = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at += strlen(what))
        count++;
    return count;
}

START_TEST(the_page_has_promises_quantities_fields_and_what_happened)
{
    struct history *history = make_history();
    char *page = make_page(history);
    static const char *const wanted[] = {
        "{\"kind\":\"promise\",\"name\":\"stays\",\"n\":1024,\"least\":-0.25,\"greatest\":0.25,"
        "\"data\":\"",
        "{\"kind\":\"quantity\",\"name\":\"lean_rad\",\"n\":1024,\"least\":0.25,\"greatest\":0.75,"
        "\"data\":\"",
        "{\"kind\":\"field\",\"name\":\"pole.angle_rad\",\"n\":1024,\"least\":-0.75,\"greatest\":0."
        "25,",
        "\"title\":\"trial \\u003c1>\"",
        "{\"kind\":\"kill\",\"component\":\"Controller\",\"from\":0.4,\"to\":1,\"colour\":\"#"
        "888888\"",
        "{\"kind\":\"killed\",\"value\":9,\"generation\":0,\"t\":0.4,\"name\":\"controller\"",
        "{\"t\":0,\"name\":\"controller\",\"text\":\"\\u003c/script>\"}",
        "\"traffic_s\":0.01,\n\"traffic\":[{\"kind\":\"channel\",\"name\":\"pole\",\"counts\":[1,1,"
        "1,",
        "\"body\":null",
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        ck_assert_msg(strstr(page, wanted[i]) != NULL, "missing: %s", wanted[i]);
    ck_assert_uint_eq(count_of(page, "</script>"), 2); // data and program, as the page has them
    ck_assert_ptr_nonnull(strstr(page, "content=\"default-src 'none'"));
    ck_assert_ptr_null(strstr(page, "{{"));
    free(page);
    history_free(history);
}
END_TEST

START_TEST(a_far_stamp_lengthens_no_page)
{
    struct history *history = make_history();
    char *page = make_page(history);
    const struct {
        int64_t time_ns;
        double angle_rad;
    } message = {INT64_C(1) << 62, 0.25};
    ck_assert_int_eq(history_append(history, (unsigned)history_topic(history, "pole"), 101,
                                    instant_ns(message.time_ns), &message, sizeof message),
                     STATUS_OK);
    char *again = make_page(history);
    ck_assert_ptr_nonnull(strstr(again, "\"from\":0.4,\"to\":1,"));
    ck_assert_ptr_nonnull(strstr(again, "\"traffic_s\":0.01,"));
    ck_assert_uint_lt(strlen(again), strlen(page) + 1000);
    free(page);
    free(again);
    history_free(history);
}
END_TEST

START_TEST(the_same_trial_gives_the_same_page)
{
    struct history *history = make_history();
    char *page = make_page(history), *again = make_page(history);
    ck_assert_str_eq(page, again);
    free(page);
    free(again);
    history_free(history);
}
END_TEST

UNIT_MAIN("view", no_peak_is_lost_however_few_the_columns,
          what_is_not_known_has_no_value_and_what_holds_has_it_throughout, a_constant_is_one_number,
          base64_has_the_values_of_its_specification, a_text_of_a_stranger_cannot_end_the_script,
          the_page_has_promises_quantities_fields_and_what_happened, a_far_stamp_lengthens_no_page,
          the_same_trial_gives_the_same_page)
