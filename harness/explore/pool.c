#include "harness/explore/pool.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>

struct pool {
    const struct job *job;
    struct trial_record *record;
    unsigned count, at_once, next, busy;
    unsigned of[POOL_MAX]; // the job of each worker
    struct worker *worker;
};

static enum status start(struct pool *pool)
{
    for (unsigned i = 0; i < pool->at_once && pool->next < pool->count; i++) {
        if (pool->worker[i].pid != 0)
            continue;
        const enum status status = worker_start(&pool->worker[i], &pool->job[pool->next]);
        if (status != STATUS_OK)
            return status;
        pool->of[i] = pool->next++;
        pool->busy++;
    }
    return STATUS_OK;
}

static enum status receive(struct pool *pool)
{
    struct pollfd fds[POOL_MAX];
    for (unsigned i = 0; i < pool->at_once; i++)
        fds[i] = (struct pollfd){.fd = pool->worker[i].pid == 0 ? -1 : pool->worker[i].pipe,
                                 .events = POLLIN};
    if (poll(fds, pool->at_once, -1) < 0 && errno != EINTR)
        return STATUS_SYSTEM;
    for (unsigned i = 0; i < pool->at_once; i++) {
        if (fds[i].fd < 0 || fds[i].revents == 0 ||
            !worker_receive(&pool->worker[i], &pool->job[pool->of[i]]))
            continue;
        pool->record[pool->of[i]] = pool->worker[i].record;
        pool->busy--;
    }
    return STATUS_OK;
}

enum status pool_run(const struct job *job, unsigned count, unsigned at_once,
                     struct trial_record *record)
{
    struct pool pool = {.job = job, .record = record, .count = count, .at_once = at_once};
    pool.at_once = at_once > POOL_MAX ? POOL_MAX : at_once > 0 ? at_once : 1;
    pool.worker = calloc(pool.at_once, sizeof *pool.worker);
    if (pool.worker == NULL)
        return STATUS_NO_MEMORY;
    enum status status = start(&pool);
    while (status == STATUS_OK && pool.busy > 0) {
        status = receive(&pool);
        if (status == STATUS_OK)
            status = start(&pool);
    }
    for (unsigned i = 0; i < pool.at_once; i++)
        worker_stop(&pool.worker[i]);
    free(pool.worker);
    return status;
}
