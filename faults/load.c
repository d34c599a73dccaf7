// Faults of load and interference: they take time, caches, memory, interrupts, the disk or the priority from the target, in real time.
//
//   load apply|effect|undo|settled KIND [pid=PID] tag=N [key=value...]       parameters: faults/load.yaml
//
// apply: the load is there. effect: it has worked, by its own count and the kernel's. undo: it is gone, what it changed is as before.
// settled: so it is still. Prints "proven=0|1 [left=PID] evidence=...". Exit status 0: it ran; 2: called wrongly; 3: it could not be
// applied; 4: this machine cannot.
#include "faults/load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct load_kind *const kinds[] = {
    &load_cpu_hog,    &load_affinity_collision, &load_memory_pressure, &load_cache_pressure,
    &load_interrupts, &load_disk_writes,        &load_priority_drop,   &load_page_faults,
};

static void answer(const struct load_page *page, const struct load_proof *proof)
{
    if (page->worker != 0)
        printf("proven=%d left=%d evidence=%s\n", proof->proven, page->worker, proof->evidence);
    else
        printf("proven=%d evidence=%s\n", proof->proven, proof->evidence);
}

static enum load_answer apply(const struct load_kind *kind, const struct load_call *call)
{
    struct load_page *page = load_page_open(call, true);
    if (page == NULL)
        return LOAD_FAILED;
    page->struck_started_ticks = load_stat(call->pid, LOAD_STAT_STARTED);
    enum load_answer prepared = kind->prepare == NULL ? LOAD_DONE : kind->prepare(call, page);
    page->applied_ns = load_now_ns();
    if (prepared == LOAD_DONE && kind->work != NULL)
        prepared = load_worker_start(kind, call, page);
    if (prepared != LOAD_DONE)
        return prepared;
    struct load_proof proof = {.proven = true};
    if (kind->work != NULL)
        snprintf(proof.evidence, sizeof proof.evidence, "pid %d is at work", page->worker);
    else
        kind->effect(call, page, &proof);
    answer(page, &proof);
    return LOAD_DONE;
}

static enum load_answer effect(const struct load_kind *kind, const struct load_call *call)
{
    const struct load_page *page = load_page_open(call, false);
    if (page == NULL)
        return LOAD_FAILED;
    struct load_proof proof = {0};
    kind->effect(call, page, &proof);
    if (page->worker != 0 && load_worker_gone(page)) {
        proof.proven = false; // whatever it has done, it is no load any more
        snprintf(proof.evidence, sizeof proof.evidence, "its process has ended by itself");
    }
    answer(page, &proof);
    return LOAD_DONE;
}

static enum load_answer undo(const struct load_kind *kind, const struct load_call *call)
{
    struct load_page *page = load_page_open(call, false);
    if (page == NULL)
        return LOAD_FAILED;
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
    return LOAD_DONE;
}

static enum load_answer settled(const struct load_kind *kind, const struct load_call *call)
{
    const struct load_page *page = load_page_open(call, false);
    if (page == NULL)
        return LOAD_FAILED;
    const bool gone = page->worker == 0 || load_worker_gone(page);
    const bool restored = kind->is_restored == NULL || kind->is_restored(call, page);
    const uint64_t count = atomic_load(&page->count);
    struct load_proof proof = {.proven = gone && restored && count == page->count_when_undone};
    snprintf(proof.evidence, sizeof proof.evidence,
             "it had counted %" PRIu64 " when it was undone, and %" PRIu64 " now%s",
             page->count_when_undone, count, restored ? "" : "; what it changed is not as before");
    answer(page, &proof);
    return LOAD_DONE;
}

static const struct {
    const char *name;
    enum load_answer (*act)(const struct load_kind *kind, const struct load_call *call);
} actions[] = {{"apply", apply}, {"effect", effect}, {"undo", undo}, {"settled", settled}};

static const struct load_kind *find_kind(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i]->name, name) == 0)
            return kinds[i];
    return NULL;
}

int main(int argc, char **argv)
{
    struct load_call call = {.cell = getenv("UKEMI_CELL")};
    if (argc < 3 || call.cell == NULL) {
        fprintf(stderr, "usage: UKEMI_CELL=FOLDER load apply|effect|undo|settled KIND [pid=PID] "
                        "tag=N [key=value...]\n");
        return LOAD_CALLED_WRONGLY;
    }
    const struct load_kind *kind = find_kind(argv[2]);
    call.arguments = (struct arguments){.count = argc - 3, .word = argv + 3};
    if (argument_find(&call.arguments, "pid") != NULL) // it strikes a process
        call.pid = (pid_t)argument_number(&call.arguments, "pid");
    call.tag = (unsigned)argument_number(&call.arguments, "tag");
    for (size_t i = 0; kind != NULL && i < sizeof actions / sizeof actions[0]; i++)
        if (strcmp(actions[i].name, argv[1]) == 0)
            return actions[i].act(kind, &call);
    if (kind == NULL)
        fprintf(stderr, "%s: no such fault of load\n", argv[2]);
    else
        fprintf(stderr, "%s: not one of apply, effect, undo, settled\n", argv[1]);
    return LOAD_CALLED_WRONGLY;
}
