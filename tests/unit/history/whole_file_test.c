// whole_file: a file is there whole or not at all.
#include "tests/unit/common/unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/history/whole_file.h"

static char folder[64];
static char path[128];

static unsigned entries(void)
{
    DIR *listing = opendir(folder);
    unsigned count = 0;
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(listing);
    return count;
}

static void choose(void)
{
    make_folder(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/file", folder);
}

static struct whole_file *started(const char *text)
{
    struct whole_file *file;
    ck_assert_int_eq(whole_file_start(path, &file), STATUS_OK);
    fputs(text, whole_file_stream(file));
    fflush(whole_file_stream(file));
    return file;
}

static void holds(const char *text)
{
    char got[64] = "";
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(got, sizeof got, file));
    fclose(file);
    ck_assert_str_eq(got, text);
    ck_assert_uint_eq(entries(), 1);
}

// In place of the C library's: a file system without files that have no name.
static bool names_needed;
int open(const char *name, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if (names_needed && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, name, flags, mode);
}

START_TEST(it_appears_whole_and_takes_the_place_of_an_older_one)
{
    choose();
    struct whole_file *file = started("one");
    ck_assert_uint_eq(entries(), 0);
    ck_assert_int_eq(whole_file_commit(file), STATUS_OK);
    holds("one");
    file = started("two");
    holds("one");
    ck_assert_int_eq(whole_file_commit(file), STATUS_OK);
    holds("two");
}
END_TEST

START_TEST(given_up_nothing_is_left_and_the_older_one_stays)
{
    choose();
    whole_file_drop(started("one"));
    ck_assert_uint_eq(entries(), 0);
    ck_assert_int_eq(whole_file_commit(started("two")), STATUS_OK);
    whole_file_drop(started("three"));
    holds("two");
}
END_TEST

START_TEST(killed_while_it_is_written_nothing_is_left)
{
    choose();
    pid_t child = fork();
    if (child == 0) {
        started("one");
        raise(SIGKILL);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status));
    ck_assert_uint_eq(entries(), 0);
}
END_TEST

START_TEST(where_there_is_no_room_the_older_one_stays_and_errno_says_why)
{
    choose();
    ck_assert_int_eq(whole_file_commit(started("old")), STATUS_OK);
    const struct rlimit small = {8192, 8192};
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    struct whole_file *file = started("");
    for (int i = 0; i < 100000; i++)
        fputc('x', whole_file_stream(file));
    ck_assert_int_eq(whole_file_commit(file), STATUS_SYSTEM);
    ck_assert_int_ne(errno, 0);
    holds("old");
}
END_TEST

START_TEST(a_folder_that_is_not_there_is_an_error)
{
    choose();
    struct whole_file *file;
    snprintf(path, sizeof path, "%s/no/file", folder);
    ck_assert_int_eq(whole_file_start(path, &file), STATUS_SYSTEM);
    ck_assert_int_eq(errno, ENOENT);
}
END_TEST

START_TEST(where_it_needs_a_name_nobody_can_lead_it_elsewhere)
{
    char part[160], victim[160];
    struct stat about;
    choose();
    names_needed = true;
    snprintf(part, sizeof part, "%s.%d.part", path, (int)getpid());
    snprintf(victim, sizeof victim, "%s/.victim", folder); // entries() does not count it
    ck_assert_int_eq(symlink(victim, part), 0);
    ck_assert_int_eq(whole_file_commit(started("one")), STATUS_OK);
    holds("one");
    ck_assert_int_ne(lstat(victim, &about), 0);
}
END_TEST

START_TEST(a_fifo_is_not_waited_for)
{
    char *data;
    size_t size_B;
    choose();
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert_int_eq(whole_file_read(path, SIZE_MAX, &data, &size_B), STATUS_SYSTEM);
    ck_assert_int_eq(errno, ESPIPE);
}
END_TEST

START_TEST(it_is_read_whole_with_a_zero_behind_it)
{
    choose();
    char *data;
    size_t size_B;
    ck_assert_int_eq(whole_file_read(path, 9, &data, &size_B), STATUS_NOT_FOUND);
    ck_assert_int_eq(whole_file_commit(started("it is")), STATUS_OK);
    ck_assert_int_eq(whole_file_read(path, 4, &data, &size_B), STATUS_TOO_LARGE);
    ck_assert_ptr_null(data);
    ck_assert_int_eq(whole_file_read(path, 5, &data, &size_B), STATUS_OK);
    ck_assert_uint_eq(size_B, 5);
    ck_assert_str_eq(data, "it is");
    free(data);
    ck_assert_int_eq(whole_file_read(folder, SIZE_MAX, &data, &size_B), STATUS_SYSTEM);
    ck_assert_int_eq(errno, EISDIR);
}
END_TEST

UNIT_MAIN("whole_file", it_appears_whole_and_takes_the_place_of_an_older_one,
          given_up_nothing_is_left_and_the_older_one_stays,
          killed_while_it_is_written_nothing_is_left,
          where_there_is_no_room_the_older_one_stays_and_errno_says_why,
          a_folder_that_is_not_there_is_an_error,
          where_it_needs_a_name_nobody_can_lead_it_elsewhere, a_fifo_is_not_waited_for,
          it_is_read_whole_with_a_zero_behind_it)
