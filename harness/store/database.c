#include "harness/store/database.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file_kind.h"
#include "base/invariant.h"
#include "base/log.h"
#include "base/text.h"
#include "base/trouble.h"
#include "harness/store/database_check.h"
#include "harness/store/database_migrate.h"
#include "harness/store/database_private.h"
#include "harness/store/machine.h"
#include "harness/store/version.h"

#define BUSY_TIMEOUT_MS 10000
#define BUSY_STEP_MS 10

// ---- what SQLite could not do -------------------------------------------------------------------

static sqlite3_mem_methods own_memory;

static void *allocate(int size)
{
    void *memory = own_memory.xMalloc(size);
    if (memory == NULL)
        (void)trouble_note(ENOMEM);
    return memory;
}

static void *reallocate(void *old, int size)
{
    void *memory = own_memory.xRealloc(old, size);
    if (memory == NULL)
        (void)trouble_note(ENOMEM);
    return memory;
}

// SQLite tells of a lack of memory only where it asks for some: not that a text to be bound is
// missing, or a column that was read.
__attribute__((constructor)) static void watch_memory(void)
{
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &own_memory) != SQLITE_OK)
        return;
    sqlite3_mem_methods watched = own_memory;
    watched.xMalloc = allocate;
    watched.xRealloc = reallocate;
    (void)sqlite3_config(SQLITE_CONFIG_MALLOC, &watched);
}

// SQLite calls a page that the device did not give damaged. Looked at by SQLite, as closing the
// file ourselves would end its locks.
static bool is_unread(const char *path)
{
    sqlite3 *again = NULL;
    sqlite3_stmt *s = NULL;
    errno = 0;
    const bool whole =
        sqlite3_open_v2(path, &again, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(again, "PRAGMA quick_check(1)", -1, &s, NULL) == SQLITE_OK &&
        sqlite3_step(s) == SQLITE_ROW && strcmp((const char *)sqlite3_column_text(s, 0), "ok") == 0;
    const int error = whole ? EIO : errno; // whole: it was, the second time
    sqlite3_finalize(s);
    sqlite3_close(again);
    return error == EIO && trouble_note(error);
}

// Then whoever could not open it, or what belongs beside it, was refused by the machine: SQLite
// does not always know by what.
static bool may_be_opened(const char *path)
{
    struct stat about;
    char folder[PATH_MAX_LENGTH];
    if (path == NULL)
        return false;
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash == NULL || stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return false;
    *slash = '\0';
    return access(path, R_OK | W_OK) == 0 && access(folder, W_OK | X_OK) == 0;
}

bool database_note_trouble(sqlite3 *handle)
{
    switch (handle == NULL ? SQLITE_NOMEM : sqlite3_errcode(handle)) {
    case SQLITE_NOMEM:
        return trouble_note(ENOMEM);
    case SQLITE_FULL:
        return trouble_note(ENOSPC);
    case SQLITE_IOERR:
    case SQLITE_PROTOCOL:
        return trouble_note(
            trouble_note(sqlite3_system_errno(handle)) ? sqlite3_system_errno(handle) : EIO);
    case SQLITE_CANTOPEN:
        if (trouble_note(sqlite3_system_errno(handle)))
            return true;
        return may_be_opened(sqlite3_db_filename(handle, "main")) && trouble_note(EIO);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return is_unread(sqlite3_db_filename(handle, "main"));
    default:
        return false;
    }
}

enum status complain(struct database *database, const char *doing)
{
    const char *remedy = "run `sqlite3 FILE 'PRAGMA integrity_check'`";
    enum status status = STATUS_SYSTEM;
    if (database_note_trouble(database->handle) &&
        (sqlite3_errcode(database->handle) == SQLITE_CORRUPT ||
         sqlite3_errcode(database->handle) == SQLITE_NOTADB)) {
        log_error("%s: %s: could not be read: %s", database->path, doing, trouble_words());
        return STATUS_SYSTEM;
    }
    switch (sqlite3_errcode(database->handle)) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        remedy = "another program writes to it: wait until it has ended, then run it again, a "
                 "campaign with --resume, "
                 "or name another file with --db";
        status = STATUS_BUSY;
        break;
    case SQLITE_NOMEM:
        remedy = "end other programs, then run it again, a campaign with --resume";
        status = STATUS_NO_MEMORY;
        break;
    case SQLITE_FULL:
        remedy = "make room on the disk, then run it again, a campaign with --resume";
        break;
    case SQLITE_IOERR:
    case SQLITE_PROTOCOL:
        remedy = "is the disk full, or gone? Fix that, then run it again, a campaign with --resume";
        break;
    case SQLITE_NOTADB:
        remedy = "it is not a result database: name another file with --db";
        status = STATUS_CORRUPT;
        break;
    case SQLITE_CORRUPT:
        remedy = "it is damaged: put back a copy, save what `sqlite3 FILE .recover` finds, or name "
                 "another file with --db";
        break;
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
        remedy = "check that folder and file are there and may be written, or name another file "
                 "with --db";
        break;
    default:
        break;
    }
    log_error("%s: %s: %s; %s", database->path, doing, sqlite3_errmsg(database->handle), remedy);
    return status;
}

