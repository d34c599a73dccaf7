#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "base/trouble.h"
#include "harness/files/campaign_file.h"
#include "harness/files/night_file.h"
#include "harness/files/fault/catalogue.h"
#include "harness/files/fault/fault_file.h"
#include "harness/cli/cli.h"
#include "harness/files/scenario.h"
#include "harness/files/storm_file.h"
#include "harness/judge/pack.h"
#include "harness/packs/packs.h"
#include "harness/files/places.h"

#define FAMILY_COLUMNS 8 // of the longest family

static int folders_only(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static enum exit_code complain_of_root(const char *folder)
{
    log_error("%s/%s: there is no such folder; set UKEMI_ROOT to the folder that holds targets/ "
              "and scenarios/",
              cli_root, folder);
    return EXIT_INPUT;
}

static enum exit_code show_target(const char *path)
{
    struct target *target;
    enum status status = target_load(path, &target);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    printf("%-10s %u processes, %u channels, %u buses; components", target->name,
           target->process_count, target->channel_count, target->bus_count);
    for (unsigned i = 0; i < target->process_count; i++)
        if (target->process[i].component[0] != '\0')
            printf(" %s", target->process[i].component);
    putchar('\n');
    target_free(target);
    return EXIT_PASS;
}

// What is no target holds others: a family. Those of the family hold none.
// NOLINTNEXTLINE(misc-no-recursion): once
static enum exit_code show_targets(const char *place, bool is_family)
{
    struct dirent **entry;
    const int count = scandir(place, &entry, folders_only, alphasort);
    if (count < 0 && is_family && errno == ENOTDIR)
        return EXIT_PASS;
    if (count < 0) {
        log_error("%s: %s; make it a folder that can be read", place, strerror(errno));
        return trouble_note(errno) ? EXIT_LAB : EXIT_INPUT;
    }
    enum exit_code worst = EXIT_PASS;
    for (int i = 0; i < count; i++) {
        char folder[3 * PATH_MAX_LENGTH], path[4 * PATH_MAX_LENGTH];
        snprintf(folder, sizeof folder, "%s/%s", place, entry[i]->d_name);
        snprintf(path, sizeof path, "%s/target.yaml", folder);
        enum exit_code code = EXIT_PASS;
        if (access(path, F_OK) == 0)
            code = show_target(path);
        else if (!is_family)
            code = show_targets(folder, true);
        worst = code > worst ? code : worst;
        free(entry[i]);
    }
    free(entry);
    return worst;
}

static enum exit_code each_target(void)
{
    struct places found;
    const enum status status = places_with("targets", &found);
    if (status == STATUS_NOT_FOUND)
        return complain_of_root("targets");
    if (status != STATUS_OK)
        return cli_exit_of(status);
    enum exit_code worst = EXIT_PASS;
    for (unsigned i = 0; i < found.count; i++) {
        const enum exit_code code = show_targets(found.folder[i], false);
        worst = code > worst ? code : worst;
    }
    return worst;
}

// The folder it lies in, without those above.
static const char *family_of(const char *path, int *length)
{
    const char *end = strrchr(path, '/'), *start = end;
    while (start > path && start[-1] != '/')
        start--;
    *length = (int)(end - start);
    return start;
}

static enum exit_code show_scenario(const char *path, const struct catalogue *catalogue)
{
    struct scenario *scenario;
    enum status status = scenario_load_with(path, NULL, catalogue, &scenario);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    int length;
    const char *family = family_of(path, &length);
    printf("%-34s %-*.*s %s\n", scenario->name, FAMILY_COLUMNS, length, family, scenario->claim);
    scenario_free(scenario);
    return EXIT_PASS;
}

static enum exit_code show_campaign(const char *path, const struct catalogue *catalogue)
{
    (void)catalogue; // a campaign reads its own
    struct campaign *campaign;
    enum status status = campaign_load(path, &campaign);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    unsigned trials = 0;
    for (unsigned i = 0; i < campaign->square_count; i++)
        trials += campaign->square[i].trials;
    printf("%-14s %2u square%-1s %4u trial%-1s  %s\n", campaign->name, campaign->square_count,
           text_plural(campaign->square_count), trials, text_plural(trials), campaign->claim);
    campaign_free(campaign);
    return EXIT_PASS;
}

static enum exit_code show_storm(const char *path, const struct catalogue *catalogue)
{
    (void)catalogue; // its scenario reads its own
    struct storm *storm;
    const enum status status = storm_load(path, &storm);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    printf("%-14s %-10s %2u fault%-1s  %s\n", storm->name, storm->target_name, storm->row_count,
           text_plural(storm->row_count), storm->claim);
    storm_free(storm);
    return EXIT_PASS;
}

static enum exit_code show_night(const char *path, const struct catalogue *catalogue)
{
    (void)catalogue;
    struct night_file *night;
    enum status status = night_file_load(path, &night);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    printf("%-14s %2u part%-1s %5g h  %s\n", night->name, night->part_count,
           text_plural(night->part_count), night->budget_h, night->claim);
    night_file_free(night);
    return EXIT_PASS;
}

static enum exit_code each_file(const char *folder,
                                enum exit_code (*show)(const char *, const struct catalogue *))
{
    struct cli_files files;
    struct catalogue *catalogue;
    enum status status = catalogue_load(&catalogue);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    status = cli_files_list(folder, &files);
    enum exit_code worst = status == STATUS_OK ? EXIT_PASS : cli_exit_of(status);
    if (status == STATUS_NOT_FOUND)
        complain_of_root(folder);
    for (unsigned i = 0; i < files.count && status == STATUS_OK; i++) {
        const enum exit_code code = show(files.path[i], catalogue);
        worst = code > worst ? code : worst;
    }
    cli_files_free(&files);
    catalogue_free(catalogue);
    return worst;
}

static enum exit_code show_faults(void)
{
    struct catalogue *catalogue;
    enum status status = catalogue_load(&catalogue);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    for (unsigned i = 0; i < catalogue->count; i++) {
        const struct fault_kind *kind = &catalogue->kind[i];
        printf("%-10s %s\n", kind->name, kind->summary);
        for (unsigned p = 0; p < kind->parameter_count; p++)
            printf("%-10s   %s: %s (default %s)\n", "", kind->parameter[p].name,
                   kind->parameter[p].summary, kind->parameter[p].fallback);
    }
    catalogue_free(catalogue);
    return EXIT_PASS;
}

static void print_pack(const struct pack *pack)
{
    for (const struct oracle *o = pack->oracle; o != NULL && o->name != NULL; o++)
        printf("%-10s %-24s %s\n", pack->name, o->name, o->claim);
}

static enum exit_code show_oracles(void)
{
    print_pack(&pack_lab);
    print_pack(&pack_taps);
    print_pack(&pack_waits);
    for (unsigned i = 0; all_packs[i] != NULL; i++)
        print_pack(all_packs[i]);
    return EXIT_PASS;
}

int cli_list(const struct cli_line *line)
{
    const char *what = line->word[0]; // one of the command's words
    if (strcmp(what, "targets") == 0)
        return each_target();
    if (strcmp(what, "scenarios") == 0)
        return each_file(CLI_SCENARIOS, show_scenario);
    if (strcmp(what, "campaigns") == 0)
        return each_file(CLI_CAMPAIGNS, show_campaign);
    if (strcmp(what, "storms") == 0)
        return each_file(CLI_STORMS, show_storm);
    if (strcmp(what, "nights") == 0)
        return each_file(CLI_NIGHTS, show_night);
    return (int)(strcmp(what, "faults") == 0 ? show_faults() : show_oracles());
}
