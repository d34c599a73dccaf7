// Streams: the C library reads and writes them past us, where it may block. So those that may lead
// to a pipe or socket are given functions of ours: standard input, and what popen makes.
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shim/shim.h"

static ssize_t stream_read(void *cookie, char *bytes, size_t size_B)
{
    return read((int)(intptr_t)cookie, bytes, size_B);
}
static ssize_t stream_write(void *cookie, const char *bytes, size_t size_B)
{
    return write((int)(intptr_t)cookie, bytes, size_B);
}
static int stream_close(void *cookie)
{
    return close((int)(intptr_t)cookie);
}

static FILE *open_stream(int descriptor, const char *mode)
{
    static const cookie_io_functions_t functions = {
        .read = stream_read, .write = stream_write, .close = stream_close};
    return fopencookie((void *)(intptr_t)descriptor, mode, functions);
}

void shim_streams_begin(void)
{
    if (KERNEL(SYS_fcntl, STDIN_FILENO, F_GETFD) < 0 || shim_is_file(STDIN_FILENO))
        return;
    FILE *stream = open_stream(STDIN_FILENO, "r");
    if (stream == NULL)
        return;
    stream->_fileno = STDIN_FILENO; // for fileno()
    stdin = stream;
}

// ---- popen -------------------------------------------------------------------------------------

// Of this process.
#define SHELLS_MAX 64
static struct {
    FILE *stream;
    pid_t child;
} shells[SHELLS_MAX];

PUBLIC FILE *popen(const char *command, const char *mode)
{
    int ends[2], slot = 0;
    const bool reads = mode[0] == 'r';
    if (!shim_on())
        return NEXT(popen)(command, mode);
    while (slot < SHELLS_MAX && shells[slot].stream != NULL)
        slot++;
    if (slot == SHELLS_MAX || pipe2(ends, O_CLOEXEC) != 0)
        return NULL;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[reads], reads ? STDOUT_FILENO : STDIN_FILENO);
    shells[slot].child = shim_start_shell(command, &actions);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[reads]);
    if (shells[slot].child >= 0)
        shells[slot].stream = open_stream(ends[!reads], reads ? "r" : "w");
    if (shells[slot].stream == NULL)
        close(ends[!reads]);
    return shells[slot].stream;
}

PUBLIC int pclose(FILE *stream)
{
    int slot = 0, status;
    while (slot < SHELLS_MAX && shells[slot].stream != stream)
        slot++;
    if (slot == SHELLS_MAX)
        return NEXT(pclose)(stream);
    shells[slot].stream = NULL;
    (void)fclose(stream);
    while (waitpid(shells[slot].child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return status;
}
