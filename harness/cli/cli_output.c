// What processes printed, from a kept history.
#include <regex.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/cli/cli.h"
#include "harness/history/series.h"

#define LAST_LINES 8 // of a process that ended
#define ENDED_MAX 64 // processes
#define NAME_SIZE (sizeof((struct output_event *)0)->process + 1)

// ---- choosing ----------------------------------------------------------------------------------

struct choice {
    const struct cli_output *output;
    regex_t search;
};

static bool is_by(const struct output_event *line, const char *process)
{
    return strncmp(line->process, process, sizeof line->process) == 0;
}

// A file may be anybody's: the text has the length of the event, not the one that it says.
static const char *text_of(const struct event *event, char text[OUTPUT_LINE_MAX])
{
    const struct output_event *line = event->data;
    size_t length = event->size_B - offsetof(struct output_event, text);
    if (length >= OUTPUT_LINE_MAX)
        length = OUTPUT_LINE_MAX - 1;
    memcpy(text, line->text, length);
    text[length] = '\0';
    return text;
}

static bool is_chosen(const struct choice *choice, const struct event *event)
{
    char text[OUTPUT_LINE_MAX];
    const struct cli_output *output = choice->output;
    return (output->process == NULL || is_by(event->data, output->process)) &&
           (output->search == NULL ||
            regexec(&choice->search, text_of(event, text), 0, NULL, 0) == 0);
}

static bool compile(struct choice *choice)
{
    char why[128];
    const char *search = choice->output->search;
    const int error =
        search == NULL ? 0 : regcomp(&choice->search, search, REG_EXTENDED | REG_NOSUB);
    if (error == 0)
        return true;
    regerror(error, &choice->search, why, sizeof why);
    log_error("--search: '%s': %s; give an extended regular expression, as grep -E takes it",
              search, why);
    return false;
}

// ---- printing ----------------------------------------------------------------------------------

// A name of a history, for a terminal.
static const char *shown(const char *process, char name[NAME_SIZE])
{
    snprintf(name, NAME_SIZE, "%.*s", (int)NAME_SIZE - 1, process);
    text_clean(name);
    return name;
}

static void print_line(const struct event *event)
{
    char text[OUTPUT_LINE_MAX], name[NAME_SIZE];
    const struct output_event *line = event->data;
    printf("  %12.6f s  %-14s ", instant_to_s(event->time), shown(line->process, name));
    text_print(stdout, text_of(event, text), " ");
    putchar('\n');
}

static void print_last(const struct series *lines, const struct choice *choice, size_t lines_max)
{
    size_t first = lines->count;
    for (size_t found = 0; first > 0 && (lines_max == 0 || found < lines_max); first--)
        found += is_chosen(choice, series_at(lines, first - 1));
    for (; first < lines->count; first++)
        if (is_chosen(choice, series_at(lines, first)))
            print_line(series_at(lines, first));
}

enum status cli_print_output(const struct history *history, const struct cli_output *output)
{
    struct choice choice = {.output = output};
    struct series lines = {0};
    size_t chosen = 0;
    if (!compile(&choice))
        return STATUS_INVALID;
    if (!series_collect(history, TOPIC_OUTPUT, offsetof(struct output_event, text), &lines))
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < lines.count; i++)
        chosen += is_chosen(&choice, series_at(&lines, i));
    printf("%soutput%s", cli_bold(stdout), cli_plain(stdout));
    if (output->lines_max > 0 && chosen > output->lines_max)
        printf(" (last %zu of %zu lines; --all shows all)", output->lines_max, chosen);
    putchar('\n');
    print_last(&lines, &choice, output->lines_max);
    if (chosen == 0)
        puts("  none");
    free(lines.event);
    if (output->search != NULL)
        regfree(&choice.search);
    return STATUS_OK;
}

// ---- of those that ended -----------------------------------------------------------------------

static bool is_end(const struct process_event *event)
{
    return event->kind == PROCESS_KILLED || event->kind == PROCESS_HUNG ||
           (event->kind == PROCESS_EXITED && event->value != 0);
}

enum status cli_print_ended(const struct history *history)
{
    struct series events = {0}, lines = {0};
    char ended[ENDED_MAX][sizeof((struct process_event *)0)->process];
    unsigned count = 0;
    if (!series_collect(history, TOPIC_PROCESS, sizeof(struct process_event), &events))
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < events.count && count < ENDED_MAX; i++) {
        const struct process_event *event = series_at(&events, i)->data;
        unsigned same = 0;
        while (same < count && strncmp(ended[same], event->process, sizeof ended[0]) != 0)
            same++;
        if (is_end(event) && same == count)
            memcpy(ended[count++], event->process, sizeof ended[0]);
    }
    free(events.event);
    if (!series_collect(history, TOPIC_OUTPUT, offsetof(struct output_event, text), &lines))
        return STATUS_NO_MEMORY;
    for (unsigned i = 0; i < count; i++) {
        char name[NAME_SIZE];
        const struct cli_output output = {.process = ended[i]};
        const struct choice choice = {.output = &output};
        bool printed = false;
        for (size_t l = 0; l < lines.count && !printed; l++)
            printed = is_by(series_at(&lines, l)->data, ended[i]);
        if (printed) {
            printf("%slast lines of %s%s\n", cli_bold(stdout), shown(ended[i], name),
                   cli_plain(stdout));
            print_last(&lines, &choice, LAST_LINES);
        }
    }
    free(lines.event);
    return STATUS_OK;
}
