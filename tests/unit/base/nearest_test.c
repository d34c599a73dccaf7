// base/nearest: which name a mistyped word means.
#include "tests/unit/common/unit.h"

#include <limits.h>

#include "base/nearest.h"

START_TEST(distances_are_letters_to_change)
{
    static const struct {
        const char *one, *other;
        unsigned distance;
    } pairs[] = {{"seed", "seed", 0},      {"seed", "sed", 1},  {"seed", "sneed", 1},
                 {"seed", "send", 1},      {"seed", "sede", 1}, {"campaign", "camapign", 1},
                 {"kitten", "sitting", 3}, {"", "abc", 3},      {"abc", "", 3},
                 {"ca", "abc", 3}, // no letter is changed twice
                 {"flaw", "lawn", 2}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        ck_assert_uint_eq(nearest_distance(pairs[i].one, pairs[i].other), pairs[i].distance);
        ck_assert_uint_eq(nearest_distance(pairs[i].other, pairs[i].one), pairs[i].distance);
    }
}
END_TEST

START_TEST(what_is_too_long_is_far_from_all)
{
    char longest[NEAREST_LENGTH_MAX + 1], longer[NEAREST_LENGTH_MAX + 2];
    memset(longest, 'a', sizeof longest - 1);
    memset(longer, 'a', sizeof longer - 1);
    longest[sizeof longest - 1] = longer[sizeof longer - 1] = '\0';
    ck_assert_uint_eq(nearest_distance(longest, "a"), NEAREST_LENGTH_MAX - 1);
    ck_assert_uint_eq(nearest_distance(longest, longest), 0);
    ck_assert_uint_eq(nearest_distance(longer, longest), UINT_MAX);
    ck_assert_uint_eq(nearest_distance("a", longer), UINT_MAX);
}
END_TEST

static const char *meant(const char *word)
{
    static const char *const names[] = {"run", "report", "resume", "campaign", "at", "can"};
    struct nearest nearest = {.word = word};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        nearest_try(&nearest, names[i]);
    return nearest.name != NULL ? nearest.name : "";
}

START_TEST(the_nearest_is_meant_if_it_is_near_enough)
{
    ck_assert_str_eq(meant("runn"), "run");
    ck_assert_str_eq(meant("camapgin"), "campaign"); // two swaps of eight letters
    ck_assert_str_eq(meant("reprot"), "report");
    ck_assert_str_eq(meant("resmue"), "resume");
    ck_assert_str_eq(meant("frob"), "");
    ck_assert_str_eq(meant("rep"), ""); // more than a letter of a short word
    ck_assert_str_eq(meant("x"), "");   // nothing of it is right
    ck_assert_str_eq(meant(""), "");
}
END_TEST

START_TEST(a_hint_stands_in_a_message)
{
    char hint[NEAREST_HINT_MAX];
    struct nearest nearest = {.word = "runn"};
    ck_assert_str_eq(nearest_hint(&nearest, hint), "");
    nearest_try(&nearest, "run");
    ck_assert_str_eq(nearest_hint(&nearest, hint), " (did you mean run?)");
}
END_TEST

UNIT_MAIN("nearest", distances_are_letters_to_change, what_is_too_long_is_far_from_all,
          the_nearest_is_meant_if_it_is_near_enough, a_hint_stands_in_a_message)
