// The folder of a bare cell.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "harness/cell/cell_bare.h"
#include "harness/cell/cell_look.h"

#define PREFIX "ukemi-cell-"
#define NEW_PREFIX ".ukemi-cell-" // until its lock is held
#define LOCK "lock"
#define LIBRARY "lib/libukemi-apart.so" // below the build folder
#define SEMAPHORE "sem."
#define NEW_PATIENCE_S 60
#define BASE_MAX 64    // longer, and names of sockets would not fit
#define ROOM_MIN_MB 16 // a stack of seven daemons needs 3
#define DEPTH_MAX 64   // of folders that are removed, or measured
#define LOOKED_AT_MAX 20000
#define ENVIRONMENT_MAX_B (128 << 10)
#define MB (1024.0 * 1024.0)

// ---- removing ----------------------------------------------------------------------------------

// NOLINTBEGIN(misc-no-recursion): DEPTH_MAX bounds it
static void remove_below(int parent, const char *name, unsigned depth)
{
    if (unlinkat(parent, name, 0) == 0 || (errno != EISDIR && errno != EPERM))
        return;
    (void)fchmodat(parent, name, 0700, 0); // its programs may have taken that away
    const int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *list = folder < 0 ? NULL : fdopendir(folder);
    for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            depth < DEPTH_MAX)
            remove_below(folder, entry->d_name, depth + 1);
    if (list != NULL)
        closedir(list);
    else if (folder >= 0)
        close(folder);
    (void)unlinkat(parent, name, AT_REMOVEDIR);
}
// NOLINTEND(misc-no-recursion)

// Shared memory and semaphores of programs, whose names begin with that of the folder.
static void remove_named(const char *folder)
{
    const char *name = strrchr(folder, '/') + 1;
    DIR *list = opendir(BARE_NAMED);
    for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
        const char *own = entry->d_name;
        own += strncmp(own, SEMAPHORE, strlen(SEMAPHORE)) == 0 ? strlen(SEMAPHORE) : 0;
        if (strncmp(own, name, strlen(name)) == 0 && own[strlen(name)] == '.')
            (void)unlinkat(dirfd(list), entry->d_name, 0);
    }
    if (list != NULL)
        closedir(list);
}

static void remove_all(const char *folder)
{
    remove_named(folder);
    remove_below(AT_FDCWD, folder, 0);
}

void bare_place_remove(const struct bare_place *place)
{
    remove_all(place->folder);
}

// NOLINTBEGIN(misc-no-recursion): DEPTH_MAX bounds it
static double used_below_MB(int parent, const char *name, unsigned depth, unsigned *looked_at)
{
    struct stat about;
    double sum_MB = 0;
    if (++*looked_at > LOOKED_AT_MAX || fstatat(parent, name, &about, AT_SYMLINK_NOFOLLOW) != 0)
        return 0;
    sum_MB += (double)about.st_blocks * 512 / MB;
    const int folder = S_ISDIR(about.st_mode) && depth < DEPTH_MAX
                           ? openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                           : -1;
    DIR *list = folder < 0 ? NULL : fdopendir(folder);
    for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            sum_MB += used_below_MB(folder, entry->d_name, depth + 1, looked_at);
    if (list != NULL)
        closedir(list);
    else if (folder >= 0)
        close(folder);
    return sum_MB;
}
// NOLINTEND(misc-no-recursion)

double bare_place_used_MB(const struct bare_place *place)
{
    unsigned looked_at = 0;
    return used_below_MB(AT_FDCWD, place->folder, 0, &looked_at);
}

// ---- what killed labs have left ----------------------------------------------------------------

// Whether the process was started in a cell with this folder.
static bool was_in(const char *pid, const char *folder)
{
    static char environment[ENVIRONMENT_MAX_B];
    char path[300], mark[BARE_PATH_MAX + sizeof "TMPDIR=/"];
    snprintf(path, sizeof path, "/proc/%s/environ", pid);
    const size_t length = cell_read_file(AT_FDCWD, path, environment, sizeof environment);
    const int mark_length = snprintf(mark, sizeof mark, "TMPDIR=%s/", folder);
    for (size_t at = 0; at < length; at += strlen(environment + at) + 1)
        if (strncmp(environment + at, mark, (size_t)mark_length) == 0)
            return true;
    return false;
}

static void end_those_of(const char *folder)
{
    DIR *list = opendir("/proc");
    for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;)
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && was_in(entry->d_name, folder))
            (void)kill((pid_t)strtol(entry->d_name, NULL, 10), SIGKILL);
    if (list != NULL)
        closedir(list);
}

// A lab that lives holds the lock of its folder.
static void sweep_one(const char *base, const char *name)
{
    char path[BARE_PATH_MAX], lock_path[BARE_PATH_MAX + sizeof "/" LOCK];
    struct stat about;
    const bool new = strncmp(name, NEW_PREFIX, strlen(NEW_PREFIX)) == 0;
    if ((!new &&strncmp(name, PREFIX, strlen(PREFIX)) != 0) ||
        (size_t)snprintf(path, sizeof path, "%s/%s", base, name) >= sizeof path ||
        lstat(path, &about) != 0 || !S_ISDIR(about.st_mode) || about.st_uid != geteuid() ||
        (new &&time(NULL) - about.st_mtime < NEW_PATIENCE_S))
        return;
    snprintf(lock_path, sizeof lock_path, "%s/" LOCK, path);
    const int lock = open(lock_path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (lock < 0 ? errno == ENOENT : flock(lock, LOCK_EX | LOCK_NB) == 0) {
        end_those_of(path);
        remove_all(path);
    }
    if (lock >= 0)
        close(lock);
}

static void sweep(const char *base)
{
    DIR *list = opendir(base);
    for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;)
        sweep_one(base, entry->d_name);
    if (list != NULL)
        closedir(list);
}

