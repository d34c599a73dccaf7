#include "tests/bench/channels/team.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "clock/futex.h"
#include "tests/bench/channels/frame.h"

#define PRIORITY 50
#define START_DELAY_NS 2000000   // from the order to the first frame
#define WRITER_WAIT_NS 500000000 // beyond what its frames may take: then it is dead

// ---- in its processes ----

static void sleep_until(int64_t t_ns)
{
    const struct timespec t = timespec_of_ns(t_ns > 0 ? t_ns : 0);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
        continue;
}

static void take_place(const struct placement *placement, unsigned core)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(placement->core[core], &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0)
        bench_fail("cannot run on core %d", placement->core[core]);
    const struct sched_param parameters = {.sched_priority = PRIORITY};
    if (placement->fifo && sched_setscheduler(0, SCHED_FIFO, &parameters) != 0)
        bench_fail("SCHED_FIFO is refused");
    // Frameworks map far more than they use: only what they touch stays in memory.
    if (placement->fifo && mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) != 0)
        bench_fail("mlockall is refused");
}

static void wait_for(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0)
        continue;
}

// Takes a frame, and its latency into the books.
static void read_one(struct team *team, unsigned reader, void *end)
{
    const struct mechanism *m = team->mechanism;
    struct frame_header header = {0};
    size_t size_B;
    const void *frame = m->receive(end, &size_B);
    const int64_t had_ns = monotonic_ns();
    if (size_B >= sizeof header)
        memcpy(&header, frame, sizeof header);
    const bool whole = frame_is_whole(frame, size_B);
    if (m->done != NULL)
        m->done(end);
    if (whole && (header.block != atomic_load(&team->block) || header.number >= team->frames))
        return; // of a block that was given up
    if (!whole || header.size_B != team->size_B)
        atomic_fetch_add(&team->wrong, 1);
    else
        atomic_store(&team->latency_ns[reader][header.number],
                     had_ns > header.sent_ns ? had_ns - header.sent_ns : 1);
}

static _Noreturn void reader_main(struct team *team, unsigned reader)
{
    take_place(&team->placement, (reader + 1) % 2);
    void *end = team->mechanism->open_reader(reader);
    for (;;)
        read_one(team, reader, end);
}

static bool has_come(const struct team *team, uint32_t number)
{
    return team_latency_ns(team, number) > 0;
}

// The first period in which the frame before has come to all readers. No mechanism is asked to
// queue, and a loaded machine makes frames late but not lost.
static int64_t due_after(struct team *team, int64_t due_ns, uint32_t number)
{
    const int64_t give_up_ns = due_ns + team->patience_ns;
    sleep_until(due_ns);
    while (number > 0 && due_ns < give_up_ns && !has_come(team, number - 1)) {
        atomic_fetch_add(&team->waited, 1);
        due_ns += PERIOD_NS;
        sleep_until(due_ns);
    }
    return due_ns;
}

static _Noreturn void writer_main(struct team *team)
{
    static _Alignas(64) unsigned char frame[FRAME_SIZE_MAX_B];
    take_place(&team->placement, 0);
    void *end = team->mechanism->open_writer(team->readers);
    for (;;) {
        wait_for(&team->writer_go);
        int64_t due_ns = team->start_ns;
        for (uint32_t k = 0; k < team->frames; k++, due_ns += PERIOD_NS) {
            due_ns = due_after(team, due_ns, k);
            frame_fill(frame, team->size_B, atomic_load(&team->block), k);
            const int64_t now_ns = monotonic_ns();
            memcpy(frame + offsetof(struct frame_header, sent_ns), &now_ns, sizeof now_ns);
            team->mechanism->send(end, frame, team->size_B);
        }
        sem_post(&team->writer_done);
    }
}

// ---- in the stage ----

static bool start(struct team *team, int reader) // -1: the writer
{
    pid_t process = fork();
    if (process != 0)
        return process > 0;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
        _exit(3);
    if (reader < 0)
        writer_main(team);
    reader_main(team, (unsigned)reader);
}

bool team_start(struct team *team, size_t size_max_B)
{
    sem_init(&team->writer_go, 1, 0);
    sem_init(&team->writer_done, 1, 0);
    if (team->mechanism->prepare != NULL)
        team->mechanism->prepare(team->readers, size_max_B);
    for (int i = -1; i < (int)team->readers; i++)
        if (!start(team, i))
            return false;
    return true;
}

int64_t team_latency_ns(const struct team *team, uint32_t number)
{
    int64_t last_ns = 0;
    for (unsigned i = 0; i < team->readers; i++) {
        const int64_t latency_ns = atomic_load(&team->latency_ns[i][number]);
        if (latency_ns == 0)
            return 0;
        last_ns = latency_ns > last_ns ? latency_ns : last_ns;
    }
    return last_ns;
}

static uint32_t count_come(const struct team *team)
{
    uint32_t come = 0;
    for (uint32_t i = 0; i < team->frames; i++)
        come += has_come(team, i);
    return come;
}

static bool writer_is_done(struct team *team)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now); // as sem_timedwait wants it
    const struct timespec limit =
        timespec_of_ns((int64_t)now.tv_sec * NS_PER_S + now.tv_nsec + WRITER_WAIT_NS +
                       (int64_t)team->frames * (team->patience_ns + PERIOD_NS));
    while (sem_timedwait(&team->writer_done, &limit) != 0)
        if (errno == ETIMEDOUT)
            return false;
    return true;
}

uint32_t team_block(struct team *team, size_t size_B, uint32_t frames, int64_t patience_ns)
{
    team->patience_ns = patience_ns;
    for (unsigned i = 0; i < team->readers; i++)
        for (uint32_t k = 0; k < frames; k++)
            atomic_store(&team->latency_ns[i][k], 0);
    team->frames = frames;
    team->size_B = size_B;
    team->start_ns = monotonic_ns() + START_DELAY_NS;
    atomic_fetch_add(&team->block, 1);
    sem_post(&team->writer_go);
    if (!writer_is_done(team))
        return 0;
    const int64_t give_up_ns = monotonic_ns() + team->patience_ns;
    while (count_come(team) < frames && monotonic_ns() < give_up_ns)
        sleep_until(monotonic_ns() + PERIOD_NS);
    return count_come(team);
}
