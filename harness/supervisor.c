#include "harness/supervisor.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/cell.h"
#include "harness/spawn.h"

#define READY_PATIENCE_S 30
#define NOTICE_PATIENCE_MS 1000
#define NOTICE_STEP_MS 1
#define NOTED_MAX 8 // happenings of one process between two recordings
#define OPERATOR_PRIORITY 1
#define ENVIRONMENT_MAX (PARAMETERS_MAX + 8)

enum happening {
    HAPPENING_STARTED,
    HAPPENING_JOINED,
    HAPPENING_EXITED,
    HAPPENING_KILLED,
    HAPPENING_STOPPED,
    HAPPENING_CONTINUED,
    HAPPENING_HUNG,
    HAPPENING_COUNT
};

struct note { // something that happened and is not recorded yet
    enum process_event_kind kind;
    int value;
};

struct process {
    struct process_config config;
    unsigned participant;
    enum process_state state;
    pid_t pid;
    int pidfd, output;
    unsigned generation;
    int exit_status; // of the last end, as by waitid: value and kind
    bool killed;
    unsigned noted;
    struct note note[NOTED_MAX];
    size_t words_used;
    char words[256]; // the end of what it wrote
};

struct supervisor {
    struct supervisor_request request;
    unsigned count;
    struct process process[PROCESSES_MAX];
    unsigned environment_count;
    char environment[ENVIRONMENT_MAX][PATH_MAX_LENGTH];
    bool overflow; // more happened than can be noted
};

// ---- last log lines ----------------------------------------------------------------------------

static void keep_words(struct process *process, const char *text, size_t length)
{
    const size_t room = sizeof process->words - 1;
    if (length > room) {
        text += length - room;
        length = room;
    }
    if (process->words_used + length > room) {
        size_t drop = process->words_used + length - room;
        memmove(process->words, process->words + drop, process->words_used - drop);
        process->words_used -= drop;
    }
    memcpy(process->words + process->words_used, text, length);
    process->words_used += length;
    process->words[process->words_used] = '\0';
}

static void read_words(struct process *process)
{
    char buffer[4096];
    for (int i = 0; process->output >= 0 && i < 64; i++) { // more waits for the next time
        ssize_t got = read(process->output, buffer, sizeof buffer);
        if (got <= 0)
            return;
        keep_words(process, buffer, (size_t)got);
    }
}

// ---- what happens to processes: table state x happening
// ------------------------------------------

static void note(struct supervisor *supervisor, struct process *process,
                 enum process_event_kind kind, int value)
{
    if (process->noted == NOTED_MAX)
        supervisor->overflow = true;
    else
        process->note[process->noted++] = (struct note){kind, value};
}

static void act_started(struct supervisor *supervisor, struct process *process, int value)
{
    (void)value;
    process->state = PROCESS_STATE_STARTING;
    process->words_used = 0;
    process->words[0] = '\0';
    note(supervisor, process, PROCESS_STARTED, 0);
}

static void act_ready(struct supervisor *supervisor, struct process *process, int value)
{
    (void)value;
    process->state = PROCESS_STATE_RUNNING;
    note(supervisor, process, PROCESS_READY, 0);
}

static void act_ended(struct supervisor *supervisor, struct process *process,
                      enum process_event_kind kind, int value)
{
    read_words(process);
    if (process->output >= 0)
        close(process->output);
    if (process->pidfd >= 0)
        close(process->pidfd);
    process->output = process->pidfd = -1;
    process->state = PROCESS_STATE_ENDED;
    process->killed = kind == PROCESS_KILLED;
    process->exit_status = value;
    note(supervisor, process, kind, value);
    clk_coordinator_left(supervisor->request.coordinator, process->participant);
}

static void act_exited(struct supervisor *supervisor, struct process *process, int value)
{
    act_ended(supervisor, process, PROCESS_EXITED, value);
}

static void act_killed(struct supervisor *supervisor, struct process *process, int value)
{
    act_ended(supervisor, process, PROCESS_KILLED, value);
}

static void act_suspended(struct supervisor *supervisor, struct process *process, int value)
{
    process->state = PROCESS_STATE_SUSPENDED;
    note(supervisor, process, PROCESS_STOPPED, value);
    clk_coordinator_stopped(supervisor->request.coordinator, process->participant);
}

static void act_resumed(struct supervisor *supervisor, struct process *process, int value)
{
    process->state = PROCESS_STATE_RUNNING;
    note(supervisor, process, PROCESS_CONTINUED, value);
    clk_coordinator_continued(supervisor->request.coordinator, process->participant);
}

static void act_hung(struct supervisor *supervisor, struct process *process, int value)
{
    note(supervisor, process, PROCESS_HUNG, value);
    (void)syscall(SYS_pidfd_send_signal, process->pidfd, SIGKILL, NULL, 0);
}

