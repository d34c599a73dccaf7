// The clock's page as those see it who open it, and clocks on it that are wrong.
#include "clock/skew.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/invariant.h"
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

// ---- faults that meet ---------------------------------------------------------------------------
//
// What each asks for stands in a file of the participant, and the page has what they come to. Steps
// and rates add up; of longer turns the newest counts. A clock that stands still shows what it
// showed when it stopped, and the steps since: also if the others would have it go backwards.

#define SKEWS_MAX 32

struct acting {
    struct clk_skew asked;
    int64_t since_ns;
    uint64_t turns_before, turns_at_end; // of all that took longer; before it, and when it ended
    bool ended;
};

struct skews {
    uint64_t count;
    struct acting acting[SKEWS_MAX]; // in the order in which they began
};

static int open_skews(const char *cell, const char *participant, struct skews *skews)
{
    char path[4096];
    *skews = (struct skews){0};
    if (snprintf(path, sizeof path, "%s/skew-%s", cell, participant) >= (int)sizeof path)
        return -1;
    const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    const ssize_t got = file < 0 ? -1 : pread(file, skews, sizeof *skews, 0);
    if (got != (ssize_t)sizeof *skews || skews->count > SKEWS_MAX)
        *skews = (struct skews){0};
    return file;
}

static struct acting *find_skew(struct skews *skews, uint64_t tag)
{
    for (uint64_t i = skews->count; i-- > 0;)
        if (skews->acting[i].asked.tag == tag)
            return &skews->acting[i];
    return NULL;
}

struct sum {
    int64_t step_ns, rate_ppb, since_ns, busy_ns;
    uint64_t turns_max, tag, count;
};

static int64_t gained_ns(const struct acting *acting, int64_t at_ns)
{
    return at_ns <= acting->since_ns
               ? 0
               : within_int64((__int128)(at_ns - acting->since_ns) * acting->asked.rate_ppb / PPB);
}

// When the first of them stops the clock; INT64_MAX: none does.
static int64_t stops_at_ns(const struct skews *skews)
{
    int64_t rate_ppb = 0;
    for (uint64_t i = 0; i < skews->count; i++) {
        const struct acting *acting = &skews->acting[i];
        if (acting->ended)
            continue;
        rate_ppb += acting->asked.rate_ppb;
        if (rate_ppb <= CLK_STANDS_STILL_PPB || acting->asked.rate_ppb == CLK_STANDS_STILL_PPB)
            return acting->since_ns;
    }
    return INT64_MAX;
}

// One rate that shows, from its `since`, what all have gained: 1 ppb where they cancel out.
static void sum_rates(const struct skews *skews, struct sum *sum)
{
    expects(skews->count <= SKEWS_MAX && sum->rate_ppb == 0);
    const int64_t stop_ns = stops_at_ns(skews);
    __int128 moment = 0;
    int64_t gained = 0;
    for (uint64_t i = 0; i < skews->count; i++) {
        const struct acting *acting = &skews->acting[i];
        if (acting->ended)
            continue;
        sum->rate_ppb += acting->asked.rate_ppb;
        moment += (__int128)acting->asked.rate_ppb * acting->since_ns;
        gained = within_int64((__int128)gained + gained_ns(acting, stop_ns));
    }
    if (stop_ns != INT64_MAX) {
        sum->rate_ppb = CLK_STANDS_STILL_PPB;
        sum->since_ns = within_int64((__int128)stop_ns + gained);
        return;
    }
    if (sum->rate_ppb == 0 && moment != 0)
        sum->rate_ppb = 1;
    sum->since_ns = sum->rate_ppb == 0 ? 0 : within_int64(moment / sum->rate_ppb);
}

static struct sum sum_up(const struct skews *skews)
{
    struct sum sum = {0};
    for (uint64_t i = 0; i < skews->count; i++) {
        const struct acting *acting = &skews->acting[i];
        if (acting->ended)
            continue;
        sum.count++;
        sum.tag = acting->asked.tag;
        sum.step_ns = within_int64((__int128)sum.step_ns + acting->asked.step_ns);
        if (acting->asked.busy_ns <= 0)
            continue;
        sum.busy_ns = acting->asked.busy_ns;
        sum.turns_max = acting->asked.turns > 0 ? acting->turns_before + acting->asked.turns : 0;
    }
    sum_rates(skews, &sum);
    ensures(sum.count <= skews->count && sum.rate_ppb >= CLK_STANDS_STILL_PPB);
    return sum;
}

