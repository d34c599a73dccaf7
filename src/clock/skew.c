// The clock's page as those see it who open it, and clocks on it that are wrong.
#include "clock/skew.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock/futex.h"
#include "clock/page.h"

#define PPB INT64_C(1000000000)
#define READS_MAX 64 // while the page changes

// ---- the page ----

enum status clk_page_map(const char *cell, struct clk_page **page)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", cell, CLK_FILE) >= (int)sizeof path)
        return STATUS_NOT_FOUND;
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT ? STATUS_NOT_FOUND : STATUS_SYSTEM;
    struct stat info;
    void *memory = MAP_FAILED;
    enum status status = STATUS_CORRUPT;
    if (fstat(file, &info) != 0)
        status = STATUS_SYSTEM;
    else if (info.st_size == (off_t)sizeof(struct clk_page)) {
        memory = mmap(NULL, sizeof(struct clk_page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        status = memory == MAP_FAILED ? STATUS_SYSTEM : STATUS_OK;
    }
    close(file);
    if (status != STATUS_OK)
        return status;
    *page = memory;
    if ((*page)->magic == CLK_PAGE_MAGIC && (*page)->version == CLK_PAGE_VERSION &&
        (*page)->size_B == sizeof(struct clk_page))
        return STATUS_OK;
    munmap(memory, sizeof(struct clk_page));
    return STATUS_CORRUPT;
}

bool clk_page_thread_name(char name[CLK_NAME_MAX], const char *process, const char *thread)
{
    return snprintf(name, CLK_NAME_MAX, "%s/%s", process, thread) < CLK_NAME_MAX;
}

struct clk_slot *clk_page_slot(struct clk_page *page, const char *name)
{
    uint32_t count = atomic_load(&page->participant_count);
    for (uint32_t i = 0; i < count && i < CLK_PARTICIPANTS_MAX; i++)
        if (strncmp(page->slot[i].name, name, CLK_NAME_MAX) == 0)
            return &page->slot[i];
    return NULL;
}

// ---- how a wrong clock goes ----

struct skew {
    int64_t step_ns, rate_ppb, since_ns;
};

static struct skew read_skew(const struct clk_page_skew *from, bool steps)
{
    struct skew skew = {0};
    for (int i = 0; i < READS_MAX; i++) {
        const uint32_t version = atomic_load(&from->version);
        skew = (struct skew){.step_ns = steps ? atomic_load(&from->step_ns) : 0,
                             .rate_ppb = atomic_load(&from->rate_ppb),
                             .since_ns = atomic_load(&from->since_ns)};
        if (version % 2 == 0 && version == atomic_load(&from->version))
            break;
    }
    return skew;
}

static int64_t within_int64(__int128 ns)
{
    return ns > INT64_MAX ? INT64_MAX : ns < INT64_MIN ? INT64_MIN : (int64_t)ns;
}

int64_t clk_skew_local_ns(const struct clk_page_skew *from, bool steps, int64_t true_ns)
{
    const struct skew skew = read_skew(from, steps);
    const __int128 passed_ns = (__int128)true_ns - skew.since_ns;
    return within_int64((__int128)true_ns + skew.step_ns + passed_ns * skew.rate_ppb / PPB);
}

int64_t clk_skew_true_ns(const struct clk_page_skew *from, bool steps, int64_t local_ns)
{
    const struct skew skew = read_skew(from, steps);
    const __int128 left_ns = (__int128)local_ns - skew.step_ns - skew.since_ns;
    const int64_t speed_ppb = PPB + skew.rate_ppb;
    if (local_ns == INT64_MAX || speed_ppb <= 0)
        return INT64_MAX;
    return within_int64(skew.since_ns + (left_ns * PPB + speed_ppb - 1) / speed_ppb);
}

// ---- a fault's side ----

static int64_t now_ns(const struct clk_page *page)
{
    return page->mode == CLK_VIRTUAL ? atomic_load(&page->now_ns)
                                     : monotonic_ns() - atomic_load(&page->epoch_ns);
}

static enum status open_slot(const char *cell, const char *participant, struct clk_page **page,
                             struct clk_slot **slot)
{
    const enum status status = clk_page_map(cell, page);
    if (status != STATUS_OK)
        return status;
    *slot = clk_page_slot(*page, participant);
    if (*slot != NULL)
        return STATUS_OK;
    munmap(*page, sizeof **page);
    return STATUS_NOT_FOUND;
}

enum status clk_skew_begin(const char *cell, const char *participant, const struct clk_skew *skew)
{
    struct clk_page *page;
    struct clk_slot *slot;
    if (skew->rate_ppb < CLK_STANDS_STILL_PPB)
        return STATUS_INVALID;
    const enum status status = open_slot(cell, participant, &page, &slot);
    if (status != STATUS_OK)
        return status;
    atomic_fetch_add(&slot->skew.version, 1);
    atomic_store(&slot->skew.step_ns, skew->step_ns);
    atomic_store(&slot->skew.rate_ppb, skew->rate_ppb);
    atomic_store(&slot->skew.since_ns, now_ns(page));
    atomic_store(&slot->skew.tag, skew->tag);
    atomic_store(&slot->skew.busy_ns, skew->busy_ns);
    atomic_store(&slot->skew.turns_max, skew->turns);
    atomic_store(&slot->skew.turns, 0);
    atomic_fetch_add(&slot->skew.version, 1);
    atomic_store(&slot->skew.active, 1);
    munmap(page, sizeof *page);
    return STATUS_OK;
}

enum status clk_skew_end(const char *cell, const char *participant, uint64_t tag)
{
    struct clk_page *page;
    struct clk_slot *slot;
    enum status status = open_slot(cell, participant, &page, &slot);
    if (status != STATUS_OK)
        return status;
    if (atomic_load(&slot->skew.active) != 0 && atomic_load(&slot->skew.tag) == tag) {
        atomic_store(&slot->skew.active, 0);
        atomic_store(&slot->skew.turns_at_end, atomic_load(&slot->skew.turns));
    } else {
        status = STATUS_NOT_FOUND;
    }
    munmap(page, sizeof *page);
    return status;
}

enum status clk_skew_turns(const char *cell, const char *participant, uint64_t tag,
                           struct clk_skew_turns *turns)
{
    struct clk_page *page;
    struct clk_slot *slot;
    enum status status = open_slot(cell, participant, &page, &slot);
    if (status != STATUS_OK)
        return status;
    *turns = (struct clk_skew_turns){.now = atomic_load(&slot->skew.turns),
                                     .at_end = atomic_load(&slot->skew.turns_at_end),
                                     .ended = atomic_load(&slot->skew.active) == 0};
    if (atomic_load(&slot->skew.tag) != tag)
        status = STATUS_NOT_FOUND;
    munmap(page, sizeof *page);
    return status;
}
