#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "harness/cli/cli_finding.h"
#include "harness/store/findings.h"

struct printing {
    FILE *out;
    unsigned known, fresh;
};

static void print(void *context, const struct finding *f)
{
    struct printing *p = context;
    p->fresh++;
    fprintf(p->out, "%sNEW%s   %s: %s of %s, %s%s: %u trial%s\n", cli_colour(p->out, VERDICT_FAIL),
            cli_plain(p->out), f->name, f->oracle, f->party,
            strcmp(f->acting, "calm") == 0 ? "" : "under ", f->acting, f->trials,
            text_plural(f->trials));
    fputs("        ", p->out);
    text_print(p->out, f->detail, "        ");
    fprintf(p->out,
            "\n        smallest: trial %lld, %u fault%s; ukemi storm %s --seed %llu --write FILE\n",
            (long long)f->fewest_id, f->fewest, text_plural(f->fewest), f->storm,
            (unsigned long long)f->fewest_seed);
}

enum status cli_print_findings(const char *path, int64_t campaign_id, FILE *out,
                               enum exit_code *code)
{
    struct printing printing = {.out = out};
    struct database *database;
    enum status status = database_open(path, DATABASE_QUERY, &database);
    if (status != STATUS_OK)
        return status;
    status = findings_read(database, campaign_id, print, &printing);
    database_close(database);
    *code = printing.fresh > 0 ? EXIT_FAIL : EXIT_PASS;
    return status;
}
