// Times of files. The kernel stamps by real time what programs write and make. A file that has
// changed since the trial began gets the time at which somebody first looks at it after that.
#include <fcntl.h>
#include <sys/stat.h>

#include "shim/shim.h"

#define MARGIN_S 10 // the cell's files are made before its clock

static bool is_of_trial(int64_t s)
{
    return shim_on() && s >= shim.cell->made_s - MARGIN_S;
}

static struct timespec realtime(void)
{
    return shim_timespec(shim_base_ns(CLOCK_REALTIME) + shim_now_ns());
}

// Gives a file the trial's time. That of others stays what it is: they show the trial's beginning.
static struct timespec stamp(int folder, const char *path, int flags)
{
    const struct timespec now = realtime(), both[2] = {now, now};
    const int error = errno;
    const int at = flags & (AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH);
    const bool by_descriptor = path == NULL || path[0] == '\0';
    const long result = by_descriptor ? KERNEL(SYS_utimensat, folder, NULL, both, 0)
                                      : KERNEL(SYS_utimensat, folder, path, both, at);
    errno = error;
    return result == 0 ? now : shim_timespec(shim_base_ns(CLOCK_REALTIME));
}

static int told(int result, int folder, const char *path, int flags, struct stat *file)
{
    if (result != 0 || !(is_of_trial(file->st_mtim.tv_sec) || is_of_trial(file->st_ctim.tv_sec)))
        return result;
    if (is_of_trial(file->st_mtim.tv_sec))
        file->st_mtim = stamp(folder, path, flags);
    if (is_of_trial(file->st_atim.tv_sec))
        file->st_atim = file->st_mtim;
    file->st_ctim = file->st_mtim;
    return result;
}

// ---- stat ----

static int stat_at(int folder, const char *path, struct stat *file, int flags)
{
    const int result = (int)KERNEL(SYS_newfstatat, folder, path, file, flags);
    return told(result, folder, path, flags, file);
}

PUBLIC int fstatat(int folder, const char *restrict path, struct stat *restrict file, int flags)
{
    return stat_at(folder, path, file, flags);
}

PUBLIC int stat(const char *restrict path, struct stat *restrict file)
{
    return stat_at(AT_FDCWD, path, file, 0);
}

PUBLIC int lstat(const char *restrict path, struct stat *restrict file)
{
    return stat_at(AT_FDCWD, path, file, AT_SYMLINK_NOFOLLOW);
}

PUBLIC int fstat(int descriptor, struct stat *file)
{
    const int result = (int)KERNEL(SYS_fstat, descriptor, file);
    return told(result, descriptor, NULL, 0, file);
}

PUBLIC int fstatat64(int folder, const char *restrict path, struct stat64 *restrict file, int flags)
{
    return stat_at(folder, path, (struct stat *)file, flags);
}

PUBLIC int stat64(const char *restrict path, struct stat64 *restrict file)
{
    return stat_at(AT_FDCWD, path, (struct stat *)file, 0);
}

PUBLIC int lstat64(const char *restrict path, struct stat64 *restrict file)
{
    return stat_at(AT_FDCWD, path, (struct stat *)file, AT_SYMLINK_NOFOLLOW);
}

PUBLIC int fstat64(int descriptor, struct stat64 *file)
{
    return fstat(descriptor, (struct stat *)file);
}

// ---- the same for programs that were linked before glibc 2.33 ----

#define OLD(name, parameters, expression)                                                          \
    PUBLIC int name parameters;                                                                    \
    PUBLIC int name parameters                                                                     \
    {                                                                                              \
        (void)version;                                                                             \
        return expression;                                                                         \
    }
OLD(__xstat, (int version, const char *path, struct stat *file), stat(path, file))
OLD(__xstat64, (int version, const char *path, struct stat *file), stat(path, file))
OLD(__lxstat, (int version, const char *path, struct stat *file), lstat(path, file))
OLD(__lxstat64, (int version, const char *path, struct stat *file), lstat(path, file))
OLD(__fxstat, (int version, int descriptor, struct stat *file), fstat(descriptor, file))
OLD(__fxstat64, (int version, int descriptor, struct stat *file), fstat(descriptor, file))
OLD(__fxstatat, (int version, int folder, const char *path, struct stat *file, int flags),
    stat_at(folder, path, file, flags))
OLD(__fxstatat64, (int version, int folder, const char *path, struct stat *file, int flags),
    stat_at(folder, path, file, flags))

// ---- statx ----

static struct statx_timestamp statx_time(struct timespec t)
{
    return (struct statx_timestamp){.tv_sec = t.tv_sec, .tv_nsec = (unsigned)t.tv_nsec};
}

PUBLIC int statx(int folder, const char *restrict path, int flags, unsigned mask,
                 struct statx *restrict file)
{
    const int result = (int)KERNEL(SYS_statx, folder, path, flags, mask, file);
    if (result != 0 || !shim_on())
        return result;
    struct stat times = {
        .st_mtim = {file->stx_mtime.tv_sec, file->stx_mtime.tv_nsec},
        .st_atim = {file->stx_atime.tv_sec, file->stx_atime.tv_nsec},
        .st_ctim = {file->stx_ctime.tv_sec, file->stx_ctime.tv_nsec},
    };
    (void)told(0, folder, path, flags, &times);
    file->stx_mtime = statx_time(times.st_mtim);
    file->stx_atime = statx_time(times.st_atim);
    file->stx_ctime = statx_time(times.st_ctim);
    if (is_of_trial(file->stx_btime.tv_sec))
        file->stx_btime = statx_time(shim_timespec(shim_base_ns(CLOCK_REALTIME)));
    return 0;
}
