#include <errno.h>
#include <getopt.h>
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
#include "harness/files/target/target_network.h"
#include "harness/history/file_place.h"
#include "harness/history/whole_file.h"

static const char usage[] =
    "usage: ukemi export TRIAL|HISTORY.mcap [--format candump|pcapng] [--epoch SECONDS]\n"
    "                    [-o FILE] [--db PATH]\n"
    "       ukemi export TRIAL|TARGET --format dbc [-o FILE] [--db PATH]\n"
    "       ukemi export TRIAL --format hgrm|cyclictest [--metric PATTERN] [--uncorrected]\n"
    "                    [-o FILE] [--db PATH]\n"
    "       ukemi export TRIAL | HISTORY.mcap SCENARIO --format film -o FILE [--db PATH]\n\n"
    "Writes for other tools: the CAN or Ethernet traffic of a trial whose history was kept, the\n"
    "meaning of its frames, the histograms of a run of a benchmark, or a film of the trial.\n\n"
    "  --format candump     a log of can-utils (canplayer, log2asc ...); the default\n"
    "           pcapng      for Wireshark and tshark\n"
    "           dbc         the robot's messages and signals, for CAN decoders\n"
    "           hgrm        a histogram as HdrHistogram's percentile text, in us\n"
    "           cyclictest  histograms as cyclictest -h prints them, a column each\n"
    "           film        the robot as it moved, with time and faults: an animated WebP\n"
    "  --metric PATTERN     only histograms that match, as in a shell\n"
    "  --uncorrected        as measured, even if one is corrected for coordinated omission\n"
    "  -o FILE              write to FILE, completely or not at all; default: standard output\n"
    "  --epoch SECONDS      when the trial started, in seconds since 1970 (default 0)\n"
    "  --db PATH            the database (default " CLI_DATABASE ")\n";

enum format {
    FORMAT_CANDUMP,
    FORMAT_PCAPNG,
    FORMAT_DBC,
    FORMAT_HGRM,
    FORMAT_CYCLICTEST,
    FORMAT_FILM
};
static const char *const format_names[] = {"candump", "pcapng",     "dbc",
                                           "hgrm",    "cyclictest", "film"};
#define FORMATS (sizeof format_names / sizeof format_names[0])

struct arguments {
    const char *source, *scenario, *output, *database; // scenario: of the film of a file
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

static bool read_format(const char *text, enum format *format)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(text, format_names[i]) == 0) {
            *format = (enum format)i;
            return true;
        }
    log_error("--format: '%s' is not a format; write candump, pcapng, dbc, hgrm, cyclictest or "
              "film",
              text);
    return false;
}

static bool is_trial(const char *text)
{
    return text[0] != '\0' && strspn(text, "0123456789") == strlen(text);
}

// false: end with *code.
static bool read_arguments(int argc, char **argv, struct arguments *a, int *code)
{
    static const struct option options[] = {
        {"format", required_argument, NULL, 'f'}, {"output", required_argument, NULL, 'o'},
        {"epoch", required_argument, NULL, 'e'},  {"db", required_argument, NULL, 'd'},
        {"metric", required_argument, NULL, 'm'}, {"uncorrected", no_argument, NULL, 'u'},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0}};
    *a = (struct arguments){.database = CLI_DATABASE};
    *code = EXIT_INPUT;
    for (int option; (option = getopt_long(argc, argv, "ho:", options, NULL)) != -1;) {
        if (option == 'h')
            *code = (int)cli_usage(usage, true);
        if (option == '?')
            cli_wrong_word("export", NULL);
        if (option == 'h' || option == '?' || (option == 'f' && !read_format(optarg, &a->format)) ||
            (option == 'e' && !cli_number(optarg, "--epoch", EXPORT_EPOCH_MAX_S, &a->epoch_s)))
            return false;
        if (option == 'o')
            a->output = optarg;
        if (option == 'd')
            a->database = optarg;
        if (option == 'm')
            a->histogram.metric = optarg;
        a->histogram.uncorrected |= option == 'u';
    }
    a->histogram.text = text_of(a->format);
    a->source = argv[optind];
    const bool of_file = a->format == FORMAT_FILM && a->source != NULL && !is_trial(a->source);
    if (of_file && argc - optind == 1) {
        log_error("%s: a history does not name its world; name its scenario, too: "
                  "ukemi export HISTORY.mcap SCENARIO --format film -o FILE",
                  a->source);
        return false;
    }
    *code = (int)cli_check_words("export", usage, argc, argv, of_file ? 2 : 1, of_file ? 2 : 1);
    a->scenario = of_file && *code == EXIT_PASS ? argv[optind + 1] : NULL;
    return *code == EXIT_PASS;
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

static enum status write_traffic(const struct arguments *a, const struct source *source,
                                 const struct export_options *options, FILE *out,
                                 struct export_count *count)
{
    struct history *history;
    enum status status = read_events(a, source, &history);
    if (status != STATUS_OK)
        return status;
    status = a->format == FORMAT_PCAPNG ? export_pcapng(history, options, out, count)
                                        : export_candump(history, options, out, count);
    history_free(history);
    return status;
}

static enum status write_to(const struct arguments *a, const struct source *source,
                            const struct export_options *options, FILE *out,
                            struct export_count *count)
{
    if (of_histograms(a->format))
        return export_write_histograms(text_of(a->format), source->histogram,
                                       source->histogram_count, out);
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
    struct eth_plan *plan = calloc(1, sizeof *plan); // NULL: the cables have numbers
    const char *culprit;
    if (plan != NULL && source->target != NULL && source->target->network_count > 0 &&
        network_plan(&source->target->network[0], plan, &culprit) == STATUS_OK)
        options.plan = plan;
    const enum status status = a->output != NULL ? write_file(a, source, &options, &count)
                                                 : write_stream(a, source, &options, &count);
    if (status == STATUS_OK)
        report(a, &options, &count);
    free(plan);
    return status;
}

int cli_export(int argc, char **argv)
{
    struct arguments a;
    int code;
    if (!read_arguments(argc, argv, &a, &code))
        return code;
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
