#include "harness/cli/cli_doubt.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "harness/files/scenario.h"
#include "harness/judge/untold.h"
#include "harness/store/doubted.h"

struct printing {
    const struct scenario *scenario;
    unsigned noticed, blind, harmless, without_effect, failed;
    bool passed[HARMLESS_MAX];     // some doubt that it names did
    bool noticed_of[HARMLESS_MAX]; // and some did not
    const struct doubts *doubts;
};

static void note_harmless(struct printing *p, const char *name, bool noticed)
{
    for (unsigned i = 0; i < p->doubts->count; i++) {
        const struct doubt *doubt = &p->doubts->doubt[i];
        if (doubt->harmless == NULL || strcmp(doubt->name, name) != 0)
            continue;
        const size_t which = (size_t)(doubt->harmless - p->scenario->harmless);
        (noticed ? p->noticed_of : p->passed)[which] = true;
    }
}

static void print_why(const char *what, const char *why)
{
    printf("%s: ", what);
    text_print(stdout, why, " ");
    putchar('\n');
}

static void print_outcome(struct printing *p, const struct doubted *d)
{
    char after[32] = "";
    if (!isnan(d->after_s))
        snprintf(after, sizeof after, "after %.3f s", d->after_s);
    if (strcmp(d->outcome, UNTOLD_NOTICED) == 0) {
        p->noticed++;
        note_harmless(p, d->name, true);
        printf("noticed  by %s (%s)%s%s\n", d->by, d->as, after[0] != '\0' ? ", " : "", after);
    } else if (strcmp(d->outcome, UNTOLD_WITHOUT_EFFECT) == 0) {
        p->without_effect++;
        print_why("without effect", d->why);
    } else if (strcmp(d->outcome, UNTOLD_PASSED) != 0) {
        p->failed++;
        print_why("lab error", d->why);
    } else if (d->harmless) {
        const char *reason = strstr(d->claim, ": ");
        p->harmless++;
        note_harmless(p, d->name, false);
        printf("harmless: %s\n", reason != NULL ? reason + 2 : d->claim);
    } else {
        p->blind++;
        printf("%sPASSED (blind)%s\n", cli_colour(stdout, VERDICT_FAIL), cli_plain(stdout));
    }
}

static void print_row(void *context, const struct doubted *doubted)
{
    printf("  %6lld  %-36s ", (long long)doubted->trial_id, doubted->name);
    print_outcome(context, doubted);
}

// Of each that calls harmless what was noticed.
static void say_what_is_out_of_date(const struct printing *p)
{
    for (unsigned i = 0; i < p->scenario->harmless_count; i++)
        if (p->noticed_of[i] && !p->passed[i])
            printf("out of date: %s:%u: harmless: '%s' is noticed; leave it out\n",
                   p->scenario->file, p->scenario->harmless[i].line,
                   p->scenario->harmless[i].doubt);
}

enum exit_code cli_doubt_print(const char *database, int64_t campaign_id,
                               const struct scenario *scenario, const struct doubts *doubts)
{
    struct database *stored;
    struct printing p = {.scenario = scenario, .doubts = doubts};
    enum status status = database_open(database, DATABASE_QUERY, &stored);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    printf("%s%s%s\n  %s\n   trial  doubt\n", cli_bold(stdout), scenario->name, cli_plain(stdout),
           scenario->claim);
    status = doubted_read(stored, campaign_id, print_row, &p);
    database_close(stored);
    say_what_is_out_of_date(&p);
    printf("%u doubt%s: %u noticed, %u harmless, %u PASSED, %u without effect%s", doubts->count,
           text_plural(doubts->count), p.noticed, p.harmless, p.blind, p.without_effect,
           p.failed > 0 ? "" : "\n");
    if (p.failed > 0)
        printf(", %u in which the lab failed\n", p.failed);
    if (status != STATUS_OK || p.failed > 0 || p.noticed + p.harmless + p.blind == 0)
        return EXIT_LAB;
    return p.blind > 0 ? EXIT_FAIL : EXIT_PASS;
}
