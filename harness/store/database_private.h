// What the database's files share. Private to them.
#pragma once

#include <sqlite3.h>

#include "harness/store/database.h"

struct scenario;

struct database {
    sqlite3 *handle;
    char path[PATH_MAX_LENGTH];
    int guard; // of the benchmarks that are measured with it (campaign_guard.h), -1: none
};

// Prepares `sql`, or says why not and returns NULL.
sqlite3_stmt *statement(struct database *database, const char *sql);

void bind_text(sqlite3_stmt *s, int index, const char *text);
void bind_integer(sqlite3_stmt *s, int index, int64_t value);
void bind_real(sqlite3_stmt *s, int index, double value); // NAN and infinities become NULL

// Runs a statement that returns no row, and finalises it. NULL is passed on as an error.
enum status run(struct database *database, sqlite3_stmt *s) MUST_CHECK;
// Runs a statement that returns one integer (a RETURNING clause, a count), and finalises it.
// NOT_FOUND without a row.
enum status run_integer(struct database *database, sqlite3_stmt *s, int64_t *value) MUST_CHECK;
// A plain command without parameters: BEGIN, COMMIT, ROLLBACK.
enum status command(struct database *database, const char *sql) MUST_CHECK;
// COMMIT if status is OK, else ROLLBACK; the status of the whole.
enum status end_transaction(struct database *database, enum status status) MUST_CHECK;

// Calls `row` for each row of a query with one parameter (?1).
enum status database_query(struct database *database, const char *sql, int64_t parameter,
                           database_row *row, void *context) MUST_CHECK;

enum status complain(struct database *database,
                     const char *doing); // says what SQLite says, with the remedy

// SYSTEM, reported, if the path no longer leads to the open file.
enum status check_place(struct database *database) MUST_CHECK;

enum status store_build(struct database *database, int64_t *build_id) MUST_CHECK;
struct origin { // of what is stored now
    int64_t build_id, machine_id;
};
enum status store_origin(struct database *database, struct origin *origin) MUST_CHECK;
// The trial_id of trial `number` of a square: the one that is reserved for it, or a free one.
enum status place_trial(struct database *database, int64_t square_id, unsigned number,
                        int64_t *trial_id) MUST_CHECK;
// A trial whole, with its judgement, into a square.
enum status store_trial(struct database *database, int64_t square_id,
                        const struct scenario *scenario, const struct trial_record *record,
                        int64_t *trial_id) MUST_CHECK;
enum status store_judging(struct database *database, int64_t trial_id,
                          const struct judgement *judgement) MUST_CHECK;

extern const char database_schema[]; // schema.sql
#define DATABASE_APPLICATION_ID 0x554B454D
#define DATABASE_VERSION 14
