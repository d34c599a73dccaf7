// The clock page as participants gone mad leave it, read by the coordinator. Whatever they write,
// and whenever, time never goes back, the coordinator comes back within its limits however often it
// is woken, and what it knows about a participant is one of the states there are.
//
// The sources of the scheduler and of a turn's time are included with the kernel's part replaced: a
// wake lets the granted participant play its turn, a wait ends as the input says, and wall time
// passes by steps.
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>

#include "clock/coordinator_private.h"

#define PARTICIPANTS 3
#define RUNS_MAX 8
#define WALL_STEP_NS INT64_C(1000000) // that a wait takes which ends at once
#define WAITS_MAX 700000u             // far more than the limits allow: 32000 a grant

static void play_turn(const volatile void *word);
static long end_wait(const struct timespec *deadline);
static int64_t wall_ns;

static void kernel_wake(const volatile void *woken, int n)
{
    (void)n;
    play_turn(woken);
}

static long kernel_wait(const _Atomic uint32_t *waited, uint32_t expected,
                        const struct timespec *timeout)
{
    (void)waited, (void)expected, (void)timeout;
    return end_wait(NULL);
}

static long kernel_wait_any(const struct futex_waitv *words, unsigned n,
                            const struct timespec *deadline)
{
    (void)words, (void)n;
    return end_wait(deadline);
}

static int64_t kernel_time_ns(void)
{
    return wall_ns;
}

static void kernel_sleep(const struct timespec *time)
{
    wall_ns += time->tv_nsec + 1;
}

static void kernel_sleep_until(const struct timespec *until)
{
    const int64_t until_ns = (int64_t)until->tv_sec * NS_PER_S + until->tv_nsec;
    wall_ns = until_ns > wall_ns ? until_ns : wall_ns + 1;
}

#define futex_wake kernel_wake
#define futex_wait kernel_wait
#define futex_wait_any kernel_wait_any
#define monotonic_ns kernel_time_ns
#define nanosleep(time, rest) kernel_sleep(time)
#define clock_nanosleep(clock, flags, time, rest) kernel_sleep_until(time)
#define open(path, flags) (-1) // of no thread anything is to be seen
#include "clock/turn_time.c"
#undef open
#include "clock/schedule.c"

static struct clk_coordinator *coordinator;
static struct clk_coordinator pristine;
static struct clk_page *pristine_page;
static struct fuzz_input input;
static _Atomic uint64_t word;
static unsigned waits;
static int64_t last_now_ns;
static bool woken_for_ever; // once the input is used up

// ---- what the participants do ------------------------------------------------------------------

static void scribble(void)
{
    const uint8_t what = fuzz_u8(&input), which = fuzz_u8(&input);
    struct clk_slot *slot = &coordinator->page->slot[which % (PARTICIPANTS + 1)];
    uint64_t value = fuzz_special(which >> 4);
    if (what & 0x80)
        fuzz_take(&input, &value, sizeof value);
    switch (what & 7) {
    case 0:
        slot->deadline_ns = (int64_t)value;
        break;
    case 1:
        slot->deadline_ns = coordinator->now_ns + fuzz_u8(&input) - 64;
        break;
    case 2:
        slot->watch_count = (uint32_t)value;
        break;
    case 3:
        slot->watch[fuzz_u8(&input) % CLK_WATCHES_MAX] =
            (struct clk_page_watch){.seen = value, .id = (uint32_t)value ^ (what >> 3 & 3)};
        break;
    case 4:
        atomic_store(&slot->turn, (uint32_t)value);
        break;
    case 5:
        atomic_store(clk_alive_word(slot), (uint32_t)value);
        break;
    case 6:
        atomic_store(&coordinator->page->now_ns, (int64_t)value);
        atomic_store(&coordinator->page->epoch_ns, (int64_t)value);
        atomic_store(&coordinator->page->participant_count, (uint32_t)value);
        break;
    default: {
        const size_t offset = (fuzz_u16(&input) * 4u) % (sizeof(struct clk_page) - 8);
        memcpy((char *)coordinator->page + offset, &value, sizeof value);
    }
    }
}

static void look_at_time(void)
{
    fuzz_check(coordinator->now_ns >= last_now_ns);
    last_now_ns = coordinator->now_ns;
}

// The participant whose turn it is wakes.
static void play_turn(const volatile void *woken)
{
    look_at_time();
    for (unsigned i = 0; i < PARTICIPANTS; i++) {
        struct clk_slot *slot = &coordinator->page->slot[i];
        if (woken != &slot->turn)
            continue;
        slot->deadline_ns = coordinator->now_ns + 1000000;
        slot->watch_count = 0;
        const uint8_t what = fuzz_more(&input) ? fuzz_u8(&input) : 0;
        atomic_store(&slot->turn, CLK_TURN_BLOCKED);
        if (what & 1)
            atomic_fetch_add(&word, 1);
        for (unsigned n = what >> 1 & 3; n > 0; n--)
            scribble();
        if (what & 8) // a process at work, or at nothing
            atomic_store(&slot->turn, CLK_TURN_GRANTED);
    }
}