// ---- making ------------------------------------------------------------------------------------

__attribute__((format(printf, 3, 4))) static void say(char *why, size_t size, const char *format,
                                                      ...)
{
    const size_t used = strlen(why);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why + used, size - used, format, arguments);
    va_end(arguments);
}

static bool make_folder(const char *path)
{
    return mkdir(path, 0755) == 0 && chmod(path, 01755) == 0;
}

static bool make_folders(struct bare_place *place)
{
    char path[BARE_PATH_MAX + sizeof "/channels"];
    snprintf(place->cell, sizeof place->cell, "%.*s/cell", BARE_PATH_MAX - 8, place->folder);
    snprintf(place->scrap, sizeof place->scrap, "%.*s/tmp", BARE_PATH_MAX - 8, place->folder);
    if (!make_folder(place->cell) || !make_folder(place->scrap))
        return false;
    snprintf(path, sizeof path, "%s/channels", place->cell);
    if (!make_folder(path))
        return false;
    snprintf(path, sizeof path, "%s/buses", place->cell);
    return make_folder(path);
}

// Under a name that nobody sweeps away until its lock is held.
static bool make_locked(const char *base, struct bare_place *place)
{
    char new[BARE_PATH_MAX], lock[BARE_PATH_MAX + sizeof "/" LOCK];
    snprintf(new, sizeof new, "%s/" NEW_PREFIX "XXXXXX", base);
    if (mkdtemp(new) == NULL)
        return false;
    snprintf(lock, sizeof lock, "%s/" LOCK, new);
    place->lock = open(lock, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    snprintf(place->folder, sizeof place->folder, "%s/" PREFIX "%s", base,
             new + strlen(base) + sizeof "/" NEW_PREFIX - 1);
    if (place->lock >= 0 && flock(place->lock, LOCK_EX | LOCK_NB) == 0 &&
        rename(new, place->folder) == 0)
        return true;
    const int error = errno;
    remove_below(AT_FDCWD, new, 0);
    if (place->lock >= 0)
        close(place->lock);
    errno = error;
    return false;
}

static bool make_in(const char *base, struct bare_place *place, char *why, size_t size)
{
    struct statvfs disk;
    if (base == NULL || base[0] != '/' || strlen(base) > BASE_MAX)
        return false;
    sweep(base);
    if (statvfs(base, &disk) != 0) {
        say(why, size, "%s: %s; ", base, strerror(errno));
        return false;
    }
    const double room_MB = (double)disk.f_bavail * (double)disk.f_frsize / MB;
    if (room_MB < ROOM_MIN_MB) {
        say(why, size, "%s: %.0f MB free, %d are needed; ", base, room_MB, ROOM_MIN_MB);
        errno = ENOSPC;
        return false;
    }
    if (make_locked(base, place) && make_folders(place))
        return true;
    say(why, size, "%s: %s; ", base, strerror(errno));
    return false;
}

static void pair(struct bare_place *place, const char *inside, const char *outside)
{
    struct bare_pair *new = &place->pair[place->pair_count];
    if (outside == NULL || place->pair_count == BARE_PAIRS_MAX)
        return;
    snprintf(new->inside, sizeof new->inside, "%s", inside);
    char *whole = realpath(outside, NULL);
    snprintf(new->outside, sizeof new->outside, "%s", whole != NULL ? whole : outside);
    free(whole);
    place->pair_count++;
}

static void pair_all(const struct cell_request *request, struct bare_place *place)
{
    pair(place, CELL_FOLDER, place->cell);
    pair(place, CELL_BUILD, request->build_folder);
    pair(place, CELL_TARGET, request->target_folder);
    pair(place, CELL_BESIDE, request->beside_folder);
    for (unsigned i = 0; i < request->fault_folder_count; i++) {
        char inside[sizeof CELL_FAULTS + 12];
        snprintf(inside, sizeof inside, CELL_FAULTS "/%u", i);
        pair(place, inside, request->fault_folder[i]);
    }
}

// A sanitizer wants to be the first library itself.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PRELOADS false
#else
#define PRELOADS true
#endif

static void find_library(const struct cell_request *request, struct bare_place *place)
{
    const char *name = strrchr(place->folder, '/') + 1;
    snprintf(place->names, sizeof place->names, "%s", name);
    const int length =
        snprintf(place->library, sizeof place->library, "%s/" LIBRARY, request->build_folder);
    if (!PRELOADS || length >= (int)sizeof place->library || access(place->library, R_OK) != 0)
        place->library[0] = '\0';
}

bool bare_place_make(const struct cell_request *request, struct bare_place *place, char *why,
                     size_t size)
{
    const char *const bases[] = {getenv("XDG_RUNTIME_DIR"), "/dev/shm", getenv("TMPDIR"), "/tmp",
                                 "/var/tmp"};
    why[0] = '\0';
    place->lock = -1;
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++)
        if (make_in(bases[i], place, why, size)) {
            pair_all(request, place);
            find_library(request, place);
            return true;
        }
    return false;
}
