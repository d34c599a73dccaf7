// Time is the lab's, and a channel is its writer's: a message that says another time than it was
// put at, or that somebody wrote over, is the target's doing.
#include "harness/judge/oracles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/target/target.h"
#include "harness/history/foul.h"

static bool is_worlds(const struct analysis *a, const struct foul_event *foul)
{
    return a->target != NULL && a->target->world[0] != '\0' &&
           strcmp(a->target->world, foul->process) == 0;
}

// Calls the first foul that is the target's *first; NULL: there is none.
static unsigned count_fouls(const struct analysis *a, const struct foul_event **first,
                            unsigned *of_world)
{
    const int topic = history_topic(a->history, TOPIC_FOUL);
    unsigned count = 0;
    *first = NULL;
    *of_world = 0;
    for (size_t i = 0; topic >= 0 && i < history_length(a->history); i++) {
        const struct event *event = history_event(a->history, i);
        const struct foul_event *foul = event->data;
        if (event->topic != topic || event->size_B != sizeof *foul)
            continue;
        if (is_worlds(a, foul)) {
            ++*of_world;
            continue;
        }
        if (*first == NULL)
            *first = foul;
        count++;
    }
    return count;
}

bool was_fouled(const struct analysis *a)
{
    const struct foul_event *first;
    unsigned of_world;
    return count_fouls(a, &first, &of_world) > 0;
}

bool has_lost_by_target(const struct analysis *a)
{
    const int topic = history_topic(a->history, TOPIC_FOUL);
    for (size_t i = 0; topic >= 0 && i < history_length(a->history); i++) {
        const struct event *event = history_event(a->history, i);
        const struct foul_event *foul = event->data;
        if (event->topic == topic && event->size_B == sizeof *foul && foul->kind == FOUL_LOST)
            return true;
    }
    return false;
}

static void describe(const struct foul_event *foul, char *words, size_t size)
{
    const char *who = foul->process[0] == '\0' ? "somebody" : foul->process;
    const double time_s = instant_to_s(foul->time), stamp_s = instant_to_s(foul->stamp);
    switch ((enum foul_kind)foul->kind) {
    case FOUL_LOST:
        snprintf(words, size, "%s wrote over %llu frames of %s at %.3f s", who,
                 (unsigned long long)foul->frames, foul->channel, time_s);
        return;
    case FOUL_FORGED:
        snprintf(words, size, "%s wrote to %s at %.3f s, which is the simulated world's", who,
                 foul->channel, time_s);
        return;
    default:
        snprintf(words, size, "%s stamped %s of %.3f s as %.6g s: %s", who, foul->channel, time_s,
                 stamp_s,
                 foul->kind == FOUL_BEYOND ? "later than its turn"
                 : foul->kind == FOUL_BACK ? "before its last one"
                                           : "before the trial");
    }
}

void oracle_messages_true(const struct analysis *a, struct oracle_verdict *verdict)
{
    const struct foul_event *first;
    unsigned of_world;
    char words[160] = "every message says when it was put, and none was written over";
    const unsigned count = count_fouls(a, &first, &of_world);
    if (was_spoiled(a)) {
        verdict_nothing(verdict, "the target wrote over pages: see limits-kept");
        return;
    }
    if (first != NULL)
        describe(first, words, sizeof words);
    else if (of_world > 0) // trusted, and nobody has bent its clock
        snprintf(words, sizeof words, "the simulated robot stamped %u messages wrongly", of_world);
    verdict_count(verdict, count + of_world, count > 0 ? VERDICT_FAIL : VERDICT_ERROR, "messages",
                  "%s", words);
    if (first != NULL)
        verdict_broken_at(verdict, instant_to_s(first->time));
}
