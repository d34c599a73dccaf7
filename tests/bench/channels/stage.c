#include "tests/bench/channels/stage.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/random.h"
#include "clock/futex.h"
#include "tests/bench/channels/frame.h"
#include "tests/bench/channels/world.h"

// A mechanism is ready when a frame has come to all readers; some need a while to find each other.
#define READY_NS (10 * (int64_t)NS_PER_S)
#define READY_PATIENCE_NS 50000000 // then another frame is sent
#define PATIENCE_NS                                                                                \
    1000000000 // then a frame is lost: only where it is dropped, however loaded the machine

struct stage {
    const struct plan *plan;
    const struct setting *setting;
    struct outcome *outcome;
    unsigned size;                      // number of the size in hand
    struct team *team[MECHANISM_COUNT]; // NULL: not taken
    struct random_stream random;
};

bool stage_takes(const struct plan *plan, unsigned mechanism)
{
    return plan->chosen[mechanism] && mechanisms[mechanism]->package == NULL;
}

static void start_teams(struct stage *stage)
{
    for (unsigned m = 0; m < MECHANISM_COUNT; m++) {
        if (!stage_takes(stage->plan, m))
            continue;
        struct team *team = bench_shared(sizeof *team);
        team->mechanism = mechanisms[m];
        team->placement = stage->setting->placement;
        team->readers = stage->setting->readers;
        if (!team_start(team, stage->plan->size_B[stage->size]))
            bench_fail("%s: cannot start its processes", mechanisms[m]->name);
        stage->team[m] = team;
    }
}

static void await_teams(struct stage *stage)
{
    const int64_t give_up_ns = monotonic_ns() + READY_NS;
    for (unsigned m = 0; m < MECHANISM_COUNT; m++) {
        struct team *team = stage->team[m];
        if (team == NULL)
            continue;
        do
            stage->outcome->ready[stage->size][m] =
                team_block(team, FRAME_SIZE_MIN_B, 1, READY_PATIENCE_NS) == 1;
        while (!stage->outcome->ready[stage->size][m] && monotonic_ns() < give_up_ns);
        if (!stage->outcome->ready[stage->size][m])
            log_error("%s: no frame came to all of %u readers", team->mechanism->name,
                      team->readers);
    }
}

static void run_block(struct stage *stage, unsigned m, unsigned round)
{
    struct team *team = stage->team[m];
    struct block *block = &stage->outcome->block[stage->size][m][round];
    atomic_store(&team->wrong, 0);
    atomic_store(&team->waited, 0);
    (void)team_block(team, stage->plan->size_B[stage->size], WARM_FRAMES + stage->plan->frames,
                     PATIENCE_NS);
    block->sent = stage->plan->frames;
    block->wrong = atomic_load(&team->wrong);
    block->waited = atomic_load(&team->waited);
    for (uint32_t k = 0; k < stage->plan->frames; k++) {
        const int64_t latency_ns = team_latency_ns(team, WARM_FRAMES + k);
        if (latency_ns > 0)
            block->latency_ns[block->come++] = latency_ns;
    }
}

static void shuffle(struct random_stream *random, unsigned *order, unsigned n)
{
    for (unsigned i = n; i > 1; i--) {
        const unsigned j = (unsigned)(random_bits(random) % i), kept = order[i - 1];
        order[i - 1] = order[j];
        order[j] = kept;
    }
}

static int stage_main(void *context)
{
    struct stage *stage = context;
    start_teams(stage);
    await_teams(stage);
    unsigned order[MECHANISM_COUNT];
    for (unsigned m = 0; m < MECHANISM_COUNT; m++)
        order[m] = m;
    for (unsigned round = 0; round < stage->plan->rounds; round++) {
        shuffle(&stage->random, order, MECHANISM_COUNT);
        for (unsigned i = 0; i < MECHANISM_COUNT; i++)
            if (stage->outcome->ready[stage->size][order[i]])
                run_block(stage, order[i], round);
    }
    return 0;
}

bool stage_run(const struct plan *plan, const struct setting *setting, struct outcome *outcome)
{
    struct stage stage = {.plan = plan, .setting = setting, .outcome = outcome};
    memset(outcome, 0, sizeof *outcome);
    for (; stage.size < plan->sizes; stage.size++) {
        char name[64];
        snprintf(name, sizeof name, "stage %d %d %u %u", setting->placement.core[1],
                 setting->placement.fifo, setting->readers, stage.size);
        random_start(&stage.random, plan->seed, name);
        if (world_run(stage_main, &stage) != 0)
            return false;
    }
    return true;
}
