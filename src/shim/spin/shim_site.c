#include "shim/spin/shim_site.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "shim/shim.h"

#define BREAKPOINT 0xCC
#define PAGE_B 4096U
#define LIBRARIES_MAX 2

static struct shim_site sites[SHIM_SITES_MAX];
static struct {
    uintptr_t from, size_B;
} libraries[LIBRARIES_MAX];

void shim_site_library(const void *from, uint64_t size_B)
{
    for (unsigned i = 0; i < LIBRARIES_MAX; i++)
        if (libraries[i].size_B == 0) {
            libraries[i].from = (uintptr_t)from;
            libraries[i].size_B = size_B;
            return;
        }
}

bool shim_site_is_ours(const uint8_t *place)
{
    for (unsigned i = 0; i < LIBRARIES_MAX; i++)
        if ((uintptr_t)place - libraries[i].from < libraries[i].size_B)
            return true;
    return false;
}

// ---- the protection of its memory ---------------------------------------------------------------

// A line of /proc/self/maps: whether it is about the place, and what it says.
static bool says(const char *line, uintptr_t place, int *protection)
{
    char *rest;
    const uintptr_t from = strtoul(line, &rest, 16);
    const uintptr_t end = *rest == '-' ? strtoul(rest + 1, &rest, 16) : 0;
    if (place < from || place >= end || rest[0] != ' ' || strlen(rest) < 5)
        return false;
    *protection = (rest[1] == 'r' ? PROT_READ : 0) | (rest[2] == 'w' ? PROT_WRITE : 0) |
                  (rest[3] == 'x' ? PROT_EXEC : 0);
    return rest[4] == 'p'; // what is shared is not ours to change
}

static bool find_protection(const uint8_t *place, int *protection)
{
    static char text[4096]; // by one thread at a time
    size_t kept = 0;
    ssize_t got;
    bool found = false;
    const int file = (int)KERNEL(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
    while (file >= 0 && !found &&
           (got = KERNEL(SYS_read, file, text + kept, sizeof text - 1 - kept)) > 0) {
        char *line = text, *end;
        text[kept + (size_t)got] = '\0';
        for (; !found && (end = strchr(line, '\n')) != NULL; line = end + 1) {
            *end = '\0';
            found = says(line, (uintptr_t)place, protection);
        }
        kept = strlen(line);
        if (kept >= sizeof text - 1)
            break;
        memmove(text, line, kept);
    }
    if (file >= 0)
        KERNEL(SYS_close, file);
    return found;
}

// ---- breakpoints --------------------------------------------------------------------------------

static bool write_code(const struct shim_site *site, uint8_t code)
{
    char *const page = (char *)((uintptr_t)site->place / PAGE_B * PAGE_B);
    if (KERNEL(SYS_mprotect, page, PAGE_B, site->protection | PROT_WRITE) != 0)
        return false;
    *(volatile uint8_t *)site->place = code;
    KERNEL(SYS_mprotect, page, PAGE_B, site->protection);
    return true;
}

struct shim_site *shim_site_at(const uint8_t *place)
{
    for (unsigned i = 0; i < SHIM_SITES_MAX; i++)
        if (sites[i].place == place)
            return &sites[i];
    return NULL;
}

struct shim_site *shim_site_new(uint8_t *place, unsigned steps)
{
    struct shim_site *const site = shim_site_at(NULL);
    if (site == NULL || shim_site_is_ours(place))
        return NULL;
    *site = (struct shim_site){.place = place, .was = *place, .steps = steps};
    if (find_protection(place, &site->protection) && write_code(site, BREAKPOINT))
        return site;
    site->place = NULL;
    return NULL;
}

void shim_site_plant(struct shim_site *site)
{
    if (!write_code(site, BREAKPOINT))
        site->place = NULL;
}

void shim_site_lift(struct shim_site *site)
{
    (void)write_code(site, site->was); // as it could be planted
}

void shim_site_forget(struct shim_site *site)
{
    site->place = NULL;
}

// Each place is kept for twice as many as the one before (shim_cycle.c), and the loop must have
// been gone through once before.
unsigned shim_site_steps(const struct shim_site *site)
{
    return 8 * site->steps + 32;
}
