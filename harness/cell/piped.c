#include "harness/cell/piped.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// In the fork. Why it cannot go on goes through `trouble`, which an exec closes.
static _Noreturn void become(char *const *program, bool quiet, pid_t parent, int output,
                             int trouble)
{
    errno = 0;
    const int nowhere = quiet ? open("/dev/null", O_WRONLY | O_CLOEXEC) : STDERR_FILENO;
    if (nowhere >= 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent &&
        dup2(output, STDOUT_FILENO) >= 0 && dup2(nowhere, STDERR_FILENO) >= 0)
        execvp(program[0], program);
    const int error = errno == 0 ? ESRCH : errno;
    (void)!write(trouble, &error, sizeof error);
    _exit(EXIT_FAILURE);
}

// 0, or the errno that the fork told of.
static int trouble_of(int trouble)
{
    int error = 0;
    ssize_t length;
    do
        length = read(trouble, &error, sizeof error);
    while (length < 0 && errno == EINTR);
    return length == (ssize_t)sizeof error ? error : 0;
}

static void close_both(const int ends[2])
{
    close(ends[0]);
    close(ends[1]);
}

enum status piped_start(char *const *program, bool quiet, struct piped *piped)
{
    int output[2], trouble[2];
    if (pipe2(output, O_CLOEXEC) != 0)
        return STATUS_SYSTEM;
    if (pipe2(trouble, O_CLOEXEC) != 0) {
        close_both(output);
        return STATUS_SYSTEM;
    }
    fflush(NULL); // or the fork has it, too
    const pid_t parent = getpid();
    piped->pid = fork();
    if (piped->pid == 0)
        become(program, quiet, parent, output[1], trouble[1]);
    int error = piped->pid < 0 ? errno : 0;
    close(output[1]);
    close(trouble[1]);
    if (error == 0)
        error = trouble_of(trouble[0]);
    close(trouble[0]);
    piped->output = fdopen(output[0], "r");
    if (error == 0 && piped->output != NULL)
        return STATUS_OK;
    if (piped->output == NULL)
        close(output[0]);
    else
        (void)fclose(piped->output);
    while (piped->pid > 0 && waitpid(piped->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    errno = error;
    return error == ENOENT ? STATUS_NOT_FOUND : STATUS_SYSTEM;
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

int piped_end(struct piped *piped, double *cpu_s)
{
    int how = 0;
    struct rusage use = {0};
    (void)fclose(piped->output); // was only read
    while (wait4(piped->pid, &how, 0, &use) < 0 && errno == EINTR)
        ;
    *cpu_s = seconds(use.ru_utime) + seconds(use.ru_stime);
    return how;
}
