// Shared frame of the unit tests (libcheck): one program per file, each test named by the claim it
// checks.
//
//   #include "unit.h"
//   START_TEST(a_new_channel_is_empty) { ... } END_TEST
//   UNIT_MAIN("channel", a_new_channel_is_empty, ...)
#pragma once

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "folder.h"

// How many random cases a claim is checked on, N or, under sanitizers, a tenth: they want to see
// the code at work, and each case costs ten times as much there.
#ifdef __SANITIZE_ADDRESS__
#define CASES(n) ((n) / 10)
#define SANITIZED true
#else
#define CASES(n) (n)
#define SANITIZED false
#endif

// In a test that returns then: this machine lacks what it takes. tests/run counts and shows the
// line.
#define SKIP(claim, why)                                                                           \
    do {                                                                                           \
        printf("ok - %s # SKIP %s\n", claim, why);                                                 \
        (void)fflush(stdout);                                                                      \
    } while (false)

// Runs the tests in order, each in a process of its own, and exits 0 only if all pass.
#define UNIT_MAIN(name, ...)                                                                       \
    int main(void)                                                                                 \
    {                                                                                              \
        const TTest *const tests[] = {__VA_ARGS__};                                                \
        Suite *suite = suite_create(name);                                                         \
        TCase *group = tcase_create(name);                                                         \
        tcase_set_timeout(group, 120);                                                             \
        for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)                                \
            tcase_add_test(group, tests[i]);                                                       \
        suite_add_tcase(suite, group);                                                             \
        return run_suite(suite);                                                                   \
    }