typedef void action(struct supervisor *supervisor, struct process *process, int value);

// Empty cells: it cannot happen, or says nothing new.
static action *const actions[PROCESS_STATE_COUNT][HAPPENING_COUNT] = {
    [PROCESS_STATE_ABSENT] = {[HAPPENING_STARTED] = act_started},
    [PROCESS_STATE_STARTING] = {[HAPPENING_JOINED] = act_ready,
                                [HAPPENING_EXITED] = act_exited,
                                [HAPPENING_KILLED] = act_killed,
                                [HAPPENING_HUNG] = act_hung},
    [PROCESS_STATE_RUNNING] = {[HAPPENING_EXITED] = act_exited,
                               [HAPPENING_KILLED] = act_killed,
                               [HAPPENING_STOPPED] = act_suspended,
                               [HAPPENING_HUNG] = act_hung},
    [PROCESS_STATE_SUSPENDED] = {[HAPPENING_EXITED] = act_exited,
                                 [HAPPENING_KILLED] = act_killed,
                                 [HAPPENING_CONTINUED] = act_resumed},
    [PROCESS_STATE_ENDED] = {[HAPPENING_STARTED] = act_started},
};

static void happen(struct supervisor *supervisor, struct process *process, enum happening what,
                   int value)
{
    action *act = actions[process->state][what];
    if (act != NULL)
        act(supervisor, process, value);
}

static enum happening happening_of(const siginfo_t *info)
{
    switch (info->si_code) {
    case CLD_EXITED:
        return HAPPENING_EXITED;
    case CLD_STOPPED:
        return HAPPENING_STOPPED;
    case CLD_CONTINUED:
        return HAPPENING_CONTINUED;
    default: // CLD_KILLED, CLD_DUMPED; tracing stops do not occur
        return HAPPENING_KILLED;
    }
}

static struct process *process_of(struct supervisor *supervisor, pid_t pid)
{
    for (unsigned i = 0; i < supervisor->count; i++)
        if (supervisor->process[i].pid == pid)
            return &supervisor->process[i];
    return NULL; // an orphan, given to the cell's init
}

void supervisor_notice(void *context)
{
    struct supervisor *supervisor = context;
    for (unsigned i = 0; i < supervisor->count; i++)
        read_words(&supervisor->process[i]);
    for (;;) { // ends: each turn consumes one change of state of a child
        siginfo_t info = {0};
        if (waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WCONTINUED | WNOHANG) != 0 ||
            info.si_pid == 0)
            return;
        struct process *process = process_of(supervisor, info.si_pid);
        if (process == NULL)
            continue;
        happen(supervisor, process, happening_of(&info), info.si_status);
        if (process->state == PROCESS_STATE_ENDED && supervisor->request.ended != NULL)
            supervisor->request.ended(supervisor->request.context);
    }
}

enum status supervisor_await(struct supervisor *supervisor, unsigned number,
                             enum process_state state)
{
    for (int waited_ms = 0; waited_ms <= NOTICE_PATIENCE_MS; waited_ms += NOTICE_STEP_MS) {
        supervisor_notice(supervisor);
        if (supervisor->process[number].state == state)
            return STATUS_OK;
        poll(NULL, 0, NOTICE_STEP_MS);
    }
    return STATUS_TIMEOUT;
}

enum status supervisor_hung(struct supervisor *supervisor, unsigned number)
{
    struct process *process = &supervisor->process[number];
    happen(supervisor, process, HAPPENING_HUNG, 0);
    return supervisor_await(supervisor, number, PROCESS_STATE_ENDED);
}

// ---- recording
// -----------------------------------------------------------------------------------

static enum status record(struct supervisor *supervisor, struct process *process, struct note what)
{
    bool ended = what.kind == PROCESS_EXITED || what.kind == PROCESS_KILLED;
    struct process_event event = {
        .time = clk_coordinator_now(supervisor->request.coordinator),
        .kind = what.kind,
        .value = what.value,
        .pid = process->pid,
        .generation = process->generation,
    };
    strcpy(event.process, process->config.name);
    strcpy(event.component, process->config.component);
    if (ended)
        strcpy(event.last_words, process->words);
    return history_append(supervisor->request.history, supervisor->request.topic, 0, event.time,
                          &event, sizeof event);
}

enum status supervisor_record(struct supervisor *supervisor)
{
    for (unsigned i = 0; i < supervisor->count; i++) {
        struct process *process = &supervisor->process[i];
        for (unsigned n = 0; n < process->noted; n++) {
            enum status status = record(supervisor, process, process->note[n]);
            if (status != STATUS_OK)
                return status;
        }
        process->noted = 0;
    }
    return supervisor->overflow ? STATUS_FULL : STATUS_OK;
}

