#include "harness/files/known_file.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "harness/files/places.h"
#include "harness/files/yaml/file_table.h"

static const struct file_row finding_rows[] = {
    {"target", VALUE_TEXT, true, FIELD(struct known_finding, target), .help = "its name"},
    {"oracle", VALUE_TEXT, true, FIELD(struct known_finding, oracle),
     .help = "the promise or oracle that is broken first"},
    {"party", VALUE_TEXT, true, FIELD(struct known_finding, party),
     .help = "the process that its words name, or the target"},
    {"acting", VALUE_TEXT, true, FIELD(struct known_finding, acting),
     .help = "the kinds of faults that act then, as `ukemi findings` has them: `kill+stall`, "
             "`calm`"},
    {"reason", VALUE_TEXT, true, FIELD(struct known_finding, reason),
     .help = "why it stays; it stands beside the finding"},
    {.key = NULL}};

const struct file_row known_rows[] = {
    FORMAT_ROW(1),
    {"known", VALUE_MAP, true, LIST(struct known_findings, finding, count), .most = KNOWN_MAX,
     .rows = finding_rows,
     .help = "findings of storms that make no night red. In all but `reason`, `*` and `?` stand "
             "for any letters, and for one"},
    {.key = NULL}};

static enum status accept(struct yaml_source *source, void *file, void *context)
{
    (void)file, (void)context;
    return yaml_status(source);
}

enum status known_load_file(const char *path, struct known_findings **known)
{
    void *file;
    const enum status status = file_load(path, known_rows, sizeof **known, accept, NULL, &file);
    *known = file;
    return status;
}

// What does not fit any more is reported.
static enum status add_file(struct known_findings *all, const char *path)
{
    struct known_findings *more;
    if (access(path, F_OK) != 0)
        return STATUS_OK;
    const enum status status = known_load_file(path, &more);
    if (status != STATUS_OK)
        return status;
    const bool fits = all->count + more->count <= KNOWN_MAX;
    if (fits) {
        memcpy(&all->finding[all->count], more->finding, more->count * sizeof more->finding[0]);
        all->count += more->count;
    } else
        log_error("%s: more than %d known findings in all places; leave some out", path, KNOWN_MAX);
    free(more);
    return fits ? STATUS_OK : STATUS_INVALID;
}

enum status known_load(struct known_findings **known)
{
    struct places places;
    char path[2 * PATH_MAX_LENGTH];
    *known = calloc(1, sizeof **known);
    if (*known == NULL)
        return STATUS_NO_MEMORY;
    enum status status = places_with(KNOWN_FOLDER, &places);
    if (status == STATUS_NOT_FOUND)
        return STATUS_OK;
    for (unsigned i = 0; status == STATUS_OK && i < places.count; i++) {
        snprintf(path, sizeof path, "%s/known.yaml", places.folder[i]);
        status = add_file(*known, path);
    }
    if (status == STATUS_OK)
        return STATUS_OK;
    free(*known);
    *known = NULL;
    return status;
}

const char *known_reason(const struct known_findings *known, const char *target, const char *oracle,
                         const char *party, const char *acting)
{
    for (unsigned i = 0; i < known->count; i++) {
        const struct known_finding *f = &known->finding[i];
        if (fnmatch(f->target, target, 0) == 0 && fnmatch(f->oracle, oracle, 0) == 0 &&
            fnmatch(f->party, party, 0) == 0 && fnmatch(f->acting, acting, 0) == 0)
            return f->reason;
    }
    return NULL;
}
