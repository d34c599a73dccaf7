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
#include "harness/bench/latency/latency.h"
#include "harness/files/target/target.h"
#include "model/description.h"

#define US 1e-3

static int compare(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static struct latency_pipeline pipeline;

static void print_stage(const struct latency_record *record, unsigned stage, double *took_us)
{
    char name[64];
    size_t count = 0;
    for (size_t i = 0; i < record->chain_count; i++) {
        duration took;
        if (latency_stage_of(&record->chain[i], &latency_stages[stage], &took))
            took_us[count++] = (double)took.ns * US;
    }
    latency_stage_name(&pipeline, stage, name, sizeof name);
    printf("%s\t%zu", name, count);
    qsort(took_us, count, sizeof *took_us, compare);
    if (count > 0)
        printf("\t%.3f\t%.3f\t%.3f", took_us[0], took_us[count / 2], took_us[count - 1]);
    printf("\n");
}

static int print_stages(const struct latency_record *record)
{
    double *took_us = calloc(record->chain_count + 1, sizeof *took_us);
    if (took_us == NULL)
        return 2;
    for (unsigned s = 0; s < LATENCY_STAGES; s++)
        print_stage(record, s, took_us);
    free(took_us);
    for (unsigned d = 0; d < LATENCY_DEADLINES; d++)
        printf("%s\t%s\t%llu\t%llu\n", latency_deadline_process(&pipeline, d),
               latency_deadline_name(d), (unsigned long long)record->deadline[d].due,
               (unsigned long long)record->deadline[d].missed);
    return 0;
}

static int print_chains(const struct latency_record *record)
{
    for (size_t i = 0; i < record->chain_count; i++) {
        const struct latency_chain *chain = &record->chain[i];
        const instant published = chain->at[LATENCY_STATE_PUBLISHED];
        printf("%llu\t%.3f", (unsigned long long)chain->cycle, (double)published.ns * US);
        for (unsigned p = 0; p < LATENCY_POINTS; p++)
            if (chain->at[p].ns == INSTANT_NEVER.ns)
                printf("\t-");
            else
                printf("\t%.3f", (double)instant_sub(chain->at[p], published).ns * US);
        printf("\t%u\n", chain->missed);
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
    if (target_load(argv[1], &target) != STATUS_OK ||
        latency_pipeline_of(target, &pipeline) != STATUS_OK)
        return 2; // they have reported why
    snprintf(file, sizeof file, "%s/%s", target->folder, target->description);
    if (description_load(file, &description) != STATUS_OK ||
        history_read(argv[2], &history) != STATUS_OK)
        return 2; // they have reported why
    struct latency_record record;
    int result = 2;
    if (latency_measure(history, &pipeline, description, &record) == STATUS_OK)
        result = chains ? print_chains(&record) : print_stages(&record);
    latency_free(&record);
    history_free(history);
    description_free(description);
    target_free(target);
    return result;
}
