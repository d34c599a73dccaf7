// base: what a broken invariant prints, and how it ends its process.
#include "tests/unit/common/unit.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/invariant.h"

struct end {
    int status;
    char words[512];
};

static void handle(int number)
{
    (void)number;
    _exit(0);
}

// In a child whose own handler would hide the end.
static struct end end_of(void (*body)(void))
{
    struct end end = {0};
    int pipe_end[2];
    size_t used = 0;
    ck_assert_int_eq(pipe(pipe_end), 0);
    const pid_t child = fork();
    if (child == 0) {
        (void)signal(SIGABRT, handle);
        (void)dup2(pipe_end[1], STDERR_FILENO);
        body();
        _exit(7);
    }
    close(pipe_end[1]);
    for (ssize_t got = 1; got > 0; used += (size_t)(got > 0 ? got : 0))
        got = read(pipe_end[0], end.words + used, sizeof end.words - 1 - used);
    close(pipe_end[0]);
    ck_assert_int_eq(waitpid(child, &end.status, 0), child);
    return end;
}

static void hold(void)
{
    const int held = 3;
    expects(held == 3);
    invariant(held > 0 && held < 4);
    ensures(held != 0);
}

static void break_one(void)
{
    const int held = 3;
    invariant(held == 4);
}

static void break_a_long_one(void)
{
    invariant_broken("src/somewhere/file.c", 1234567890,
                     "a && a && a && a && a && a && a && a && a && a && a && a && a && a && a && "
                     "a && a && a && a && a && a && a && a && a && a && a && a && a && a && a && "
                     "a && a && a && a && a && a && a && a && a && a && a && a && a && a && a");
}

static void break_with_status(void)
{
    invariant_ends_with(3);
    break_one();
}

START_TEST(what_holds_is_silent)
{
    const struct end end = end_of(hold);
    ck_assert(WIFEXITED(end.status) && WEXITSTATUS(end.status) == 7);
    ck_assert_str_eq(end.words, "");
}
END_TEST

START_TEST(a_broken_one_says_where_and_aborts_whatever_the_program_handles)
{
    const struct end end = end_of(break_one);
    ck_assert(WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGABRT);
    ck_assert_ptr_eq(strstr(end.words, INVARIANT_WORDS "tests/unit/base/invariant_test.c:"),
                     end.words);
    ck_assert_ptr_nonnull(strstr(end.words, ": held == 4\n"));
}
END_TEST

START_TEST(its_line_is_no_longer_than_the_words_that_the_lab_keeps)
{
    const struct end end = end_of(break_a_long_one);
    ck_assert_ptr_nonnull(strstr(end.words, "src/somewhere/file.c:1234567890: a && a"));
    ck_assert_uint_eq(strlen(end.words), 240);
    ck_assert_int_eq(end.words[239], '\n');
}
END_TEST

START_TEST(the_lab_s_own_program_ends_with_its_status_of_errors)
{
    const struct end end = end_of(break_with_status);
    ck_assert(WIFEXITED(end.status) && WEXITSTATUS(end.status) == 3);
}
END_TEST

UNIT_MAIN("invariant", what_holds_is_silent,
          a_broken_one_says_where_and_aborts_whatever_the_program_handles,
          its_line_is_no_longer_than_the_words_that_the_lab_keeps,
          the_lab_s_own_program_ends_with_its_status_of_errors)
