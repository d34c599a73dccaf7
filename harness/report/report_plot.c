#include "harness/report/report_plot.h"
#include "harness/packs/packs.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/files/target/target.h"
#include "harness/store/kept/kept_history.h"
#include "harness/files/fault/catalogue.h"
#include "harness/judge/tracks.h"
#include "harness/report/report_gnuplot.h"
#include "harness/files/trusted.h"
#include "harness/history/whole_file.h"

#define FRAME_LEAST_S 0.01 // an axis has a length

struct scratch {
    int fd; // in memory; inherited by gnuplot
    char path[32];
};

struct report_plotter {
    sqlite3 *database;
    const struct report_files *files;
    const char *output;
    const struct report_source *source;
    // Files without a name, for gnuplot: nothing is left of them if the lab is killed.
    struct scratch data, data_tracks, svg;
    bool gnuplot_missing;
    unsigned count;       // names the elements of each SVG apart
    char tracks_of[1024]; // history that `data_tracks` was made from
    char refused[1024];   // the last history that is not its trial's; "" none
    struct tracks_frame frame;
    struct target *target; // of the trial that was drawn last; NULL: none yet
    struct description *description;
    struct catalogue *catalogue; // of faults, for their colours; NULL: not there
};

static bool make_scratch(struct scratch *scratch)
{
    scratch->fd = memfd_create("ukemi-report", 0);
    snprintf(scratch->path, sizeof scratch->path, "/proc/self/fd/%d", scratch->fd);
    return scratch->fd >= 0;
}

static void close_scratch(const struct scratch *scratch)
{
    if (scratch->fd >= 0)
        close(scratch->fd);
}

static void forget_target(struct report_plotter *p)
{
    description_free(p->description);
    target_free(p->target);
    p->description = NULL;
    p->target = NULL;
}

enum status report_plotter_create(sqlite3 *database, const struct report_files *files,
                                  const char *output, const struct report_source *source,
                                  struct report_plotter **plotter)
{
    struct report_plotter *p = calloc(1, sizeof *p);
    if (!p)
        return STATUS_NO_MEMORY;
    p->database = database;
    p->files = files;
    p->output = output;
    p->source = source;
    p->data.fd = p->data_tracks.fd = p->svg.fd = -1;
    if (!make_scratch(&p->data) || !make_scratch(&p->data_tracks) || !make_scratch(&p->svg)) {
        log_error("plots: no file in memory: %s; close other programs or raise `ulimit -n`",
                  strerror(errno));
        report_plotter_free(p);
        return STATUS_SYSTEM;
    }
    stored_files_use(source->stored);
    if (catalogue_load(&p->catalogue) != STATUS_OK)
        p->catalogue = NULL; // said; windows are grey then
    stored_files_use(NULL);
    *plotter = p;
    return STATUS_OK;
}

void report_plotter_free(struct report_plotter *plotter)
{
    if (!plotter)
        return;
    close_scratch(&plotter->data);
    close_scratch(&plotter->data_tracks);
    close_scratch(&plotter->svg);
    forget_target(plotter);
    catalogue_free(plotter->catalogue);
    free(plotter);
}

// ---- data ---------------------------------------------------------------------------------------

static void put_row(sqlite3_stmt *query, bool titles, FILE *out)
{
    for (int i = 0; i < sqlite3_column_count(query); i++) {
        const char *text =
            titles ? sqlite3_column_name(query, i) : (const char *)sqlite3_column_text(query, i);
        fprintf(out, "%s%s", i ? "\t" : "", text ? text : "NaN");
    }
    fputc('\n', out);
}

// The rows of the query as a gnuplot data file. A new value in a first column called "block" starts
// a new data block.
static enum status write_rows(sqlite3 *database, sqlite3_stmt *query, const char *path)
{
    FILE *out = fopen(path, "w");
    if (!out)
        return STATUS_SYSTEM;
    int step;
    char block[64] = "";
    bool first = true;
    const char *title = sqlite3_column_name(query, 0);
    const bool blocks = title && strcmp(title, "block") == 0;
    while ((step = sqlite3_step(query)) == SQLITE_ROW) {
        const char *now = blocks ? (const char *)sqlite3_column_text(query, 0) : "";
        if (first || (blocks && now && strcmp(now, block) != 0)) {
            fputs(first ? "" : "\n\n", out);
            put_row(query, true, out);
            snprintf(block, sizeof block, "%s", now ? now : "");
            first = false;
        }
        put_row(query, false, out);
    }
    if (fclose(out) != 0)
        return STATUS_SYSTEM;
    if (step != SQLITE_DONE) {
        log_error("%s", sqlite3_errmsg(database));
        (void)database_note_trouble(database);
        return STATUS_INVALID;
    }
    return first ? STATUS_EMPTY : STATUS_OK;
}

