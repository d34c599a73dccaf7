// Results of an older schema, brought to that of schema.sql. Private to the database's files.
#pragma once

#include "harness/store/database_private.h"

#define DATABASE_VERSION_FIRST 1

// Rewrites the main database of the connection, within one transaction. Another process may have
// done so in the meantime: then nothing happens. Errors are reported; nothing has changed then.
enum status database_migrate(struct database *database) MUST_CHECK;

// Does so with a copy in memory, which the connection is to from then on: for who reads only.
enum status database_migrate_copy(struct database *database) MUST_CHECK;
