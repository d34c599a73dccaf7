// Deletes histories that nothing needs any more.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/cli/cli.h"
#include "harness/store/kept/prune.h"

// "500M", "2G". False, reported: it is no size.
static bool read_size(const char *word, double *size_B)
{
    static const struct {
        const char *unit;
        double B;
    } units[] = {{"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}};
    char *end;
    errno = 0;
    const double number = strtod(word, &end);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (word[0] >= '0' && word[0] <= '9' && errno == 0 && number > 0 &&
            strcmp(end, units[i].unit) == 0) {
            *size_B = number * units[i].B;
            return true;
        }
    log_error("--size %s: is no size; write it as 500M or 2G", word);
    return false;
}

static enum exit_code conclude(const struct prune_counts *c, const struct prune_options *options)
{
    printf("%u histor%s deleted, %.1f MB; %u remain%s, %.1f MB, of which %u %s needed by findings "
           "and examples\n",
           c->dropped, c->dropped == 1 ? "y" : "ies", c->freed_B / 1e6, c->kept,
           c->kept == 1 ? "s" : "", c->left_B / 1e6, c->needed, c->needed == 1 ? "is" : "are");
    if (!c->too_large)
        return EXIT_PASS;
    log_error("--size: %.1f MB remain, more than %.1f MB: the rest is needed%s; allow more",
              c->left_B / 1e6, options->size_B / 1e6,
              options->keep_failures ? ", or of trials that did not pass" : "");
    return EXIT_LAB;
}

int cli_prune(const struct cli_line *line)
{
    const char *path = line->value[CLI_DB].text, *size = line->value[CLI_SIZE].text;
    struct prune_options options = {.nights = (unsigned)line->value[CLI_KEEP_NIGHTS].count,
                                    .keep_failures = line->value[CLI_KEEP_FAILURES].given};
    struct prune_counts counts;
    if (size != NULL && !read_size(size, &options.size_B))
        return EXIT_INPUT;
    const enum status status = prune_histories(path, &options, &counts);
    return status == STATUS_OK ? (int)conclude(&counts, &options) : (int)cli_exit_of(status);
}
