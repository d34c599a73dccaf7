#include "harness/view/apart.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"

#define STATUS_EXIT 64 // a status is told as this and its number

static void limit(const struct apart_limits *limits)
{
    const struct rlimit cpu = {limits->cpu_s, limits->cpu_s};
    const struct rlimit memory = {limits->memory_B, limits->memory_B};
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)setrlimit(RLIMIT_CPU, &cpu);
    (void)memory;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // whose shadow is larger
    if (limits->memory_B != 0)
        (void)setrlimit(RLIMIT_AS, &memory);
#endif
}

static _Noreturn void work_apart(apart_work *work, void *context, const struct apart_limits *limits,
                                 int file)
{
    limit(limits);
    FILE *out = fdopen(file, "w");
    enum status status = out == NULL ? STATUS_SYSTEM : work(context, out);
    if (out != NULL && fclose(out) != 0 && status == STATUS_OK)
        status = STATUS_SYSTEM;
    _exit(STATUS_EXIT + (int)status);
}

static void copy(int file, FILE *out)
{
    char block[1 << 16];
    ssize_t got;
    (void)lseek(file, 0, SEEK_SET);
    while ((got = read(file, block, sizeof block)) > 0)
        (void)fwrite(block, 1, (size_t)got, out);
}

enum status apart_run(apart_work *work, void *context, const struct apart_limits *limits, FILE *out)
{
    const int file = memfd_create("ukemi-apart", MFD_CLOEXEC);
    enum status status = STATUS_SYSTEM;
    int end = -1;
    fflush(NULL); // nothing is written twice
    const pid_t child = file < 0 ? -1 : fork();
    if (child == 0)
        work_apart(work, context, limits, file);
    while (child > 0 && waitpid(child, &end, 0) < 0 && errno == EINTR)
        ;
    if (child > 0 && WIFEXITED(end) && WEXITSTATUS(end) >= STATUS_EXIT)
        status = (enum status)(WEXITSTATUS(end) - STATUS_EXIT);
    else if (child > 0 && WIFSIGNALED(end))
        log_info("the process of its own was killed by signal %d", WTERMSIG(end));
    if (status == STATUS_OK)
        copy(file, out);
    if (file >= 0)
        close(file);
    return status;
}