enum status check_place(struct database *database)
{
    int moved = 0;
    if (sqlite3_file_control(database->handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) !=
            SQLITE_OK ||
        !moved)
        return STATUS_OK;
    log_error("%s: was removed or replaced while it was written; put it back, then go on with "
              "--resume, or run the campaign again",
              database->path);
    return STATUS_SYSTEM;
}

// ---- statements -------------------------------------------------------------------------------

sqlite3_stmt *statement(struct database *database, const char *sql)
{
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(database->handle, sql, -1, &s, NULL) != SQLITE_OK)
        (void)complain(database, "preparing a statement");
    return s;
}

void bind_text(sqlite3_stmt *s, int index, const char *text)
{
    if (s != NULL)
        sqlite3_bind_text(s, index, text, -1, SQLITE_TRANSIENT);
}

void bind_integer(sqlite3_stmt *s, int index, int64_t value)
{
    if (s != NULL)
        sqlite3_bind_int64(s, index, value);
}

void bind_real(sqlite3_stmt *s, int index, double value)
{
    if (s == NULL)
        return;
    if (isfinite(value))
        sqlite3_bind_double(s, index, value);
    else
        sqlite3_bind_null(s, index);
}

enum status run_integer(struct database *database, sqlite3_stmt *s, int64_t *value)
{
    expects(database->handle != NULL);
    if (s == NULL)
        return STATUS_SYSTEM;
    int code = sqlite3_step(s);
    enum status status = STATUS_OK;
    if (code == SQLITE_ROW) {
        if (value != NULL)
            *value = sqlite3_column_int64(s, 0);
        code = sqlite3_step(s);
    } else if (value != NULL) {
        status = STATUS_NOT_FOUND;
    }
    if (code != SQLITE_DONE)
        status = complain(database, "running a statement");
    sqlite3_finalize(s);
    return status;
}

enum status run(struct database *database, sqlite3_stmt *s)
{
    return run_integer(database, s, NULL);
}

