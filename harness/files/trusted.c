#include "harness/files/trusted.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_kind.h"
#include "base/log.h"
#include "base/trouble.h"

#define LINKS_MAX 40 // the kernel's own bound

// ---- one file or folder -----------------------------------------------------------------------

static bool is_owner_of(const char *path, uid_t user)
{
    struct stat about;
    return stat(path, &about) == 0 && about.st_uid == user;
}

// Whose code runs as this user already. In a user namespace the owner of / stands for all who are
// not of it, and cannot be told from them.
static bool is_trusted_owner(uid_t user)
{
    return user == 0 || user == geteuid() || is_owner_of("/proc/self/exe", user) ||
           is_owner_of("/", user);
}

// A group of one, as many systems give each user one of the same number, is no group.
static bool is_trusted_group(gid_t group)
{
    return group == 0 || (group == getegid() && group == geteuid());
}

static bool others_may_write(const struct stat *about)
{
    return (about->st_mode & S_IWOTH) != 0 ||
           ((about->st_mode & S_IWGRP) != 0 && !is_trusted_group(about->st_gid));
}

static enum status refuse_owner(const char *path, const struct stat *about)
{
    log_error("%s: belongs to user %u, who could put anything there for you to run; copy it to a "
              "folder of your own, or make it yours: chown",
              path, about->st_uid);
    return STATUS_INVALID;
}

static enum status refuse_mode(const char *path, const struct stat *about)
{
    log_error("%s: others may write it (mode %04o), and could put anything there for you to run; "
              "use a folder of your own, or take that right away: chmod go-w %s",
              path, about->st_mode & 07777u, path);
    return STATUS_INVALID;
}

static enum status check(const char *path, const struct stat *about, bool on_the_way)
{
    const char *special = S_ISLNK(about->st_mode) ? NULL : file_special(path);
    if (special != NULL) {
        log_error("%s: %s", path, special);
        return STATUS_INVALID;
    }
    if (!is_trusted_owner(about->st_uid))
        return refuse_owner(path, about);
    if (S_ISLNK(about->st_mode)) // has no mode of its own
        return STATUS_OK;
    const bool keeps_apart = on_the_way && (about->st_mode & S_ISVTX) != 0;
    return others_may_write(about) && !keeps_apart ? refuse_mode(path, about) : STATUS_OK;
}

enum status trusted_file(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0)
        return trouble_note(errno) ? STATUS_SYSTEM : STATUS_NOT_FOUND;
    return check(path, &about, false);
}

// ---- the way to it ----------------------------------------------------------------------------

struct way {
    char done[PATH_MAX]; // checked, without a link in it; "" is /
    char rest[PATH_MAX]; // still to go
    unsigned links;
};

// Takes the first name of the rest. false: there is none.
static bool take_name(struct way *way, char name[NAME_MAX + 1])
{
    const char *from = way->rest + strspn(way->rest, "/");
    const size_t length = strcspn(from, "/");
    if (length == 0 || length > NAME_MAX)
        return false;
    memcpy(name, from, length);
    name[length] = '\0';
    const char *after = from + length + strspn(from + length, "/");
    memmove(way->rest, after, strlen(after) + 1);
    return true;
}

// Goes on with what a link leads to, which `done` now names.
static enum status follow(struct way *way)
{
    char to[PATH_MAX], rest[PATH_MAX];
    const ssize_t length = readlink(way->done, to, sizeof to - 1);
    if (length < 0 || ++way->links > LINKS_MAX)
        return STATUS_NOT_FOUND;
    to[length] = '\0';
    if ((size_t)snprintf(rest, sizeof rest, "%s/%s", to, way->rest) >= sizeof rest)
        return STATUS_TOO_LARGE;
    memcpy(way->rest, rest, strlen(rest) + 1);
    *(to[0] == '/' ? way->done : strrchr(way->done, '/')) = '\0';
    return STATUS_OK;
}

static enum status step(struct way *way, const char *name)
{
    struct stat about;
    const size_t length = strlen(way->done);
    if (strcmp(name, ".") == 0)
        return STATUS_OK;
    if (strcmp(name, "..") == 0) { // of a folder without links: the one above is checked already
        char *slash = strrchr(way->done, '/');
        if (slash != NULL)
            *slash = '\0';
        return STATUS_OK;
    }
    if ((size_t)snprintf(way->done + length, sizeof way->done - length, "/%s", name) >=
        sizeof way->done - length)
        return STATUS_TOO_LARGE;
    if (lstat(way->done, &about) != 0)
        return trouble_note(errno) ? STATUS_SYSTEM : STATUS_NOT_FOUND;
    const enum status status = check(way->done, &about, way->rest[0] != '\0');
    return status == STATUS_OK && S_ISLNK(about.st_mode) ? follow(way) : status;
}

enum status trusted_path(const char *path)
{
    struct way way = {.done = ""};
    char here[PATH_MAX] = "", name[NAME_MAX + 1];
    if (path[0] != '/' && getcwd(here, sizeof here) == NULL)
        return STATUS_NOT_FOUND;
    if ((size_t)snprintf(way.rest, sizeof way.rest, "%s/%s", here, path) >= sizeof way.rest)
        return STATUS_TOO_LARGE;
    enum status status = STATUS_OK;
    while (status == STATUS_OK && take_name(&way, name))
        status = step(&way, name);
    // The end may have been passed with "..", or "." behind it: it is no folder on the way.
    return status == STATUS_OK ? trusted_file(way.done[0] != '\0' ? way.done : "/") : status;
}
