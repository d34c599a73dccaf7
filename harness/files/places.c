#include "harness/files/places.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "base/trouble.h"
#include "harness/files/project_file.h"
#include "harness/files/trusted.h"

// Below the folder that holds bin/: where programs are installed (in a build folder they lie in it
// itself), and where the data are (of a build folder a link to the project).
#define INSTALLED "lib/ukemi"
#define DATA "share/ukemi"

static void cut_last(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash != NULL)
        *slash = '\0';
}

// ---- beside the executable ----------------------------------------------------------------------

// Where the tests' own programs have the data: they lie elsewhere in the build folder. Of a lab
// that is delivered there is no such name.
extern const char places_built_from[] __attribute__((weak));

// The folder above that of the executable: PREFIX, or the build folder.
static void above_executable(char path[PATH_MAX])
{
    const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length < 0)
        (void)trouble_note(errno);
    path[length < 0 ? 0 : length] = '\0';
    cut_last(path); // the executable
    cut_last(path); // bin
}

void places_programs(char *path, size_t size)
{
    char above[PATH_MAX], installed[PATH_MAX + sizeof "/" INSTALLED];
    above_executable(above);
    snprintf(installed, sizeof installed, "%s/" INSTALLED, above);
    snprintf(path, size, "%s", access(installed, F_OK) == 0 ? installed : above);
}

void places_data(char *path, size_t size)
{
    char above[PATH_MAX], share[PATH_MAX + sizeof "/" DATA], real[PATH_MAX];
    const char *named = getenv("UKEMI_ROOT");
    above_executable(above);
    snprintf(share, sizeof share, "%s/" DATA, above);
    if (named == NULL && realpath(share, real) != NULL)
        named = real;
    if (named == NULL && places_built_from != NULL)
        named = places_built_from;
    snprintf(path, size, "%s", named != NULL ? named : share);
}

// ---- all of them --------------------------------------------------------------------------------

static bool is_same(const char *one, const char *other)
{
    struct stat first, second;
    return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

static enum status add_place(struct places *places, const char *folder)
{
    for (unsigned i = 0; i < places->count; i++)
        if (is_same(places->folder[i], folder))
            return STATUS_OK;
    if (places->count == PLACES_MAX) {
        log_error("UKEMI_PATH: more than %d folders; name fewer", PLACES_MAX - 2);
        return STATUS_INVALID;
    }
    text_copy(places->folder[places->count++], PATH_MAX_LENGTH, folder);
    return STATUS_OK;
}

// A folder of UKEMI_PATH; ~ is what shells make of it where it is not quoted.
static enum status add_named(struct places *places, const char *word, size_t length)
{
    char folder[PATH_MAX_LENGTH];
    const char *home = word[0] == '~' && (length == 1 || word[1] == '/') ? getenv("HOME") : NULL;
    const unsigned cut = home != NULL ? 1 : 0;
    if (length == 0)
        return STATUS_OK;
    if ((size_t)snprintf(folder, sizeof folder, "%s%.*s", home != NULL ? home : "",
                         (int)(length - cut), word + cut) >= sizeof folder) {
        log_error("UKEMI_PATH: %.*s: longer than %d characters; choose a shorter one", (int)length,
                  word, PATH_MAX_LENGTH - 1);
        return STATUS_INVALID;
    }
    if (access(folder, F_OK) == 0)
        return add_place(places, folder);
    log_error("UKEMI_PATH: %s: %s; name folders, separated by colons", folder, strerror(errno));
    return STATUS_INVALID;
}

static enum status add_path(struct places *places, const char *path)
{
    enum status status = STATUS_OK;
    while (path != NULL && *path != '\0' && status == STATUS_OK) {
        const size_t length = strcspn(path, ":");
        status = add_named(places, path, length);
        path += length + (path[length] == ':');
    }
    return status;
}

static struct {
    const char *folder, *above; // NULL: all places are in force
} only;

void places_only(const char *folder, const char *above)
{
    only.folder = folder;
    only.above = above;
}

bool places_are_stored(void)
{
    return only.folder != NULL;
}

bool places_moved(const char *path, char *moved, size_t size)
{
    const size_t length = only.folder != NULL ? strlen(only.above) : 0;
    return only.folder != NULL && strncmp(path, only.above, length) == 0 && path[length] == '/' &&
           (size_t)snprintf(moved, size, "%s/" PLACES_FILES "%s", only.folder, path + length) <
               size;
}

enum status places_list(struct places *places)
{
    char project[PATH_MAX_LENGTH];
    places->count = 1;
    if (only.folder != NULL) {
        text_copy(places->folder[0], PATH_MAX_LENGTH, only.folder);
        return STATUS_OK;
    }
    places_data(places->folder[0], sizeof places->folder[0]);
    enum status status = add_path(places, getenv("UKEMI_PATH"));
    if (status != STATUS_OK)
        return status;
    status = project_find(project);
    if (status == STATUS_OK)
        return add_place(places, project);
    return status == STATUS_NOT_FOUND ? STATUS_OK : status;
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
