// The report of a campaign: tables and one page from the result database. No verdict is made here.
//
// In reports/campaign/ every table is a query NAME.sql, every plot a gnuplot script NAME.gp, every
// other file a template; this engine runs the queries, fills the templates and calls gnuplot.
// Templates of UKEMI_PATH (report_files.h) are filled, too.
// Without gnuplot the page says so and still holds every table. Not real-time; reads the database,
// never writes it.
#pragma once

#include "base/status.h"

// Writes the page of `campaign` (its name or number; NULL: the newest): index.html and tables, all
// templates of its folder of reports/, into `folder`, which is created if need be. Example trials
// are plotted from the histories the database names. Errors are logged to standard error.
// NOT_FOUND: no such database or campaign; INVALID: the database has another schema; SYSTEM: files
// cannot be written; CORRUPT: written without what belongs to a history that is damaged or not that
// of its trial.
enum status report_write(const char *database, const char *campaign, const char *folder) MUST_CHECK;

// Whether a report can be written there, before a campaign runs for hours: the folder, which is
// made, and the templates. Errors are reported. NOT_FOUND: no templates; SYSTEM: the folder.
enum status report_possible(const char *folder) MUST_CHECK;