enum status command(struct database *database, const char *sql)
{
    if (sqlite3_exec(database->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
        return complain(database, strlen(sql) < 100 ? sql : "making its tables");
    return STATUS_OK;
}

enum status end_transaction(struct database *database, enum status status)
{
    expects(status != STATUS_OK || !sqlite3_get_autocommit(database->handle));
    // What was bound may lack a text: nothing half-known is stored.
    if (status == STATUS_OK && trouble_words() != NULL) {
        log_error("%s: %s; nothing of this trial is stored: go on with --resume", database->path,
                  trouble_words());
        status = STATUS_NO_MEMORY;
    }
    if (status == STATUS_OK)
        status = command(database, "COMMIT");
    if (status != STATUS_OK && !sqlite3_get_autocommit(database->handle))
        sqlite3_exec(database->handle, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

// ---- opening ----------------------------------------------------------------------------------

static void make_folder_of(const char *path)
{
    char folder[PATH_MAX_LENGTH];
    strncpy(folder, path, sizeof folder - 1);
    folder[sizeof folder - 1] = '\0';
    for (char *slash = strchr(folder + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(folder, 0777) != 0 && errno != EEXIST)
            return; // opening the database tells
        *slash = '/';
    }
}

static int64_t pragma(struct database *database, const char *sql)
{
    int64_t value = -1;
    if (run_integer(database, statement(database, sql), &value) != STATUS_OK)
        value = -1;
    return value;
}

static enum status refuse_foreign(const char *path)
{
    log_error("%s: is not a result database of ukemi; name another file with --db", path);
    return STATUS_CORRUPT;
}

static int64_t count_tables(struct database *database)
{
    return pragma(database, "SELECT count(*) FROM sqlite_schema");
}

// Another process may create it at the same moment: whoever comes second finds it done.
static enum status create_schema(struct database *database)
{
    enum status status = command(database, "BEGIN IMMEDIATE");
    const int64_t tables = status == STATUS_OK ? count_tables(database) : 0;
    if (tables < 0)
        status = STATUS_CORRUPT; // said
    if (status == STATUS_OK && tables == 0)
        status = command(database, database_schema);
    return end_transaction(database, status);
}

static enum status check_version(struct database *database, enum database_mode mode)
{
    const int64_t version = pragma(database, "PRAGMA user_version");
    if (version == DATABASE_VERSION)
        return STATUS_OK;
    if (version >= DATABASE_VERSION_FIRST && version < DATABASE_VERSION) {
        const enum status status = database_check_pages(database); // none is left behind
        if (status != STATUS_OK)
            return status;
        return mode == DATABASE_WRITE ? database_migrate(database)
                                      : database_migrate_copy(database);
    }
    log_error("%s: has schema version %lld, this ukemi knows version %d; use the ukemi it is "
              "of, or name another file with --db",
              database->path, (long long)version, DATABASE_VERSION);
    return STATUS_CORRUPT;
}

static enum status check_schema(struct database *database, enum database_mode mode)
{
    int64_t tables = count_tables(database);
    if (tables < 0 && sqlite3_errcode(database->handle) == SQLITE_CORRUPT)
        return STATUS_SYSTEM; // said
    if (tables == 0 && mode == DATABASE_WRITE) {
        const enum status status = create_schema(database);
        if (status != STATUS_OK)
            return status;
        tables = count_tables(database);
    }
    if (tables < 0)
        return STATUS_CORRUPT; // said
    if (tables == 0) {
        log_error("%s: holds no campaign yet; run one first, or name another file with --db",
                  database->path);
        return STATUS_NOT_FOUND;
    }
    if (pragma(database, "PRAGMA application_id") != DATABASE_APPLICATION_ID)
        return refuse_foreign(database->path);
    return check_version(database, mode);
}

static enum status check_writable(struct database *database)
{
    if (sqlite3_db_readonly(database->handle, "main") != 1)
        return STATUS_OK;
    log_error("%s: may not be written; make file and folder writable, or name another file with "
              "--db",
              database->path);
    return STATUS_SYSTEM;
}

// SQLite does not wait here for another process that does the same.
static enum status use_wal(struct database *database)
{
    const struct timespec step = {.tv_nsec = BUSY_STEP_MS * 1000000};
    for (int waited_ms = 0; waited_ms < BUSY_TIMEOUT_MS; waited_ms += BUSY_STEP_MS) {
        const int code =
            sqlite3_exec(database->handle, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
        if (code != SQLITE_BUSY && code != SQLITE_LOCKED)
            break;
        nanosleep(&step, NULL);
    }
    return command(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
}

static enum status prepare(struct database *database, enum database_mode mode)
{
    sqlite3_busy_timeout(database->handle, BUSY_TIMEOUT_MS);
    enum status status = command(database, "PRAGMA foreign_keys = ON");
    if (status == STATUS_OK) // before anything is written: it may be someone else's file
        status = check_schema(database, mode);
    if (status == STATUS_OK && mode == DATABASE_WRITE)
        status = check_writable(database);
    if (status == STATUS_OK)
        status = database_check_whole(database);
    if (status == STATUS_OK && mode == DATABASE_WRITE)
        status = use_wal(database);
    return status;
}

// Before SQLite opens it, which might fix or rewrite what another application left: OK if it is
// ours, empty or not there, or for SQLite to say what is wrong.
static enum status check_file(const char *path)
{
    static const char magic[16] = "SQLite format 3";
    unsigned char head[100]; // see "The Database Header" of SQLite's file format
    const char *special = file_special(path);
    if (special != NULL) {
        log_error("%s: %s", path, special);
        return STATUS_INVALID;
    }
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat about;
    if (file >= 0 && fstat(file, &about) == 0 && S_ISDIR(about.st_mode)) {
        close(file);
        log_error("%s: is a folder; name another file with --db", path);
        return STATUS_INVALID;
    }
    const ssize_t size = file >= 0 ? read(file, head, sizeof head) : 0;
    if (file >= 0)
        close(file);
    if (size < (ssize_t)sizeof head || memcmp(head, magic, sizeof magic) != 0)
        return STATUS_OK;
    const uint32_t application =
        (uint32_t)head[68] << 24 | (uint32_t)head[69] << 16 | (uint32_t)head[70] << 8 | head[71];
    return application == DATABASE_APPLICATION_ID ? STATUS_OK : refuse_foreign(path);
}

// Whether readers can have SQLite's usual files beside the database, for locks and what a writer
// has not put into it yet.
static bool may_write_beside(const char *path)
{
    char folder[PATH_MAX_LENGTH];
    text_copy(folder, sizeof folder, path);
    char *slash = strrchr(folder, '/');
    if (slash != NULL)
        slash[slash == folder] = '\0';
    return access(path, W_OK) == 0 && access(slash != NULL ? folder : ".", W_OK | X_OK) == 0;
}

static bool has_content(const char *path, const char *ending)
{
    char beside[PATH_MAX_LENGTH + 8];
    struct stat about;
    snprintf(beside, sizeof beside, "%s%s", path, ending);
    return stat(beside, &about) == 0 && about.st_size > 0;
}

// As SQLite wants it for a file that nothing changes, since nothing can be locked.
static void name_immutable(const char *path, char *uri, size_t size)
{
    size_t used = (size_t)snprintf(uri, size, "file:");
    for (; *path != '\0' && used + 4 < size; path++)
        used += (size_t)snprintf(uri + used, size - used, strchr("%?#", *path) ? "%%%02X" : "%c",
                                 (unsigned char)*path);
    snprintf(uri + used, size - used, "?immutable=1");
}

// What SQLite is to open for this mode.
static int choose_way(const char *path, enum database_mode mode, char *name, size_t size)
{
    snprintf(name, size, "%s", path);
    if (mode == DATABASE_WRITE)
        return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    if (may_write_beside(path))
        return mode == DATABASE_READ ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
    if (has_content(path, "-wal") ||
        has_content(path, "-journal")) // of a writer, at work or killed
        return SQLITE_OPEN_READONLY;
    name_immutable(path, name, size);
    return SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
}

static enum status connect_file(struct database *database, enum database_mode mode)
{
    char name[3 * PATH_MAX_LENGTH + 32];
    const int flags = choose_way(database->path, mode, name, sizeof name);
    if (sqlite3_open_v2(name, &database->handle, flags, NULL) == SQLITE_OK)
        return prepare(database, mode);
    const enum status status = complain(database, "opening");
    // A folder, say: the path is wrong, not the lab.
    return status == STATUS_SYSTEM && sqlite3_errcode(database->handle) == SQLITE_CANTOPEN
               ? STATUS_INVALID
               : status;
}

enum status database_open(const char *path, enum database_mode mode, struct database **database)
{
    *database = NULL;
    if (strlen(path) >= PATH_MAX_LENGTH) {
        log_error("%s: the path is longer than %d characters; choose a shorter one", path,
                  PATH_MAX_LENGTH - 1);
        return STATUS_TOO_LARGE;
    }
    if (mode != DATABASE_WRITE && access(path, F_OK) != 0 && !trouble_note(errno)) {
        log_error("%s: there is no such database; run a campaign first, or name one with --db",
                  path);
        return STATUS_NOT_FOUND;
    }
    enum status status = check_file(path);
    if (status != STATUS_OK)
        return status;
    struct database *new = calloc(1, sizeof *new);
    if (new == NULL) {
        (void)trouble_note(ENOMEM);
        return STATUS_NO_MEMORY;
    }
    text_copy(new->path, sizeof new->path, path);
    new->guard = -1;
    if (mode == DATABASE_WRITE)
        make_folder_of(path);
    status = connect_file(new, mode);
    if (status != STATUS_OK) {
        database_close(new);
        return status;
    }
    *database = new;
    return STATUS_OK;
}

bool database_keeps(const struct database *database)
{
    const char *file = sqlite3_db_filename(database->handle, "main"); // none: in memory
    return file != NULL && *file != '\0' && sqlite3_db_readonly(database->handle, "main") == 0;
}

sqlite3 *database_take(struct database *database)
{
    sqlite3 *handle = database->handle;
    database->handle = NULL;
    database_close(database);
    return handle;
}

void database_close(struct database *database)
{
    if (database == NULL)
        return;
    sqlite3_close_v2(database->handle);
    if (database->guard >= 0)
        close(database->guard); // after SQLite, whose locks it would end
    free(database);
}

// ---- build and machine ------------------------------------------------------------------------

enum status store_build(struct database *database, int64_t *build_id)
{
    struct build_info build = build_info();
    sqlite3_stmt *s = statement(
        database,
        "INSERT INTO build (lab_revision, compiler, libc, mujoco, sqlite) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET sqlite = excluded.sqlite RETURNING build_id");
    bind_text(s, 1, build.lab_revision);
    bind_text(s, 2, build.compiler);
    bind_text(s, 3, build.libc);
    bind_text(s, 4, build.mujoco);
    bind_text(s, 5, build.sqlite);
    return run_integer(database, s, build_id);
}

static enum status store_machine(struct database *database, int64_t *machine_id)
{
    struct machine_info machine = machine_info();
    sqlite3_stmt *s = statement(
        database,
        "INSERT INTO machine (cpu_model, cores, kernel, memory_mb, preemption, clock_source,"
        " governor, rt_limit, hypervisor) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET cores = excluded.cores RETURNING machine_id");
    bind_text(s, 1, machine.cpu_model);
    bind_integer(s, 2, machine.cores);
    bind_text(s, 3, machine.kernel);
    bind_integer(s, 4, machine.memory_MB);
    bind_text(s, 5, machine.preemption);
    bind_text(s, 6, machine.clock_source);
    bind_text(s, 7, machine.governor);
    bind_text(s, 8, machine.rt_limit);
    bind_integer(s, 9, machine.hypervisor);
    return run_integer(database, s, machine_id);
}

enum status store_origin(struct database *database, struct origin *origin)
{
    const enum status status = store_build(database, &origin->build_id);
    return status == STATUS_OK ? store_machine(database, &origin->machine_id) : status;
}
