// Links of any stack, joined in each way, on histories made by hand: an instant every 10 ms.
#include "tests/unit/common/unit.h"

#include <string.h>

#include "harness/chain/chain_figures.h"
#include "harness/files/target/chain_file.h"
#include "harness/files/target/target.h"
#include "harness/history/history.h"
#include "harness/judge/promise_chain.h"

#define MS 1000000
#define INSTANTS 150

struct note { // a message of any channel
    int64_t time_ns;
    uint64_t number, answers;
    int64_t taken_ns;
};

struct frame {
    int64_t time_ns;
    uint16_t end, padding;
    uint8_t head[12];
};

struct frames {
    uint32_t padding, count;
    struct frame frame[2];
};

static char folder[64];
static struct target *target;
static struct history *history;
static struct description *description;
static struct chain_record record;
static const struct chain_config *chain;

static void put(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

// A target with channels a, b, c and d, and frames on w.
static void start(const char *links)
{
    char text[2048], path[128];
    make_folder(folder, sizeof folder);
    put("note.msg", "int64 time_ns\nuint64 number\nuint64 answers\nint64 taken_ns\n");
    put("wire.msg", "uint32 padding\nuint32 count\nFrame[<=2] frame\n=====\nMSG: t/Frame\n"
                    "int64 time_ns\nuint16 end\nuint16 padding\nuint8[12] head\n");
    snprintf(text, sizeof text,
             "format: 2\nname: joins\nprocesses: [{name: p, run: [p], priority: 40}]\nchannels:\n"
             "  - {name: a, message: note.msg, frame_size_max_B: 64, slots: 16, writer: p}\n"
             "  - {name: b, message: note.msg, frame_size_max_B: 64, slots: 16, writer: p}\n"
             "  - {name: c, message: note.msg, frame_size_max_B: 64, slots: 16, writer: p}\n"
             "  - {name: d, message: note.msg, frame_size_max_B: 64, slots: 16, writer: p}\n"
             "  - {name: w, message: wire.msg, frame_size_max_B: 64, slots: 16, writer: p}\n"
             "chains:\n  - name: chain\n    period_s: 0.01\n    links: %s\n",
             links);
    put("target.yaml", text);
    snprintf(path, sizeof path, "%s/target.yaml", folder);
    ck_assert_int_eq(target_load(path, &target), STATUS_OK);
    ck_assert_int_eq(target_describe(target, &description), STATUS_OK);
    ck_assert_int_eq(history_create(&history), STATUS_OK);
    chain = chain_find(target, NULL);
}

static void append(const char *channel, int64_t time_ns, const void *data, size_t size_B)
{
    static uint64_t number;
    int topic = history_topic(history, channel);
    unsigned added;
    if (topic < 0) {
        ck_assert_int_eq(history_add_topic(history, channel, "", &added), STATUS_OK);
        topic = (int)added;
    }
    ck_assert_int_eq(
        history_append(history, (unsigned)topic, ++number, instant_ns(time_ns), data, size_B),
        STATUS_OK);
}

static void say(const char *channel, int64_t time_ns, uint64_t number, uint64_t answers)
{
    const struct note note = {.time_ns = time_ns, .number = number, .answers = answers};
    append(channel, time_ns, &note, sizeof note);
}

static void measure(void)
{
    ck_assert_int_eq(chain_measure(chain, history, NULL, description, &record), STATUS_OK);
}

static void stop(void)
{
    chain_free(&record);
    history_free(history);
    free(description);
    target_free(target);
}

// How long after its instant i began link k was reached, ms; -1: never.
static int64_t after_ms(size_t i, unsigned k)
{
    const instant at = record.instant[i].at[CHAIN_REACHED(k)];
    return at.ns == INSTANT_NEVER.ns
               ? -1
               : instant_sub(at, record.instant[i].at[CHAIN_REACHED(0)]).ns / MS;
}

START_TEST(without_fields_a_link_answers_the_newest_before_it)
{
    start("[{channel: a}, {channel: b}]");
    for (int64_t i = 0; i < INSTANTS; i++) {
        say("a", 10 * i * MS, 0, 0);
        if (i != 3)
            say("b", (10 * i + 4) * MS, 0, 0);
    }
    measure();
    ck_assert_uint_eq(record.count, INSTANTS);
    ck_assert_int_eq(after_ms(2, 1), 4);
    ck_assert_int_eq(after_ms(3, 1), -1);
    ck_assert_uint_eq(record.owed[1].missed, 1);
    ck_assert_uint_eq(record.seen[1], INSTANTS - 1);
    ck_assert_uint_eq(record.joined[1], INSTANTS - 1);
    stop();
}
END_TEST

// On the virtual clock an answer is there at the instant of what it answers.
START_TEST(nothing_answers_itself)
{
    start("[{channel: a}, {channel: b}, {channel: a, name: again}]");
    for (int64_t i = 0; i < INSTANTS; i++) {
        say("a", 10 * i * MS, 0, 0);
        say("b", 10 * i * MS, 0, 0);
    }
    measure();
    ck_assert_int_eq(after_ms(2, 1), 0);
    ck_assert_int_eq(after_ms(2, 2), 10);
    stop();
}
END_TEST

START_TEST(by_numbers_an_answer_may_come_after_others)
{
    start("[{channel: a, is: number}, {channel: b, answers: answers}]");
    for (int64_t i = 0; i < INSTANTS; i++) {
        say("a", 10 * i * MS, (uint64_t)i, 0);
        if (i >= 2)
            say("b", (10 * i + 1) * MS, 0, (uint64_t)i - 2);
    }
    measure();
    ck_assert_int_eq(after_ms(5, 1), 21);
    ck_assert_int_eq(after_ms(INSTANTS - 1, 1), -1);
    ck_assert_uint_eq(record.owed[1].missed, record.owed[1].due); // each a period late
    stop();
}
END_TEST

START_TEST(numbers_that_begin_again_name_the_newest)
{
    start("[{channel: a, is: number}, {channel: b, answers: answers}]");
    for (int64_t i = 0; i < INSTANTS; i++) {
        say("a", 10 * i * MS, (uint64_t)i % 50, 0);
        say("b", (10 * i + 1) * MS, 0, (uint64_t)i % 50);
    }
    measure();
    for (size_t i = 0; i < INSTANTS; i++)
        ck_assert_int_eq(after_ms(i, 1), 1);
    stop();
}
END_TEST

static void three_answers(const char *take)
{
    char links[200];
    snprintf(links, sizeof links,
             "[{channel: a, is: number}, {channel: b, answers: answers, take: %s}]", take);
    start(links);
    for (int64_t i = 0; i < INSTANTS; i++) {
        say("a", 10 * i * MS, (uint64_t)i, 0);
        for (int64_t ms = 2; ms <= 6; ms += 2)
            say("b", (10 * i + ms) * MS, 0, (uint64_t)i);
    }
    measure();
}

static uint64_t samples_of_stage(unsigned stage)
{
    struct chain_figures *figures = chain_figures_create(chain);
    ck_assert_ptr_nonnull(figures);
    chain_figures_add(figures, chain, &record, NULL, CHAIN_WHOLE, NULL);
    const uint64_t count = histogram_count(&figures->stage[stage]);
    ck_assert_uint_eq(histogram_count(&figures->corrected), 39); // from 1 s on, but the last ten
    free(figures);
    return count;
}

START_TEST(of_several_answers_the_first_the_last_or_each_counts)
{
    three_answers("first");
    ck_assert_int_eq(after_ms(7, 1), 2);
    ck_assert_uint_eq(samples_of_stage(0), 39);
    stop();
    three_answers("last");
    ck_assert_int_eq(after_ms(7, 1), 6);
    stop();
    three_answers("each");
    ck_assert_int_eq(after_ms(7, 1), 6);
    ck_assert_uint_eq(samples_of_stage(0), 3 * 39);
    stop();
}
END_TEST

START_TEST(links_come_together_with_the_last_or_the_first)
{
    start("[{channel: a, is: number}, {channel: b, answers: answers}, "
          "{channel: c, to: a, answers: answers}, {last_of: [b, c], name: all}, "
          "{first_of: [b, c], name: any}, {channel: d, answers: answers, to: all}]");
    for (int64_t i = 0; i < INSTANTS; i++) {
        const uint64_t number = (uint64_t)i;
        say("a", 10 * i * MS, number, 0);
        say("b", (10 * i + 2) * MS, 0, number);
        if (i != 5)
            say("c", (10 * i + 5) * MS, 0, number);
        say("d", (10 * i + 7) * MS, 0, number);
    }
    measure();
    ck_assert_int_eq(after_ms(4, 3), 5);
    ck_assert_int_eq(after_ms(4, 4), 2);
    ck_assert_int_eq(after_ms(4, 5), 7);
    ck_assert_int_eq(after_ms(5, 3), -1); // one is missing
    ck_assert_int_eq(after_ms(5, 4), 2);
    ck_assert_int_eq(after_ms(5, 5), -1);
    stop();
}
END_TEST

START_TEST(frames_are_read_by_their_bytes_and_told_apart)
{
    start("[{channel: a, is: number}, {frames: w, answers: \"2:u32be\", only: [end=1]}]");
    for (int64_t i = 0; i < INSTANTS; i++) {
        struct frames frames = {.count = 2};
        say("a", 10 * i * MS, (uint64_t)i, 0);
        for (unsigned f = 0; f < 2; f++) {
            frames.frame[f].time_ns = (10 * i + 3 + f) * MS;
            frames.frame[f].end = (uint16_t)f;
            frames.frame[f].head[5] = (uint8_t)i;
        }
        append("w", (10 * i + 9) * MS, &frames, sizeof frames);
    }
    measure();
    ck_assert_uint_eq(record.seen[1], INSTANTS);
    for (size_t i = 0; i < INSTANTS; i++)
        ck_assert_int_eq(after_ms(i, 1), 4);
    stop();
}
END_TEST

START_TEST(two_stages_of_one_name_are_told_apart)
{
    start("[{channel: a, is: number}, {channel: b, answers: answers, taken: taken_ns}, "
          "{channel: c, taken: taken_ns}]");
    struct chain_stages stages;
    chain_stages_of(chain, &stages);
    ck_assert_uint_eq(stages.stacked, 4);
    ck_assert_str_eq(stages.stage[0].name, "p wakes");
    ck_assert_str_eq(stages.stage[1].name, "p computes");
    ck_assert_str_eq(stages.stage[2].name, "b waits for p");
    ck_assert_str_eq(stages.stage[3].name, "p computes (c)");
    ck_assert_str_eq(stages.stage[stages.whole].name, "a to c");
    measure();
    ck_assert_uint_eq(record.count, 0);
    stop();
}
END_TEST

// ---- promises -----------------------------------------------------------------------------------

static bool stands_still(const void *machine, instant from, instant to)
{
    const instant *at = machine; // and for 5 ms
    return from.ns <= at->ns + 5 * MS && to.ns >= at->ns;
}

// Answers after 4 ms, but every tenth after `slow_ms`; -1: never.
static void answer(int64_t slow_ms)
{
    start("[{channel: a, is: number}, {channel: b, answers: answers}]");
    for (int64_t i = 0; i < 300; i++) {
        const int64_t ms = i % 10 == 0 ? slow_ms : 4;
        say("a", 10 * i * MS, (uint64_t)i, 0);
        if (ms >= 0)
            say("b", (10 * i + ms) * MS, 0, (uint64_t)i);
    }
}

static struct oracle_verdict judged(double p, double below_s, const struct judged_clock *clock)
{
    const struct promise promise = {.name = "fast", .chain = "chain", .p = p, .below_s = below_s};
    const struct analysis analysis = {.history = history,
                                      .target = target,
                                      .description = description,
                                      .clock = clock,
                                      .end_s = 3,
                                      .fault_s = 1};
    struct oracle_verdict verdict = {0};
    promise_chain_judge(&analysis, &promise, &verdict);
    return verdict;
}

START_TEST(in_real_time_the_promised_share_decides)
{
    static const instant never = {INT64_MAX / 2};
    const struct judged_clock clock = {true, {stands_still, &never}};
    answer(8);
    const struct oracle_verdict kept = judged(89, 0.005, &clock);
    ck_assert_int_eq(kept.verdict, VERDICT_PASS);
    ck_assert_double_eq_tol(kept.margin, 0.001, 1e-5);
    ck_assert_int_eq(judged(95, 0.005, &clock).verdict, VERDICT_FAIL);
    ck_assert_int_eq(judged(100, 0.009, &clock).verdict, VERDICT_PASS);
    stop();
}
END_TEST

START_TEST(what_a_stall_touched_does_not_count)
{
    answer(4);
    say("a", INT64_C(2995) * MS, 999, 0); // so that all others are known to have been answered
    static instant at = {INT64_C(2001) * MS};
    const struct judged_clock clock = {true, {stands_still, &at}};
    const struct oracle_verdict verdict = judged(100, 0.005, &clock);
    ck_assert_int_eq(verdict.verdict, VERDICT_PASS);
    ck_assert_ptr_nonnull(strstr(verdict.detail, "1 in stalls"));
    stop();
}
END_TEST

START_TEST(what_was_never_answered_took_longer_than_any_bound)
{
    static const instant never = {INT64_MAX / 2};
    const struct judged_clock clock = {true, {stands_still, &never}};
    start("[{channel: a, is: number}, {channel: b, answers: answers}]");
    for (int64_t i = 0; i < 300; i++) { // its writer dies after 2 s
        say("a", 10 * i * MS, (uint64_t)i, 0);
        if (i < 200)
            say("b", (10 * i + 4) * MS, 0, (uint64_t)i);
    }
    const struct oracle_verdict verdict = judged(90, 1000, &clock);
    ck_assert_int_eq(verdict.verdict, VERDICT_FAIL);
    ck_assert_ptr_nonnull(strstr(verdict.detail, "never answered"));
    stop();
}
END_TEST

START_TEST(on_the_virtual_clock_the_planned_time_is_told_and_nothing_judged)
{
    const struct judged_clock virtual = {.real_time = false}, unwatched = {.real_time = true};
    answer(8);
    const struct oracle_verdict verdict = judged(100, 0.005, &virtual);
    ck_assert_int_eq(verdict.verdict, VERDICT_SKIP);
    ck_assert_ptr_nonnull(strstr(verdict.detail, "p100 is planned to take 0.008"));
    ck_assert_int_eq(judged(100, 0.005, NULL).verdict, VERDICT_SKIP);
    // That a machine stood still, which nobody watched, can only make it slower.
    ck_assert_int_eq(judged(100, 0.005, &unwatched).verdict, VERDICT_SKIP);
    ck_assert_int_eq(judged(100, 0.009, &unwatched).verdict, VERDICT_PASS);
    stop();
}
END_TEST

UNIT_MAIN("chain joins", without_fields_a_link_answers_the_newest_before_it, nothing_answers_itself,
          by_numbers_an_answer_may_come_after_others, numbers_that_begin_again_name_the_newest,
          of_several_answers_the_first_the_last_or_each_counts,
          links_come_together_with_the_last_or_the_first,
          frames_are_read_by_their_bytes_and_told_apart, in_real_time_the_promised_share_decides,
          what_a_stall_touched_does_not_count, what_was_never_answered_took_longer_than_any_bound,
          on_the_virtual_clock_the_planned_time_is_told_and_nothing_judged,
          two_stages_of_one_name_are_told_apart)
