// ukemi merge INTO FROM...
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/log.h"
#include "base/text.h"
#include "base/trouble.h"
#include "harness/cli/cli.h"
#include "harness/store/merge/merge.h"

#define ENDING ".db"

struct sources {
    const char *into;
    unsigned count, room;
    char **path;
};

static enum status add(struct sources *sources, const char *path)
{
    if (sources->count == sources->room) {
        const unsigned room = sources->room == 0 ? 16 : 2 * sources->room;
        char **grown = realloc(sources->path, room * sizeof *grown);
        if (grown == NULL) {
            (void)trouble_note(ENOMEM);
            return STATUS_NO_MEMORY;
        }
        sources->path = grown;
        sources->room = room;
    }
    char *copy = strdup(path);
    if (copy == NULL) {
        (void)trouble_note(ENOMEM);
        return STATUS_NO_MEMORY;
    }
    sources->path[sources->count++] = copy;
    return STATUS_OK;
}

static bool is_into(const struct sources *sources, const char *path)
{
    struct stat into, about;
    return stat(sources->into, &into) == 0 && stat(path, &about) == 0 &&
           into.st_dev == about.st_dev && into.st_ino == about.st_ino;
}

static int is_database(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name), ending = sizeof ENDING - 1;
    return entry->d_name[0] != '.' && length > ending &&
           strcmp(entry->d_name + length - ending, ENDING) == 0;
}

// The databases of a folder, by name; but INTO, which may be beside them.
static enum status add_folder(struct sources *sources, const char *folder)
{
    struct dirent **entry;
    const unsigned before = sources->count;
    const int entries = scandir(folder, &entry, is_database, alphasort);
    enum status status = STATUS_OK;
    if (entries < 0) {
        log_error("%s: %s", folder, strerror(errno));
        return trouble_note(errno) ? STATUS_SYSTEM : STATUS_INVALID;
    }
    for (int i = 0; i < entries; i++) {
        char path[2 * PATH_MAX_LENGTH];
        snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        if (status == STATUS_OK && !is_into(sources, path))
            status = add(sources, path);
        free(entry[i]);
    }
    free(entry);
    if (status == STATUS_OK && sources->count == before) {
        log_error("%s: no databases (*" ENDING ") are in this folder; name databases, or folders "
                  "that hold some",
                  folder);
        return STATUS_INVALID;
    }
    return status;
}

static enum status add_word(struct sources *sources, const char *word)
{
    struct stat about;
    return stat(word, &about) == 0 && S_ISDIR(about.st_mode) ? add_folder(sources, word)
                                                             : add(sources, word);
}

static void print_counts(const char *into, const struct merge_counts *counts)
{
    printf("%s: %u trial%s added, %u there already; %u campaign%s, %u judging%s and %u histor%s "
           "added\n",
           into, counts->trials, text_plural(counts->trials), counts->known, counts->campaigns,
           text_plural(counts->campaigns), counts->judgings, text_plural(counts->judgings),
           counts->histories, counts->histories == 1 ? "y" : "ies");
}

// Until the transaction nothing has been written: what is wrong can be fixed.
static int exit_of(enum status status)
{
    if (trouble_words() != NULL)
        return EXIT_LAB;
    return status == STATUS_BUSY || status == STATUS_SYSTEM || status == STATUS_NOT_FOUND
               ? EXIT_INPUT
               : (int)cli_exit_of(status);
}

int cli_merge(const struct cli_line *line)
{
    struct sources sources = {.into = line->word[0]};
    struct merge_counts counts;
    const struct merge_options options = {.add = line->value[CLI_ADD].given};
    enum status status = STATUS_OK;
    for (int i = 1; i < line->words && status == STATUS_OK; i++)
        status = add_word(&sources, line->word[i]);
    if (status == STATUS_OK)
        status = merge_databases(sources.into, (const char *const *)sources.path, sources.count,
                                 &options, &counts);
    if (status == STATUS_OK)
        print_counts(sources.into, &counts);
    for (unsigned i = 0; i < sources.count; i++)
        free(sources.path[i]);
    free(sources.path);
    return status == STATUS_OK ? EXIT_PASS : exit_of(status);
}
