#include "harness/store/kept/campaign_histories.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "base/trouble.h"
#include "harness/history/whole_file.h"
#include "harness/files/campaign_file.h"
#include "harness/files/claims.h"
#include "harness/store/campaign_guard.h"
#include "harness/store/database_private.h"

#define ENDING "-histories" // of the folder, behind the name of the database
#define PART_AGE_S 60
#define HASH_DIGITS 32
#define MERGED "merged-"
#define COPY_MAX_B ((size_t)4 << 30)
#define TEXT(x) #x
#define TEXT_OF(x) TEXT(x)

// ---- names --------------------------------------------------------------------------------------

// A symbolic link is not where the database is.
static void resolve(const char *database, char *real, size_t size)
{
    struct stat about;
    char *found =
        lstat(database, &about) == 0 && S_ISLNK(about.st_mode) ? realpath(database, NULL) : NULL;
    text_copy(real, size, found != NULL ? found : database);
    free(found);
}

// The folder of the histories; false: the path is too long for any.
static bool name_folder(const char *database, char *folder, size_t size)
{
    char real[PATH_MAX_LENGTH];
    resolve(database, real, sizeof real);
    return snprintf(folder, size, "%s" ENDING, real) < (int)size;
}

// How long the path of a file's folder is, with its last slash.
static size_t prefix_length(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash == NULL ? 0 : (size_t)(slash - file) + 1;
}

void histories_root(const char *database, char *folder, size_t size)
{
    char real[PATH_MAX_LENGTH];
    resolve(database, real, sizeof real);
    const size_t length = prefix_length(real);
    if (length == 0)
        text_copy(folder, size, ".");
    else
        snprintf(folder, size, "%.*s", (int)(length > 1 ? length - 1 : 1), real);
}

// A path that a row names.
static bool name_stored(const char *database, const char *relative, char *path, size_t size)
{
    char folder[PATH_MAX_LENGTH];
    histories_root(database, folder, sizeof folder);
    return snprintf(path, size, "%s/%s", folder, relative) < (int)size;
}

static void place_file(const char *database, const char *name, struct history_place *place)
{
    char folder[PATH_MAX_LENGTH];
    int length = -1;
    if (name_folder(database, folder, sizeof folder))
        length = snprintf(place->file, sizeof place->file, "%s/%s", folder, name);
    if (length < 0 || length >= (int)sizeof place->file)
        place->file[0] = '\0'; // too long to keep it
    char unnamed[PATH_MAX_LENGTH];
    resolve(database, unnamed, sizeof unnamed);
    text_copy(place->relative, sizeof place->relative,
              place->file[0] == '\0' ? "" : place->file + prefix_length(unnamed));
}

void histories_place(const char *database, int64_t campaign_id, unsigned square, unsigned number,
                     struct history_place *place)
{
    char name[64];
    snprintf(name, sizeof name, "%lld-%u-%u.mcap", (long long)campaign_id, square, number);
    place_file(database, name, place);
}

void histories_place_merged(const char *database, const char *hash, struct history_place *place)
{
    char name[64];
    snprintf(name, sizeof name, MERGED "%.32s.mcap", hash);
    place_file(database, name, place);
}

// What it is called for good: by its hash, beside its first name.
static bool name_by_hash(const char *relative, const char *hash, char *settled, size_t size)
{
    return strlen(hash) == HASH_DIGITS &&
           snprintf(settled, size, "%.*s%s.mcap", (int)prefix_length(relative), relative, hash) <
               (int)size;
}

// Makes the new name last: it is on the disk before a row names it.
static void sync_folder_of(const char *file)
{
    char folder[2 * PATH_MAX_LENGTH];
    const size_t length = prefix_length(file);
    snprintf(folder, sizeof folder, "%.*s", (int)length, file);
    const int fd = open(length == 0 ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)fsync(fd); // some file systems cannot: then nothing better can be done
    close(fd);
}

void histories_settle(const char *database, const char *relative, const char *hash,
                      char settled[PATH_MAX_LENGTH])
{
    char from[2 * PATH_MAX_LENGTH], to[2 * PATH_MAX_LENGTH];
    if (relative[0] == '\0' || !name_by_hash(relative, hash, settled, PATH_MAX_LENGTH) ||
        !name_stored(database, relative, from, sizeof from) ||
        !name_stored(database, settled, to, sizeof to) ||
        // There already: of the same trial in another campaign. It may be damaged; this one is not.
        (link(from, to) != 0 && rename(from, to) != 0))
        text_copy(settled, PATH_MAX_LENGTH, relative);
    else
        sync_folder_of(to);
}