// ---- starting
// ------------------------------------------------------------------------------------

// Splits at spaces into at most SPAWN_ARGUMENTS_MAX words; `text` is cut up.
static void split(char *text, char *words[SPAWN_ARGUMENTS_MAX + 1])
{
    size_t count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word != NULL && count < SPAWN_ARGUMENTS_MAX;
         word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    words[count] = NULL;
}

static enum status start(struct supervisor *supervisor, struct process *process)
{
    char text[PATH_MAX_LENGTH], participant[2 * NAME_MAX_LENGTH];
    char *arguments[SPAWN_ARGUMENTS_MAX + 1], *environment[ENVIRONMENT_MAX + 2];
    strcpy(text, process->config.arguments);
    split(text, arguments);
    snprintf(participant, sizeof participant, "UKEMI_PARTICIPANT=%s", process->config.name);
    for (unsigned i = 0; i < supervisor->environment_count; i++)
        environment[i] = supervisor->environment[i];
    environment[supervisor->environment_count] = participant;
    environment[supervisor->environment_count + 1] = NULL;
    struct spawn_request request = {.program = process->config.program,
                                    .arguments = arguments,
                                    .environment = environment,
                                    .inherit = -1};
    struct spawned spawned;
    enum status status = spawn(&request, &spawned);
    if (status != STATUS_OK)
        return status;
    process->generation += process->state == PROCESS_STATE_ENDED;
    process->pid = spawned.pid;
    process->pidfd = spawned.pidfd;
    process->output = spawned.output;
    happen(supervisor, process, HAPPENING_STARTED, 0);
    return STATUS_OK;
}

void supervisor_describe_end(const struct supervisor *supervisor, unsigned number, char *text,
                             size_t size)
{
    const struct process *process = &supervisor->process[number];
    snprintf(text, size, "%s: %s %d: %.*s", process->config.name,
             process->killed ? "killed by signal" : "exit status", process->exit_status,
             (int)strcspn(process->words, "\n"), process->words);
}

enum status supervisor_restart(struct supervisor *supervisor, unsigned number, char *reason,
                               size_t size)
{
    struct process *process = &supervisor->process[number];
    assert(process->state == PROCESS_STATE_ABSENT || process->state == PROCESS_STATE_ENDED);
    enum status status = start(supervisor, process);
    if (status != STATUS_OK) {
        snprintf(reason, size, "%s: cannot be started: %s", process->config.name, strerror(errno));
        return status;
    }
    status = clk_coordinator_await(supervisor->request.coordinator, process->participant,
                                   duration_s(READY_PATIENCE_S));
    if (status == STATUS_OK) {
        happen(supervisor, process, HAPPENING_JOINED, 0);
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
// --------------------------------------------------------------------------------------

static enum status add_process(struct supervisor *supervisor, const struct process_config *config)
{
    struct process *process = &supervisor->process[supervisor->count++];
    process->config = *config;
    process->output = process->pidfd = -1;
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
    add_environment(supervisor, "UKEMI_CELL=" CELL_FOLDER);
    add_environment(supervisor, "UKEMI_TARGET=" CELL_TARGET);
    add_environment(supervisor, "UKEMI_SEED=%llu", (unsigned long long)supervisor->request.seed);
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

// Adds a process of the target, or the program the scenario runs in its place.
static enum status add_target_process(struct supervisor *supervisor,
                                      const struct process_config *config)
{
    const struct scenario *scenario = supervisor->request.scenario;
    struct process_config chosen = *config;
    for (unsigned i = 0; i < scenario->replacement_count; i++) {
        const struct replacement *replacement = &scenario->replacement[i];
        if (strcmp(replacement->component, config->name) == 0 ||
            strcmp(replacement->component, config->component) == 0)
            strcpy(chosen.program, replacement->program);
    }
    return add_process(supervisor, &chosen);
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
    for (unsigned i = 0; i < request->target->process_count && status == STATUS_OK; i++)
        status = add_target_process(new, &request->target->process[i]);
    struct process_config operator= {.name = "operator", .priority = OPERATOR_PRIORITY};
    strcpy(operator.program, request->scenario->operator_program);
    strcpy(operator.arguments, request->scenario->operator_arguments);
    if (status == STATUS_OK)
        status = add_process(new, &operator);
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
    free(supervisor);
}

// ---- looking
// ---------------------------------------------------------------------------------------

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
    return supervisor->process[number].state;
}

int supervisor_pid(const struct supervisor *supervisor, unsigned number)
{
    return supervisor->process[number].pid;
}

int supervisor_pidfd(const struct supervisor *supervisor, unsigned number)
{
    return supervisor->process[number].pidfd;
}
