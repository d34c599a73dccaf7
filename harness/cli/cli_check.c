// Whether files that people write are sound, without a trial but of a target's chains.
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "harness/cli/cli.h"
#include "harness/cli/cli_check_chains.h"
#include "harness/cli/cli_night.h"
#include "harness/doubt/doubts.h"
#include "harness/files/known_file.h"
#include "harness/files/scenario.h"
#include "harness/files/target/target_check.h"
#include "harness/history/whole_file.h"
#include "harness/judge/claim.h"
#include "harness/judge/pack.h"
#include "harness/packs/packs.h"

#define TEXT_MAX_B ((size_t)4 << 20) // as yaml_read_file has it

enum file_kind {
    FILE_SCENARIO,
    FILE_CAMPAIGN,
    FILE_STORM,
    FILE_KNOWN,
    FILE_NIGHT,
    FILE_TARGET,
    FILE_FAMILY
};

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end == NULL ? NULL : end + 1;
}

// By the keys that begin a line; what has none of them is taken for a scenario.
static enum file_kind kind_of(const char *path)
{
    static const struct {
        const char *key;
        enum file_kind kind;
    } keys[] = {{"columns:", FILE_CAMPAIGN}, {"rows:", FILE_CAMPAIGN},   {"calm_s:", FILE_STORM},
                {"count:", FILE_STORM},      {"scenario:", FILE_STORM},  {"known:", FILE_KNOWN},
                {"processes:", FILE_TARGET}, {"channels:", FILE_TARGET}, {"program:", FILE_FAMILY},
                {"parts:", FILE_NIGHT}};
    enum file_kind kind = FILE_SCENARIO;
    char *text;
    size_t size_B;
    if (whole_file_read(path, TEXT_MAX_B, &text, &size_B) != STATUS_OK)
        return kind; // loading it tells
    for (const char *line = text; line != NULL && kind == FILE_SCENARIO; line = next_line(line))
        for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
            if (strncmp(line, keys[i].key, strlen(keys[i].key)) == 0)
                kind = keys[i].kind;
    free(text);
    return kind;
}

// Whether all that a scenario calls harmless is a doubt of it.
static enum status check_harmless(const struct cli_bench *bench)
{
    if (bench->scenario == NULL || bench->scenario->harmless_count == 0)
        return STATUS_OK;
    struct doubts *doubts = doubts_make(bench->target, bench->scenario, bench->description, 0);
    const enum status status =
        doubts == NULL ? STATUS_NO_MEMORY : doubts_check(bench->scenario, doubts);
    free(doubts);
    return status;
}

static enum status check_bench(const char *path, enum file_kind kind)
{
    struct cli_bench bench;
    enum status status =
        kind == FILE_CAMPAIGN ? cli_load_campaign(path, &bench) : cli_load_scenario(path, &bench);
    if (status != STATUS_OK)
        return status;
    status = cli_check_bench(&bench);
    if (status == STATUS_OK)
        status = check_harmless(&bench);
    if (status == STATUS_OK && kind == FILE_SCENARIO &&
        claim_carriers(all_packs, bench.used, bench.target) == 0)
        printf("%s: nothing but the general rules judges its claim; promise what it says, under "
               "promises\n",
               path);
    cli_free(&bench);
    return status;
}

static enum status check_target(const char *path)
{
    struct target *target;
    struct description *description;
    enum status status = target_load(path, &target);
    if (status != STATUS_OK)
        return status;
    status = packs_check(all_packs, target);
    if (status == STATUS_OK)
        status = target_check(target, NULL, 0, cli_build);
    if (status == STATUS_OK)
        status = target_describe(target, &description);
    if (status == STATUS_OK)
        description_free(description);
    if (status == STATUS_OK)
        status = cli_check_chains(target);
    target_free(target);
    return status;
}

static enum status check_known(const char *path)
{
    struct known_findings *known;
    const enum status status = known_load_file(path, &known);
    free(known);
    return status;
}

static enum status check_storm(const char *path)
{
    struct cli_storm storm;
    enum status status = cli_load_storm(path, &storm);
    if (status != STATUS_OK)
        return status;
    status = cli_check_storm(&storm);
    cli_free_storm(&storm);
    return status;
}

static enum status check_file(const char *path)
{
    const enum file_kind kind = kind_of(path);
    switch (kind) {
    case FILE_TARGET:
        return check_target(path);
    case FILE_STORM:
        return check_storm(path);
    case FILE_KNOWN:
        return check_known(path);
    case FILE_FAMILY:
        return family_check(path, cli_build);
    case FILE_NIGHT:
        return cli_check_night(path);
    default:
        return check_bench(path, kind);
    }
}

int cli_check(const struct cli_line *line)
{
    enum exit_code worst = EXIT_PASS;
    for (int i = 0; i < line->words; i++) {
        const enum status status = check_file(line->word[i]);
        const enum exit_code code = status == STATUS_OK ? EXIT_PASS : cli_exit_of(status);
        worst = code > worst ? code : worst;
        if (status == STATUS_OK)
            printf("%s: sound\n", line->word[i]);
    }
    return worst;
}
