// Faults of load and interference: they take time, caches, memory, interrupts, the disk or the
// priority from the target, in real time.
//
//   load apply|effect|undo|settled KIND [pid=PID] tag=N [key=value...]       parameters:
//   faults/load.yaml, faults/client.yaml
//
// apply: the load is there. effect: it has worked, by its own count and the kernel's. undo: it is
// gone, what it changed is as before. settled: so it is still.
#include "faults/load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void answer(const struct load_page *page, const struct load_proof *proof)
{
    fault_prove(proof->proven, page->worker, "%s", proof->evidence);
}

static enum fault_exit apply(const struct fault_asked *call)
{
    const struct load_kind *kind = call->own;
    struct load_page *page = load_page_open(call, true);
    if (page == NULL)
        return FAULT_FAILED;
    page->struck_started_ticks = load_stat(call->pid, LOAD_STAT_STARTED);
    enum fault_exit prepared = kind->prepare == NULL ? FAULT_DONE : kind->prepare(call, page);
    page->applied_ns = load_now_ns();
    if (prepared == FAULT_DONE && kind->work != NULL)
        prepared = load_worker_start(kind, call, page);
    if (prepared != FAULT_DONE)
        return prepared;
    struct load_proof proof = {.proven = true};
    if (kind->work != NULL && !kind->at_once)
        snprintf(proof.evidence, sizeof proof.evidence, "pid %d is at work", page->worker);
    else
        kind->effect(call, page, &proof);
    answer(page, &proof);
    return FAULT_DONE;
}

static enum fault_exit effect(const struct fault_asked *call)
{
    const struct load_kind *kind = call->own;
    const struct load_page *page = load_page_open(call, false);
    if (page == NULL)
        return FAULT_FAILED;
    struct load_proof proof = {0};
    kind->effect(call, page, &proof);
    if (page->worker != 0 && load_worker_gone(page)) {
        proof.proven = false; // whatever it has done, it is no load any more
        snprintf(proof.evidence, sizeof proof.evidence, "its process has ended by itself");
    }
    answer(page, &proof);
    return FAULT_DONE;
}

static enum fault_exit undo(const struct fault_asked *call)
{
    const struct load_kind *kind = call->own;
    struct load_page *page = load_page_open(call, false);
    if (page == NULL)
        return FAULT_FAILED;
    atomic_store(&page->stop, true);
    const bool gone = page->worker == 0 || load_worker_end(page, kind->finish_ms);
    if (kind->restore != NULL)
        kind->restore(call, page);
    page->count_when_undone = atomic_load(&page->count);
    const bool restored = kind->is_restored == NULL || kind->is_restored(call, page);
    struct load_proof proof = {.proven = gone && restored};
    snprintf(proof.evidence, sizeof proof.evidence, "%s%s",
             page->worker == 0 ? ""
             : gone            ? "its process is gone, "
                               : "its process is still there, ",
             restored ? "all is as before" : "what it changed is not as before");
    answer(page, &proof);
    return FAULT_DONE;
}

static enum fault_exit settled(const struct fault_asked *call)
{
    const struct load_kind *kind = call->own;
    const struct load_page *page = load_page_open(call, false);
    if (page == NULL)
        return FAULT_FAILED;
    const bool gone = page->worker == 0 || load_worker_gone(page);
    const bool restored = kind->is_restored == NULL || kind->is_restored(call, page);
    const uint64_t count = atomic_load(&page->count);
    struct load_proof proof = {.proven = gone && restored && count == page->count_when_undone};
    snprintf(proof.evidence, sizeof proof.evidence,
             "it had counted %" PRIu64 " when it was undone, and %" PRIu64 " now%s",
             page->count_when_undone, count, restored ? "" : "; what it changed is not as before");
    answer(page, &proof);
    return FAULT_DONE;
}

#define ENTRY(name, load)                                                                          \
    {                                                                                              \
        name, apply, undo, effect, settled, &(load)                                                \
    }

static const struct fault_entry entries[] = {
    ENTRY("cpu-hog", load_cpu_hog),
    ENTRY("affinity-collision", load_affinity_collision),
    ENTRY("memory-pressure", load_memory_pressure),
    ENTRY("cache-pressure", load_cache_pressure),
    ENTRY("interrupt-load", load_interrupts),
    ENTRY("disk-write-storm", load_disk_writes),
    ENTRY("priority-drop", load_priority_drop),
    ENTRY("page-fault-storm", load_page_faults),
    ENTRY("client-flood", load_client),
    {0},
};

int main(int argc, char **argv)
{
    return fault_main(argc, argv, FAULT_NEEDS_CELL, entries);
}
