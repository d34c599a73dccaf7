// Writes to the disk, each write made to arrive there. In the cell nothing on a disk can be written
// but the file that the lab hands over, which has no name and is gone with the cell.
#include <errno.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "faults/load.h"

#define BLOCK_MAX_B 1048576
#define ARRIVED_MIN 0.5 // of what was written and synced, by the kernel's count of the process

static enum fault_exit look_at_scratch(const struct fault_asked *call, struct load_page *page)
{
    (void)call;
    (void)page;
    struct statfs disk;
    if (fstatfs(LOAD_SCRATCH, &disk) != 0) {
        fprintf(stderr, "the file system of the current folder has no files without a name\n");
        return FAULT_UNSUPPORTED;
    }
    if (disk.f_type == TMPFS_MAGIC || disk.f_type == RAMFS_MAGIC) {
        fprintf(stderr, "the current folder is in memory: there is no disk to write to\n");
        return FAULT_UNSUPPORTED;
    }
    return FAULT_DONE;
}

static void write_on(const struct fault_asked *call, struct load_page *page)
{
    static char block[BLOCK_MAX_B];
    const size_t block_B = (size_t)fault_number(call, "block_kB") * 1024;
    const off_t size_B = (off_t)(fault_number(call, "size_MB") * LOAD_MB);
    memset(block, 'u', sizeof block);
    load_ready(page);
    for (off_t at_B = 0; load_goes_on(page);) {
        if ((size_t)size_B < block_B)
            continue; // nothing was asked for
        if (pwrite(LOAD_SCRATCH, block, block_B, at_B) != (ssize_t)block_B ||
            fdatasync(LOAD_SCRATCH) != 0)
            return; // the disk is full, say: the proof will not hold
        atomic_fetch_add(&page->count, 1);
        atomic_fetch_add(&page->bytes, block_B);
        at_B += (off_t)block_B;
        if (at_B + (off_t)block_B > size_B)
            at_B = 0;
    }
}

static void effect(const struct fault_asked *call, const struct load_page *page,
                   struct load_proof *proof)
{
    (void)call;
    const double written_B = (double)atomic_load(&page->bytes);
    const double arrived_B = (double)load_number(page->worker, "io", "\nwrite_bytes: ");
    proof->proven = written_B > 0 && arrived_B >= ARRIVED_MIN * written_B;
    snprintf(
        proof->evidence, sizeof proof->evidence,
        "pid %d: %.1f MB in %llu synced writes; the kernel counted %.1f MB on their way to the "
        "disk",
        page->worker, written_B / LOAD_MB, (unsigned long long)atomic_load(&page->count),
        arrived_B / LOAD_MB);
}

const struct load_kind load_disk_writes = {
    .prepare = look_at_scratch, .work = write_on, .effect = effect};
