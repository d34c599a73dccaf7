// In the private folder: targets/NAME/, faults/, and files/ with campaign, scenarios, and what lies
// beside these, by the paths that they had to each other.
#include "harness/store/kept/stored_files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/files/contents.h"
#include "harness/files/places.h"
#include "harness/store/database_private.h"
#include "harness/store/kept/private_folder.h"

#define CHANGES_NAMED 4

struct stored_files {
    struct private_folder folder;
    char above[PATH_MAX];               // where what is below files/ lay; "" is /
    char campaign[2 * PATH_MAX_LENGTH]; // in the folder
    char target[NAME_MAX_LENGTH];
    unsigned kept;
    unsigned changes;
    char changed[512]; // in words
};

// ---- paths --------------------------------------------------------------------------------------

// From / on, without "." and "..", as if no folder were a link: so do the files lie to each other
// in the private folder, which has no links. "" is /.
static void straighten(const char *path, char straight[PATH_MAX])
{
    size_t used = 0;
    straight[0] = '\0';
    for (size_t length; *path != '\0'; path += length) {
        path += strspn(path, "/");
        length = strcspn(path, "/");
        if (length == 0 || (length == 1 && path[0] == '.'))
            continue;
        if (length == 2 && strncmp(path, "..", 2) == 0) {
            char *slash = strrchr(straight, '/');
            used = slash != NULL ? (size_t)(slash - straight) : 0;
            straight[used] = '\0';
        } else if (used + length + 2 <= PATH_MAX) {
            used += (size_t)snprintf(straight + used, PATH_MAX - used, "/%.*s", (int)length, path);
        }
    }
}

// Shortens `above` until the folder of `path` is in it.
static void rise_above(char *above, const char *path)
{
    for (;;) { // ends: at the latest with ""
        const size_t length = strlen(above);
        if (strncmp(path, above, length) == 0 && path[length] == '/')
            return;
        *strrchr(above, '/') = '\0';
    }
}

// What follows the kind in "scenario stand.yaml"; NULL: it is of another kind.
static const char *of_kind(const char *name, const char *kind)
{
    const size_t length = strlen(kind);
    return strncmp(name, kind, length) == 0 && name[length] == ' ' ? name + length + 1 : NULL;
}

static bool is_in_files(const char *name)
{
    return of_kind(name, "campaign") != NULL || of_kind(name, "scenario") != NULL;
}

// ---- what is kept -------------------------------------------------------------------------------

struct row { // of the table content
    const char *name, *hash, *path, *of_bytes;
    bool kept, executable;
    const void *bytes;
    size_t size_B;
};

typedef enum status row_use(struct stored_files *files, const struct row *row);

static const char *text_of(sqlite3_stmt *s, int column)
{
    const unsigned char *text = sqlite3_column_text(s, column);
    return text != NULL ? (const char *)text : "";
}

static enum status each_row(struct database *database, int64_t campaign_id,
                            struct stored_files *files, row_use *use)
{
    enum status status = STATUS_OK;
    int step = SQLITE_ERROR;
    sqlite3_stmt *s = statement(
        database, "SELECT c.name, c.hash, path, b.hash, executable, bytes FROM content AS c"
                  " LEFT JOIN bytes AS b USING (bytes_id) WHERE campaign_id = ?"
                  " ORDER BY c.name");
    bind_integer(s, 1, campaign_id);
    while (s != NULL && status == STATUS_OK && (step = sqlite3_step(s)) == SQLITE_ROW) {
        const struct row row = {.name = text_of(s, 0),
                                .hash = text_of(s, 1),
                                .path = text_of(s, 2),
                                .of_bytes = text_of(s, 3),
                                .kept = sqlite3_column_type(s, 3) != SQLITE_NULL,
                                .executable = sqlite3_column_int(s, 4) != 0,
                                .bytes = sqlite3_column_blob(s, 5),
                                .size_B = (size_t)sqlite3_column_bytes(s, 5)};
        status = use(files, &row);
    }
    if (status == STATUS_OK && step != SQLITE_DONE)
        status = complain(database, "reading the files that judge");
    sqlite3_finalize(s);
    return status;
}

