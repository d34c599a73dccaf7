#include "harness/report/report_place.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/files/campaign_file.h"
#include "harness/files/scenario.h"
#include "harness/report/report_escape.h"

// The campaign that was asked about last.
struct known {
    char file[PATH_MAX_LENGTH];
    struct campaign *campaign; // NULL: it cannot be read any more
    const struct stored_files *stored;
};

static void load(struct known *known, const char *usual)
{
    const char *file = stored_files_campaign(known->stored, usual);
    stored_files_use(known->stored);
    if (access(file, R_OK) == 0 && campaign_load(file, &known->campaign) != STATUS_OK)
        known->campaign = NULL; // said
    stored_files_use(NULL);
}

static void forget(void *context)
{
    struct known *known = context;
    campaign_free(known->campaign);
    free(known);
}

// The scenario of a square; NULL: not known.
static const struct scenario *find(struct known *known, sqlite3_value **argument)
{
    const char *file = (const char *)sqlite3_value_text(argument[0]);
    const int position = sqlite3_value_int(argument[1]);
    if (!file || strlen(file) >= sizeof known->file)
        return NULL;
    if (strcmp(known->file, file) != 0) {
        campaign_free(known->campaign);
        known->campaign = NULL;
        snprintf(known->file, sizeof known->file, "%s", file);
        load(known, file);
    }
    const struct campaign *campaign = known->campaign;
    const bool there = campaign && position >= 0 && (unsigned)position < campaign->square_count;
    return there ? campaign->square[position].scenario : NULL;
}

// The path without the working folder, if that holds it.
static const char *below(const char *path, char whole[PATH_MAX])
{
    char folder[PATH_MAX];
    if (!realpath(path, whole) || !getcwd(folder, sizeof folder))
        return path;
    const size_t length = strlen(folder);
    return strncmp(whole, folder, length) == 0 && whole[length] == '/' ? whole + length + 1 : whole;
}

// Where the scenario lies; NULL: it is not known, or not there any more.
static const char *place_of(const struct known *known, const struct scenario *scenario,
                            char origin[PATH_MAX])
{
    origin[0] = '\0';
    if (scenario == NULL)
        return NULL;
    stored_files_origin(known->stored, scenario->file, origin, PATH_MAX);
    const char *place = *origin ? origin : scenario->file;
    return access(place, F_OK) == 0 ? place : NULL;
}

static void scenario_file(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    char whole[PATH_MAX], origin[PATH_MAX];
    struct known *known = sqlite3_user_data(context);
    const char *place = place_of(known, find(known, argument), origin);
    const char *campaign = (const char *)sqlite3_value_text(argument[0]);
    sqlite3_result_text(context,
                        below(place      ? place
                              : campaign ? campaign
                                         : "",
                              whole),
                        -1, SQLITE_TRANSIENT);
}

static void scenario_line(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    char origin[PATH_MAX];
    struct known *known = sqlite3_user_data(context);
    const struct scenario *scenario = find(known, argument);
    const char *oracle = (const char *)sqlite3_value_text(argument[2]);
    const bool there = place_of(known, scenario, origin) != NULL;
    unsigned line = 1;
    for (unsigned i = 0; there && oracle && i < scenario->promise_count; i++)
        if (strcmp(scenario->promise[i].name, oracle) == 0 && !scenario->promise[i].of_target)
            line = scenario->promise[i].line;
    sqlite3_result_int(context, (int)line);
}

// Text of the caller's is SQLite's now.
static void give(sqlite3_context *context, char *text)
{
    if (text)
        sqlite3_result_text(context, text, -1, free);
    else
        sqlite3_result_error_nomem(context);
}

static void annotation_property(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    const char *text = (const char *)sqlite3_value_text(argument[0]);
    give(context, report_annotation_property(text ? text : ""));
}

static void plain_text(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    const char *text = (const char *)sqlite3_value_text(argument[0]);
    give(context, report_plain(text ? text : ""));
}

enum status report_place_functions_add(sqlite3 *database, const struct stored_files *stored)
{
    // Each function keeps its own: SQLite frees them one by one.
    struct known *of_file = calloc(1, sizeof *of_file), *of_line = calloc(1, sizeof *of_line);
    if (!of_file || !of_line) {
        free(of_file);
        free(of_line);
        return STATUS_NO_MEMORY;
    }
    of_file->stored = of_line->stored = stored;
    const int file = sqlite3_create_function_v2(database, "scenario_file", 2, SQLITE_UTF8, of_file,
                                                scenario_file, NULL, NULL, forget);
    const int line = sqlite3_create_function_v2(database, "scenario_line", 3, SQLITE_UTF8, of_line,
                                                scenario_line, NULL, NULL, forget);
    const int property = sqlite3_create_function(database, "annotation_property", 1, SQLITE_UTF8,
                                                 NULL, annotation_property, NULL, NULL);
    const int plain = sqlite3_create_function(database, "plain_text", 1, SQLITE_UTF8, NULL,
                                              plain_text, NULL, NULL);
    return file || line || property || plain ? STATUS_NO_MEMORY : STATUS_OK;
}
