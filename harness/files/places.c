#include "harness/files/places.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "base/trouble.h"
#include "harness/files/trusted.h"

static bool holds(const char *folder, const char *name)
{
    char path[2 * PATH_MAX_LENGTH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0 || trouble_note(errno);
}

static void cut_last(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash != NULL)
        *slash = '\0';
}

void places_data(char *path, size_t size)
{
    char beside[PATH_MAX] = ""; // build/bin/ukemi, say
    const char *named = getenv("UKEMI_ROOT");
    if (readlink("/proc/self/exe", beside, sizeof beside - 1) < 0)
        beside[0] = '\0';
    for (int i = 0; i < 3; i++) // the executable, bin, build
        cut_last(beside);
    const bool whole = holds(beside, "reports") && holds(beside, "faults") &&
                       holds(beside, "targets") && holds(beside, "scenarios");
    snprintf(path, size, "%s", named != NULL ? named : whole ? beside : LAB_DATA);
}

static enum status add_place(struct places *places, const char *folder, size_t length)
{
    if (length == 0)
        return STATUS_OK;
    if (places->count == PLACES_MAX) {
        log_error("UKEMI_PATH: more than %d folders; name fewer", PLACES_MAX - 1);
        return STATUS_INVALID;
    }
    if (length >= PATH_MAX_LENGTH) {
        log_error("UKEMI_PATH: %.*s: longer than %d characters; choose a shorter one", (int)length,
                  folder, PATH_MAX_LENGTH - 1);
        return STATUS_INVALID;
    }
    char *place = places->folder[places->count++];
    memcpy(place, folder, length);
    place[length] = '\0';
    if (access(place, F_OK) == 0)
        return STATUS_OK;
    log_error("UKEMI_PATH: %s: %s; name folders, separated by colons", place, strerror(errno));
    return STATUS_INVALID;
}

enum status places_list(struct places *places)
{
    places->count = 1;
    places_data(places->folder[0], sizeof places->folder[0]);
    const char *more = getenv("UKEMI_PATH");
    enum status status = STATUS_OK;
    while (more != NULL && *more != '\0' && status == STATUS_OK) {
        const size_t length = strcspn(more, ":");
        status = add_place(places, more, length);
        more += length + (more[length] == ':');
    }
    return status;
}

enum status places_with(const char *name, struct places *found)
{
    struct places all;
    found->count = 0;
    enum status status = places_list(&all);
    for (unsigned i = 0; i < all.count && status == STATUS_OK; i++) {
        char *path = found->folder[found->count];
        if ((size_t)snprintf(path, PATH_MAX_LENGTH, "%s/%s", all.folder[i], name) >=
            PATH_MAX_LENGTH)
            return STATUS_TOO_LARGE;
        status = trusted_path(path);
        if (status == STATUS_OK)
            found->count++;
        else if (status == STATUS_NOT_FOUND)
            status = STATUS_OK;
    }
    return status == STATUS_OK && found->count == 0 ? STATUS_NOT_FOUND : status;
}

// A file, and the folder that others of its kind come from, too.
static enum status check_file(const char *path)
{
    char folder[PATH_MAX_LENGTH];
    enum status status = trusted_path(path);
    text_copy(folder, sizeof folder, path);
    cut_last(folder);
    return status == STATUS_OK ? trusted_path(folder) : status;
}

enum status places_find(const char *relative, char *path, size_t size)
{
    struct places all;
    const char *first = NULL;
    enum status status = places_list(&all);
    for (unsigned i = 0; i < all.count && status == STATUS_OK; i++) {
        char candidate[PATH_MAX_LENGTH];
        if ((size_t)snprintf(candidate, sizeof candidate, "%s/%s", all.folder[i], relative) >=
            sizeof candidate)
            return STATUS_TOO_LARGE;
        if (access(candidate, F_OK) != 0 && !trouble_note(errno))
            continue;
        status = check_file(candidate);
        if (status == STATUS_OK && first != NULL) {
            log_error("%s: %s has one of this name, too; rename one of the two", candidate, first);
            return STATUS_INVALID;
        }
        first = all.folder[i];
        if ((size_t)snprintf(path, size, "%s", candidate) >= size)
            return STATUS_TOO_LARGE;
    }
    return status == STATUS_OK && first == NULL ? STATUS_NOT_FOUND : status;
}
