#include "harness/store/kept/campaign_contents.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/text.h"
#include "base/trouble.h"
#include "harness/history/whole_file.h"
#include "harness/store/database_private.h"

#define BYTES_MAX_B ((size_t)4 << 20)
#define DIFFERENCES_NAMED 4

// ---- storing ------------------------------------------------------------------------------------

static enum status insert_bytes(struct database *database, const struct content *item,
                                const char *bytes, size_t size_B, int64_t *bytes_id)
{
    char hash[33];
    const XXH128_hash_t of_bytes = XXH3_128bits(bytes, size_B);
    snprintf(hash, sizeof hash, "%016llx%016llx", (unsigned long long)of_bytes.high64,
             (unsigned long long)of_bytes.low64);
    sqlite3_stmt *s =
        statement(database, "INSERT INTO bytes (name, hash, executable, bytes) VALUES (?, ?, ?, ?)"
                            " ON CONFLICT DO UPDATE SET executable = excluded.executable"
                            " RETURNING bytes_id");
    bind_text(s, 1, item->name);
    bind_text(s, 2, hash);
    bind_integer(s, 3, (item->about.st_mode & S_IXUSR) != 0);
    if (s != NULL)
        sqlite3_bind_blob64(s, 4, bytes, size_B, SQLITE_STATIC);
    return run_integer(database, s, bytes_id);
}

// *bytes_id 0: they are not kept.
static enum status keep_bytes(struct database *database, const struct content *item,
                              int64_t *bytes_id)
{
    char *bytes = NULL;
    size_t size_B = 0;
    *bytes_id = 0;
    if (!item->judges || whole_file_read(item->path, BYTES_MAX_B, &bytes, &size_B) != STATUS_OK) {
        free(bytes);
        return STATUS_OK;
    }
    const enum status status =
        insert_bytes(database, item, bytes != NULL ? bytes : "", size_B, bytes_id);
    free(bytes);
    return status;
}

static enum status insert_content(struct database *database, int64_t campaign_id,
                                  const struct content *item)
{
    int64_t bytes_id;
    const enum status status = keep_bytes(database, item, &bytes_id);
    if (status != STATUS_OK)
        return status;
    sqlite3_stmt *s =
        statement(database, "INSERT INTO content (campaign_id, name, hash, path, bytes_id)"
                            " VALUES (?, ?, ?, ?, nullif(?, 0))");
    bind_integer(s, 1, campaign_id);
    bind_text(s, 2, item->name);
    bind_text(s, 3, item->hash);
    bind_text(s, 4, item->path);
    bind_integer(s, 5, bytes_id);
    return run(database, s);
}

enum status contents_store(struct database *database, int64_t campaign_id,
                           const struct contents *contents)
{
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < contents->count && status == STATUS_OK; i++)
        status = insert_content(database, campaign_id, &contents->item[i]);
    return status;
}

// ---- reading ------------------------------------------------------------------------------------

static bool take_item(void *context, int columns, const char *const *name, const char *const *value)
{
    struct contents *contents = context;
    (void)name;
    if (columns != 2 || contents->count == contents->room)
        return false;
    struct content *item = &contents->item[contents->count++];
    snprintf(item->name, sizeof item->name, "%s", value[0]);
    snprintf(item->hash, sizeof item->hash, "%s", value[1]);
    return true;
}

enum status contents_read(struct database *database, int64_t campaign_id,
                          struct contents **contents)
{
    int64_t count = 0;
    *contents = NULL;
    sqlite3_stmt *s = statement(database, "SELECT count(*) FROM content WHERE campaign_id = ?");
    bind_integer(s, 1, campaign_id);
    const enum status status = run_integer(database, s, &count);
    if (status != STATUS_OK || count == 0)
        return status;
    struct contents *new = calloc(1, sizeof *new);
    if (new != NULL)
        new->item = calloc((size_t)count, sizeof *new->item);
    *contents = new;
    if (new == NULL || new->item == NULL) {
        (void)trouble_note(ENOMEM);
        return STATUS_NO_MEMORY;
    }
    new->room = (unsigned)count;
    return database_query(database,
                          "SELECT name, hash FROM content WHERE campaign_id = ?1 ORDER BY name",
                          campaign_id, take_item, new);
}

// ---- comparing ----------------------------------------------------------------------------------

struct comparison {
    const struct contents *contents;
    bool *met; // of their items
    unsigned differences, stored;
    char *words;
    size_t size;
};

static void note(struct comparison *comparison, const char *name, const char *how)
{
    if (comparison->differences++ < DIFFERENCES_NAMED)
        text_add(comparison->words, comparison->size, "%s%s %s",
                 comparison->differences > 1 ? ", " : "", name, how);
}

// A stored item: name, hash.
static bool compare_item(void *context, int columns, const char *const *name,
                         const char *const *value)
{
    struct comparison *comparison = context;
    (void)name;
    if (columns != 2)
        return false;
    comparison->stored++;
    for (unsigned i = 0; i < comparison->contents->count; i++) {
        const struct content *item = &comparison->contents->item[i];
        if (strcmp(item->name, value[0]) != 0)
            continue;
        comparison->met[i] = true;
        if (strcmp(item->hash, value[1]) != 0)
            note(comparison, value[0], "is another");
        return true;
    }
    note(comparison, value[0], "is gone");
    return true;
}

enum status contents_compare(struct database *database, int64_t campaign_id,
                             const struct contents *contents, char *words, size_t size)
{
    struct comparison comparison = {.contents = contents,
                                    .met = calloc(contents->count + 1, sizeof(bool)),
                                    .words = words,
                                    .size = size};
    words[0] = '\0';
    if (comparison.met == NULL) {
        (void)trouble_note(ENOMEM);
        return STATUS_NO_MEMORY;
    }
    const enum status status = database_query(
        database, "SELECT name, hash FROM content WHERE campaign_id = ?1 ORDER BY name",
        campaign_id, compare_item, &comparison);
    for (unsigned i = 0; i < contents->count && comparison.stored > 0; i++)
        if (!comparison.met[i])
            note(&comparison, contents->item[i].name, "is new");
    if (comparison.stored == 0)
        text_add(words, size, "an older ukemi began it, which did not store what it ran");
    if (comparison.differences > DIFFERENCES_NAMED)
        text_add(words, size, ", and %u more", comparison.differences - DIFFERENCES_NAMED);
    free(comparison.met);
    return status;
}
