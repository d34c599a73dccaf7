// What tests that break the lab on purpose share: they say what they find, and ask its database.
#pragma once

#include <sqlite3.h>

#define PATH_SIZE 512

// Says what is wrong, on a line of its own, and counts it.
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
extern unsigned complaints;
double now_s(void); // CLOCK_MONOTONIC

// The one text of a query, "" for NULL; the caller frees it. "?": it failed, which is said.
char *ask(sqlite3 *handle, const char *sql);
// The same as a number; -1: it failed.
long ask_number(sqlite3 *handle, const char *sql);

// Histories below `folder` that the database names and that are not those of their trials; says
// each.
unsigned count_false_histories(sqlite3 *handle, const char *folder);
// Histories of RESULTS/u.db that no trial names; says each.
unsigned count_strays(sqlite3 *handle, const char *results);