void histories_confirm(const char *database, const char *relative, const char *hash, bool stored)
{
    char from[2 * PATH_MAX_LENGTH], to[2 * PATH_MAX_LENGTH], settled[PATH_MAX_LENGTH];
    struct stat first, second;
    if (relative[0] == '\0' || !name_by_hash(relative, hash, settled, sizeof settled) ||
        !name_stored(database, relative, from, sizeof from) ||
        !name_stored(database, settled, to, sizeof to) || stat(from, &first) != 0 ||
        stat(to, &second) != 0 || first.st_ino != second.st_ino)
        return; // it kept its first name, or took the place of an equal one
    if (!stored)
        unlink(to);
    unlink(from);
}

void histories_remove(const char *database, const char *history_relative)
{
    char path[2 * PATH_MAX_LENGTH];
    if (history_relative[0] != '\0' && name_stored(database, history_relative, path, sizeof path))
        unlink(path); // may not be there
}

static enum status cannot_copy(const char *from, const char *to, enum status status)
{
    const bool known = status == STATUS_NOT_FOUND || status == STATUS_TOO_LARGE;
    log_error("%s: cannot be copied to %s: %s; make room, or mend it, and merge again", from, to,
              status == STATUS_NOT_FOUND   ? "it is gone"
              : status == STATUS_TOO_LARGE ? "it is too large"
                                           : strerror(errno));
    if (!known)
        (void)trouble_note(errno);
    return status;
}

enum status histories_copy(const char *from, const struct history_place *place)
{
    struct whole_file *file = NULL;
    char *data = NULL;
    size_t size_B = 0;
    enum status status = whole_file_read(from, COPY_MAX_B, &data, &size_B);
    if (status == STATUS_OK)
        status = whole_file_start(place->file, &file);
    if (status == STATUS_OK) {
        (void)fwrite(data, 1, size_B, whole_file_stream(file)); // the end looks at its errors
        status = whole_file_commit(file);
    }
    if (status != STATUS_OK)
        status = cannot_copy(from, place->file, status);
    free(data);
    return status;
}

// ---- what killed runs have left ----------------------------------------------------------------

enum status histories_prepare(const char *database)
{
    char folder[PATH_MAX_LENGTH];
    if (!name_folder(database, folder, sizeof folder))
        return STATUS_OK; // histories are not kept
    if ((mkdir(folder, 0777) == 0 || errno == EEXIST) && access(folder, W_OK | X_OK) == 0)
        return STATUS_OK;
    log_error("%s: %s; histories go there: make it a folder that may be written, or name another "
              "database with --db",
              folder, strerror(errno));
    return STATUS_SYSTEM;
}

// Whether `name` is a file of this campaign that no stored trial names: the lab was killed before
// it was stored, or called by its hash. CAMPAIGN-SQUARE-TRIAL.mcap, or that with .PID.part.
static bool is_stray(struct database *database, int64_t campaign_id, const char *name)
{
    long long campaign;
    unsigned square, number;
    int length = 0;
    if (sscanf(name, "%lld-%u-%u.mcap%n", &campaign, &square, &number, &length) != 3 ||
        length == 0 || campaign != campaign_id)
        return false;
    const char *rest = name + length;
    if (rest[0] != '\0')
        return strlen(rest) > 5 && strcmp(rest + strlen(rest) - 5, ".part") == 0;
    bool named;
    return database_keeps_history(database, campaign_id, square, number, name, &named) ==
               STATUS_OK &&
           !named;
}

static bool is_by_hash(const char *name)
{
    return strspn(name, "0123456789abcdef") == HASH_DIGITS &&
           strcmp(name + HASH_DIGITS, ".mcap") == 0;
}

// The second name of a stray file, if it had got one and no trial names it.
static void remove_second_name(struct database *database, int folder, ino_t file)
{
    const int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *listing = again >= 0 ? fdopendir(again) : NULL;
    if (listing == NULL)
        return;
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        bool named = true;
        if (entry->d_ino == file && is_by_hash(entry->d_name) &&
            database_names_history(database, entry->d_name, &named) == STATUS_OK && !named)
            (void)unlinkat(folder, entry->d_name, 0);
    }
    closedir(listing);
}