// The folder above all files that campaigns and scenarios name by their place.
static enum status find_above(struct stored_files *files, const struct row *row)
{
    char straight[PATH_MAX];
    files->kept += row->kept;
    straighten(row->path, straight);
    if (straight[0] == '\0') // a square
        return STATUS_OK;
    if (row->kept && is_in_files(row->name)) {
        if (files->campaign[0] == '\0') { // the first one
            text_copy(files->above, sizeof files->above, straight);
            *strrchr(files->above, '/') = '\0';
        }
        rise_above(files->above, straight);
        files->campaign[0] = '?';
    }
    if (strcmp(row->name, "target target.yaml") == 0) {
        char *slash = strrchr(straight, '/');
        *slash = '\0';
        const char *folder = strrchr(straight, '/');
        snprintf(files->target, sizeof files->target, "%s", folder != NULL ? folder + 1 : "");
    }
    return STATUS_OK;
}

// ---- what has become of them --------------------------------------------------------------------

static void note_change(struct stored_files *files, const char *name, const char *path)
{
    if (files->changes++ < CHANGES_NAMED)
        text_add(files->changed, sizeof files->changed, "%s%s (%s)", files->changes > 1 ? ", " : "",
                 name, path);
}

// A file that is gone needs no word: another folder may be why.
static enum status look(struct stored_files *files, const struct row *row)
{
    char hash[33];
    if (!row->kept || access(row->path, R_OK) != 0)
        return STATUS_OK;
    content_hash(row->name, row->path, hash);
    if (strcmp(hash, row->hash) != 0)
        note_change(files, row->name, row->path);
    return STATUS_OK;
}

static void tell_changes(struct stored_files *files, const char *what)
{
    text_clean(files->changed);
    if (files->changes > CHANGES_NAMED)
        text_add(files->changed, sizeof files->changed, " and %u more",
                 files->changes - CHANGES_NAMED);
    if (files->changes > 0)
        log_info("changed since the campaign ran: %s; %s", files->changed, what);
}

// ---- the folder ---------------------------------------------------------------------------------

// Where in the folder a row's file belongs; false: nowhere. Names from a database are anybody's.
static bool find_place(const struct stored_files *files, const struct row *row,
                       char relative[PATH_MAX])
{
    char straight[PATH_MAX];
    const char *name = of_kind(row->name, "target");
    const size_t length = strlen(files->above);
    if (name != NULL && files->target[0] != '\0') {
        straighten(name, straight);
        return snprintf(relative, PATH_MAX, "targets/%s%s", files->target, straight) < PATH_MAX &&
               straight[0] != '\0';
    }
    name = of_kind(row->name, "faults");
    if (name != NULL)
        return strchr(name, '/') == NULL && name[0] != '.' &&
               snprintf(relative, PATH_MAX, "faults/%s", name) < PATH_MAX;
    straighten(row->path, straight);
    return strncmp(straight, files->above, length) == 0 && straight[length] == '/' &&
           snprintf(relative, PATH_MAX, PLACES_FILES "%s", straight + length) < PATH_MAX;
}

static bool is_whole(const struct row *row)
{
    char hash[33];
    const XXH128_hash_t of_bytes = XXH3_128bits(row->bytes, row->size_B);
    snprintf(hash, sizeof hash, "%016llx%016llx", (unsigned long long)of_bytes.high64,
             (unsigned long long)of_bytes.low64);
    return strcmp(hash, row->of_bytes) == 0;
}

// A file that is too large to be kept is where it was. One that is gone is missed by who needs it.
static enum status lay_out_large(struct stored_files *files, const struct row *row,
                                 const char *relative)
{
    char hash[33];
    if (of_kind(row->name, "target") == NULL)
        return STATUS_OK;
    content_hash(row->name, row->path, hash);
    if (hash[0] == '\0' || strcmp(hash, row->hash) == 0)
        return private_folder_link(&files->folder, relative, row->path);
    log_error("%s: is not what it was when the campaign ran, and is too large for the database to "
              "keep it; put back what it was",
              row->path);
    return STATUS_INVALID;
}

