// Folders for tests. They lie in one that belongs to the test program and goes when it ends: where
// an assertion fails, libcheck kills the test's process, and what the test would have removed
// stays. A test that makes many removes its own.
#pragma once

#include <check.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

// Environment: where the programs make theirs (default /dev/shm); for their tests, where that is.
#define TEST_FOLDERS "UKEMI_TEST_CELLS"

static inline int remove_entry(const char *path, const struct stat *status, int kind,
                               struct FTW *walk)
{
    (void)status, (void)kind, (void)walk;
    return remove(path);
}

static inline void remove_folder(const char *path)
{
    nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static inline bool new_folder(char *path, size_t capacity_B)
{
    const char *parent = getenv(TEST_FOLDERS);
    const int length = parent == NULL ? snprintf(path, capacity_B, "/dev/shm/ukemi-test-XXXXXX")
                                      : snprintf(path, capacity_B, "%s/XXXXXX", parent);
    return length < (int)capacity_B && mkdtemp(path) != NULL;
}

// A new one, empty; 64 bytes are enough for its path, even if a test runs a test program that runs
// another.
static inline void make_folder(char *path, size_t capacity_B)
{
    ck_assert(new_folder(path, capacity_B));
}

// A file in a new folder, which is not there yet; 80 bytes are enough for its path.
static inline void choose_file(char *path, size_t capacity_B)
{
    char folder[64];
    make_folder(folder, sizeof folder);
    ck_assert_int_lt(snprintf(path, capacity_B, "%s/file", folder), (int)capacity_B);
}

// Runs all tests, each in a process of its own; the program's exit status. Nothing of theirs is
// left in TEST_FOLDERS.
static inline int run_suite(Suite *suite)
{
    char folders[64];
    if (!new_folder(folders, sizeof folders)) {
        perror("a folder for the tests");
        return EXIT_FAILURE;
    }
    setenv(TEST_FOLDERS, folders, 1);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    remove_folder(folders);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
