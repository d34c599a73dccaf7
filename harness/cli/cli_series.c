#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/spreadsheet.h"
#include "base/trouble.h"
#include "harness/cli/cli.h"
#include "harness/files/target/target.h"
#include "harness/judge/tracks.h"
#include "harness/packs/packs.h"

static char *const *terms; // of the command line
static unsigned term_count;

static enum status write_terms(int64_t trial_id, const struct target *target,
                               const struct history *history, FILE *out)
{
    unsigned wrong;
    const enum status status = tracks_write_terms(target, history, terms, term_count, &wrong, out);
    if (status == STATUS_INVALID)
        log_error("trial %" PRId64
                  ": '%s' is not a term of target %s, or has no value in this trial; "
                  "its channels and quantities are in its target.yaml",
                  trial_id, terms[wrong], target->name);
    return status;
}

static enum status write_tracks(int64_t trial_id, const struct cli_bench *bench,
                                const struct history *history, FILE *out)
{
    const struct tracks_frame frame = tracks_frame(history);
    const enum status status =
        tracks_write(all_packs, bench->target, bench->description, history, &frame, out);
    if (status == STATUS_NOT_FOUND)
        log_error("trial %" PRId64 ": target %s has nothing to draw over time; add `quantities` "
                  "to its target.yaml (doc/reference/files.md)",
                  trial_id, bench->target->name);
    return status;
}

// The titles are terms of the command line and names of a robot's file.
static void print_table(char *rows)
{
    for (char *line; (line = strsep(&rows, "\n")) != NULL;) {
        for (char *word; (word = strsep(&line, "\t")) != NULL;) {
            spreadsheet_tsv(stdout, word);
            if (line != NULL)
                putchar('\t');
        }
        if (rows != NULL)
            putchar('\n');
    }
}

static enum status print_history(int64_t trial_id, const struct cli_bench *bench,
                                 const struct history *history)
{
    char *rows = NULL;
    size_t size_B;
    FILE *memory = open_memstream(&rows, &size_B);
    if (memory == NULL) {
        (void)trouble_note(ENOMEM);
        return STATUS_NO_MEMORY;
    }
    enum status status = term_count > 0 ? write_terms(trial_id, bench->target, history, memory)
                                        : write_tracks(trial_id, bench, history, memory);
    if (fclose(memory) != 0 && status == STATUS_OK)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        print_table(rows);
    free(rows);
    return status;
}

static enum exit_code print_series(struct database *database, const char *path, int64_t trial_id)
{
    struct cli_bench bench;
    struct kept_history kept;
    enum status status = cli_load_kept(database, path, trial_id, &bench, &kept);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    struct history *history;
    status = kept_history_read(&kept, path, &history);
    if (status == STATUS_OK) {
        status = print_history(trial_id, &bench, history);
        history_free(history);
    }
    cli_free(&bench);
    return status == STATUS_OK ? EXIT_PASS : cli_exit_of(status);
}

int cli_series(const struct cli_line *line)
{
    terms = line->word + 1;
    term_count = (unsigned)(line->words - 1);
    for (unsigned i = 0; i < term_count; i++) // a title is one cell
        for (char *at = terms[i]; (at = strpbrk(at, "\t\r\n")) != NULL;)
            *at = ' ';
    return cli_with_trial(line->word[0], line->value[CLI_DB].text, print_series);
}
