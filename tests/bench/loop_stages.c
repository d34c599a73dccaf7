// What a kept history tells about the loop: its stages, or every state's chain as columns.
//
//   loop_stages TARGET HISTORY [--chains]    exit 0: printed; 2: called wrongly, or a file cannot
//   be read
//
// TARGET is a target.yaml. Tab-separated, times in us. Without --chains, first a line per stage:
// name, chains, shortest, median, longest; then a line per deadline: process, message, due, missed.
// With --chains a line per state: cycle, its publication since the start of the trial, then each
// point of the chain since that publication ("-": not reached), and which deadlines were missed in
// answer to it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/history/history.h"
#include "harness/packs/robot/chain_robot.h"
#include "harness/files/target/chain_file.h"
#include "harness/files/target/target.h"
#include "model/description.h"

#define US 1e-3

static int compare(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static const struct chain_config *chain;

static void print_stage(const struct chain_record *record, const struct chain_stage *stage,
                        double *took_us)
{
    size_t count = 0;
    for (size_t i = 0; i < record->count; i++) {
        duration took;
        if (chain_stage_took(&record->instant[i], stage, &took))
            took_us[count++] = (double)took.ns * US;
    }
    printf("%s\t%zu", stage->name, count);
    qsort(took_us, count, sizeof *took_us, compare);
    if (count > 0)
        printf("\t%.3f\t%.3f\t%.3f", took_us[0], took_us[count / 2], took_us[count - 1]);
    printf("\n");
}

static int print_stages(const struct chain_record *record)
{
    struct chain_stages stages;
    double *took_us = calloc(record->count + 1, sizeof *took_us);
    if (took_us == NULL)
        return 2;
    chain_stages_of(chain, &stages);
    for (unsigned s = 0; s < stages.count; s++)
        print_stage(record, &stages.stage[s], took_us);
    free(took_us);
    for (unsigned k = 0; k < chain->link_count; k++)
        if (chain_is_owed(chain, k))
            printf("%s\t%s\t%llu\t%llu\n", chain_owner(chain, k), chain->link[k].name,
                   (unsigned long long)record->owed[k].due,
                   (unsigned long long)record->owed[k].missed);
    return 0;
}

// A point that no link of this chain has is left out.
static bool has_point(unsigned point)
{
    const struct link_config *link = &chain->link[point / 2];
    return point % 2 == 1 || link->readings || link->number[LINK_TAKEN].given ||
           link->shows[0] != '\0';
}

static int print_chains(const struct chain_record *record)
{
    for (size_t i = 0; i < record->count; i++) {
        const struct chain_instant *of = &record->instant[i];
        const instant published = of->at[CHAIN_REACHED(0)];
        printf("%lld\t%.3f", (long long)of->number, (double)published.ns * US);
        for (unsigned p = 0; p < 2 * chain->link_count; p++)
            if (!has_point(p))
                continue;
            else if (of->at[p].ns == INSTANT_NEVER.ns)
                printf("\t-");
            else
                printf("\t%.3f", (double)instant_sub(of->at[p], published).ns * US);
        printf("\t%u\n", of->missed);
    }
    return 0;
}

int main(int argc, char **argv)
{
    const bool chains = argc == 4 && strcmp(argv[3], "--chains") == 0;
    if (argc != 3 && !chains) {
        fprintf(stderr, "usage: loop_stages TARGET HISTORY [--chains]\n");
        return 2;
    }
    char file[2 * PATH_MAX_LENGTH];
    struct target *target;
    struct description *description;
    struct history *history;
    if (target_load(argv[1], &target) != STATUS_OK || (chain = chain_find(target, NULL)) == NULL ||
        chain_can_follow(target, chain, &robot_of_chains) != STATUS_OK)
        return 2; // they have reported why, but for a target without chains
    snprintf(file, sizeof file, "%s/%s", target->folder, target->description);
    if (description_load(file, &description) != STATUS_OK ||
        history_read(argv[2], &history) != STATUS_OK)
        return 2; // they have reported why
    struct chain_record record;
    int result = 2;
    if (chain_measure(chain, history, &robot_of_chains, description, &record) == STATUS_OK)
        result = chains ? print_chains(&record) : print_stages(&record);
    chain_free(&record);
    history_free(history);
    description_free(description);
    target_free(target);
    return result;
}
