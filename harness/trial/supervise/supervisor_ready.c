// When a process is ready, so that the next may be started.
#include "harness/trial/supervise/supervisor_private.h"

#include <stdio.h>
#include <string.h>

#include "harness/trial/supervise/port_open.h"

#define WORDS_SHOWN 120

// ---- looking -----------------------------------------------------------------------------------

static instant due(const struct process *process)
{
    return instant_add(process->started, duration_s(process->config.ready.after_s));
}

bool process_may_end(const struct process *process)
{
    bool may = false;
    for (unsigned i = 0; i < process->config.may_exit_count && !process->life.killed; i++)
        may |= (int)process->config.may_exit[i] == process->life.exit_status;
    return may && process->life.state == PROCESS_STATE_ENDED;
}

// ---- the life of a condition -------------------------------------------------------------------

enum status ready_create(struct process *process)
{
    if (process->config.ready.output[0] == '\0')
        return STATUS_OK;
    process->has_pattern =
        regcomp(&process->pattern, process->config.ready.output, REG_EXTENDED | REG_NOSUB) == 0;
    return process->has_pattern ? STATUS_OK : STATUS_NO_MEMORY; // the loader has tried it
}

void ready_free(struct process *process)
{
    if (process->has_pattern)
        regfree(&process->pattern);
    process->has_pattern = false;
}

void ready_begin(struct process *process, instant now)
{
    const struct ready_config *ready = &process->config.ready;
    process->started = now;
    process->heard = false;
    process->awaited = ready->output[0] != '\0' || ready->port != 0 || ready->after_s > 0;
}

void ready_hear(struct process *process, const char *line)
{
    if (process->awaited && process->has_pattern && !process->heard)
        process->heard = regexec(&process->pattern, line, 0, NULL, 0) == 0;
}

instant ready_next(const struct process *process)
{
    // One that is down, or stopped, is not ready at any instant that is known now.
    const bool comes = process->awaited && process->config.ready.after_s > 0 &&
                       process->life.state == PROCESS_STATE_RUNNING;
    return comes ? due(process) : INSTANT_NEVER;
}

bool ready_look(const struct process *process, instant now)
{
    const struct ready_config *ready = &process->config.ready;
    if (process->life.state != PROCESS_STATE_RUNNING)
        return false;
    if (ready->output[0] != '\0')
        return process->heard;
    return ready->port != 0 ? port_open(ready->port) : !instant_before(now, due(process));
}

// ---- in words ----------------------------------------------------------------------------------

// The end of what it printed, from the beginning of a line if there is one near.
static void last_words(const struct process *process, char words[WORDS_SHOWN + 4])
{
    const char *end = process->output.words;
    const bool is_cut = process->output.words_used > WORDS_SHOWN;
    if (is_cut)
        end += process->output.words_used - WORDS_SHOWN;
    const char *line = is_cut ? strchr(end, '\n') : NULL;
    if (line != NULL && line[1] != '\0')
        snprintf(words, WORDS_SHOWN + 4, "%.*s", WORDS_SHOWN, line + 1);
    else
        snprintf(words, WORDS_SHOWN + 4, "%s%.*s", is_cut ? "..." : "", WORDS_SHOWN, end);
}

static void describe(const struct process *process, const char *what, char *text, size_t size)
{
    char words[WORDS_SHOWN + 4];
    const bool silent = process->output.words_used == 0;
    last_words(process, words);
    snprintf(text, size, "%s: not ready: %s; it printed %s%s", process->config.name, what,
             silent ? "nothing" : "at last: ", words);
}

void ready_describe_end(const struct process *process, char *text, size_t size)
{
    char words[WORDS_SHOWN + 4];
    last_words(process, words);
    snprintf(text, size, "%s: %s %d: %s", process->config.name,
             process->life.killed ? "killed by signal" : "exit status", process->life.exit_status,
             words);
}

void ready_describe_wait(const struct process *process, double waited_s, char *text, size_t size)
{
    char what[REGEX_MAX + 64];
    const struct ready_config *ready = &process->config.ready;
    if (ready->output[0] != '\0')
        snprintf(what, sizeof what, "waits for output '%s' since %g s", ready->output, waited_s);
    else if (ready->port != 0)
        snprintf(what, sizeof what, "waits for port %u since %g s", ready->port, waited_s);
    else
        snprintf(what, sizeof what, "its %g s are not over", ready->after_s);
    describe(process, what, text, size);
}

void ready_describe_absence(const struct process *process, const char *missing, char *text,
                            size_t size)
{
    char what[224];
    const char *thread = missing == NULL ? NULL : strchr(missing, '/');
    const char *why = "`clock: native` is for programs that call clk_join; others need `clock: "
                      "shim`";
    if (process->config.clock == PROCESS_CLOCK_SHIM)
        why = "the library that is preloaded did not come to run";
    if (thread != NULL)
        why = "its program is to start it, and the thread to call clk_join_thread, before clk_join";
    snprintf(what, sizeof what, "%s%s never joined the clock in %g s: %s",
             thread != NULL ? "its thread " : "it", thread != NULL ? thread + 1 : "",
             process->config.ready_within_s, why);
    describe(process, what, text, size);
}
