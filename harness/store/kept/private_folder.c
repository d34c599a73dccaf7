// Whoever is killed cannot clean up. So a process of its own, the warden, waits for the end of the
// one that needs the folder, and of its forks: the other end of a pair of sockets is closed then.
#include "harness/store/kept/private_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "base/trouble.h"
#include "harness/history/whole_file.h"

#define TRIES_MAX 3
#define DEPTH_MAX 64 // of folders in it

// ---- the warden ---------------------------------------------------------------------------------

static int open_folder(int within, const char *name)
{
    return (int)syscall(SYS_openat, within, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// All that is in it. Asks for no memory, of which there may be none.
// NOLINTNEXTLINE(misc-no-recursion): DEPTH_MAX bounds it
static void empty(int folder, int depth)
{
    _Alignas(struct dirent64) char entries[2048];
    long length;
    while ((length = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0)
        for (long at = 0; at < length;) {
            const struct dirent64 *entry = (const struct dirent64 *)(entries + at);
            const char *name = entry->d_name;
            at += entry->d_reclen;
            if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || unlinkat(folder, name, 0) == 0)
                continue;
            const int inner = open_folder(folder, name);
            if (inner < 0)
                continue;
            if (depth > 0)
                empty(inner, depth - 1);
            close(inner);
            (void)unlinkat(folder, name, AT_REMOVEDIR);
        }
}

static void remove_all(const char *path)
{
    const int folder = open_folder(AT_FDCWD, path);
    if (folder >= 0) {
        empty(folder, DEPTH_MAX);
        close(folder);
    }
    (void)rmdir(path);
}

struct answer { // of the warden, when the folder is there
    int error;  // 0: it is
    char path[PRIVATE_FOLDER_MAX];
};

// errno, or 0.
static int make_folder(char *path, size_t size)
{
    const char *const bases[] = {getenv("TMPDIR"), "/tmp", "/var/tmp"};
    int error = ENOENT;
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        if (bases[i] == NULL || bases[i][0] != '/' ||
            (size_t)snprintf(path, size, "%s/ukemi-XXXXXX", bases[i]) >= size)
            continue;
        if (mkdtemp(path) != NULL && chmod(path, 0711) == 0)
            return 0;
        error = errno;
    }
    return error;
}

// No terminal and no group of the caller's reaches it; it holds no file of the caller's open. It
// makes the folder, too: there is none without a warden at any instant.
static _Noreturn void watch(int end)
{
    char word;
    sigset_t all;
    struct answer answer = {0};
    sigfillset(&all);
    (void)sigprocmask(SIG_BLOCK, &all, NULL);
    (void)setsid();
    answer.error = make_folder(answer.path, sizeof answer.path);
    if (chdir("/") != 0)
        log_info("%s: whoever removes it stays where it was started", answer.path);
    if (end > 0)
        (void)syscall(SYS_close_range, 0, (unsigned)end - 1, 0);
    (void)syscall(SYS_close_range, (unsigned)end + 1, ~0u, 0);
    (void)!send(end, &answer, sizeof answer, MSG_NOSIGNAL); // who is gone needs no answer
    if (answer.error == 0 && read(end, &word, 1) == 0)
        remove_all(answer.path);
    _exit(0);
}

// It is nobody's child that could be waited for by mistake. errno, or 0.
static int start_warden(int *ours)
{
    int end[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, end) != 0)
        return errno;
    const pid_t between = fork();
    if (between == 0) {
        close(end[1]);
        const pid_t warden = fork();
        if (warden == 0)
            watch(end[0]);
        _exit(warden < 0 ? errno : 0);
    }
    int how = 0, error = between < 0 ? errno : 0;
    while (between > 0 && waitpid(between, &how, 0) < 0 && errno == EINTR)
        continue;
    error = WIFEXITED(how) && WEXITSTATUS(how) != 0 ? WEXITSTATUS(how) : error;
    close(end[0]);
    *ours = end[1];
    if (error != 0)
        close(end[1]);
    return error;
}

static int take_answer(int warden, struct answer *answer)
{
    ssize_t length;
    do
        length = recv(warden, answer, sizeof *answer, MSG_WAITALL);
    while (length < 0 && errno == EINTR);
    if (length == (ssize_t)sizeof *answer)
        return answer->error;
    return length < 0 ? errno : ESRCH; // it was killed
}

