#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/cli/cli.h"
#include "harness/cli/cli_export.h"
#include "harness/files/target/target.h"
#include "harness/packs/can/dbc.h"
#include "harness/export/export.h"
#include "harness/export/export_trace.h"
#include "harness/files/target/target_network.h"
#include "harness/history/file_place.h"
#include "harness/history/whole_file.h"

enum format { // in the order of the option's words
    FORMAT_CANDUMP,
    FORMAT_PCAPNG,
    FORMAT_DBC,
    FORMAT_HGRM,
    FORMAT_CYCLICTEST,
    FORMAT_FILM,
    FORMAT_TRACE
};
struct arguments {
    const char *source, *scenario, *output, *database; // scenario: of a file's film or trace
    enum format format;
    uint64_t epoch_s;
    struct histogram_choice histogram;
};

// What is exported, once it has been found.
struct source {
    struct kept_history kept; // or a file alone: of no trial
    struct target *target;    // NULL: not known
    struct description *description;
    struct stored_histogram *histogram; // NULL: not asked for
    unsigned histogram_count;
};

static enum histogram_text text_of(enum format format)
{
    return format == FORMAT_HGRM ? HISTOGRAM_HGRM : HISTOGRAM_CYCLICTEST;
}

static bool is_trial(const char *text)
{
    return text[0] != '\0' && strspn(text, "0123456789") == strlen(text);
}

// EXIT_PASS, or the code to end with.
static enum exit_code take(const struct cli_line *line, struct arguments *a)
{
    *a = (struct arguments){.source = line->word[0],
                            .output = line->value[CLI_OUTPUT].text,
                            .database = line->value[CLI_DB].text,
                            .format = (enum format)line->value[CLI_FORMAT].choice,
                            .epoch_s = line->value[CLI_EPOCH].count,
                            .histogram = {.metric = line->value[CLI_METRIC].text,
                                          .uncorrected = line->value[CLI_UNCORRECTED].given}};
    a->histogram.text = text_of(a->format);
    const bool of_file =
        (a->format == FORMAT_FILM || a->format == FORMAT_TRACE) && !is_trial(a->source);
    if (of_file && line->words == 1) {
        log_error("%s: a history does not name its target; name its scenario, too: "
                  "ukemi export HISTORY.mcap SCENARIO --format %s -o FILE",
                  a->source, a->format == FORMAT_FILM ? "film" : "trace");
        return EXIT_INPUT;
    }
    a->scenario = of_file ? line->word[1] : NULL;
    return cli_check_words(line, 1, of_file ? 2 : 1);
}

// ---- what is exported -------------------------------------------------------------------------

static bool is_history(const char *text)
{
    const size_t length = strlen(text);
    return length > 5 && strcmp(text + length - 5, ".mcap") == 0;
}

// The history is not needed for a DBC, so it need not have been kept.
static enum status find_trial(const struct arguments *a, struct source *source)
{
    int64_t trial_id;
    struct database *database;
    enum status status = cli_open_trial(a->source, a->database, &database, &trial_id);
    if (status != STATUS_OK)
        return status;
    struct cli_bench bench = {0};
    struct stored_trial trial;
    if (a->format != FORMAT_DBC)
        status = cli_load_kept(database, a->database, trial_id, &bench, &source->kept);
    else if ((status = database_find_trial(database, trial_id, &trial)) == STATUS_OK)
        status = cli_load_stored(database, a->database, &trial, &bench);
    database_close(database);
    if (status != STATUS_OK)
        return status;
    source->target = bench.target;
    source->description = bench.description;
    bench.target = NULL;
    bench.description = NULL;
    cli_free(&bench);
    return STATUS_OK;
}

static bool of_histograms(enum format format)
{
    return format == FORMAT_HGRM || format == FORMAT_CYCLICTEST;
}

static enum status find_histograms(const struct arguments *a, struct source *source)
{
    int64_t trial_id;
    struct database *database;
    enum status status = cli_open_trial(a->source, a->database, &database, &trial_id);
    if (status != STATUS_OK)
        return status;
    status = export_find_histograms(database, trial_id, &a->histogram, &source->histogram,
                                    &source->histogram_count);
    database_close(database);
    return status;
}

static enum status find_target(const char *name, struct source *source)
{
    char path[4 * PATH_MAX_LENGTH];
    enum status status = target_find(name, path, sizeof path);
    if (status == STATUS_NOT_FOUND)
        log_error("'%s' is neither a trial's number nor a target; `ukemi list targets` lists them",
                  name);
    if (status == STATUS_OK)
        status = target_load(path, &source->target);
    if (status != STATUS_OK)
        return status;
    return target_describe(source->target, &source->description);
}

