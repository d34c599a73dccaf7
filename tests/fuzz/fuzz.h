// What the fuzz targets share: taking values from the fuzzer's bytes, bytes as a file, and claims.
//
// A target is one source file with LLVMFuzzerTestOneInput. Linked with libFuzzer it is the fuzzer
// (`make fuzz`), linked with replay.c it runs the kept inputs (`make check`). What is broken on
// purpose must end in a returned status, never in a crash, a sanitizer's report or a broken claim.
// Run from the project's folder.
#pragma once

#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_FOLDER "targets/hubo2"
#define FUZZ_DESCRIPTION FUZZ_FOLDER "/hubo2.xml"
#define FUZZ_MODEL FUZZ_FOLDER "/robot.xml"
#define FUZZ_TARGET FUZZ_FOLDER "/target.yaml"

// What must hold whatever the input.
#define fuzz_check(holds)                                                                          \
    do {                                                                                           \
        if (!(holds)) {                                                                            \
            printf("%s:%d: does not hold: %s\n", __FILE__, __LINE__, #holds);                      \
            fflush(stdout);                                                                        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

// ---- bytes as a file ---------------------------------------------------------------------------

// A path under which `size` bytes at `data` can be read; valid until the next call.
static inline const char *fuzz_file(const uint8_t *data, size_t size)
{
    static char path[32];
    static int fd = -1;
    if (fd < 0) {
        fd = memfd_create("fuzz", 0);
        fuzz_check(fchmod(fd, 0600) == 0); // else others may write it, which is refused
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    fuzz_check(ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
    return path;
}

// ---- a folder of this process -------------------------------------------------------------------

static inline int fuzz_remove_entry(const char *entry, const struct stat *status, int kind,
                                    struct FTW *walk)
{
    (void)status, (void)kind, (void)walk;
    (void)remove(entry);
    return 0;
}

static inline void fuzz_remove_cell(void)
{
    nftw(getenv("UKEMI_CELL"), fuzz_remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

// Makes the folder of a cell, which is UKEMI_CELL from now on; it is gone with all that is in it
// when the process ends. Once.
static inline const char *fuzz_cell(void)
{
    static char cell[] = "/dev/shm/ukemi-fuzz-XXXXXX";
    fuzz_check(mkdtemp(cell) != NULL && setenv("UKEMI_CELL", cell, 1) == 0 &&
               atexit(fuzz_remove_cell) == 0);
    return cell;
}

// ---- what programs say is their duty, and of no interest here -----------------------------------

// Between the two calls standard output goes nowhere.
static inline void fuzz_hush(bool on)
{
    static int saved = -1, nowhere = -1;
    if (saved < 0) {
        saved = dup(STDOUT_FILENO);
        nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    }
    fflush(stdout);
    (void)dup2(on ? nowhere : saved, STDOUT_FILENO);
}

// ---- bytes as values; when the input is used up, all that follows is 0 -------------------------

struct fuzz_input {
    const uint8_t *data;
    size_t size, at;
};

static inline bool fuzz_more(const struct fuzz_input *input)
{
    return input->at < input->size;
}

static inline void fuzz_take(struct fuzz_input *input, void *value, size_t size)
{
    size_t rest = input->size - input->at, taken = size < rest ? size : rest;
    memset(value, 0, size);
    if (taken > 0)
        memcpy(value, input->data + input->at, taken);
    input->at += taken;
}

static inline uint8_t fuzz_u8(struct fuzz_input *input)
{
    uint8_t value;
    fuzz_take(input, &value, sizeof value);
    return value;
}

static inline uint16_t fuzz_u16(struct fuzz_input *input)
{
    uint16_t value;
    fuzz_take(input, &value, sizeof value);
    return value;
}

// Numbers that hurt.
static inline uint64_t fuzz_special(unsigned kind)
{
    static const double number[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308, 1e-310, 1e9, -1e9};
    static const uint64_t word[] = {0, 1, UINT64_MAX, INT64_MAX, (uint64_t)INT64_MIN, 1ull << 32};
    uint64_t bits;
    if (kind % 16 >= 8)
        return word[kind % 16 % (sizeof word / sizeof word[0])];
    memcpy(&bits, &number[kind % 16], sizeof bits);
    return bits;
}

// Overwrites up to seven words of a sensible message by special or arbitrary values, or, rarely,
// all of it by arbitrary bytes: so an input can be wrong in one place and still get past the checks
// of the others.
static inline void fuzz_disturb(struct fuzz_input *input, void *message, size_t size)
{
    unsigned count = fuzz_u8(input) % 9;
    if (count == 8) {
        fuzz_take(input, message, size);
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        uint8_t kind = fuzz_u8(input);
        size_t word = kind & 1 ? 4 : 8, offset = fuzz_u16(input) % (size / word) * word;
        uint64_t value = fuzz_special(kind >> 1);
        if (kind & 0x80)
            fuzz_take(input, &value, word);
        memcpy((char *)message + offset, &value, word);
    }
}

// ---- bytes as a command line --------------------------------------------------------------------

#define FUZZ_WORDS_MAX 12

// Splits the rest of the input at zeros into words; a byte 1, 2 ... at a word's beginning
// stands for a word of `known`. `storage` holds the words; returns their number.
static inline int fuzz_words(struct fuzz_input *input, const char *const *known, size_t known_count,
                             char storage[FUZZ_WORDS_MAX][256], char *word[FUZZ_WORDS_MAX + 1])
{
    int count = 0;
    while (fuzz_more(input) && count < FUZZ_WORDS_MAX) {
        char *text = storage[count];
        size_t length = 0;
        const uint8_t first = fuzz_u8(input);
        if (first > 0 && first <= known_count) {
            snprintf(text, 256, "%s", known[first - 1]);
            length = strlen(text);
        } else if (first != 0) {
            text[length++] = (char)first;
        }
        for (uint8_t byte; fuzz_more(input) && (byte = fuzz_u8(input)) != 0;)
            if (length < 255)
                text[length++] = (char)byte;
        text[length] = '\0';
        word[count++] = text;
    }
    word[count] = NULL;
    return count;
}