static enum status lay_out(struct stored_files *files, const struct row *row)
{
    char relative[PATH_MAX];
    if (!find_place(files, row, relative))
        return STATUS_OK; // a program of the machine's
    if (!row->kept)
        return lay_out_large(files, row, relative);
    if (!is_whole(row)) {
        log_error("the bytes of %s in the database are not those that judged; take another copy "
                  "of the database",
                  row->name);
        return STATUS_CORRUPT;
    }
    if (of_kind(row->name, "campaign") != NULL &&
        (size_t)snprintf(files->campaign, sizeof files->campaign, "%s/%s", files->folder.path,
                         relative) >= sizeof files->campaign)
        return STATUS_TOO_LARGE;
    return private_folder_put(&files->folder, relative, row->bytes, row->size_B, row->executable);
}

static enum status fill(struct database *database, int64_t campaign_id, struct stored_files *files)
{
    enum status status = private_folder_make(&files->folder);
    if (status == STATUS_OK)
        status = each_row(database, campaign_id, files, lay_out);
    if (status == STATUS_OK && files->campaign[0] != '/') {
        log_error("the database keeps no file of campaign %lld", (long long)campaign_id);
        status = STATUS_CORRUPT;
    }
    if (status == STATUS_OK)
        status = each_row(database, campaign_id, files, look);
    if (status == STATUS_OK)
        tell_changes(files, "what is stored judges; by the present files: `ukemi judge "
                            "HISTORY.mcap SCENARIO`");
    return status;
}

enum status stored_files_open(struct database *database, int64_t campaign_id,
                              struct stored_files **files)
{
    struct stored_files *new = calloc(1, sizeof *new);
    *files = NULL;
    if (new == NULL)
        return STATUS_NO_MEMORY;
    enum status status = each_row(database, campaign_id, new, find_above);
    if (status == STATUS_OK && new->kept == 0)
        log_info("campaign %lld: an older ukemi stored it, without the files that judge it; their "
                 "present state judges",
                 (long long)campaign_id);
    else if (status == STATUS_OK)
        status = fill(database, campaign_id, new);
    if (status == STATUS_OK && new->kept > 0)
        *files = new;
    else
        stored_files_close(new);
    return status;
}

void stored_files_close(struct stored_files *files)
{
    if (files != NULL)
        private_folder_remove(&files->folder);
    free(files);
}

// ---- using them ---------------------------------------------------------------------------------

void stored_files_use(const struct stored_files *files)
{
    if (files != NULL)
        places_only(files->folder.path, files->above);
    else
        places_only(NULL, NULL);
}

const char *stored_files_campaign(const struct stored_files *files, const char *usual)
{
    return files != NULL ? files->campaign : usual;
}

void stored_files_origin(const struct stored_files *files, const char *path, char *origin,
                         size_t size)
{
    char straight[PATH_MAX], folder[PRIVATE_FOLDER_MAX + sizeof "/" PLACES_FILES];
    origin[0] = '\0';
    if (files == NULL)
        return;
    straighten(path, straight);
    const int length = snprintf(folder, sizeof folder, "%s/" PLACES_FILES, files->folder.path);
    if (strncmp(straight, folder, (size_t)length) == 0)
        snprintf(origin, size, "%s%s", files->above, straight + length);
}

// ---- the present ones ---------------------------------------------------------------------------

static enum status find_present(struct stored_files *files, const struct row *row)
{
    if (of_kind(row->name, "campaign") != NULL && strlen(row->path) < sizeof files->campaign)
        text_copy(files->campaign, sizeof files->campaign, row->path);
    return look(files, row);
}

enum status stored_files_present(struct database *database, int64_t campaign_id, const char *usual,
                                 char *path, size_t size)
{
    struct stored_files *present = calloc(1, sizeof *present);
    if (present == NULL)
        return STATUS_NO_MEMORY;
    const enum status status = each_row(database, campaign_id, present, find_present);
    const bool there = present->campaign[0] != '\0' && access(present->campaign, R_OK) == 0;
    snprintf(path, size, "%s", there ? present->campaign : usual);
    tell_changes(present, "the present ones are run");
    free(present);
    return status;
}
