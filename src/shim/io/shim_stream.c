// Streams: the C library reads and writes them past us, where it may block. So those that may lead
// to a pipe or socket are given functions of ours: the standard streams, and what fdopen and popen
// make.
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
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
    FILE *stream = fopencookie((void *)(intptr_t)descriptor, mode, functions);
    if (stream != NULL)
        stream->_fileno = descriptor; // for fileno()
    return stream;
}

// Whether the C library would read or write it past us, and somebody else is at the other end.
static bool leads_away(int descriptor)
{
    return KERNEL(SYS_fcntl, descriptor, F_GETFD) >= 0 && !shim_is_file(descriptor);
}

static void take(FILE **stream, int descriptor, const char *mode, int buffering)
{
    shim_opened(descriptor); // by whoever has executed this program
    const bool past_us = leads_away(descriptor) || shim_chance_file(descriptor);
    FILE *own = past_us ? open_stream(descriptor, mode) : NULL;
    if (own == NULL)
        return;
    (void)setvbuf(own, NULL, buffering, 0);
    *stream = own;
}

void shim_streams_begin(void)
{
    take(&stdin, STDIN_FILENO, "r", _IOFBF);
    take(&stdout, STDOUT_FILENO, "w", _IOLBF);
    take(&stderr, STDERR_FILENO, "w", _IONBF);
}

// What is still to be written is written before this process has ended for the others.
void shim_streams_end(void)
{
    (void)fflush(NULL);
}

PUBLIC FILE *fdopen(int descriptor, const char *mode)
{
    const long flags = KERNEL(SYS_fcntl, descriptor, F_GETFL);
    if (!shim_on() || flags < 0 || !(leads_away(descriptor) || shim_chance_file(descriptor)))
        return NEXT(fdopen)(descriptor, mode);
    return open_stream(descriptor, mode);
}

PUBLIC int vdprintf(int descriptor, const char *format, va_list arguments)
{
    char *text;
    if (!shim_on())
        return NEXT(vdprintf)(descriptor, format, arguments);
    const int size_B = vasprintf(&text, format, arguments);
    if (size_B < 0)
        return -1;
    const ssize_t written = write(descriptor, text, (size_t)size_B);
    free(text);
    return written < 0 ? -1 : size_B;
}

PUBLIC int dprintf(int descriptor, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int size_B = vdprintf(descriptor, format, arguments);
    va_end(arguments);
    return size_B;
}

PUBLIC int __vdprintf_chk(int descriptor, int flag, const char *format, va_list arguments);
PUBLIC int __vdprintf_chk(int descriptor, int flag, const char *format, va_list arguments)
{
    (void)flag;
    return vdprintf(descriptor, format, arguments);
}

PUBLIC int __dprintf_chk(int descriptor, int flag, const char *format, ...);
PUBLIC int __dprintf_chk(int descriptor, int flag, const char *format, ...)
{
    va_list arguments;
    (void)flag;
    va_start(arguments, format);
    const int size_B = vdprintf(descriptor, format, arguments);
    va_end(arguments);
    return size_B;
}

PUBLIC int eventfd_read(int descriptor, eventfd_t *value)
{
    return read(descriptor, value, sizeof *value) == sizeof *value ? 0 : -1;
}

PUBLIC int eventfd_write(int descriptor, eventfd_t value)
{
    return write(descriptor, &value, sizeof value) == sizeof value ? 0 : -1;
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
