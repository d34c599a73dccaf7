// Which limits of the lab's own can be why a trial went badly, and which cannot.
#include "tests/unit/common/unit.h"

#include <string.h>
#include <sys/resource.h>

#include "harness/machine/shortage.h"

#define PROCESSES 64
#define OPEN_FILES 256
#define FILE_MB 64

static void limit(__rlimit_resource_t resource, rlim_t to)
{
    const struct rlimit both = {to, to};
    ck_assert_int_eq(setrlimit(resource, &both), 0);
}

static bool is_short(bool ended, double cpu_s, char words[96])
{
    return shortage_of_limits(ended, PROCESSES, OPEN_FILES, FILE_MB, cpu_s, words, 96);
}

START_TEST(few_descriptors_end_nobody)
{
    char words[96] = "";
    limit(RLIMIT_NOFILE, OPEN_FILES / 2);
    ck_assert(is_short(false, 1, words));
    ck_assert_ptr_nonnull(strstr(words, "ulimit -n"));
    ck_assert(!is_short(true, 1, words)); // whoever ends himself is to blame
}
END_TEST

START_TEST(cpu_time_that_is_up_ends_and_fails)
{
    char words[96] = "";
    limit(RLIMIT_CPU, 1000);
    ck_assert(is_short(true, 2000, words));
    ck_assert_ptr_nonnull(strstr(words, "ulimit -t"));
    ck_assert(is_short(false, 2000, words));
    ck_assert(!is_short(true, 500, words)); // more than the trial has used
}
END_TEST

UNIT_MAIN("shortage", few_descriptors_end_nobody, cpu_time_that_is_up_ends_and_fails)
