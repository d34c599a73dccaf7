#include "channel/tamper.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/random.h"
#include "clock/futex.h"

#define PAGE_MAGIC 0x7265706d6174U // "tamper"
#define PATH_SIZE 4096
#define PPM 1000000
#define DELAY_MAX_NS ((int64_t)3600 * NS_PER_S)

struct tamper_slot {
    _Atomic uint32_t active;
    uint32_t padding;
    _Atomic uint64_t drawn, hit, hit_when_taken;
    struct tampering what; // does not change while it is active
};

struct tamper_page {
    uint64_t magic;
    _Atomic uint64_t changes;
    _Atomic uint32_t watch_id;
    uint32_t padding;
    struct tamper_slot slot[TAMPERINGS_MAX];
    struct tamper_layout layout;
};

static bool write_path(char path[PATH_SIZE], const char *cell, const char *name)
{
    return snprintf(path, PATH_SIZE, "%s/tamper-%s", cell, name) < PATH_SIZE;
}

static enum status map(int file, struct tamper_page **page)
{
    void *memory = mmap(NULL, sizeof **page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED)
        return STATUS_SYSTEM;
    *page = memory;
    return STATUS_OK;
}

enum status tamper_create(const char *cell, const char *name)
{
    char path[PATH_SIZE];
    if (!write_path(path, cell, name))
        return STATUS_INVALID;
    const int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return STATUS_SYSTEM;
    struct tamper_page *page;
    enum status status = ftruncate(file, sizeof *page) == 0 ? map(file, &page) : STATUS_SYSTEM;
    close(file);
    if (status != STATUS_OK)
        return status;
    page->magic = PAGE_MAGIC;
    tamper_close(page);
    return STATUS_OK;
}

enum status tamper_open(const char *cell, const char *name, struct tamper_page **page)
{
    char path[PATH_SIZE];
    struct stat about;
    if (!write_path(path, cell, name))
        return STATUS_INVALID;
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT ? STATUS_NOT_FOUND : STATUS_SYSTEM;
    enum status status = fstat(file, &about) != 0                ? STATUS_SYSTEM
                         : about.st_size != (off_t)sizeof **page ? STATUS_CORRUPT
                                                                 : map(file, page);
    close(file);
    if (status == STATUS_OK && (*page)->magic != PAGE_MAGIC) {
        tamper_close(*page);
        status = STATUS_CORRUPT;
    }
    return status;
}

void tamper_close(struct tamper_page *page)
{
    if (page != NULL)
        munmap(page, sizeof *page);
}

struct tamper_layout *tamper_layout(struct tamper_page *page)
{
    return &page->layout;
}

const _Atomic uint64_t *tamper_changes(const struct tamper_page *page)
{
    return &page->changes;
}

void tamper_set_watch(struct tamper_page *page, uint32_t watch_id)
{
    atomic_store(&page->watch_id, watch_id);
}

struct clk_watch tamper_watch(const struct tamper_page *page, uint64_t seen)
{
    return (struct clk_watch){
        .word = &page->changes, .seen = seen, .id = atomic_load(&page->watch_id)};
}

// ---- a fault's side -----------------------------------------------------------------------------

static void tell(struct tamper_page *page)
{
    atomic_fetch_add(&page->changes, 1);
    if (atomic_load(&page->watch_id) == CLK_WATCH_NONE)
        futex_wake(&page->changes, INT32_MAX);
}

static bool has_field(const struct tampering *what)
{
    return what->kind == TAMPER_SET || what->kind == TAMPER_ADD || what->kind == TAMPER_NOISE ||
           what->kind == TAMPER_SWAP || what->kind == TAMPER_FORGE;
}

static bool is_field_sound(const struct tampering *what)
{
    const int64_t apart_B = (int64_t)what->other_offset_B - what->field_offset_B;
    return (what->field_width_B == sizeof(float) || what->field_width_B == sizeof(double)) &&
           (what->kind != TAMPER_SWAP || apart_B >= what->field_width_B ||
            -apart_B >= what->field_width_B);
}

