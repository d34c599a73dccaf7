// A fault in one process must stay in it: its peers neither die nor hang.
#include "harness/oracles.h"

#include <stdio.h>
#include <string.h>

// How often the faults of this trial ended a process on purpose.
static unsigned ended_on_purpose(const struct analysis *a, const struct process_event *process)
{
    unsigned times = 0;
    for (size_t i = 0; i < a->fault.count; i++) {
        const struct fault_event *event = a->fault.event[i]->data;
        if (event->kind == FAULT_APPLIED && strcmp(event->fault, "stall") != 0 &&
            names_process(event->component, process))
            times++;
    }
    return times;
}

// An operator program that has done its work may leave; the simulated robot is the lab's affair.
static bool may_leave(const struct process_event *event)
{
    return event->component[0] == '\0' &&
           (strcmp(event->process, "operator") != 0 || event->kind == PROCESS_EXITED);
}

void oracle_peers_survive(const struct analysis *a, struct oracle_verdict *verdict)
{
    unsigned deaths = 0;
    char words[256] = "no process died that was not killed";
    for (size_t i = 0; i < a->process.count; i++) {
        const struct process_event *event = a->process.event[i]->data;
        bool ended = event->kind == PROCESS_EXITED || event->kind == PROCESS_KILLED;
        // Generations below the number of purposeful ends are those that were killed.
        if (!ended || may_leave(event) || event->generation < ended_on_purpose(a, event))
            continue;
        if (deaths++ == 0)
            snprintf(words, sizeof words, "%s %s %d at %.2f s: %.90s", event->process,
                     event->kind == PROCESS_EXITED ? "exited with status" : "was ended by signal",
                     event->value, instant_to_s(event->time), event->last_words);
    }
    verdict_count(verdict, deaths, VERDICT_FAIL, "deaths", "%s", words);
}

void oracle_turns_returned(const struct analysis *a, struct oracle_verdict *verdict)
{
    unsigned hung = 0;
    char words[256] = "no process hung";
    for (size_t i = 0; i < a->process.count; i++) {
        const struct process_event *event = a->process.event[i]->data;
        bool of_the_bench = event->component[0] == '\0' && strcmp(event->process, "operator") != 0;
        if (event->kind != PROCESS_HUNG || of_the_bench)
            continue;
        if (hung++ == 0)
            snprintf(words, sizeof words, "%s kept its turn at %.2f s: %.90s", event->process,
                     instant_to_s(event->time), event->last_words);
    }
    verdict_count(verdict, hung, VERDICT_FAIL, "processes", "%s", words);
}

// The lab has ended the trial then, so there is one at most.
void oracle_limits_kept(const struct analysis *a, struct oracle_verdict *verdict)
{
    const struct limit_event *event = a->limit.count == 0 ? NULL : a->limit.event[0]->data;
    verdict_count(verdict, event != NULL, VERDICT_FAIL, "processes", "%.160s",
                  event == NULL ? "no process exceeded a limit" : event->words);
}
