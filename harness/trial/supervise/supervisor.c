#include "harness/files/oscillator_file.h"
#include "harness/files/scenario.h"
#include "harness/trial/supervise/supervisor_private.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/invariant.h"
#include "base/log.h"
#include "base/trouble.h"
#include "base/text.h"
#include "harness/cell/cell.h"
#include "harness/cell/cell_inside.h"
#include "harness/cell/spawn.h"
#include "harness/files/target/target_process.h"
#include "harness/trial/supervise/shims.h"
#include "harness/trial/taps.h"

#define OPERATOR_PRIORITY 1 // below every daemon
#define PATIENCE_S 30       // for what no target names

// ---- starting

#define HOST_WORDS 2 // before those of the program

struct environment {
    char own[OWN_VARIABLES][PATH_MAX_LENGTH + sizeof "UKEMI_PARTICIPANT="];
    char given[VARIABLES_MAX][NAME_MAX_LENGTH + VARIABLE_TEXT_MAX + 1];
    unsigned own_count, count;
    char *variable[ENVIRONMENT_MAX + VARIATIONS_MAX + OWN_VARIABLES + VARIABLES_MAX + 1];
};

// Whether the target's file gives the process another value for this variable of the lab's.
static bool is_given(const struct process_config *config, const char *variable)
{
    const size_t length = strcspn(variable, "=");
    for (unsigned i = 0; i < config->variable_count; i++)
        if (strlen(config->variable[i].name) == length &&
            strncmp(config->variable[i].name, variable, length) == 0)
            return true;
    return false;
}

// A variable of the lab's.
static void add_own(struct environment *environment, const struct process_config *config,
                    const char *name, const char *value)
{
    expects(environment->own_count < OWN_VARIABLES);
    char *text = environment->own[environment->own_count];
    snprintf(text, sizeof environment->own[0], "%s=%s", name, value);
    if (is_given(config, text))
        return;
    environment->own_count++;
    environment->variable[environment->count++] = text;
}

static int thread_priority(const struct process_config *config, unsigned thread)
{
    const unsigned own = config->thread[thread].priority;
    return own == 0 ? config->priority : (int)own;
}

// "NAME=PRIORITY ..." of its threads.
static void add_threads(struct environment *environment, const struct process_config *config)
{
    char text[PROCESS_THREADS_MAX * (THREAD_NAME_MAX + sizeof "=99 ")];
    size_t used = 0;
    for (unsigned i = 0; i < config->thread_count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s=%d ", config->thread[i].name,
                                 thread_priority(config, i));
    if (used > 0)
        add_own(environment, config, "UKEMI_THREADS", text);
}

static void write_environment(struct supervisor *supervisor, const struct process_config *config,
                              struct environment *environment)
{
    char priority[16];
    environment->own_count = environment->count = 0;
    for (unsigned i = 0; i < supervisor->environment_count; i++)
        if (!is_given(config, supervisor->environment[i]))
            environment->variable[environment->count++] = supervisor->environment[i];
    for (unsigned i = 0; i < supervisor->variation_count && config->follower; i++)
        if (!is_given(config, supervisor->variation[i]))
            environment->variable[environment->count++] = supervisor->variation[i];
    snprintf(priority, sizeof priority, "%d", config->priority);
    add_own(environment, config, "UKEMI_PARTICIPANT", config->name);
    add_own(environment, config, "UKEMI_PRIORITY", priority);
    add_own(environment, config, "UKEMI_CELL",
            interposed_cell(supervisor->request.interposed, config->name));
    add_threads(environment, config);
    if (config->host[0] != '\0')
        add_own(environment, config, "UKEMI_HOST", config->host);
    if (config->clock == PROCESS_CLOCK_SHIM)
        add_own(environment, config, "LD_PRELOAD", CELL_BUILD "/" SHIM_LIBRARY);
    if (config->clock == PROCESS_CLOCK_NATIVE) {
        // The lab's library may be installed where the loader of programs does not look.
        add_own(environment, config, "LD_LIBRARY_PATH", CELL_BUILD "/lib");
        add_own(environment, config, "PYTHONPATH", CELL_BUILD "/python");
    }
    for (unsigned i = 0; i < config->variable_count; i++) {
        snprintf(environment->given[i], sizeof environment->given[i], "%s=%s",
                 config->variable[i].name, config->variable[i].value);
        environment->variable[environment->count++] = environment->given[i];
    }
    invariant(environment->count < sizeof environment->variable / sizeof environment->variable[0]);
    environment->variable[environment->count] = NULL;
}