// The target called `name` and its description, kept for the next trial.
static enum status use_target(struct report_plotter *p, const char *name)
{
    if (p->description && strcmp(p->target->name, name) == 0)
        return STATUS_OK;
    forget_target(p);
    char path[2 * PATH_MAX_LENGTH];
    stored_files_use(p->source->stored);
    enum status status = target_find(name, path, sizeof path);
    if (status == STATUS_OK)
        status = target_load(path, &p->target);
    stored_files_use(NULL);
    return status == STATUS_OK ? target_describe(p->target, &p->description) : status;
}

// Makes the tracks of the trial in reach, unless it is there already.
static enum status write_trial_tracks(struct report_plotter *p, const struct report_scope *scope)
{
    const char *path = report_value(scope, "history_path", strlen("history_path"));
    const char *target = report_value(scope, "target", strlen("target"));
    if (!path || !target || !*path)
        return STATUS_NOT_FOUND;
    if (strcmp(path, p->tracks_of) == 0)
        return STATUS_OK;
    if (strcmp(path, p->refused) == 0)
        return STATUS_NOT_FOUND;
    struct kept_history kept;
    if (kept_history_find(p->database, path, p->source->histories, &kept) != STATUS_OK ||
        access(kept.file, R_OK) != 0)
        return STATUS_NOT_FOUND;
    enum status status = use_target(p, target);
    struct history *history = NULL;
    if (status == STATUS_OK) {
        const char *name = sqlite3_db_filename(p->database, "main"); // "": in memory
        status = kept_history_read(&kept, name != NULL && *name != '\0' ? name : NULL, &history);
        if (status != STATUS_OK)
            text_copy(p->refused, sizeof p->refused, path);
    }
    if (status != STATUS_OK)
        return STATUS_NOT_FOUND; // said already; a plot less
    FILE *out = fopen(p->data_tracks.path, "w");
    p->frame = tracks_frame(history);
    status = out ? tracks_write(all_packs, p->target, p->description, history, &p->frame, out)
                 : STATUS_SYSTEM;
    if (out && fclose(out) != 0)
        status = STATUS_SYSTEM;
    history_free(history);
    snprintf(p->tracks_of, sizeof p->tracks_of, "%s", status == STATUS_OK ? path : "");
    return status;
}

bool report_plotter_refused(const struct report_plotter *plotter)
{
    return plotter->refused[0] != '\0';
}

// ---- gnuplot ------------------------------------------------------------------------------------

static void gnuplot_number(char *buffer, size_t size, double value)
{
    if (isnan(value))
        snprintf(buffer, size, "NaN");
    else
        snprintf(buffer, size, "%.6f", value);
}

// What gnuplot runs.
struct scripts {
    char style[2 * PATH_MAX_LENGTH], figure[2 * PATH_MAX_LENGTH];
};

// INVALID: others may write one of them.
static enum status find_scripts(const struct report_files *files, const char *figure,
                                struct scripts *scripts)
{
    char name[NAME_MAX + 1];
    snprintf(name, sizeof name, "%s.gp", figure);
    const bool refused =
        trusted_path(report_files_find(files, "style.gp", scripts->style)) == STATUS_INVALID ||
        trusted_path(report_files_find(files, name, scripts->figure)) == STATUS_INVALID;
    return refused ? STATUS_INVALID : STATUS_OK;
}

// Runs gnuplot over `data`; its SVG is then in p->svg. Errors as gnuplot_run.
static enum status run_gnuplot(struct report_plotter *p, struct scripts *scripts,
                               const char *figure, const char *data)
{
    const struct fault_kind *fault =
        p->catalogue ? catalogue_find(p->catalogue, p->frame.fault) : NULL;
    char number[4][32], settings[2 * PATH_MAX_LENGTH];
    gnuplot_number(number[0], sizeof number[0], p->frame.from_s);
    gnuplot_number(number[1], sizeof number[1],
                   fmax(p->frame.to_s, p->frame.from_s + FRAME_LEAST_S));
    gnuplot_number(number[2], sizeof number[2], p->frame.fault_s);
    gnuplot_number(number[3], sizeof number[3], p->frame.repair_s);
    snprintf(settings, sizeof settings,
             "data='%s'; templates='%s'; name='f%u'; from_s=%s; to_s=%s; fault_s=%s; repair_s=%s; "
             "fault_colour='%s'",
             data, p->files->page, ++p->count, number[0], number[1], number[2], number[3],
             fault ? fault->colour : "#888888");
    // Without the user's own settings (-d), which are a script, too.
    char *argument[] = {"gnuplot", "-d", "-e", settings, scripts->style, scripts->figure, NULL};
    if (ftruncate(p->svg.fd, 0) != 0 || lseek(p->svg.fd, 0, SEEK_SET) != 0)
        return STATUS_SYSTEM;
    return gnuplot_run(argument, p->svg.fd, figure);
}