static enum status find_scenarios_target(const struct arguments *a, struct source *source)
{
    struct cli_bench bench;
    const enum status status = cli_load_scenario(a->scenario, &bench);
    if (status != STATUS_OK)
        return status;
    source->target = bench.target;
    bench.target = NULL;
    cli_free(&bench);
    text_copy(source->kept.file, sizeof source->kept.file, a->source);
    return STATUS_OK;
}

// A DBC says what the frames of a robot's CAN boards mean.
static enum status check_dbc(const struct source *source)
{
    if (source->description->board_count > 0)
        return STATUS_OK;
    log_error("target %s has no CAN boards in a robot description, so its DBC would be empty",
              source->target->name);
    return STATUS_INVALID;
}

static enum status find_source(const struct arguments *a, struct source *source)
{
    if (of_histograms(a->format))
        return find_histograms(a, source);
    if (is_trial(a->source))
        return find_trial(a, source);
    if (a->format == FORMAT_DBC && !is_history(a->source))
        return find_target(a->source, source);
    if (a->format == FORMAT_DBC) {
        log_error("%s: a history does not tell whose it is; name the target: ukemi export TARGET "
                  "--format dbc",
                  a->source);
        return STATUS_INVALID;
    }
    if (strlen(a->source) >= sizeof source->kept.file)
        return STATUS_INVALID;
    if (a->format == FORMAT_TRACE)
        return find_scenarios_target(a, source);
    text_copy(source->kept.file, sizeof source->kept.file, a->source);
    return STATUS_OK;
}

static void name_buses(const struct source *source, struct export_options *options)
{
    for (unsigned bus = 0; bus < BUS_LOG_BUSES; bus++) {
        char *name = options->bus[bus];
        snprintf(name, EXPORT_BUS_NAME_MAX, "can%u", bus);
        if (source->target != NULL && bus < source->target->bus_count)
            snprintf(name, EXPORT_BUS_NAME_MAX, "%.*s", EXPORT_BUS_NAME_MAX - 1,
                     source->target->bus[bus].name);
    }
}

// ---- writing ------------------------------------------------------------------------------------

static enum status read_events(const struct arguments *a, const struct source *source,
                               struct history **history)
{
    return source->kept.trial_id != 0 ? kept_history_read(&source->kept, a->database, history)
                                      : history_read(source->kept.file, history);
}

// Whose messages "wire" are, as their schema TARGET/wire.msg says, if this lab has that target.
static struct target *target_of(const struct history *history)
{
    char name[NAME_MAX_LENGTH], path[4 * PATH_MAX_LENGTH];
    struct target *target = NULL;
    const int topic = history_topic(history, "wire");
    const char *const schema = topic < 0 ? "" : history_topic_schema(history, (unsigned)topic);
    const size_t length = strcspn(schema, "/");
    if (schema[length] != '/' || length >= sizeof name)
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)length, schema);
    return target_find(name, path, sizeof path) == STATUS_OK &&
                   target_load(path, &target) == STATUS_OK
               ? target
               : NULL;
}

// The cables of the trial's network; NULL: they have numbers only.
static struct eth_plan *plan_cables(const struct source *source, const struct history *history)
{
    struct target *const found = source->target == NULL ? target_of(history) : NULL;
    const struct target *const target = found != NULL ? found : source->target;
    struct eth_plan *plan = calloc(1, sizeof *plan);
    const char *culprit;
    if (plan != NULL && (target == NULL || target->network_count == 0 ||
                         network_plan(&target->network[0], plan, &culprit) != STATUS_OK)) {
        free(plan);
        plan = NULL;
    }
    target_free(found);
    return plan;
}

static enum status write_traffic(const struct arguments *a, const struct source *source,
                                 const struct export_options *options, FILE *out,
                                 struct export_count *count)
{
    struct history *history;
    enum status status = read_events(a, source, &history);
    if (status != STATUS_OK)
        return status;
    struct eth_plan *const plan = plan_cables(source, history);
    struct export_options named = *options;
    named.plan = plan;
    status = a->format == FORMAT_PCAPNG ? export_pcapng(history, &named, out, count)
                                        : export_candump(history, &named, out, count);
    free(plan);
    history_free(history);
    return status;
}

