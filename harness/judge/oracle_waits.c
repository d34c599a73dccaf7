// Does the target wait for itself? Asked where the lab has looked: at unmodified programs in
// virtual time.
#include "harness/judge/oracles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/history/wait.h"

#define NAMED_MAX 3

// Who waits for what since when, the first of them; *since_s: the latest, by which all did.
static void tell(const struct series *waits, bool stuck, char *text, size_t size, double *since_s)
{
    size_t used = 0;
    unsigned named = 0;
    *since_s = 0;
    text[0] = '\0';
    for (size_t i = 0; i < waits->count; i++) {
        const struct wait_event *wait = waits->event[i]->data;
        const double time_s = instant_to_s(wait->time);
        if (stuck && !wait->stuck)
            continue;
        *since_s = time_s > *since_s ? time_s : *since_s;
        if (named++ < NAMED_MAX && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%.110s", named > 1 ? "; " : "",
                                     wait->words);
    }
}

void oracle_waits(const struct analysis *a, struct oracle_verdict *verdict)
{
    struct series waits = {0};
    unsigned stuck = 0;
    double since_s;
    char words[340];
    if (!series_collect(a->history, TOPIC_WAIT, sizeof(struct wait_event), &waits)) {
        verdict_no_memory(verdict);
        return;
    }
    for (size_t i = 0; i < waits.count; i++)
        stuck += ((const struct wait_event *)waits.event[i]->data)->stuck != 0;
    tell(&waits, stuck > 0, words, sizeof words, &since_s);
    if (stuck > 0)
        verdict_count(verdict, stuck, VERDICT_FAIL, "waits", "for good since %.2f s: %s", since_s,
                      words);
    else if (waits.count > 0)
        verdict_count(verdict, 0, VERDICT_FAIL, "waits", "all wait since %.2f s: %s", since_s,
                      words);
    else
        verdict_count(verdict, 0, VERDICT_FAIL, "waits",
                      "nobody waits for one who waits for him, or is gone");
    if (stuck > 0)
        verdict_broken_at(verdict, since_s);
    free(waits.event);
}
