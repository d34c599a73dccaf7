// messages-true: stamps and frames that are not what they seem are their writer's doing.
#include "tests/unit/common/synthetic.h"

#include "harness/history/foul.h"

static void foul_happens(struct made_up *m, const char *process, enum foul_kind kind,
                         double stamp_s)
{
    struct foul_event foul = {.time = instant_s(made_up_time_s(m)),
                              .stamp = instant_s(stamp_s),
                              .frames = 1,
                              .kind = kind,
                              .channel = "leg-command"};
    snprintf(foul.process, sizeof foul.process, "%s", process);
    publish(m, TOPIC_FOUL, &foul, sizeof foul);
}

static struct made_up *standing(void)
{
    struct made_up *m = make_up();
    strcpy(m->target.world, "simulator");
    until(m, 1);
    return m;
}

START_TEST(a_message_from_the_future_fails_its_writer)
{
    struct made_up *m = standing();
    expect_verdict(m, "messages-true", VERDICT_PASS);
    foul_happens(m, "balance", FOUL_BEYOND, 3600);
    expect_verdict(m, "messages-true", VERDICT_FAIL);
    ck_assert_str_eq(oracle_of(judged(m), "messages-true")->detail,
                     "balance stamped leg-command of 1.000 s as 3600 s: later than its turn");
    forget(m);
}
END_TEST

START_TEST(the_simulated_world_is_the_labs)
{
    struct made_up *m = standing();
    foul_happens(m, "simulator", FOUL_BACK, 0.5);
    expect_verdict(m, "messages-true", VERDICT_ERROR);
    forget(m);
}
END_TEST

START_TEST(frames_that_were_written_over_are_missing_for_the_target)
{
    struct made_up *m = standing();
    const struct command_message command = {0};
    publish(m, "leg-command", &command, sizeof command);
    m->number[made_up_topic(m, "leg-command")]++;
    publish(m, "leg-command", &command, sizeof command);
    expect_verdict(m, "lab-history", VERDICT_ERROR);
    foul_happens(m, "balance", FOUL_LOST, 1);
    expect_verdict(m, "lab-history", VERDICT_SKIP);
    expect_verdict(m, "messages-true", VERDICT_FAIL);
    ck_assert_int_eq(judged(m)->verdict, VERDICT_FAIL);
    forget(m);
}
END_TEST

START_TEST(no_foul_target_makes_the_lab_the_one_to_blame)
{
    struct made_up *m = standing();
    m->truth.physics_warning = 1;
    until(m, 2);
    ck_assert_int_eq(judged(m)->verdict, VERDICT_ERROR);
    foul_happens(m, "balance", FOUL_FORGED, 2);
    ck_assert_int_eq(judged(m)->verdict, VERDICT_FAIL);
    forget(m);
}
END_TEST

UNIT_MAIN("messages are true", a_message_from_the_future_fails_its_writer,
          the_simulated_world_is_the_labs, frames_that_were_written_over_are_missing_for_the_target,
          no_foul_target_makes_the_lab_the_one_to_blame)