static enum status write_trace(const struct arguments *a, const struct source *source, FILE *out)
{
    struct history *history;
    struct export_trace_count count = {0};
    enum status status = read_events(a, source, &history);
    if (status != STATUS_OK)
        return status;
    status = export_trace(history, source->target, out, &count);
    history_free(history);
    if (count.left_out > 0)
        log_info("%" PRIu64 " events are left out: a trace has at most %d", count.left_out,
                 EXPORT_TRACE_EVENTS_MAX);
    if (status == STATUS_OK && a->output != NULL)
        fprintf(cli_beside(a->output), "%s: %" PRIu64 " events\n", a->output, count.events);
    return status;
}

static enum status write_to(const struct arguments *a, const struct source *source,
                            const struct export_options *options, FILE *out,
                            struct export_count *count)
{
    if (of_histograms(a->format))
        return export_write_histograms(text_of(a->format), source->histogram,
                                       source->histogram_count, out);
    if (a->format == FORMAT_TRACE)
        return write_trace(a, source, out);
    if (a->format != FORMAT_DBC)
        return write_traffic(a, source, options, out, count);
    dbc_write(source->description, (const char *const[]){options->bus[0], options->bus[1]}, out);
    return STATUS_OK;
}

static enum status storage_failed(const char *path)
{
    log_error("%s: cannot be written: %s; name another file with -o", path, file_place_why(errno));
    return STATUS_INVALID;
}

static enum status write_file(const struct arguments *a, const struct source *source,
                              const struct export_options *options, struct export_count *count)
{
    struct whole_file *file;
    if (whole_file_start(a->output, &file) != STATUS_OK)
        return storage_failed(a->output);
    const enum status status = write_to(a, source, options, whole_file_stream(file), count);
    if (status != STATUS_OK) {
        whole_file_drop(file);
        return status;
    }
    return whole_file_commit(file) == STATUS_OK ? STATUS_OK : storage_failed(a->output);
}

static enum status write_stream(const struct arguments *a, const struct source *source,
                                const struct export_options *options, struct export_count *count)
{
    if (a->format == FORMAT_PCAPNG && isatty(STDOUT_FILENO)) {
        log_error("pcapng is not for a terminal; name a file with -o");
        return STATUS_INVALID;
    }
    const enum status status = write_to(a, source, options, stdout, count);
    if (status == STATUS_OK && (fflush(stdout) != 0 || ferror(stdout)))
        return storage_failed("standard output");
    return status;
}

static void report(const struct arguments *a, const struct export_options *options,
                   const struct export_count *count)
{
    if (count->not_logged > 0 || count->malformed > 0)
        log_info("%" PRIu64 " frames are missing: they did not fit the bus log, or were of CAN FD; "
                 "%" PRIu64 " entries of the log were malformed",
                 count->not_logged, count->malformed);
    if (a->output != NULL && count->ethernet > 0)
        fprintf(cli_beside(a->output), "%s: %" PRIu64 " frames\n", a->output, count->ethernet);
    else if (a->output != NULL && a->format < FORMAT_DBC)
        fprintf(cli_beside(a->output),
                "%s: %" PRIu64 " frames of %s, %" PRIu64 " of %s, of these %" PRIu64
                " error frames\n",
                a->output, count->frames[0], options->bus[0], count->frames[1], options->bus[1],
                count->error_frames);
}

static enum status export_source(const struct arguments *a, const struct source *source)
{
    struct export_options options = {.epoch_s = (int64_t)a->epoch_s};
    struct export_count count = {0};
    name_buses(source, &options);
    const enum status status = a->output != NULL ? write_file(a, source, &options, &count)
                                                 : write_stream(a, source, &options, &count);
    if (status == STATUS_OK)
        report(a, &options, &count);
    return status;
}

int cli_export(const struct cli_line *line)
{
    struct arguments a;
    const enum exit_code code = take(line, &a);
    if (code != EXIT_PASS)
        return (int)code;
    if (a.format == FORMAT_FILM) {
        const enum status filmed = export_film(a.source, a.scenario, a.database, a.output);
        return filmed == STATUS_OK ? EXIT_PASS : (int)cli_exit_of(filmed);
    }
    struct source source = {0};
    enum status status = find_source(&a, &source);
    if (status == STATUS_OK && a.format == FORMAT_DBC)
        status = check_dbc(&source);
    if (status == STATUS_OK)
        status = export_source(&a, &source);
    description_free(source.description);
    target_free(source.target);
    free(source.histogram);
    return status == STATUS_OK ? EXIT_PASS : (int)cli_exit_of(status);
}
