#include "harness/campaign/evidence.h"

#include <stdlib.h>

#include "harness/store/kept/campaign_histories.h"

void evidence_ask(const struct evidence *evidence, unsigned number, struct job *job)
{
    job->keep = KEEP_NEVER;
    if (evidence->database == NULL || evidence->kept == HISTORIES_PER_SQUARE_MAX)
        return;
    job->keep = KEEP_BAD;
    histories_place(evidence->database, evidence->campaign_id, evidence->square, number,
                    &job->history);
}

enum status evidence_take(struct evidence *evidence, const struct trial_record *record,
                          struct trial_record **bad)
{
    *bad = NULL;
    if (evidence->database == NULL || record->loss != LOSS_NONE ||
        !verdict_is_bad(record->judgement.verdict))
        return STATUS_OK;
    *bad = malloc(sizeof **bad);
    if (*bad == NULL)
        return STATUS_NO_MEMORY;
    **bad = *record;
    evidence->kept += record->history_path[0] != '\0';
    return STATUS_OK;
}