static long end_wait(const struct timespec *deadline)
{
    static const int code[] = {EAGAIN, ETIMEDOUT, EINTR};
    look_at_time();
    fuzz_check(++waits < WAITS_MAX);
    wall_ns += WALL_STEP_NS;
    const uint8_t what = fuzz_more(&input) ? fuzz_u8(&input) : woken_for_ever ? 0 : 2;
    if (what & 4)
        scribble();
    if (what % 4 == 0)
        return 0;
    errno = code[what % 4 - 1];
    if (errno == ETIMEDOUT && deadline != NULL && deadline->tv_sec * INT64_C(1000000000) > wall_ns)
        wall_ns = deadline->tv_sec * INT64_C(1000000000) + deadline->tv_nsec;
    return -1;
}

// What a supervisor sees and says, of one of them.
static void poll_hook(void *context)
{
    (void)context;
    if (!fuzz_more(&input))
        return;
    const uint8_t what = fuzz_u8(&input);
    const unsigned number = what >> 2 & 3;
    if (number >= PARTICIPANTS)
        return;
    if (what % 4 == 1)
        clk_coordinator_left(coordinator, number);
    else if (what % 4 == 2)
        clk_coordinator_stopped(coordinator, number);
    else if (what % 4 == 3)
        clk_coordinator_continued(coordinator, number);
}

// ---- the target --------------------------------------------------------------------------------

static void start(void)
{
    uint32_t id;
    unsigned number;
    fuzz_check(clk_coordinator_create(fuzz_cell(), CLK_VIRTUAL, &coordinator) == STATUS_OK);
    clk_coordinator_on_poll(coordinator, poll_hook, NULL);
    for (unsigned i = 0; i < PARTICIPANTS; i++)
        fuzz_check(clk_coordinator_add(coordinator, "p", (int)i, i == 0, &number) == STATUS_OK);
    fuzz_check(clk_coordinator_watch(coordinator, &word, &id) == STATUS_OK);
    pristine = *coordinator;
    pristine_page = malloc(sizeof *pristine_page);
    fuzz_check(pristine_page != NULL);
    *pristine_page = *coordinator->page;
}

static void run_once(uint8_t what)
{
    unsigned culprit = PARTICIPANTS;
    const instant until = instant_ns(coordinator->now_ns + INT64_C(100000) * what);
    const enum status status = clk_coordinator_run_until(coordinator, until, &culprit);
    fuzz_check(status == STATUS_OK || status == STATUS_TIMEOUT || status == STATUS_DEAD ||
               status == STATUS_CORRUPT);
    if (status != STATUS_OK)
        fuzz_check(culprit < PARTICIPANTS);
    else if (coordinator->mode == CLK_VIRTUAL)
        fuzz_check(clk_coordinator_now(coordinator).ns == until.ns);
    for (unsigned i = 0; i < PARTICIPANTS; i++)
        fuzz_check(clk_coordinator_state(coordinator, i) <= CLK_STOPPED);
    look_at_time();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (coordinator == NULL)
        start();
    struct clk_page *page = pristine.page;
    *page = *pristine_page;
    *coordinator = pristine;
    input = (struct fuzz_input){.data = data, .size = size};
    last_now_ns = wall_ns = waits = 0;
    atomic_store(&word, 1);
    const uint8_t how = fuzz_u8(&input);
    woken_for_ever = how & 1;
    coordinator->mode = how & 2 ? CLK_WALL : CLK_VIRTUAL;
    for (unsigned i = 0; i < PARTICIPANTS; i++) {
        struct clk_slot *slot = &page->slot[i];
        if (how >> 2 >> i & 1) { // has joined: process 1000 + i
            atomic_store(&slot->turn, CLK_TURN_BLOCKED);
            atomic_store(clk_alive_word(slot), 1000 + i);
        }
        if (how & 0x20)
            scribble();
        const enum status joined =
            clk_coordinator_await(coordinator, i, duration_ms(fuzz_u8(&input)));
        fuzz_check(joined == STATUS_OK || joined == STATUS_DEAD || joined == STATUS_TIMEOUT);
    }
    clk_coordinator_start(coordinator);
    for (unsigned n = 0; n < RUNS_MAX && (n == 0 || fuzz_more(&input)); n++) {
        if (how & 0x40)
            scribble();
        run_once(fuzz_u8(&input));
    }
    return 0;
}
