// Takes memory, pages and page tables by the megabyte; or the last-level cache and the bus behind
// it.
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "faults/load.h"

#define CACHE_LINE_B 64
#define PAGE_B 4096
#define CHUNK_B ((size_t)4 << 20) // between two looks whether to end
#define CACHE_LEVELS_MAX 8
#define CACHE_UNKNOWN_B ((size_t)32 << 20)
#define BUFFER_MAX_B ((size_t)256 << 20) // of the cell's memory, which the target has its part of
#define RESIDENT_MIN 0.9                 // of the memory asked for
#define PASSES_MIN 2

static char *take(struct load_page *page, size_t size_B)
{
    char *memory = mmap(NULL, size_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        load_give_up(page, FAULT_FAILED, "%.0f MB: %s", (double)size_B / LOAD_MB, strerror(errno));
    // Page by page: one fault for each.
    (void)madvise(memory, size_B, MADV_NOHUGEPAGE);
    return memory;
}

// The most that the worker has had at once, by the kernel.
static double peak_resident_B(const struct load_page *page)
{
    return 1024.0 * (double)load_number(page->worker, "status", "\nVmHWM:");
}

// ---- memory pressure

static size_t pressure_B(const struct fault_asked *call)
{
    return (size_t)(fault_number(call, "size_MB") * LOAD_MB);
}

// Writes to every page, gives all back, begins again: faults, zeroing, freeing.
static void press(const struct fault_asked *call, struct load_page *page)
{
    const size_t size_B = pressure_B(call);
    char *memory = size_B == 0 ? NULL : take(page, size_B);
    load_ready(page);
    for (size_t at_B = 0; load_goes_on(page);) {
        const size_t left_B = size_B - at_B, chunk_B = left_B < CHUNK_B ? left_B : CHUNK_B;
        for (size_t i = 0; i < chunk_B; i += PAGE_B)
            memory[at_B + i] = 1;
        at_B += chunk_B;
        atomic_fetch_add(&page->bytes, chunk_B);
        if (at_B < size_B || size_B == 0)
            continue;
        atomic_fetch_add(&page->count, 1);
        (void)madvise(memory, size_B, MADV_DONTNEED);
        at_B = 0;
    }
}

static void press_effect(const struct fault_asked *call, const struct load_page *page,
                         struct load_proof *proof)
{
    const double peak_B = peak_resident_B(page);
    const uint64_t faults = load_stat(page->worker, LOAD_STAT_MINOR_FAULTS);
    const double wanted_B = (double)pressure_B(call);
    proof->proven =
        wanted_B > 0 && peak_B >= RESIDENT_MIN * wanted_B && atomic_load(&page->count) > 0;
    snprintf(proof->evidence, sizeof proof->evidence,
             "pid %d had %.0f MB at once, took %.0f MB in all with %" PRIu64 " page faults",
             page->worker, peak_B / LOAD_MB, (double)atomic_load(&page->bytes) / LOAD_MB, faults);
}

const struct load_kind load_memory_pressure = {.work = press, .effect = press_effect};

// ---- cache pressure

// Of the first core, by the kernel (sysconf(3) adds up those of all cores that share none).
static size_t last_level_cache_B(void)
{
    double size_kB = 0;
    for (unsigned level = 0; level < CACHE_LEVELS_MAX; level++) {
        char path[64];
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%u/size", level);
        FILE *file = fopen(path, "re");
        char text[32] = "";
        if (file != NULL && fgets(text, sizeof text, file) != NULL)
            size_kB = fmax(size_kB, strtod(text, NULL) * (strchr(text, 'M') != NULL ? 1024 : 1));
        if (file != NULL)
            (void)fclose(file); // only read
    }
    return size_kB > 0 ? (size_t)(size_kB * 1024) : CACHE_UNKNOWN_B;
}

static size_t stream_B(const struct fault_asked *call)
{
    const double size_B = fault_number(call, "factor") * (double)last_level_cache_B();
    return size_B < (double)BUFFER_MAX_B ? (size_t)size_B : BUFFER_MAX_B;
}

static enum fault_exit look_at_cache(const struct fault_asked *call, struct load_page *page)
{
    (void)page;
    const bool larger = fault_number(call, "factor") > 1;
    if (!larger || stream_B(call) > last_level_cache_B())
        return FAULT_DONE;
    fprintf(stderr, "the last-level cache holds all that such a load may have (%.0f MB)\n",
            (double)BUFFER_MAX_B / LOAD_MB);
    return FAULT_UNSUPPORTED;
}

struct stream {
    struct load_page *page;
    char *memory;
    size_t size_B;
};

static void *run_stream(void *context)
{
    const struct stream *stream = context;
    for (size_t at_B = 0; load_goes_on(stream->page);) {
        const size_t left_B = stream->size_B - at_B, chunk_B = left_B < CHUNK_B ? left_B : CHUNK_B;
        for (size_t i = 0; i < chunk_B; i += CACHE_LINE_B)
            ((volatile char *)stream->memory)[at_B + i]++;
        at_B = at_B + chunk_B < stream->size_B ? at_B + chunk_B : 0;
        atomic_fetch_add(&stream->page->bytes, chunk_B);
        atomic_fetch_add(&stream->page->count, chunk_B / CACHE_LINE_B);
    }
    return NULL;
}

static void stream(const struct fault_asked *call, struct load_page *page)
{
    struct stream all = {.page = page, .size_B = stream_B(call)};
    const unsigned threads = (unsigned)fault_number(call, "threads");
    pthread_t thread[LOAD_THREADS_MAX];
    all.memory = all.size_B == 0 ? NULL : take(page, all.size_B);
    for (unsigned i = 0; i < threads; i++)
        if (pthread_create(&thread[i], NULL, run_stream, &all) != 0)
            load_give_up(page, FAULT_FAILED, "no thread: %s", strerror(errno));
    load_ready(page);
    for (unsigned i = 0; i < threads; i++)
        (void)pthread_join(thread[i], NULL);
}

static void stream_effect(const struct fault_asked *call, const struct load_page *page,
                          struct load_proof *proof)
{
    const double bytes = (double)atomic_load(&page->bytes), size_B = (double)stream_B(call);
    const double peak_B = peak_resident_B(page);
    proof->proven = size_B > (double)last_level_cache_B() && bytes >= PASSES_MIN * size_B &&
                    peak_B >= RESIDENT_MIN * size_B;
    snprintf(proof->evidence, sizeof proof->evidence,
             "pid %d passed %.0f MB through %.0f MB in %.2f s (%.2f GB/s); it had %.0f MB at once, "
             "last-level cache %.0f MB",
             page->worker, bytes / LOAD_MB, size_B / LOAD_MB, load_elapsed_s(page),
             bytes / load_elapsed_s(page) / 1e9, peak_B / LOAD_MB,
             (double)last_level_cache_B() / LOAD_MB);
}

const struct load_kind load_cache_pressure = {
    .prepare = look_at_cache, .work = stream, .effect = stream_effect};
