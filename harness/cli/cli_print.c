// What run, show and judge print.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "harness/cli/cli.h"
#include "harness/files/scenario.h"

// Before each line of what a process wrote: no line of it can pass for one of ours.
#define QUOTE "              > "

static void print_fault(const struct fault_event *event)
{
    static const char *const what[] = {[FAULT_APPLIED] = "applied",
                                       [FAULT_UNDONE] = "undone ",
                                       [FAULT_EFFECT] = "effect ",
                                       [FAULT_SETTLED] = "settled"};
    printf("  %8.3f s  %s %s %s%s: ", instant_to_s(event->time),
           event->kind <= FAULT_SETTLED ? what[event->kind] : "?", event->fault, event->component,
           event->proven ? "" : ", NOT PROVEN");
    text_print(stdout, event->evidence, " ");
    putchar('\n');
}

void cli_print_faults(const struct trial_record *record, const struct scenario *scenario)
{
    if (scenario != NULL && scenario->fault_count == 0)
        return;
    printf("%sfaults%s\n", cli_bold(stdout), cli_plain(stdout));
    for (unsigned i = 0; i < record->fault_event_count; i++)
        print_fault(&record->fault_event[i]);
    if (record->fault_event_count == 0)
        puts("  none was applied");
}

static void print_words(const char *words)
{
    if (words[0] == '\0')
        return;
    fputs(QUOTE, stdout);
    text_print(stdout, words, "\n" QUOTE);
    putchar('\n');
}

void cli_print_processes(const struct trial_record *record)
{
    static const char *const what[] = {[PROCESS_STARTED] = "started",
                                       [PROCESS_READY] = "ready",
                                       [PROCESS_EXITED] = "exited with status",
                                       [PROCESS_KILLED] = "ended by signal",
                                       [PROCESS_STOPPED] = "stopped",
                                       [PROCESS_CONTINUED] = "continued",
                                       [PROCESS_HUNG] = "hung"};
    bool titled = false;
    for (unsigned i = 0; i < record->process_event_count; i++) {
        const struct process_event *event = &record->process_event[i];
        bool first = event->generation == 0 &&
                     (event->kind == PROCESS_STARTED || event->kind == PROCESS_READY);
        if (first || event->kind > PROCESS_HUNG)
            continue; // every trial has these
        if (!titled)
            printf("%sprocesses%s\n", cli_bold(stdout), cli_plain(stdout));
        titled = true;
        printf("  %8.3f s  %s %s", instant_to_s(event->time), event->process, what[event->kind]);
        if (event->kind == PROCESS_EXITED || event->kind == PROCESS_KILLED)
            printf(" %d", event->value);
        if (event->kind == PROCESS_HUNG && event->value != HUNG_KEPT_TURN)
            printf(": %s", event->value == HUNG_LEFT_CLOCK
                               ? "left the clock and lived on"
                               : "its part of the clock was written over");
        putchar('\n');
        print_words(event->last_words);
    }
}

static void print_observation(const struct observation *o)
{
    printf("  %-24s ", o->name);
    if (o->reason[0] != '\0')
        printf("(none: %s)\n", o->reason);
    else if (o->text[0] != '\0')
        printf("%s\n", o->text);
    else
        printf("%.4g%s%s\n", o->value, o->unit[0] != '\0' ? " " : "", o->unit);
}

void cli_print_buses(const struct bus_figures *figures)
{
    if (!figures->known)
        return;
    printf("%sbuses%s\n", cli_bold(stdout), cli_plain(stdout));
    for (unsigned b = 0; b < BUS_LOG_BUSES; b++) {
        const struct bus_load *load = &figures->bus[b];
        printf("  can%u  load %.1f %%, in the fullest second %.1f %%; %" PRIu64 " frames, %" PRIu64
               " error frames",
               b, 100 * load->mean, 100 * load->peak, load->frames, load->error_frames);
        if (load->strange > 0)
            printf("; %" PRIu64 " from strangers", load->strange);
        putchar('\n');
    }
    printf("  %" PRIu64 " of %" PRIu64 " states lack a reading\n", figures->incomplete,
           figures->states);
}

void cli_print_judgement(const struct judgement *judgement)
{
    if (judgement->observation_count > 0)
        printf("%sobserved%s\n", cli_bold(stdout), cli_plain(stdout));
    for (unsigned i = 0; i < judgement->observation_count; i++)
        print_observation(&judgement->observation[i]);
    printf("%sverdicts%s\n", cli_bold(stdout), cli_plain(stdout));
    for (unsigned i = 0; i < judgement->count; i++) {
        const struct oracle_verdict *v = &judgement->oracle[i];
        char margin[40] = "";
        if (isfinite(v->margin))
            snprintf(margin, sizeof margin, "%+.4g %s", v->margin, v->unit);
        printf("  %s%-5s%s %-24s %-18s ", cli_colour(stdout, v->verdict), verdict_name(v->verdict),
               cli_plain(stdout), v->oracle, margin);
        text_print(stdout, v->detail, " ");
        putchar('\n');
    }
    printf("%s%s%s\n", cli_colour(stdout, judgement->verdict), verdict_name(judgement->verdict),
           cli_plain(stdout));
}
