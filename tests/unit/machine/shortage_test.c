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

START_TEST(few_descriptors_are_a_shortage)
{
    char words[96] = "";
    ck_assert(!shortage_of_limits(PROCESSES, OPEN_FILES, FILE_MB, words, sizeof words));
    limit(RLIMIT_NOFILE, OPEN_FILES / 2);
    ck_assert(shortage_of_limits(PROCESSES, OPEN_FILES, FILE_MB, words, sizeof words));
    ck_assert_ptr_nonnull(strstr(words, "ulimit -n"));
}
END_TEST

UNIT_MAIN("shortage", few_descriptors_are_a_shortage)