static void remove_stray(struct database *database, int folder, const char *name)
{
    struct stat about;
    if (fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) == 0 && about.st_nlink > 1)
        remove_second_name(database, folder, about.st_ino);
    (void)unlinkat(folder, name, 0);
}

void histories_sweep(struct database *database, const char *path, int64_t campaign_id)
{
    char folder[PATH_MAX_LENGTH];
    DIR *listing = name_folder(path, folder, sizeof folder) ? opendir(folder) : NULL;
    if (listing == NULL)
        return;
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;)
        if (is_stray(database, campaign_id, entry->d_name))
            remove_stray(database, dirfd(listing), entry->d_name);
    closedir(listing);
}

void histories_sweep_merged(struct database *database, const char *path)
{
    char folder[PATH_MAX_LENGTH];
    DIR *listing = name_folder(path, folder, sizeof folder) ? opendir(folder) : NULL;
    if (listing == NULL)
        return;
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;)
        if (strncmp(entry->d_name, MERGED, strlen(MERGED)) == 0)
            remove_stray(database, dirfd(listing), entry->d_name);
    closedir(listing);
}

// Whether `name` is a history half written by a process that is gone: of a campaign that nobody
// runs, and nothing has been added for a minute.
static bool is_old_part(int folder, const char *name, int64_t campaign_id, int guard)
{
    long long campaign;
    unsigned square, number;
    int pid, length = 0;
    struct stat about;
    if (sscanf(name, "%lld-%u-%u.mcap.%d.part%n", &campaign, &square, &number, &pid, &length) !=
            4 ||
        length == 0 || name[length] != '\0' || campaign == campaign_id || campaign < 0)
        return false;
    if (fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) != 0 ||
        time(NULL) - about.st_mtime < PART_AGE_S || !campaign_guard_hold(guard, campaign))
        return false;
    campaign_guard_release(guard, campaign);
    return true;
}

void histories_sweep_parts(const char *path, int64_t campaign_id, int guard)
{
    char folder[PATH_MAX_LENGTH];
    DIR *listing = name_folder(path, folder, sizeof folder) ? opendir(folder) : NULL;
    if (listing == NULL)
        return;
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;)
        if (is_old_part(dirfd(listing), entry->d_name, campaign_id, guard))
            (void)unlinkat(dirfd(listing), entry->d_name, 0);
    closedir(listing);
}

enum status histories_may_keep(struct database *database, int64_t campaign_id, unsigned square,
                               unsigned number, bool *may)
{
    int64_t before = 0;
    sqlite3_stmt *s = statement(
        database, "SELECT count(*) FROM trial_view WHERE campaign_id = ? AND position = ? AND"
                  " number > 0 AND number < ? AND verdict <> 'PASS' AND history_path IS NOT NULL");
    bind_integer(s, 1, campaign_id);
    bind_integer(s, 2, square);
    bind_integer(s, 3, number);
    const enum status status = run_integer(database, s, &before);
    *may = before < HISTORIES_PER_SQUARE_MAX;
    return status;
}

struct dropping {
    struct database *database;
    const char *path;
};

static bool drop_history(void *context, int columns, const char *const *name,
                         const char *const *value)
{
    const struct dropping *dropping = context;
    (void)name;
    if (columns != 2)
        return false;
    // In this order: killed in between, there is a file too many (see sweep), and none missing.
    if (database_drop_history(dropping->database, strtoll(value[0], NULL, 10)) != STATUS_OK)
        return false;
    bool named = true; // by the same trial of another campaign
    const char *file = value[1] + prefix_length(value[1]);
    if (database_names_history(dropping->database, file, &named) == STATUS_OK && !named)
        histories_remove(dropping->path, value[1]);
    return true;
}

enum status histories_drop_surplus(struct database *database, const char *path, int64_t campaign_id)
{
    struct dropping dropping = {database, path};
    return database_query(
        database,
        "SELECT trial_id, history_path FROM (SELECT *, row_number() OVER (PARTITION BY position,"
        " verdict = 'PASS', number > 0 ORDER BY number) AS place FROM trial_view"
        " WHERE campaign_id = ?1 AND history_path IS NOT NULL) WHERE NOT is_example AND"
        " (verdict = 'PASS' OR (number > 0 AND place > " TEXT_OF(HISTORIES_PER_SQUARE_MAX) "))",
        campaign_id, drop_history, &dropping);
}
