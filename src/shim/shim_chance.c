// Chance: drawn from the trial's seed and the participant's name.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <unistd.h>

#include "shim/shim.h"

#define FILES_MAX 16 // of chance, open at a time
#define ENTROPY_MAX_B 256
#define GIVEN_B 16 // AT_RANDOM

static int chance_file[FILES_MAX]; // number + 1; 0: none

static void start(struct random_stream *chance, const char *what)
{
    const char *seed = getenv("UKEMI_SEED");
    char stream[96];
    snprintf(stream, sizeof stream, "%s%s %d %llu", what, shim.name, shim_self,
             (unsigned long long)shim.page->calls);
    random_start(chance, seed != NULL ? strtoull(seed, NULL, 10) : 1, stream);
}

void shim_chance_begin(void)
{
    start(&shim.chance, "");
}

static void fill(struct random_stream *chance, void *bytes, size_t size_B)
{
    unsigned char *byte = bytes;
    for (size_t i = 0; i < size_B; i++)
        byte[i] = (unsigned char)(random_bits(chance) >> 32);
}

void shim_chance_fill(void *bytes, size_t size_B)
{
    fill(&shim.chance, bytes, size_B);
}

void shim_chance_given(void)
{
    struct random_stream chance;
    void *const given = (void *)getauxval(AT_RANDOM);
    start(&chance, "given ");
    if (given != NULL)
        fill(&chance, given, GIVEN_B);
}

PUBLIC ssize_t getrandom(void *bytes, size_t size_B, unsigned flags)
{
    if (!shim_on())
        return KERNEL(SYS_getrandom, bytes, size_B, flags);
    shim_chance_fill(bytes, size_B);
    return (ssize_t)size_B;
}

PUBLIC int getentropy(void *bytes, size_t size_B)
{
    if (size_B > ENTROPY_MAX_B) {
        errno = EIO;
        return -1;
    }
    return getrandom(bytes, size_B, 0) == (ssize_t)size_B ? 0 : -1;
}

PUBLIC uint32_t arc4random(void)
{
    uint32_t number;
    (void)!getrandom(&number, sizeof number, 0);
    return number;
}

PUBLIC void arc4random_buf(void *bytes, size_t size_B)
{
    (void)!getrandom(bytes, size_B, 0);
}

PUBLIC uint32_t arc4random_uniform(uint32_t bound)
{
    return bound < 2 ? 0 : (uint32_t)(((uint64_t)arc4random() * bound) >> 32);
}

// std::random_device of C++, which else asks the processor (RDRAND).
#define RANDOM_DEVICE "_ZNSt13random_device9_M_getvalEv"
unsigned shim_random_device(void *device) __asm__(RANDOM_DEVICE);
PUBLIC unsigned shim_random_device(void *device)
{
    static unsigned (*next)(void *);
    if (shim_on())
        return arc4random();
    if (next == NULL)
        next = (unsigned (*)(void *))shim_next(RANDOM_DEVICE);
    return next(device);
}

// ---- files ----

bool shim_chance_file(int descriptor)
{
    for (int i = 0; i < FILES_MAX; i++)
        if (chance_file[i] == descriptor + 1)
            return true;
    return false;
}

void shim_chance_closed(int descriptor)
{
    for (int i = 0; i < FILES_MAX; i++)
        if (chance_file[i] == descriptor + 1)
            chance_file[i] = 0;
}

bool shim_chance_opened(int descriptor)
{
    for (int i = 0; i < FILES_MAX; i++)
        if (chance_file[i] == 0) {
            chance_file[i] = descriptor + 1;
            return true;
        }
    return false;
}

void shim_chance_copied(int from, int to)
{
    if (to >= 0 && shim_on() && shim_chance_file(from) && !shim_chance_opened(to))
        shim_leak("has too many files of chance open at a time");
}
