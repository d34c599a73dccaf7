#include "harness/trial/supervisor_private.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/log.h"
#include "base/trouble.h"
#include "base/text.h"
#include "harness/cell/cell.h"
#include "harness/cell/spawn.h"
#include "harness/files/target_process.h"
#include "harness/trial/shims.h"
#include "harness/trial/taps.h"

#define READY_PATIENCE_S 30
#define OPERATOR_PRIORITY 1 // below every daemon

// ---- starting

static enum status start(struct supervisor *supervisor, struct process *process)
{
    char participant[2 * NAME_MAX_LENGTH], priority[32];
    char cell[PATH_MAX_LENGTH + sizeof "UKEMI_CELL="];
    char *arguments[RUN_WORDS_MAX], *environment[ENVIRONMENT_MAX + OWN_VARIABLES + 1];
    static char preload[] = "LD_PRELOAD=" CELL_BUILD "/" SHIM_LIBRARY;
    // The lab's library may be installed where the loader of programs does not look.
    static char libraries[] = "LD_LIBRARY_PATH=" CELL_BUILD "/lib";
    static char modules[] = "PYTHONPATH=" CELL_BUILD "/python";
    const bool shimmed = process->config.clock == PROCESS_CLOCK_SHIM;
    const bool native = process->config.clock == PROCESS_CLOCK_NATIVE;
    for (unsigned i = 1; i < process->config.run_count; i++)
        arguments[i - 1] = process->config.run[i];
    arguments[process->config.run_count - 1] = NULL;
    snprintf(participant, sizeof participant, "UKEMI_PARTICIPANT=%s", process->config.name);
    snprintf(priority, sizeof priority, "UKEMI_PRIORITY=%d", process->config.priority);
    for (unsigned i = 0; i < supervisor->environment_count; i++)
        environment[i] = supervisor->environment[i];
    environment[supervisor->environment_count] = participant;
    environment[supervisor->environment_count + 1] = priority;
    snprintf(cell, sizeof cell, "UKEMI_CELL=%s",
             interposed_cell(supervisor->request.interposed, process->config.name));
    environment[supervisor->environment_count + 2] = cell;
    environment[supervisor->environment_count + 3] = shimmed ? preload : native ? libraries : NULL;
    environment[supervisor->environment_count + 4] = native ? modules : NULL;
    environment[supervisor->environment_count + OWN_VARIABLES] = NULL;
    struct spawn_request request = {
        .program = process->config.run[0],
        .arguments = arguments,
        .environment = environment,
        .inherit = {-1, -1},
        .fixed_addresses = shimmed && supervisor->request.mode == CLK_VIRTUAL,
        .role = process->config.follower || process->config.interposes ? CELL_BENCH : CELL_PROGRAM};
    struct spawned spawned;
    enum status status = spawn(&request, &spawned);
    if (status != STATUS_OK)
        (void)trouble_note(errno);
    if (status != STATUS_OK)
        return status;
    process->pid = spawned.pid;
    process->pidfd = spawned.pidfd;
    output_open(&process->output, spawned.output);
    supervisor_happen(supervisor, process, HAPPENING_STARTED, 0);
    return STATUS_OK;
}

void supervisor_describe_end(const struct supervisor *supervisor, unsigned number, char *text,
                             size_t size)
{
    const struct process *process = &supervisor->process[number];
    snprintf(text, size, "%s: %s %d: %.*s", process->config.name,
             process->life.killed ? "killed by signal" : "exit status", process->life.exit_status,
             (int)strcspn(process->output.words, "\n"), process->output.words);
}

enum status supervisor_restart(struct supervisor *supervisor, unsigned number, char *reason,
                               size_t size)
{
    struct process *process = &supervisor->process[number];
    assert(process->life.state == PROCESS_STATE_ABSENT ||
           process->life.state == PROCESS_STATE_ENDED);
    supervisor_happen(supervisor, process, HAPPENING_START_ASKED, 0);
    enum status status = start(supervisor, process);
    if (status != STATUS_OK) {
        snprintf(reason, size, "%s: cannot be started: %s", process->config.name, strerror(errno));
        return status;
    }
    if (process->config.clock != PROCESS_CLOCK_NONE) // who never joins is ready at once
        status = clk_coordinator_await(supervisor->request.coordinator, process->participant,
                                       duration_s(READY_PATIENCE_S));
    if (status == STATUS_OK) {
        supervisor_happen(supervisor, process, HAPPENING_JOINED, 0);
        return STATUS_OK;
    }
    if (status == STATUS_DEAD &&
        supervisor_await(supervisor, number, PROCESS_STATE_ENDED) == STATUS_OK) {
        int used = snprintf(reason, size, "ended before it was ready: ");
        supervisor_describe_end(supervisor, number, reason + used, size - (size_t)used);
    } else {
        snprintf(reason, size, "%s: not ready after %d s", process->config.name, READY_PATIENCE_S);
    }
    return status;
}

instant supervisor_next(const struct supervisor *supervisor)
{
    instant next = INSTANT_NEVER;
    for (unsigned i = 0; i < supervisor->count; i++)
        next = instant_min(next, supervisor->process[i].life.restart_due);
    return next;
}

enum status supervisor_act(struct supervisor *supervisor)
{
    instant now = clk_coordinator_now(supervisor->request.coordinator);
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < supervisor->count && status == STATUS_OK; i++) {
        if (instant_before(now, supervisor->process[i].life.restart_due))
            continue;
        char reason[256]; // stands in the process events too
        if (supervisor_restart(supervisor, i, reason, sizeof reason) != STATUS_OK)
            log_info("%s", reason);
        status = supervisor_record(supervisor);
    }
    return status;
}