static void show(struct clk_page_skew *page, const struct skews *skews)
{
    const struct sum sum = sum_up(skews);
    atomic_fetch_add(&page->version, 1);
    atomic_store(&page->step_ns, sum.step_ns);
    atomic_store(&page->rate_ppb, sum.rate_ppb);
    atomic_store(&page->since_ns, sum.since_ns);
    if (sum.count > 0)
        atomic_store(&page->tag, sum.tag);
    atomic_store(&page->busy_ns, sum.busy_ns);
    atomic_store(&page->turns_max, sum.turns_max);
    atomic_fetch_add(&page->version, 1);
    atomic_store(&page->active, sum.count > 0);
}

static enum status keep(int file, const struct skews *skews)
{
    const bool kept = pwrite(file, skews, sizeof *skews, 0) == (ssize_t)sizeof *skews;
    close(file);
    return kept ? STATUS_OK : STATUS_SYSTEM;
}

enum status clk_skew_begin(const char *cell, const char *participant, const struct clk_skew *skew)
{
    struct clk_page *page;
    struct clk_slot *slot;
    struct skews skews;
    if (skew->rate_ppb < CLK_STANDS_STILL_PPB)
        return STATUS_INVALID;
    enum status status = open_slot(cell, participant, &page, &slot);
    if (status != STATUS_OK)
        return status;
    const int file = open_skews(cell, participant, &skews);
    if (file >= 0 && skews.count < SKEWS_MAX) {
        skews.acting[skews.count++] =
            (struct acting){.asked = *skew,
                            .since_ns = now_ns(page),
                            .turns_before = atomic_load(&slot->skew.turns)};
        status = keep(file, &skews);
        show(&slot->skew, &skews);
    } else {
        status = file < 0 ? STATUS_SYSTEM : STATUS_FULL;
        if (file >= 0)
            close(file);
    }
    munmap(page, sizeof *page);
    return status;
}

enum status clk_skew_end(const char *cell, const char *participant, uint64_t tag)
{
    struct clk_page *page;
    struct clk_slot *slot;
    struct skews skews;
    enum status status = open_slot(cell, participant, &page, &slot);
    if (status != STATUS_OK)
        return status;
    const int file = open_skews(cell, participant, &skews);
    struct acting *acting = find_skew(&skews, tag);
    if (file < 0 || acting == NULL || acting->ended) {
        status = file < 0 ? STATUS_SYSTEM : STATUS_NOT_FOUND;
        if (file >= 0)
            close(file);
    } else {
        acting->ended = true;
        acting->turns_at_end = atomic_load(&slot->skew.turns);
        show(&slot->skew, &skews);
        status = keep(file, &skews);
    }
    munmap(page, sizeof *page);
    return status;
}

static bool others_are_busy(const struct skews *skews, const struct acting *acting)
{
    for (uint64_t i = 0; i < skews->count; i++)
        if (&skews->acting[i] != acting && skews->acting[i].asked.busy_ns > 0)
            return true;
    return false;
}

enum status clk_skew_turns(const char *cell, const char *participant, uint64_t tag,
                           struct clk_skew_turns *turns)
{
    struct clk_page *page;
    struct clk_slot *slot;
    struct skews skews;
    enum status status = open_slot(cell, participant, &page, &slot);
    if (status != STATUS_OK)
        return status;
    const int file = open_skews(cell, participant, &skews);
    const struct acting *acting = find_skew(&skews, tag);
    if (file >= 0)
        close(file);
    if (acting != NULL) {
        const uint64_t now = atomic_load(&slot->skew.turns);
        const uint64_t at_end = acting->ended ? acting->turns_at_end : now;
        // Those after its end are others', if there are any.
        turns->ended = acting->ended;
        turns->at_end = at_end - acting->turns_before;
        turns->now = (others_are_busy(&skews, acting) ? at_end : now) - acting->turns_before;
    }
    munmap(page, sizeof *page);
    return acting == NULL ? STATUS_NOT_FOUND : STATUS_OK;
}
