// Chance: drawn from the trial's seed and the participant's name.
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "shim/shim.h"

#define FILES_MAX 16 // of chance, open at a time
#define ENTROPY_MAX_B 256

static int chance_file[FILES_MAX]; // number + 1; 0: none

void shim_chance_begin(void)
{
    const char *seed = getenv("UKEMI_SEED");
    char stream[96];
    snprintf(stream, sizeof stream, "%s %d %llu", shim.name, shim_self,
             (unsigned long long)shim.page->calls);
    random_start(&shim.chance, seed != NULL ? strtoull(seed, NULL, 10) : 1, stream);
}

void shim_chance_fill(void *bytes, size_t size_B)
{
    unsigned char *byte = bytes;
    for (size_t i = 0; i < size_B; i++)
        byte[i] = (unsigned char)(random_bits(&shim.chance) >> 32);
}

PUBLIC ssize_t getrandom(void *bytes, size_t size_B, unsigned flags)
{
    if (!shim_on())
        return KERNEL(SYS_getrandom, bytes, size_B, flags);
    shim_chance_fill(bytes, size_B);
    return (ssize_t)size_B;
}

PUBLIC int getentropy(void *bytes, size_t size_B)
{
    if (size_B > ENTROPY_MAX_B) {
        errno = EIO;
        return -1;
    }
    return getrandom(bytes, size_B, 0) == (ssize_t)size_B ? 0 : -1;
}

PUBLIC uint32_t arc4random(void)
{
    uint32_t number;
    (void)!getrandom(&number, sizeof number, 0);
    return number;
}

PUBLIC void arc4random_buf(void *bytes, size_t size_B)
{
    (void)!getrandom(bytes, size_B, 0);
}

PUBLIC uint32_t arc4random_uniform(uint32_t bound)
{
    return bound < 2 ? 0 : (uint32_t)(((uint64_t)arc4random() * bound) >> 32);
}

// ---- files ----

bool shim_chance_file(int descriptor)
{
    for (int i = 0; i < FILES_MAX; i++)
        if (chance_file[i] == descriptor + 1)
            return true;
    return false;
}

void shim_chance_closed(int descriptor)
{
    for (int i = 0; i < FILES_MAX; i++)
        if (chance_file[i] == descriptor + 1)
            chance_file[i] = 0;
}

// What of the machine's would bring real time in.
static void look_at_path(const char *path)
{
    static const char *const leaks[] = {"/proc/uptime", "/proc/loadavg", "/proc/stat",
                                        "/dev/rtc",     "/dev/ptp",      "/dev/hpet"};
    for (size_t i = 0; i < sizeof leaks / sizeof leaks[0]; i++)
        if (strncmp(path, leaks[i], strlen(leaks[i])) == 0)
            shim_leak("opens %s, which tells of real time", path);
}

static bool is_chance(const char *path)
{
    return strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0;
}

static int open_file(int folder, const char *path, int flags, mode_t mode)
{
    const int descriptor = (int)KERNEL(SYS_openat, folder, path, flags, mode);
    if (!shim_on() || descriptor < 0 || path[0] != '/')
        return descriptor;
    look_at_path(path);
    for (int i = 0; is_chance(path) && i < FILES_MAX; i++)
        if (chance_file[i] == 0) {
            chance_file[i] = descriptor + 1;
            return descriptor;
        }
    if (is_chance(path))
        shim_leak("opens %s more than %d times", path, FILES_MAX);
    return descriptor;
}

// The mode is the caller's only where a file may be made.
#define MODE_OF(flags)                                                                             \
    ({                                                                                             \
        mode_t mode_ = 0;                                                                          \
        if ((flags) & (O_CREAT | __O_TMPFILE)) {                                                   \
            va_list arguments_;                                                                    \
            va_start(arguments_, flags);                                                           \
            mode_ = va_arg(arguments_, mode_t);                                                    \
            va_end(arguments_);                                                                    \
        }                                                                                          \
        mode_;                                                                                     \
    })

PUBLIC int open(const char *path, int flags, ...)
{
    return open_file(AT_FDCWD, path, flags, MODE_OF(flags));
}

PUBLIC int open64(const char *path, int flags, ...)
{
    return open_file(AT_FDCWD, path, flags, MODE_OF(flags));
}

PUBLIC int openat(int folder, const char *path, int flags, ...)
{
    return open_file(folder, path, flags, MODE_OF(flags));
}

PUBLIC int openat64(int folder, const char *path, int flags, ...)
{
    return open_file(folder, path, flags, MODE_OF(flags));
}

PUBLIC int __open_2(const char *path, int flags);
PUBLIC int __open_2(const char *path, int flags)
{
    return open_file(AT_FDCWD, path, flags, 0);
}

PUBLIC int __open64_2(const char *path, int flags);
PUBLIC int __open64_2(const char *path, int flags)
{
    return open_file(AT_FDCWD, path, flags, 0);
}

static ssize_t read_chance(void *cookie, char *bytes, size_t size_B)
{
    (void)cookie;
    shim_chance_fill(bytes, size_B);
    return (ssize_t)size_B;
}

static FILE *open_stream(const char *path, const char *mode)
{
    look_at_path(path);
    if (!is_chance(path))
        return NULL;
    return fopencookie(NULL, mode, (cookie_io_functions_t){.read = read_chance});
}

PUBLIC FILE *fopen(const char *restrict path, const char *restrict mode)
{
    FILE *stream = shim_on() ? open_stream(path, mode) : NULL;
    return stream != NULL ? stream : NEXT(fopen)(path, mode);
}

PUBLIC FILE *fopen64(const char *restrict path, const char *restrict mode)
{
    FILE *stream = shim_on() ? open_stream(path, mode) : NULL;
    return stream != NULL ? stream : NEXT(fopen64)(path, mode);
}
