// harness/judge/oracle_program: what an oracle program prints becomes a verdict, or is refused.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <string.h>

#include "harness/judge/oracle_program.h"

START_TEST(a_line_is_a_verdict_with_margin_unit_and_words)
{
    static const struct {
        const char *answer;
        enum verdict verdict;
        double margin;
        const char *unit, *words;
    } of[] = {
        {"PASS 0.5 J worst at 3 s\n", VERDICT_PASS, 0.5, "J", "worst at 3 s"},
        {"PASS\t1e-3   rad\n", VERDICT_PASS, 1e-3, "rad", ""},
        {"FAIL 0 - none left\n", VERDICT_FAIL, 0, "", "none left"},
        {"FAIL -12.5 of_its_floor \xc2\xb5s\x1b[2J\n", VERDICT_FAIL, -12.5, "of_its_floor",
         "\xc2\xb5s?[2J"},
        {"SKIP no fault struck\n", VERDICT_SKIP, NAN, "", "no fault struck"},
    };
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct oracle_verdict verdict = {.verdict = VERDICT_ERROR};
        char wrong[192] = "";
        ck_assert_msg(oracle_answer_read(of[i].answer, &verdict, wrong, sizeof wrong), "%s: %s",
                      of[i].answer, wrong);
        ck_assert_int_eq(verdict.verdict, of[i].verdict);
        ck_assert(verdict.margin == of[i].margin || (isnan(verdict.margin) && isnan(of[i].margin)));
        ck_assert_str_eq(verdict.unit, of[i].unit);
        ck_assert_str_eq(verdict.detail, of[i].words);
        ck_assert(isnan(verdict.broken_s));
    }
}
END_TEST

START_TEST(the_instant_stands_before_the_words)
{
    struct oracle_verdict verdict;
    char wrong[192] = "";
    ck_assert(oracle_answer_read("FAIL -1 m @3.25 too far\n", &verdict, wrong, sizeof wrong));
    ck_assert(verdict.broken_s == 3.25);
    ck_assert_str_eq(verdict.detail, "too far");
    ck_assert(oracle_answer_read("PASS 1 m @3.25\n", &verdict, wrong, sizeof wrong));
    ck_assert(isnan(verdict.broken_s)); // nothing was broken
    static const char *const refused[] = {"@", "@later", "@-1", "@nan", "@1e999", "@3s"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        char answer[64];
        snprintf(answer, sizeof answer, "FAIL -1 m %s words\n", refused[i]);
        ck_assert_msg(!oracle_answer_read(answer, &verdict, wrong, sizeof wrong), "%s", refused[i]);
        ck_assert_ptr_nonnull(strstr(wrong, "write @SECONDS"));
    }
}
END_TEST

START_TEST(anything_else_is_refused_with_what_it_should_be)
{
    static const char *const answer[] = {"",
                                         "\n",
                                         "PASS 1 m", // broken off
                                         "PASS 1 m\n\n",
                                         "PASS 1 m\nPASS 1 m\n",
                                         "PASS\n",
                                         "PASS 1\n",
                                         "PASS m 1\n",
                                         "PASS 1x m\n",
                                         "PASS nan m\n",
                                         "PASS inf m\n",
                                         "PASS 1e999 m\n",
                                         "PASS 0 m\n", // a margin of 0 does not hold
                                         "PASS -1 m\n",
                                         "FAIL 1 m\n",
                                         "pass 1 m\n",
                                         "PASSED 1 m\n",
                                         "ERROR 1 m\n",
                                         "PASS 1 a_unit_of_16_char\n"};
    for (size_t i = 0; i < sizeof answer / sizeof answer[0]; i++) {
        struct oracle_verdict verdict = {.verdict = VERDICT_SKIP};
        char wrong[192] = "";
        ck_assert_msg(!oracle_answer_read(answer[i], &verdict, wrong, sizeof wrong), "%s",
                      answer[i]);
        ck_assert(strstr(wrong, "print one line") != NULL || strstr(wrong, "above 0") != NULL);
    }
}
END_TEST

UNIT_MAIN("oracle_answer", a_line_is_a_verdict_with_margin_unit_and_words,
          the_instant_stands_before_the_words, anything_else_is_refused_with_what_it_should_be)
