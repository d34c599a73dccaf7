// Joining: what happens before the program's own main.
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "clock/skew.h"
#include "shim/shim.h"
#include "shim/spin/shim_spin.h"

#define EXIT_NOT_JOINED 125

struct shim shim;
bool shim_in_cell;

bool shim_on(void)
{
    if (shim.clk == NULL || shim_vforked)
        return false;
    if (shim_self >= 0) {
        if (__builtin_expect(shim_given_time, 0))
            shim_spin_is_over();
        return true;
    }
    shim_leak("a thread that pthread_create did not make");
    return false;
}

static _Noreturn void give_up(const char *what)
{
    dprintf(STDERR_FILENO, "ukemi-shim: %s\n", what);
    _exit(EXIT_NOT_JOINED);
}

// A file of the cell's shared memory, made if it is not there. Of another user's, as the simulated
// world is, the kernel lets nobody say O_CREAT.
static void *map_file(const char *name, size_t size_B, mode_t mode, bool anew)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", getenv("UKEMI_CELL"), name);
    if (anew)
        (void)unlink(path);
    int file = (int)KERNEL(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
    void *memory = MAP_FAILED;
    if (file < 0) {
        file = (int)KERNEL(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        (void)fchmod(file, mode); // whatever the umask
    }
    if (file >= 0 && ftruncate(file, (off_t)size_B) == 0)
        memory = mmap(NULL, size_B, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        KERNEL(SYS_close, file);
    return memory == MAP_FAILED ? NULL : memory;
}

// By the first of a cell's programs.
static void note_beginning(void)
{
    struct timespec now;
    int64_t unknown = 0;
    KERNEL(SYS_clock_gettime, CLOCK_REALTIME, &now);
    (void)atomic_compare_exchange_strong(&shim.cell->made_s, &unknown, now.tv_sec);
}

static void map_pages(bool anew)
{
    struct stat output = {0};
    char name[80];
    snprintf(name, sizeof name, "shim-%s", shim.name);
    shim.page = map_file(name, sizeof *shim.page, 0600, anew);
    shim.cell = map_file("shim", sizeof *shim.cell, 0666, false);
    if (shim.page == NULL || shim.cell == NULL)
        give_up("cannot make its page in the cell's shared memory");
    note_beginning();
    if (!anew)
        return;
    shim.page->magic = SHIM_PAGE_MAGIC;
    shim.page->version = SHIM_PAGE_VERSION;
    (void)KERNEL(SYS_fstat, STDERR_FILENO, &output);
    shim.page->output_device = output.st_dev;
    shim.page->output_inode = output.st_ino;
    shim.page->task_count = 1;
    shim.page->task[0] = (struct shim_task){.state = SHIM_TASK_RUNNING, .pid = (int)getpid()};
}

static void prepare(bool anew)
{
    if (channel_open(IO_CHANNEL, CHANNEL_WRITE, &shim.io) != STATUS_OK)
        give_up("there is no channel " IO_CHANNEL "; is this process `clock: shim`?");
    map_pages(anew);
    shim_faults_begin(NULL);
}

// A child that was executed: the participant has joined already.
static void adopt(int task)
{
    struct clk *clk;
    if (clk_adopt(&clk) != STATUS_OK)
        give_up("cannot find its participant on the clock");
    clk_is_monotonic(clk);
    prepare(false);
    if (task < 0 || (uint32_t)task >= SHIM_TASKS_MAX || shim.page->magic != SHIM_PAGE_MAGIC)
        give_up("has no task on its page");
    shim_self = task;
    shim.clk = clk;
    shim_task_begin(task);
    shim_stack_begin();
    shim_abandoned();
    shim_streams_begin();
    shim_chance_begin();
    shim_chance_given();
    shim_counter_begin(shim_raw_begin());
}

const char *shim_path(void)
{
    static char path[4096];
    Dl_info info;
    if (path[0] == '\0' && dladdr((void *)shim_path, &info) != 0)
        text_copy(path, sizeof path, info.dli_fname);
    return path;
}

const char *shim_beside(void)
{
    static char beside[4096];
    const char *preloaded = getenv("LD_PRELOAD"), *own = shim_path();
    const size_t length = strlen(own);
    if (beside[0] == '\0' && preloaded != NULL && strncmp(preloaded, own, length) == 0 &&
        preloaded[length] == ':')
        text_copy(beside, sizeof beside, preloaded + length);
    return beside;
}

__attribute__((constructor)) static void join(void)
{
    const char *name = getenv("UKEMI_PARTICIPANT");
    struct clk *clk;
    if (getenv("UKEMI_CELL") == NULL || name == NULL || strlen(name) >= sizeof shim.name)
        return;
    text_copy(shim.name, sizeof shim.name, name);
    shim_in_cell = true;
    (void)setvbuf(stdout, NULL, _IOLBF, 0); // the lab wants lines when they are printed
    const char *beside = shim_beside();
    shim_environment_begin();
    (void)unsetenv("LD_PRELOAD"); // what it executes gets it anew
    if (beside[0] != '\0')
        (void)setenv("LD_PRELOAD", beside + 1, 1); // in real time, too
    const char *task = getenv("UKEMI_SHIM_TASK");
    if (task != NULL && atoi(task) > 0) {
        adopt(atoi(task));
        return;
    }
    const enum status status = clk_join(&clk);
    if (status != STATUS_OK)
        give_up(status_text(status));
    clk_is_monotonic(clk); // CLOCK_REALTIME steps
    // In wall mode the clock is real: being a participant is all, where no fault strikes sockets.
    if (clk_mode(clk) != CLK_VIRTUAL) {
        shim_faults_begin(clk);
        return;
    }
    prepare(true);
    shim_self = 0;
    shim_schedule_begin();
    shim_stack_begin();
    shim_streams_begin();
    shim_chance_begin();
    shim_chance_given();
    shim_counter_begin(shim_raw_begin());
    shim.clk = clk;
    shim_abandoned();
    shim_counter_check();
}
