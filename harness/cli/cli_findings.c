#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "harness/cli/cli_finding.h"
#include "harness/files/known_file.h"
#include "harness/store/findings.h"

struct printing {
    FILE *out;
    const struct known_findings *known;
    bool of_known; // the others are passed over
    unsigned counted;
};

static void print(void *context, const struct finding *f)
{
    struct printing *p = context;
    const char *reason = known_reason(p->known, f->target, f->oracle, f->party, f->acting);
    const bool calm = strcmp(f->acting, "calm") == 0;
    if ((reason != NULL) != p->of_known)
        return;
    p->counted++;
    fprintf(p->out, "%s%-5s%s %s: %s of %s %s %s: %u trial%s, lab %s to %s\n",
            reason != NULL ? "" : cli_colour(p->out, VERDICT_FAIL),
            reason != NULL ? "known" : "NEW", cli_plain(p->out), f->name, f->oracle, f->party,
            calm ? "in" : "under", f->acting, f->trials, text_plural(f->trials), f->first_seen,
            f->last_seen);
    fputs("      ", p->out);
    text_print(p->out, reason != NULL ? reason : f->detail, "      ");
    fprintf(p->out, "\n      fewest faults: trial %lld, %u; ukemi shrink %lld\n",
            (long long)f->fewest_id, f->fewest, (long long)f->fewest_id);
}

enum status cli_print_findings(const char *path, int64_t campaign_id, FILE *out,
                               enum exit_code *code)
{
    struct known_findings *known;
    struct database *database;
    *code = EXIT_LAB;
    enum status status = known_load(&known);
    if (status != STATUS_OK)
        return status;
    struct printing printing = {.out = out, .known = known};
    status = database_open(path, DATABASE_QUERY, &database);
    if (status == STATUS_OK) {
        status = findings_read(database, campaign_id, print, &printing);
        *code = printing.counted > 0 ? EXIT_FAIL : EXIT_PASS;
        printing.of_known = true;
        if (status == STATUS_OK)
            status = findings_read(database, campaign_id, print, &printing);
        database_close(database);
    }
    free(known);
    return status;
}

int cli_findings(const struct cli_line *line)
{
    enum exit_code code;
    const enum status status = cli_print_findings(line->value[CLI_DB].text, 0, stdout, &code);
    return (int)(status == STATUS_OK ? code : cli_exit_of(status));
}