static bool is_sound(const struct tampering *what)
{
    return what->kind != TAMPER_NONE && what->kind < TAMPERING_KINDS && what->share_ppm <= PPM &&
           what->burst > 0 && what->delay_ns >= 0 && what->delay_ns <= DELAY_MAX_NS &&
           (what->kind != TAMPER_FORGE || what->delay_ns > 0) &&
           (what->kind != TAMPER_THIN || what->amount > 0) &&
           (!has_field(what) || is_field_sound(what));
}

// The first slot that was never used, so that what others did can be asked for as long as possible;
// otherwise the first that is free.
static unsigned find_free(const struct tamper_page *page)
{
    unsigned free = TAMPERINGS_MAX;
    for (unsigned i = TAMPERINGS_MAX; i-- > 0;)
        if (atomic_load(&page->slot[i].active) == 0 &&
            (free == TAMPERINGS_MAX || page->slot[i].what.kind == TAMPER_NONE ||
             page->slot[free].what.kind != TAMPER_NONE))
            free = i;
    return free;
}

enum status tamper_put(struct tamper_page *page, const struct tampering *what, unsigned *slot)
{
    if (!is_sound(what))
        return STATUS_INVALID;
    const unsigned i = find_free(page);
    if (i == TAMPERINGS_MAX)
        return STATUS_FULL;
    struct tamper_slot *free = &page->slot[i];
    free->what = *what;
    atomic_store(&free->drawn, 0);
    atomic_store(&free->hit, 0);
    atomic_store(&free->hit_when_taken, 0);
    atomic_store(&free->active, 1);
    tell(page);
    *slot = i;
    return STATUS_OK;
}

enum status tamper_take(struct tamper_page *page, unsigned slot)
{
    if (slot >= TAMPERINGS_MAX || atomic_load(&page->slot[slot].active) == 0)
        return STATUS_NOT_FOUND;
    atomic_store(&page->slot[slot].active, 0);
    atomic_store(&page->slot[slot].hit_when_taken, atomic_load(&page->slot[slot].hit));
    tell(page);
    return STATUS_OK;
}

int tamper_find(const struct tamper_page *page, uint64_t tag)
{
    for (unsigned i = 0; i < TAMPERINGS_MAX; i++)
        if (page->slot[i].what.kind != TAMPER_NONE && page->slot[i].what.tag == tag)
            return (int)i;
    return -1;
}

struct tampering_count tamper_count(const struct tamper_page *page, unsigned slot)
{
    if (slot >= TAMPERINGS_MAX)
        return (struct tampering_count){0};
    const struct tamper_slot *of = &page->slot[slot];
    return (struct tampering_count){.active = atomic_load(&of->active) != 0,
                                    .hit = atomic_load(&of->hit),
                                    .hit_when_taken = atomic_load(&of->hit_when_taken)};
}

// ---- the side of those who obey ----------------------------------------------------------------

bool tamper_get(const struct tamper_page *page, unsigned slot, struct tampering *what)
{
    if (slot >= TAMPERINGS_MAX || atomic_load(&page->slot[slot].active) == 0)
        return false;
    *what = page->slot[slot].what;
    return true;
}

void tamper_note_hit(struct tamper_page *page, unsigned slot)
{
    if (slot < TAMPERINGS_MAX)
        atomic_fetch_add(&page->slot[slot].hit, 1);
}

bool tamper_draw(struct tamper_page *page, unsigned slot, const struct tampering *what)
{
    if (slot >= TAMPERINGS_MAX)
        return false;
    struct tamper_slot *of = &page->slot[slot];
    struct random_stream random;
    const uint64_t burst = what->burst > 0 ? what->burst : 1;
    random_start(&random, what->seed ^ atomic_fetch_add(&of->drawn, 1) / burst, "tampering");
    if (random_uniform(&random, 0, PPM) >= what->share_ppm ||
        (what->most > 0 && atomic_load(&of->hit) >= what->most))
        return false;
    tamper_note_hit(page, slot);
    return true;
}
