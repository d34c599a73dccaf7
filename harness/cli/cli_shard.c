#include "harness/cli/cli_shard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/campaign/missing.h"

#define SHARDS_NAMED 10

// "1%" or "0.01".
static bool read_share(const char *word, double *share)
{
    char *end;
    const bool digit = (word[0] >= '0' && word[0] <= '9') || word[0] == '.';
    *share = strtod(word, &end);
    if (strcmp(end, "%") == 0)
        *share /= 100;
    else if (*end != '\0')
        return false;
    return digit && *share >= 0 && *share <= 1;
}

bool cli_shard(const struct cli_line *line, struct shard *shard)
{
    const char *part = line->value[CLI_SHARD].text, *why;
    *shard = (struct shard){0};
    if (part != NULL && !shard_parse(part, shard, &why)) {
        log_error("--shard %s: %s", part, why);
        return false;
    }
    return cli_shard_overlap(line, shard);
}

bool cli_shard_overlap(const struct cli_line *line, struct shard *shard)
{
    const char *share = line->value[CLI_OVERLAP].text;
    if (share == NULL || read_share(share, &shard->overlap))
        return true;
    log_error("--overlap %s: is no share; give 1%% or 0.01, at most 100%%", share);
    return false;
}

static void print_squares(const struct campaign *campaign, const struct missing *missing)
{
    for (unsigned i = 0; i < campaign->square_count; i++)
        if (missing->of_square[i] > 0)
            printf("  %s, %s: %u of %u\n", campaign->square[i].row, campaign->square[i].column,
                   missing->of_square[i], campaign->square[i].trials);
}

static void print_command(const char *file, const struct campaign_options *options,
                          const char *part)
{
    printf("  ukemi campaign %s --db %s%s%s %s\n", file, options->database,
           options->mode == CLK_WALL ? " --wall" : "", options->no_wall ? " --no-wall" : "", part);
}

static void print_commands(const char *file, const struct campaign_options *options,
                           const struct missing *missing)
{
    unsigned named = 0, more = 0;
    puts("All of them on this machine, into this database:");
    print_command(file, options, "--resume");
    for (unsigned i = 0; i < missing->shards; i++) {
        char part[64];
        if (missing->of_shard[i] == 0)
            continue;
        if (named++ == 0)
            puts("Or part by part, as they were run:");
        snprintf(part, sizeof part, "--shard %u/%u   # %u missing", i, missing->shards,
                 missing->of_shard[i]);
        if (named <= SHARDS_NAMED)
            print_command(file, options, part);
        else
            more++;
    }
    if (more > 0)
        printf("  ... and %u more parts\n", more);
}

int cli_missing(const char *file, const struct cli_bench *bench,
                const struct campaign_options *options)
{
    struct missing missing;
    const enum status status = missing_find(bench->campaign, bench->target, options, &missing);
    if (status != STATUS_OK) {
        missing_free(&missing);
        return status == STATUS_NOT_FOUND ? EXIT_INPUT : (int)cli_exit_of(status);
    }
    printf("%u of %u trial%s missing\n", missing.missing, missing.total,
           missing.total == 1 ? " is" : "s are");
    print_squares(bench->campaign, &missing);
    if (missing.missing > 0)
        print_commands(file, options, &missing);
    const int code = missing.missing > 0 ? EXIT_LAB : EXIT_PASS;
    missing_free(&missing);
    return code;
}
