// A library that goes wild in the program that it is preloaded into: once, at its WILD_AT-th wait,
// it writes where a wild pointer might, by WILD_ACT, as the numbers drawn from WILD_SEED say.
//
// clock-*: into the clock's page. own-*: into what the program has mapped to write of the cell.
// other-*: into any channel that the kernel lets it open. memory-*: into its own data and heap.
// *-word: eight bytes. *-bit: one. *-zero, *-noise: all. clock-now, -skew, -alive, -deadline,
// -turn: what the name says, of everybody.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"
#include "clock/page.h"

#define PLACES_MAX 256

struct place {
    unsigned char *memory;
    size_t size_B;
};

static struct random_stream chance;
static long waits, wild_at;
static const char *act = "";

// ---- where -------------------------------------------------------------------------------------

// Mappings of this program whose line of /proc/self/maps has both words.
static unsigned find_mapped(const char *rights, const char *name, struct place *place)
{
    char line[512];
    unsigned count = 0;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps != NULL && count < PLACES_MAX && fgets(line, sizeof line, maps) != NULL) {
        unsigned long from, to;
        if (strstr(line, rights) != NULL && strstr(line, name) != NULL &&
            sscanf(line, "%lx-%lx", &from, &to) == 2)
            // NOLINTNEXTLINE(performance-no-int-to-ptr): as the kernel tells it
            place[count++] = (struct place){(unsigned char *)from, to - from};
    }
    if (maps != NULL)
        (void)fclose(maps);
    return count;
}

static bool open_file(const char *path, struct place *place)
{
    struct stat info;
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0 || fstat(file, &info) != 0)
        return false;
    place->size_B = (size_t)info.st_size;
    place->memory = mmap(NULL, place->size_B, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return place->memory != MAP_FAILED;
}

static unsigned find_channels(struct place *place)
{
    char folder[256], path[600];
    unsigned count = 0;
    snprintf(folder, sizeof folder, "%s/channels", getenv("UKEMI_CELL"));
    DIR *list = opendir(folder);
    for (struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && count < PLACES_MAX)
            count += open_file(path, &place[count]);
    }
    if (list != NULL)
        closedir(list);
    return count;
}

// What participants have of the page is at its beginning.
static unsigned find_clock(struct place *place)
{
    char path[300];
    snprintf(path, sizeof path, "%s/clock", getenv("UKEMI_CELL"));
    if (!open_file(path, place))
        return 0;
    const struct clk_page *page = (const struct clk_page *)place->memory;
    const size_t used_B =
        offsetof(struct clk_page, slot) + page->participant_count * sizeof page->slot[0];
    place->size_B = used_B < place->size_B ? used_B : place->size_B;
    return 1;
}

static unsigned find(struct place *place)
{
    if (strncmp(act, "clock-", 6) == 0)
        return find_clock(place);
    if (strncmp(act, "own-", 4) == 0)
        return find_mapped("rw-s", "/channels/", place);
    if (strncmp(act, "other-", 6) == 0)
        return find_channels(place);
    char program[256] = "";
    (void)!readlink("/proc/self/exe", program, sizeof program - 1);
    const unsigned count = find_mapped("rw-p", program, place);
    return count + find_mapped("rw-p", "[heap]", place + count);
}

// ---- what --------------------------------------------------------------------------------------

static void write_noise(struct place at)
{
    for (size_t i = 0; i < at.size_B; i++)
        at.memory[i] = (unsigned char)random_bits(&chance);
}

static void write_of_everybody(struct clk_page *page, const char *what)
{
    for (unsigned i = 0; i < page->participant_count; i++) {
        struct clk_slot *slot = &page->slot[i];
        if (strcmp(what, "skew") == 0) {
            slot->skew.rate_ppb = (int64_t)(random_bits(&chance) % 2000000000) - 1000000000;
            slot->skew.since_ns = page->now_ns;
            slot->skew.active = 1;
        }
        if (strcmp(what, "alive") == 0)
            memset(&slot->alive, 0, sizeof slot->alive);
        if (strcmp(what, "deadline") == 0)
            slot->deadline_ns += (int64_t)(random_bits(&chance) % 1000000000);
        if (strcmp(what, "turn") == 0)
            slot->turn = (uint32_t)(random_bits(&chance) % 4);
    }
    if (strcmp(what, "now") == 0)
        page->now_ns += (int64_t)(random_bits(&chance) % 1000000000) + 1;
}

static void go_wild(void)
{
    struct place places[2 * PLACES_MAX];
    const unsigned count = find(places);
    const char *what = strchr(act, '-') == NULL ? "" : strchr(act, '-') + 1;
    if (count == 0)
        return;
    const struct place at = places[random_bits(&chance) % count];
    const size_t offset = random_bits(&chance) % (at.size_B / 8) * 8;
    const uint64_t word = random_bits(&chance);
    printf("goes wild: %s\n", act);
    if (strcmp(what, "word") == 0)
        memcpy(at.memory + offset, &word, sizeof word);
    else if (strcmp(what, "bit") == 0)
        at.memory[offset + word % 8] ^= (unsigned char)(1U << (word >> 8) % 8);
    else if (strcmp(what, "zero") == 0)
        memset(at.memory, 0, at.size_B);
    else if (strcmp(what, "noise") == 0)
        write_noise(at);
    else
        write_of_everybody((struct clk_page *)at.memory, what);
}

// ---- when --------------------------------------------------------------------------------------

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("WILD_AT"), *seed = getenv("WILD_SEED");
    if (at == NULL || seed == NULL || getenv("WILD_ACT") == NULL)
        return;
    act = getenv("WILD_ACT");
    wild_at = atol(at);
    random_start(&chance, strtoull(seed, NULL, 10), "wild");
}

static void wait_begins(void)
{
    if (wild_at > 0 && ++waits == wild_at)
        go_wild();
}

long syscall(long number, ...)
{
    static long (*next)(long number, ...);
    long word[6];
    va_list arguments;
    va_start(arguments, number);
    for (int i = 0; i < 6; i++)
        word[i] = va_arg(arguments, long);
    va_end(arguments);
    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "syscall");
    if (number == SYS_futex)
        wait_begins();
    return next(number, word[0], word[1], word[2], word[3], word[4], word[5]);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest)
{
    static int (*next)(clockid_t clock, int flags, const struct timespec *time,
                       struct timespec *rest);
    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "clock_nanosleep");
    wait_begins();
    return next(clock, flags, time, rest);
}
