// The scenarios and campaigns of all places, and which of them a word names.
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/nearest.h"
#include "base/text.h"
#include "base/trouble.h"
#include "harness/cli/cli.h"
#include "harness/files/places.h"

// The folders of scenarios/ that are no family:
#define CAMPAIGNS "campaigns"
#define STORMS "storms"
#define KNOWN "known.yaml" // and the file that is no scenario (known_file.h)
#define NIGHTS "nights"

// ---- all of them ------------------------------------------------------------------------------

static int is_yaml(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".yaml") == 0 &&
           strcmp(entry->d_name, KNOWN) != 0;
}

static int is_family(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && !is_yaml(entry) && strcmp(entry->d_name, CAMPAIGNS) != 0 &&
           strcmp(entry->d_name, STORMS) != 0 && strcmp(entry->d_name, NIGHTS) != 0;
}

static const char *file_of(const char *path)
{
    return strrchr(path, '/') + 1;
}

static enum status add(struct cli_files *files, const char *place, const char *name)
{
    char **more = realloc(files->path, (files->count + 1) * sizeof *more);
    if (more == NULL)
        return STATUS_NO_MEMORY;
    files->path = more;
    if (asprintf(&files->path[files->count], "%s/%s", place, name) < 0)
        return STATUS_NO_MEMORY;
    files->count++;
    return STATUS_OK;
}

// Adds the entries of one folder; NOT_FOUND if it cannot be read.
static enum status add_all(struct cli_files *files, const char *place,
                           int (*filter)(const struct dirent *))
{
    struct dirent **entry;
    const int count = scandir(place, &entry, filter, alphasort);
    if (count < 0)
        return trouble_note(errno) ? STATUS_NO_MEMORY : STATUS_NOT_FOUND;
    enum status status = STATUS_OK;
    for (int i = 0; i < count; i++) {
        if (status == STATUS_OK)
            status = add(files, place, entry[i]->d_name);
        free(entry[i]);
    }
    free(entry);
    return status;
}

static int by_file(const void *a, const void *b)
{
    const char *const one = *(char *const *)a, *const other = *(char *const *)b;
    const int order = strcmp(file_of(one), file_of(other));
    return order != 0 ? order : strcmp(one, other);
}

// Adds the files of a place and of its families.
static enum status add_place(struct cli_files *files, const char *place)
{
    struct cli_files families = {0};
    enum status status = add_all(files, place, is_yaml);
    if (status == STATUS_OK)
        status = add_all(&families, place, is_family);
    for (unsigned i = 0; i < families.count && status == STATUS_OK; i++) {
        status = add_all(files, families.path[i], is_yaml);
        if (status == STATUS_NOT_FOUND) // a file, say
            status = STATUS_OK;
    }
    cli_files_free(&families);
    return status;
}

enum status cli_files_list(const char *folder, struct cli_files *files)
{
    struct places places;
    *files = (struct cli_files){0};
    enum status status = places_with(folder, &places);
    for (unsigned i = 0; i < places.count && status == STATUS_OK; i++)
        status = add_place(files, places.folder[i]);
    if (files->count > 0)
        qsort(files->path, files->count, sizeof *files->path, by_file);
    return status;
}

void cli_files_free(struct cli_files *files)
{
    for (unsigned i = 0; i < files->count; i++)
        free(files->path[i]);
    free(files->path);
    *files = (struct cli_files){0};
}

// ---- one of them ------------------------------------------------------------------------------

#define NAMED_MAX 3 // in a message; more are as good as none

// The file that is meant, or those that may be.
struct found {
    unsigned exact, begin, hold;  // how many are, begin with, and only hold the name, or are near
    const char *path;             // the last that is exact, or else begins so
    char begins[256], holds[256]; // names for a message
};

static void note(const char *file, unsigned count, char *names, size_t size)
{
    const size_t length = strlen(names);
    if (count <= NAMED_MAX)
        snprintf(names + length, size - length, "%s%.*s", length > 0 ? ", " : "",
                 (int)(strlen(file) - strlen(".yaml")), file);
    else if (count == NAMED_MAX + 1)
        snprintf(names + length, size - length, " ...");
}

static void compare_name(const char *path, const char *name, struct found *found)
{
    const char *file = file_of(path);
    const size_t length = strlen(name), stem = strlen(file) - strlen(".yaml");
    if (strncmp(file, name, length) == 0) {
        const bool exact = length == stem || strcmp(file, name) == 0;
        found->exact += exact;
        if (exact || found->exact == 0)
            found->path = path;
        note(file, ++found->begin, found->begins, sizeof found->begins);
    } else if (strstr(file, name) != NULL)
        note(file, ++found->hold, found->holds, sizeof found->holds);
}

static bool is_one(const struct found *found)
{
    return found->exact == 1 || (found->exact == 0 && found->begin == 1);
}

// The file whose name is nearest to a mistyped one, without its ending; "": none is near.
static void find_nearest(const struct cli_files *files, const char *name, char stem[64])
{
    struct nearest nearest = {.word = name};
    *stem = '\0';
    for (unsigned i = 0; i < files->count; i++) {
        char candidate[64];
        const char *before = nearest.name;
        const char *file = file_of(files->path[i]);
        snprintf(candidate, sizeof candidate, "%.*s", (int)(strlen(file) - strlen(".yaml")), file);
        nearest_try(&nearest, candidate);
        if (nearest.name != before) { // this copy does not last
            text_copy(stem, 64, candidate);
            nearest.name = stem;
        }
    }
}

static struct found look_for(const struct cli_files *files, const char *name)
{
    struct found found = {0};
    for (unsigned i = 0; i < files->count; i++)
        compare_name(files->path[i], name, &found);
    if (found.begin == 0 && found.hold == 0) {
        find_nearest(files, name, found.holds);
        found.hold = found.holds[0] != '\0';
    }
    return found;
}

static void report(const char *folder, const char *name, const struct found *found)
{
    const char *slash = strrchr(folder, '/'), *kind = slash != NULL ? slash + 1 : "scenarios";
    char where[2 * PATH_MAX_LENGTH + 32];
    struct places places;
    const unsigned more =
        places_with(folder, &places) == STATUS_OK && places.count > 1 ? places.count - 1 : 0;
    snprintf(where, sizeof where, "%s/%s", cli_root, folder);
    if (more > 0)
        text_add(where, sizeof where, " and %u place%s more", more, text_plural(more));
    if (found->exact > 1)
        log_error("%s: %u files of %s have this name; name one by its path", name, found->exact,
                  where);
    else if (found->begin > 1)
        log_error("%s: more than one file in %s begins with this: %s; write more of the name", name,
                  where, found->begins);
    else if (found->hold > 0)
        log_error("%s: there is no such file in %s; do you mean %s? `ukemi list %s` shows what "
                  "there is",
                  name, where, found->holds, kind);
    else
        log_error("%s: there is no such file in %s; `ukemi list %s` shows what there is", name,
                  where, kind);
}

enum status cli_files_find(const char *folder, const char *name, char *path, size_t size)
{
    if (strchr(name, '/') != NULL ||
        access(name, R_OK) == 0) { // a file: loading it tells what is wrong with it
        snprintf(path, size, "%s", name);
        return STATUS_OK;
    }
    struct cli_files files;
    enum status status = cli_files_list(folder, &files);
    const struct found found = look_for(&files, name);
    if (is_one(&found))
        snprintf(path, size, "%s", found.path);
    else if (status == STATUS_OK || status == STATUS_NOT_FOUND) {
        report(folder, name, &found);
        status = STATUS_NOT_FOUND;
    }
    cli_files_free(&files);
    return status;
}
