#include "harness/files/trusted_cell.h"

#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/text.h"
#include "harness/files/trusted.h"

#define DEPTH_MAX 8

// Every file and folder below it; links lead to what is checked where it is used.
static bool all_trusted(const char *folder)
{
    char path[PATH_MAX];
    char *const folders[] = {path, NULL};
    text_copy(path, sizeof path, folder);
    FTS *walk = fts_open(folders, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    bool trusted = walk != NULL;
    for (FTSENT *entry; trusted && (entry = fts_read(walk)) != NULL;) {
        if (entry->fts_info == FTS_D && entry->fts_level >= DEPTH_MAX)
            (void)fts_set(walk, entry, FTS_SKIP);
        if (entry->fts_info == FTS_D || entry->fts_info == FTS_F)
            trusted = trusted_file(entry->fts_accpath) == STATUS_OK;
    }
    if (walk != NULL)
        (void)fts_close(walk);
    return trusted;
}

bool trusted_cell(const struct cell_request *request, char *why, size_t size)
{
    const char *culprit = NULL;
    if (trusted_path(request->target_folder) != STATUS_OK || !all_trusted(request->target_folder))
        culprit = request->target_folder;
    else if (trusted_path(request->build_folder) != STATUS_OK)
        culprit = request->build_folder;
    else if (request->beside_folder != NULL && trusted_path(request->beside_folder) != STATUS_OK)
        culprit = request->beside_folder;
    for (unsigned i = 0; i < request->fault_folder_count && culprit == NULL; i++)
        if (trusted_path(request->fault_folder[i]) != STATUS_OK)
            culprit = request->fault_folder[i];
    if (culprit == NULL)
        return true;
    snprintf(why, size,
             "this place refuses what a wall is made of, and without one only trusted targets run; "
             "%.120s is not one, see above",
             culprit);
    return false;
}

bool trusted_cell_silently(const struct cell_request *request, char *why, size_t size)
{
    trusted_silently(true);
    const bool trusted = trusted_cell(request, why, size);
    trusted_silently(false);
    return trusted;
}
