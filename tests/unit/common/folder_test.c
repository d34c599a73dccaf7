// Folders of tests are gone when the test program ends, whatever became of the tests.
#include "unit.h"

#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

START_TEST(fails_with_a_file)
{
    char path[80];
    choose_file(path, sizeof path);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_null(file); // it is not
}
END_TEST

START_TEST(dies_with_a_folder)
{
    char path[64];
    make_folder(path, sizeof path);
    raise(SIGKILL);
}
END_TEST

static unsigned entries(const char *path)
{
    DIR *listing = opendir(path);
    ck_assert_ptr_nonnull(listing);
    unsigned count = 0;
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(listing);
    return count;
}

START_TEST(a_program_whose_tests_fail_and_die_leaves_nothing)
{
    const pid_t program = fork();
    ck_assert_int_ge(program, 0);
    if (program == 0) {
        Suite *suite = suite_create("bad");
        TCase *group = tcase_create("bad");
        tcase_add_test(group, fails_with_a_file);
        tcase_add_test(group, dies_with_a_folder);
        suite_add_tcase(suite, group);
        if (freopen("/dev/null", "w", stdout) == NULL)
            _exit(EXIT_SUCCESS);
        _exit(run_suite(suite));
    }
    int status;
    ck_assert_int_eq(waitpid(program, &status, 0), program);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FAILURE);
    ck_assert_uint_eq(entries(getenv(TEST_FOLDERS)), 0);
}
END_TEST

UNIT_MAIN("folder", a_program_whose_tests_fail_and_die_leaves_nothing)
