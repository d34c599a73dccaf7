// messages-finite: whoever sends what is no finite number is wrong, but for what a target allows.
#include "tests/unit/common/synthetic.h"

#include "harness/files/fault/fault_request.h"
#include "harness/files/target/not_finite.h"
#include "harness/files/target/wire_config.h"
#include "harness/history/schema.h"

struct sent { // "float64 a / uint32 count / uint32 padding / Row[] row", and one "force" in each
              // row
    double a;
    uint32_t count, padding;
    double row[3];
};

// A target whose channel "in" and "out" have such messages, and a sound one on "out".
static struct made_up *made(void)
{
    static const char text[] = "float64 a\nuint32 count\nuint32 padding\nRow[<=3] row\n=\n"
                               "MSG: Row\nfloat64 force\n";
    struct message_mistake mistake;
    struct made_up *m = make_up();
    ck_assert_int_eq(schema_declare("test/sent.msg", text, &mistake), STATUS_OK);
    m->target.channel_count = 2;
    m->target.channel[0] =
        (struct channel_config){.name = "in", .message = "test/sent.msg", .writer = "simulator"};
    m->target.channel[1] =
        (struct channel_config){.name = "out", .message = "test/sent.msg", .writer = "control"};
    until(m, 1);
    publish(m, "out", &(struct sent){.a = 1}, 16);
    return m;
}

static void send(struct made_up *m, const char *channel, double a, double last)
{
    const struct sent sent = {.a = a, .count = 3, .row = {0, 0, last}};
    publish(m, channel, &sent, sizeof sent);
}

static const char *words(struct made_up *m)
{
    return oracle_of(judged(m), "messages-finite")->detail;
}

START_TEST(a_number_that_is_not_finite_fails_its_writer)
{
    struct made_up *m = made();
    send(m, "out", 1, 2);
    expect_verdict(m, "messages-finite", VERDICT_PASS);
    until(m, 2);
    send(m, "out", -INFINITY, 2);
    expect_verdict(m, "messages-finite", VERDICT_FAIL);
    ck_assert_str_eq(words(m), "control sent out with a = -inf at 2.000 s");
    ck_assert_double_eq_tol(oracle_of(judged(m), "messages-finite")->broken_s, 2, 1e-9);
    forget(m);
}
END_TEST

START_TEST(every_element_of_a_sequence_that_was_sent_is_looked_at_and_no_other)
{
    struct made_up *m = made();
    const struct sent cut = {.a = 1, .count = 2, .row = {0, 0, NAN}};
    publish(m, "out", &cut, sizeof cut - sizeof cut.row[2]);
    expect_verdict(m, "messages-finite", VERDICT_PASS);
    send(m, "out", 1, NAN);
    expect_verdict(m, "messages-finite", VERDICT_FAIL);
    ck_assert_ptr_nonnull(strstr(words(m), "row[0].force = nan, element 2"));
    forget(m);
}
END_TEST

START_TEST(what_the_simulated_world_says_is_the_labs)
{
    struct made_up *m = made();
    send(m, "in", NAN, NAN);
    expect_verdict(m, "messages-finite", VERDICT_PASS);
    forget(m);
}
END_TEST

START_TEST(a_member_that_the_target_names_may_be_anything)
{
    struct made_up *m = made();
    send(m, "out", NAN, 0);
    m->target.not_finite[m->target.not_finite_count++] =
        (struct not_finite_config){.member = "out.row.force", .reason = "nobody measures it"};
    expect_verdict(m, "messages-finite", VERDICT_FAIL);
    strcpy(m->target.not_finite[0].member, "out.a");
    expect_verdict(m, "messages-finite", VERDICT_PASS);
    ck_assert(not_finite_may_be(m->target.not_finite, 1, "out", "a"));
    ck_assert(!not_finite_may_be(m->target.not_finite, 1, "out", "ab"));
    ck_assert(!not_finite_may_be(m->target.not_finite, 1, "ou", "t.a"));
    strcpy(m->target.not_finite[0].member, "out.row.force");
    ck_assert(not_finite_may_be(m->target.not_finite, 1, "out", "row[2].force"));
    ck_assert(!not_finite_may_be(m->target.not_finite, 1, "out", "row[2]"));
    forget(m);
}
END_TEST

START_TEST(so_may_one_that_the_scenario_names)
{
    struct made_up *m = made();
    send(m, "out", NAN, 0);
    m->scenario.not_finite_count = 1;
    strcpy(m->scenario.not_finite[0].member, "in.a");
    expect_verdict(m, "messages-finite", VERDICT_FAIL);
    strcpy(m->scenario.not_finite[0].member, "out.a");
    expect_verdict(m, "messages-finite", VERDICT_PASS);
    forget(m);
}
END_TEST

// A fault of this kind on a channel, at the present instant.
static void strikes(struct made_up *m, const char *channel, bool falsifies)
{
    m->scenario.fault_count = 1;
    m->scenario.fault[0] = (struct fault_request){.kind = "channel-nan",
                                                  .struck = STRUCK_CHANNEL,
                                                  .falsifies = falsifies,
                                                  .duration_s = 1,
                                                  .restart_after_s = -1};
    strcpy(m->scenario.fault[0].component, channel);
    struct fault_event applied = {
        .time = instant_s(made_up_time_s(m)), .kind = FAULT_APPLIED, .proven = 1};
    strcpy(applied.component, channel);
    publish(m, TOPIC_FAULT, &applied, sizeof applied);
}

START_TEST(who_passes_on_what_a_fault_of_the_scenario_made_is_right)
{
    for (int falsifies = 0; falsifies < 2; falsifies++) {
        struct made_up *m = made();
        strikes(m, "in", falsifies != 0);
        until(m, 2);
        send(m, "out", NAN, 0);
        expect_verdict(m, "messages-finite", falsifies != 0 ? VERDICT_PASS : VERDICT_FAIL);
        forget(m);
    }
}
END_TEST

START_TEST(a_fault_of_its_own_channel_or_of_other_messages_excuses_no_writer)
{
    for (int other = 0; other < 2; other++) {
        struct made_up *m = made();
        if (other != 0)
            strcpy(m->target.channel[0].message, "test/none.msg");
        strikes(m, other != 0 ? "in" : "out", true);
        until(m, 2);
        send(m, "out", NAN, 0);
        expect_verdict(m, "messages-finite", VERDICT_FAIL);
        forget(m);
    }
}
END_TEST

UNIT_MAIN("messages are finite", a_number_that_is_not_finite_fails_its_writer,
          every_element_of_a_sequence_that_was_sent_is_looked_at_and_no_other,
          what_the_simulated_world_says_is_the_labs, a_member_that_the_target_names_may_be_anything,
          so_may_one_that_the_scenario_names,
          who_passes_on_what_a_fault_of_the_scenario_made_is_right,
          a_fault_of_its_own_channel_or_of_other_messages_excuses_no_writer)