void supervisor_hold(struct supervisor *supervisor, unsigned number)
{
    supervisor_happen(supervisor, &supervisor->process[number], HAPPENING_HELD, 0);
}

enum status supervisor_start(struct supervisor *supervisor, char *reason, size_t size)
{
    for (unsigned i = 0; i < supervisor->count; i++) {
        enum status status = supervisor_restart(supervisor, i, reason, size);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

// ---- creation

static enum status add_process(struct supervisor *supervisor, const struct process_config *config)
{
    struct process *process = &supervisor->process[supervisor->count++];
    process->config = *config;
    process->output.file = process->pidfd = -1;
    process->life = process_life_begin(config->restart_after_s);
    return clk_coordinator_add(supervisor->request.coordinator, config->name, config->priority,
                               config->follower, &process->participant);
}

__attribute__((format(printf, 2, 3))) static void add_environment(struct supervisor *supervisor,
                                                                  const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    assert(supervisor->environment_count < ENVIRONMENT_MAX);
    vsnprintf(supervisor->environment[supervisor->environment_count++], PATH_MAX_LENGTH, format,
              arguments);
    va_end(arguments);
}

static void fill_environment(struct supervisor *supervisor)
{
    const struct scenario *scenario = supervisor->request.scenario;
    add_environment(supervisor, "PATH=/usr/bin:/bin");
    add_environment(supervisor, "LC_ALL=C");
    add_environment(supervisor, "UKEMI_TARGET=" CELL_TARGET);
    add_environment(supervisor, "UKEMI_SEED=%llu", (unsigned long long)supervisor->request.seed);
    if (supervisor->request.target->tap_count > 0)
        add_environment(supervisor, "UKEMI_TAP_DIR=" CELL_FOLDER "/" TAPS_FOLDER);
    if (supervisor->request.probes_off)
        add_environment(supervisor, "UKEMI_ENV_PROBES=off");
    for (unsigned i = 0; i < scenario->environment_count; i++) {
        char name[NAME_MAX_LENGTH];
        snprintf(name, sizeof name, "%s", scenario->environment[i]);
        char *value = strchr(name, '=');
        if (value == NULL)
            continue; // the loader has refused it
        *value++ = '\0';
        for (char *c = name; *c != '\0'; c++)
            *c = (char)toupper((unsigned char)*c);
        add_environment(supervisor, "UKEMI_ENV_%s=%s", name, value);
    }
}

enum status supervisor_create(const struct supervisor_request *request,
                              struct supervisor **supervisor)
{
    struct supervisor *new = calloc(1, sizeof *new);
    if (new == NULL)
        return STATUS_NO_MEMORY;
    new->request = *request;
    fill_environment(new);
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < request->target->process_count && status == STATUS_OK; i++) {
        struct process_config chosen;
        process_in(request->scenario, &request->target->process[i], &chosen);
        status = add_process(new, &chosen);
    }
    struct process_config operator= {.name = OPERATOR_NAME, .priority = OPERATOR_PRIORITY};
    process_run(&operator, request->scenario->operator_program,
                request->scenario->operator_arguments);
    if (status == STATUS_OK && operator.run[0][0] != '\0')
        status = add_process(new, &operator);
    for (unsigned i = 0; i < request->interposed->count && status == STATUS_OK; i++) {
        const struct process_config interposer =
            interposed_process(&request->interposed->channel[i]);
        status = add_process(new, &interposer);
    }
    if (status != STATUS_OK) {
        free(new);
        return status;
    }
    clk_coordinator_on_poll(request->coordinator, supervisor_notice, new);
    *supervisor = new;
    return STATUS_OK;
}

void supervisor_destroy(struct supervisor *supervisor)
{
    if (supervisor == NULL)
        return;
    kill(-1, SIGKILL); // as PID 1: every process of the cell, and none outside
    while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
        continue;
    clk_coordinator_on_poll(supervisor->request.coordinator, NULL, NULL);
    for (unsigned i = 0; i < supervisor->count; i++)
        output_free(&supervisor->process[i].output);
    free(supervisor);
}

// ---- looking

int supervisor_find(const struct supervisor *supervisor, const char *name)
{
    for (unsigned i = 0; i < supervisor->count; i++)
        if (strcmp(supervisor->process[i].config.component, name) == 0)
            return (int)i;
    for (unsigned i = 0; i < supervisor->count; i++)
        if (strcmp(supervisor->process[i].config.name, name) == 0)
            return (int)i;
    return -1;
}

unsigned supervisor_count(const struct supervisor *supervisor)
{
    return supervisor->count;
}

const struct process_config *supervisor_config(const struct supervisor *supervisor, unsigned number)
{
    return &supervisor->process[number].config;
}

enum process_state supervisor_state(const struct supervisor *supervisor, unsigned number)
{
    return supervisor->process[number].life.state;
}

bool supervisor_was_killed(const struct supervisor *supervisor, unsigned number)
{
    const struct process *process = &supervisor->process[number];
    return process->life.killed && !signal_is_crash(process->life.exit_status);
}

int supervisor_pid(const struct supervisor *supervisor, unsigned number)
{
    return supervisor->process[number].pid;
}

int supervisor_pidfd(const struct supervisor *supervisor, unsigned number)
{
    return supervisor->process[number].pidfd;
}