// What the program is told. True: by its host, to which `program` says where it is.
static bool write_words(struct process_config *config, char *word[], char *program, size_t size)
{
    const bool hosted = config->clock == PROCESS_CLOCK_SHIM && shims_is_static(config->run[0]);
    unsigned count = 0;
    if (hosted) {
        snprintf(program, size, "%s%s", config->run[0][0] == '/' ? "" : CELL_BUILD "/",
                 config->run[0]);
        word[count++] = program;
        word[count++] = program; // as whom it sees itself
    }
    for (unsigned i = 1; i < config->run_count; i++)
        word[count++] = config->run[i];
    word[count] = NULL;
    return hosted;
}

static enum status start(struct supervisor *supervisor, struct process *process)
{
    expects(process->pidfd < 0 && process->noted <= NOTED_MAX);
    char *arguments[HOST_WORDS + RUN_WORDS_MAX], program[PATH_MAX_LENGTH + sizeof CELL_BUILD];
    struct environment environment;
    const bool hosted = write_words(&process->config, arguments, program, sizeof program);
    write_environment(supervisor, &process->config, &environment);
    struct spawn_request request = {
        .program = hosted ? SHIMS_HOST : process->config.run[0],
        .arguments = arguments,
        .environment = environment.variable,
        .inherit = {-1, -1},
        .fixed_addresses =
            process->config.clock == PROCESS_CLOCK_SHIM && supervisor->request.mode == CLK_VIRTUAL,
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
    ready_begin(process, clk_coordinator_now(supervisor->request.coordinator));
    supervisor_happen(supervisor, process, HAPPENING_STARTED, 0);
    ensures(process->life.state == PROCESS_STATE_STARTING && !process->life.held);
    return STATUS_OK;
}

void supervisor_describe_end(const struct supervisor *supervisor, unsigned number, char *text,
                             size_t size)
{
    ready_describe_end(&supervisor->process[number], text, size);
}

enum status supervisor_restart(struct supervisor *supervisor, unsigned number, char *reason,
                               size_t size)
{
    struct process *process = &supervisor->process[number];
    invariant(process->life.state == PROCESS_STATE_ABSENT ||
              process->life.state == PROCESS_STATE_ENDED);
    supervisor_happen(supervisor, process, HAPPENING_START_ASKED, 0);
    enum status status = start(supervisor, process);
    if (status != STATUS_OK) {
        snprintf(reason, size, "%s: cannot be started: %s", process->config.name, strerror(errno));
        return status;
    }
    if (process->config.clock != PROCESS_CLOCK_NONE) // who never joins is ready at once
        status = clk_coordinator_await(supervisor->request.coordinator, process->participant,
                                       duration_s(process->config.ready_within_s));
    supervisor_listen(supervisor); // what it has printed until here, it printed before
    if (status == STATUS_OK) {
        supervisor_happen(supervisor, process, HAPPENING_JOINED, 0);
        ensures(process->life.state == PROCESS_STATE_RUNNING);
        return STATUS_OK;
    }
    if (status == STATUS_DEAD &&
        supervisor_await(supervisor, number, PROCESS_STATE_ENDED) == STATUS_OK) {
        int used = snprintf(reason, size, "ended before it was ready: ");
        supervisor_describe_end(supervisor, number, reason + used, size - (size_t)used);
    } else {
        const char *missing =
            clk_coordinator_missing(supervisor->request.coordinator, process->participant);
        ready_describe_absence(process, missing, reason, size);
    }
    return status;
}

instant supervisor_next(const struct supervisor *supervisor)
{
    instant next = INSTANT_NEVER;
    for (unsigned i = 0; i < supervisor->count; i++) {
        const struct process *process = &supervisor->process[i];
        next = instant_min(next, instant_min(process->life.restart_due, ready_next(process)));
    }
    // One that was stopped when it was due is due when it goes on.
    return instant_max(next, clk_coordinator_now(supervisor->request.coordinator));
}

// Who has been started and waits for its condition.
static void look_for_ready(struct supervisor *supervisor)
{
    const instant now = clk_coordinator_now(supervisor->request.coordinator);
    for (unsigned i = 0; i < supervisor->started; i++)
        if (supervisor->process[i].awaited && ready_look(&supervisor->process[i], now))
            supervisor_ready(supervisor, &supervisor->process[i]);
}

enum status supervisor_act(struct supervisor *supervisor)
{
    instant now = clk_coordinator_now(supervisor->request.coordinator);
    look_for_ready(supervisor);
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
    expects(number < supervisor->count);
    supervisor_happen(supervisor, &supervisor->process[number], HAPPENING_HELD, 0);
}

// The process that was started last waits for its condition. DEAD, TIMEOUT: in vain.
static enum status keep_waiting(struct supervisor *supervisor, struct process *process,
                                char *reason, size_t size)
{
    const instant now = clk_coordinator_now(supervisor->request.coordinator);
    const double waited_s = instant_to_s(now) - instant_to_s(process->started);
    const bool comes_back = process->life.held || process->life.restart_due.ns < INSTANT_NEVER.ns;
    if (process_may_end(process)) {
        process->awaited = false;
        return STATUS_OK;
    }
    if (process->life.state == PROCESS_STATE_ENDED && !comes_back) {
        const int used = snprintf(reason, size, "ended before it was ready: ");
        ready_describe_end(process, reason + used, size - (size_t)used);
        return STATUS_DEAD;
    }
    ready_describe_wait(process, waited_s, reason, size);
    const double patience_s = process->config.ready_within_s + process->config.ready.after_s;
    return waited_s < patience_s ? STATUS_OK : STATUS_TIMEOUT;
}

enum status supervisor_start(struct supervisor *supervisor, char *reason, size_t size)
{
    while (!supervisor_has_started(supervisor)) { // ends: each turn starts one, or returns
        struct process *last =
            supervisor->started == 0 ? NULL : &supervisor->process[supervisor->started - 1];
        enum status status = STATUS_OK;
        look_for_ready(supervisor);
        if (last != NULL && last->awaited) {
            status = keep_waiting(supervisor, last, reason, size);
            if (last->awaited)
                return status;
            continue;
        }
        if (supervisor->started == supervisor->count)
            return STATUS_OK;
        const unsigned number = supervisor->started++;
        status = supervisor_restart(supervisor, number, reason, size);
        if (status == STATUS_DEAD && process_may_end(&supervisor->process[number]))
            supervisor->process[number].awaited = false;
        else if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

bool supervisor_has_started(const struct supervisor *supervisor)
{
    invariant(supervisor->started <= supervisor->count);
    return supervisor->started == supervisor->count &&
           (supervisor->count == 0 || !supervisor->process[supervisor->count - 1].awaited);
}

bool supervisor_awaits(const struct supervisor *supervisor)
{
    const struct process *last =
        supervisor->started == 0 ? NULL : &supervisor->process[supervisor->started - 1];
    return last != NULL && last->awaited && last->life.state != PROCESS_STATE_STARTING;
}

bool supervisor_struck_early(const struct supervisor *supervisor)
{
    const struct process *last =
        supervisor->started == 0 ? NULL : &supervisor->process[supervisor->started - 1];
    return last != NULL && last->awaited && last->life.generation > 0;
}

// ---- creation

static enum status join_clock(struct supervisor *supervisor, struct process *process)
{
    const struct process_config *config = &process->config;
    const struct supervisor_request *request = &supervisor->request;
    struct clk_oscillator oscillator;
    enum status status = clk_coordinator_add(request->coordinator, config->name, config->priority,
                                             config->follower, &process->participant);
    for (unsigned i = 0; i < config->thread_count && status == STATUS_OK; i++)
        status = clk_coordinator_add_thread(request->coordinator, process->participant,
                                            config->thread[i].name, thread_priority(config, i));
    if (status == STATUS_OK &&
        oscillator_draw(request->scenario, config->name, request->seed, &oscillator))
        clk_coordinator_oscillator(request->coordinator, process->participant, &oscillator);
    return status;
}

static enum status add_process(struct supervisor *supervisor, const struct process_config *config)
{
    expects(supervisor->count < SUPERVISED_MAX);
    struct process *process = &supervisor->process[supervisor->count++];
    process->config = *config;
    process->output.file = process->pidfd = -1;
    process->life = process_life_begin(config->restart_after_s);
    if (config->ready_within_s == 0)
        process->config.ready_within_s = PATIENCE_S;
    const enum status status = ready_create(process);
    if (status != STATUS_OK)
        return status;
    return join_clock(supervisor, process);
}

__attribute__((format(printf, 2, 3))) static void add_environment(struct supervisor *supervisor,
                                                                  const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    invariant(supervisor->environment_count < ENVIRONMENT_MAX);
    vsnprintf(supervisor->environment[supervisor->environment_count++], PATH_MAX_LENGTH, format,
              arguments);
    va_end(arguments);
}

static void fill_environment(struct supervisor *supervisor)
{
    const struct scenario *scenario = supervisor->request.scenario;
    add_environment(supervisor, "PATH=/usr/bin:/bin");
    add_environment(supervisor, "LC_ALL=C");
    add_environment(supervisor, "PYTHONUNBUFFERED=1"); // or its lines come late
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

// What the world is told of itself; nobody else is.
static bool fill_variation(struct supervisor *supervisor)
{
    const struct target *target = supervisor->request.target;
    if (supervisor->request.scenario->unvaried || target->variation_count == 0)
        return true;
    supervisor->variation = calloc(target->variation_count, sizeof *supervisor->variation);
    if (supervisor->variation == NULL)
        return false;
    for (; supervisor->variation_count < target->variation_count; supervisor->variation_count++)
        variation_variable(&target->variation[supervisor->variation_count],
                           supervisor->request.seed,
                           supervisor->variation[supervisor->variation_count]);
    return true;
}

enum status supervisor_create(const struct supervisor_request *request,
                              struct supervisor **supervisor)
{
    struct supervisor *new = calloc(1, sizeof *new);
    if (new == NULL)
        return STATUS_NO_MEMORY;
    new->request = *request;
    fill_environment(new);
    enum status status = fill_variation(new) ? STATUS_OK : STATUS_NO_MEMORY;
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
        free(new->variation);
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
    cell_end_processes();
    clk_coordinator_on_poll(supervisor->request.coordinator, NULL, NULL);
    for (unsigned i = 0; i < supervisor->count; i++) {
        output_free(&supervisor->process[i].output);
        ready_free(&supervisor->process[i]);
    }
    free(supervisor->variation);
    free(supervisor);
}

// ---- looking

int supervisor_of(const struct supervisor *supervisor, unsigned participant)
{
    for (unsigned i = 0; i < supervisor->count; i++)
        if (supervisor->process[i].participant == participant)
            return (int)i;
    return -1;
}

unsigned supervisor_participant(const struct supervisor *supervisor, unsigned number)
{
    expects(number < supervisor->count);
    return supervisor->process[number].participant;
}

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
    expects(number < supervisor->count);
    return &supervisor->process[number].config;
}

enum process_state supervisor_state(const struct supervisor *supervisor, unsigned number)
{
    expects(number < supervisor->count);
    return supervisor->process[number].life.state;
}

bool supervisor_was_killed(const struct supervisor *supervisor, unsigned number)
{
    const struct process *process = &supervisor->process[number];
    return process->life.killed && !signal_is_crash(process->life.exit_status);
}

bool supervisor_runs_native(const struct supervisor *supervisor)
{
    for (unsigned i = 0; i < supervisor->count; i++) {
        const struct process *process = &supervisor->process[i];
        if (process->config.clock == PROCESS_CLOCK_NATIVE &&
            clk_coordinator_state(supervisor->request.coordinator, process->participant) ==
                CLK_GRANTED)
            return true;
    }
    return false;
}

int supervisor_pid(const struct supervisor *supervisor, unsigned number)
{
    return supervisor->process[number].pid;
}

int supervisor_pidfd(const struct supervisor *supervisor, unsigned number)
{
    expects(number < supervisor->count);
    return supervisor->process[number].pidfd;
}