// For who cannot see it and for the pointer at rest, a plot is called as its figure is; gnuplot's
// title is the prefix of its elements' names.
static void write_svg(const char *svg, const char *figure, const char *attribute, FILE *out)
{
    const char *rest = svg + strlen("<svg"), *title = strstr(svg, "<title>");
    const char *title_end = title ? strstr(title, "</title>") : NULL;
    fprintf(out, "<svg role=\"img\"%s", attribute);
    if (title_end) {
        fprintf(out, "%.*s<title>", (int)(title - rest), rest);
        for (const char *letter = figure; *letter; letter++)
            fputc(*letter == '_' ? ' ' : *letter, out);
        rest = title_end;
    }
    fputs(rest, out);
}

// The figure as a file of its own beside the page: alone it may be shown on any ground.
static enum status keep_svg(const struct report_plotter *p, const char *figure, const char *text,
                            const char *svg)
{
    char path[1024];
    struct whole_file *file;
    snprintf(path, sizeof path, "%s/%s.svg", p->output, figure);
    enum status status = whole_file_start(path, &file);
    if (status != STATUS_OK)
        return status;
    fprintf(whole_file_stream(file), "%.*s", (int)(svg - text), text);
    write_svg(svg, figure, " style=\"background:white\"", whole_file_stream(file));
    return whole_file_commit(file);
}

// Copies the SVG element without the XML declaration, which has no place within a page.
static enum status put_svg(const struct report_plotter *p, const char *figure, bool keep, FILE *out)
{
    char *text;
    size_t size_B;
    enum status status = whole_file_read(p->svg.path, SIZE_MAX, &text, &size_B);
    if (status != STATUS_OK)
        return status;
    const char *svg = strstr(text, "<svg");
    if (svg) {
        write_svg(svg, figure, "", out);
        status = keep ? keep_svg(p, figure, text, svg) : STATUS_OK;
    }
    free(text);
    return svg ? status : STATUS_INVALID;
}

static enum status say_missing(FILE *out, const char *figure, const char *why)
{
    fprintf(out, "<p class=\"missing\">No plot \xE2\x80\x9C%s\xE2\x80\x9D: %s.</p>\n", figure, why);
    return STATUS_OK;
}

enum status report_plot(struct report_plotter *plotter, const char *figure,
                        const struct report_scope *scope, FILE *out)
{
    if (plotter->gnuplot_missing)
        return say_missing(out, figure, "gnuplot is not installed");
    struct scripts scripts;
    if (find_scripts(plotter->files, figure, &scripts) != STATUS_OK)
        return STATUS_INVALID;
    sqlite3_stmt *query;
    enum status status = report_query(plotter->database, plotter->files, figure, scope, &query);
    const bool from_query = status != STATUS_NOT_FOUND;
    if (status == STATUS_OK) {
        status = write_rows(plotter->database, query, plotter->data.path);
        sqlite3_finalize(query);
    } else if (!from_query)
        status = write_trial_tracks(plotter, scope);
    if (status == STATUS_EMPTY)
        return say_missing(out, figure, "no trial of this campaign has data for it");
    if (status == STATUS_NOT_FOUND)
        return say_missing(out, figure, "the history of this trial is not kept or cannot be read");
    if (status != STATUS_OK)
        return status;
    const char *data = from_query ? plotter->data.path : plotter->data_tracks.path;
    status =
        gnuplot_data_has_values(data) ? run_gnuplot(plotter, &scripts, figure, data) : STATUS_EMPTY;
    if (status == STATUS_EMPTY)
        return say_missing(out, figure, "nothing to show, as none of its quantities has a value");
    if (status == STATUS_NOT_FOUND) {
        plotter->gnuplot_missing = true;
        return say_missing(out, figure, "gnuplot is not installed");
    }
    if (status == STATUS_OK)
        status = put_svg(plotter, figure, from_query, out);
    if (status == STATUS_OK || status == STATUS_SYSTEM) // the folder takes nothing more
        return status;
    return say_missing(out, figure, "gnuplot failed, see its message");
}