// ---- the folder ---------------------------------------------------------------------------------

enum status private_folder_make(struct private_folder *folder)
{
    struct answer answer = {0};
    folder->path[0] = '\0';
    int error = ESRCH;
    for (int i = 0; i < TRIES_MAX && error == ESRCH;
         i++) { // whoever kills one is not after the next
        error = start_warden(&folder->warden);
        if (error != 0)
            break;
        error = take_answer(folder->warden, &answer);
        if (error != 0)
            close(folder->warden);
    }
    if (error == 0) {
        memcpy(folder->path, answer.path, sizeof folder->path);
        return STATUS_OK;
    }
    (void)trouble_note(error);
    log_error("no temporary folder for the files that judge a trial: %s; make room in /tmp, or "
              "set TMPDIR",
              strerror(error));
    return STATUS_SYSTEM;
}

void private_folder_remove(struct private_folder *folder)
{
    if (folder->path[0] == '\0')
        return;
    // The warden does it, since there may be no memory here to read a folder with. It is gone when
    // its end of the pair is, whoever else has ours.
    char word;
    (void)shutdown(folder->warden, SHUT_WR);
    while (read(folder->warden, &word, 1) < 0 && errno == EINTR)
        continue;
    close(folder->warden);
    if (access(folder->path, F_OK) == 0) // it was killed
        remove_all(folder->path);
    folder->path[0] = '\0';
}

// ---- what is in it ------------------------------------------------------------------------------

static enum status failed(const char *path)
{
    log_error("%s: cannot be written: %s; make room in its folder, or set TMPDIR", path,
              strerror(errno));
    (void)trouble_note(errno);
    return STATUS_SYSTEM;
}

// Fills `path`, and makes the folders on the way.
static enum status prepare(const struct private_folder *folder, const char *relative,
                           char path[PATH_MAX])
{
    if ((size_t)snprintf(path, PATH_MAX, "%s/%s", folder->path, relative) >= PATH_MAX) {
        log_error("%.200s...: too long a path for a file of a database", relative);
        return STATUS_CORRUPT;
    }
    for (char *slash = path + strlen(folder->path) + 1; (slash = strchr(slash, '/')) != NULL;
         *slash++ = '/') {
        *slash = '\0';
        if ((mkdir(path, 0700) != 0 || chmod(path, 0755) != 0) && errno != EEXIST)
            return failed(path); // whatever the umask
    }
    return STATUS_OK;
}

static enum status compare(const char *path, const void *bytes, size_t size_B)
{
    char *there = NULL;
    size_t there_B = 0;
    const bool same = whole_file_read(path, size_B, &there, &there_B) == STATUS_OK &&
                      there_B == size_B && (size_B == 0 || memcmp(there, bytes, size_B) == 0);
    free(there);
    if (same)
        return STATUS_OK;
    log_error("%s: the database keeps two files that would lie there", path);
    return STATUS_CORRUPT;
}

enum status private_folder_put(const struct private_folder *folder, const char *relative,
                               const void *bytes, size_t size_B, bool executable)
{
    char path[PATH_MAX];
    const enum status status = prepare(folder, relative, path);
    if (status != STATUS_OK)
        return status;
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return errno == EEXIST ? compare(path, bytes, size_B) : failed(path);
    size_t done_B = 0;
    while (done_B < size_B) {
        const ssize_t written = write(fd, (const char *)bytes + done_B, size_B - done_B);
        if (written < 0 && errno != EINTR)
            break;
        done_B += written > 0 ? (size_t)written : 0;
    }
    const bool whole = done_B == size_B && fchmod(fd, executable ? 0755 : 0644) == 0;
    return close(fd) == 0 && whole ? STATUS_OK : failed(path);
}

enum status private_folder_link(const struct private_folder *folder, const char *relative,
                                const char *target)
{
    char path[PATH_MAX];
    const enum status status = prepare(folder, relative, path);
    if (status != STATUS_OK)
        return status;
    return symlink(target, path) == 0 || errno == EEXIST ? STATUS_OK : failed(path);
}
