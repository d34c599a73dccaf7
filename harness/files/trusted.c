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
#define OVERFLOW_USER 65534

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

// ---- what is refused --------------------------------------------------------------------------

static struct {
    bool accepts, silent;
    char first[PATH_MAX + 64]; // that was accepted, and what would have been wrong with it
} own;

void trusted_accept(void)
{
    own.accepts = true;
}

const char *trusted_accepted(void)
{
    return own.first[0] == '\0' ? NULL : own.first;
}

void trusted_silently(bool silent)
{
    own.silent = silent;
}

// Says what is wrong with it, and what would help; or that it is trusted all the same.
static enum status refuse(const char *path, const char *wrong, const char *remedy)
{
    if (!own.accepts) {
        if (!own.silent)
            log_error("%s: %s, and could put anything there for you to run; %s, or, if you trust "
                      "them as yourself, say --trust-folder",
                      path, wrong, remedy);
        return STATUS_INVALID;
    }
    if (own.first[0] == '\0') {
        snprintf(own.first, sizeof own.first, "%s: %s", path, wrong);
        log_info("%s; trusted all the same, as --trust-folder says", own.first);
    }
    return STATUS_OK;
}

// The number that stands for all users whom a user namespace does not know; such a file can be
// given to nobody from within.
static bool is_of_nobody_here(uid_t user)
{
    char text[64] = "";
    unsigned first = 0, outside = 0, count = 0;
    FILE *file = fopen("/proc/self/uid_map", "re");
    const bool known = file != NULL && fgets(text, sizeof text, file) != NULL &&
                       sscanf(text, "%u %u %u", &first, &outside, &count) == 3;
    if (file != NULL)
        (void)fclose(file); // only read
    return user == OVERFLOW_USER && known && count != UINT_MAX;
}

static enum status refuse_owner(const char *path, const struct stat *about)
{
    char wrong[80], remedy[PATH_MAX + 160];
    if (is_of_nobody_here(about->st_uid)) {
        snprintf(wrong, sizeof wrong, "belongs to a user whom this container does not know");
        snprintf(remedy, sizeof remedy,
                 "copy it to a folder of your own: cp -r, or start the container so that it knows "
                 "the owner (podman run --userns=keep-id)");
    } else {
        snprintf(wrong, sizeof wrong, "belongs to user %u", about->st_uid);
        snprintf(remedy, sizeof remedy,
                 "copy it to a folder of your own, or make it yours: chown -R %u %s", geteuid(),
                 path);
    }
    return refuse(path, wrong, remedy);
}

static enum status refuse_mode(const char *path, const struct stat *about)
{
    char wrong[64], remedy[PATH_MAX + 120];
    snprintf(wrong, sizeof wrong, "others may write it (mode %04o)", about->st_mode & 07777u);
    snprintf(remedy, sizeof remedy,
             "use a folder of your own, or take that right away: chmod %s %s",
             S_ISDIR(about->st_mode) ? "-R go-w" : "go-w", path);
    return refuse(path, wrong, remedy);
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
