#include "harness/trial/strike/fault_program.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/invariant.h"
#include "base/trouble.h"
#include "harness/cell/cell.h"
#include "harness/cell/cell_inside.h"
#include "harness/cell/cpu_time.h"
#include "harness/cell/spawn.h"
#include "harness/files/fault/fault_channel.h"

#define PATIENCE_MS 10000
#define TURN_MS 10
#define OUTPUT_MAX 512
#define EXIT_UNSUPPORTED 4 // of the program: this machine cannot

// Reads all output until the program closes it or the patience ends; returns whether it ended in
// time.
static bool read_output(const struct fault_call *call, int output, char *text, size_t size)
{
    size_t used = 0;
    struct pollfd readable = {.fd = output, .events = POLLIN};
    text[0] = '\0';
    for (int waited_ms = 0;
         waited_ms < PATIENCE_MS;) { // each turn waits, reads a byte or more, or ends
        char chunk[OUTPUT_MAX];
        if (poll(&readable, 1, TURN_MS) <= 0) {
            waited_ms += TURN_MS;
            if (call->meanwhile != NULL)
                call->meanwhile(call->context);
            continue;
        }
        ssize_t got = read(output, chunk, sizeof chunk);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            continue;
        if (got <= 0)
            return true;
        size_t keep = (size_t)got < size - 1 - used ? (size_t)got : size - 1 - used;
        memcpy(text + used, chunk, keep);
        used += keep;
        text[used] = '\0';
    }
    return false;
}

static bool read_proof(const char *text, struct fault_proof *proof)
{
    char proven[2];
    if (sscanf(text, "proven=%1[01] left=%d evidence=%159[^\n]", proven, &proof->left,
               proof->evidence) != 3) {
        proof->left = 0;
        if (sscanf(text, "proven=%1[01] evidence=%159[^\n]", proven, proof->evidence) != 2)
            return false;
    }
    proof->proven = proven[0] == '1';
    return true;
}

static enum status run(const struct fault_call *call, const struct spawn_request *request,
                       char *text, size_t size, int *status)
{
    struct spawned spawned;
    enum status started = spawn(request, &spawned);
    if (started != STATUS_OK)
        (void)trouble_note(errno);
    if (started != STATUS_OK)
        return started;
    bool in_time = read_output(call, spawned.output, text, size);
    if (!in_time)
        kill(spawned.pid, SIGKILL); // our own child, not reaped yet: the number is still its
    (void)cpu_time_await(spawned.pid);
    while (waitpid(spawned.pid, status, 0) < 0 && errno == EINTR)
        continue;
    close(spawned.output);
    close(spawned.pidfd);
    return in_time ? STATUS_OK : STATUS_TIMEOUT;
}

#define FIXED_ARGUMENTS 6 // action, kind, what is struck (two), tag, seed
#define ARGUMENT_MAX (2 * NAME_MAX_LENGTH + 1)

struct arguments {
    char text[FIXED_ARGUMENTS + PARAMETERS_MAX][ARGUMENT_MAX];
    char *pointer[FIXED_ARGUMENTS + PARAMETERS_MAX + 1]; // NULL-terminated
    unsigned count;
};

static void add(struct arguments *arguments, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add(struct arguments *arguments, const char *format, ...)
{
    expects(arguments->count < FIXED_ARGUMENTS + PARAMETERS_MAX);
    va_list values;
    va_start(values, format);
    vsnprintf(arguments->text[arguments->count], ARGUMENT_MAX, format, values);
    va_end(values);
    arguments->pointer[arguments->count] = arguments->text[arguments->count];
    arguments->pointer[++arguments->count] = NULL;
}

static const char *const action_names[] = {[FAULT_ACTION_APPLY] = "apply",
                                           [FAULT_ACTION_EFFECT] = "effect",
                                           [FAULT_ACTION_UNDO] = "undo",
                                           [FAULT_ACTION_SETTLED] = "settled"};

static void add_parameter(struct arguments *arguments, const struct fault_call *call,
                          const struct fault_parameter *parameter)
{
    struct message_field field;
    if (parameter->field && fault_field(parameter, call->request, call->target, &field))
        add(arguments, "%s=%zu:%u", parameter->name, field.offset_B, field.width_B);
    else
        add(arguments, "%s=%s", parameter->name, catalogue_parameter(parameter, call->request));
}

static void write_arguments(struct arguments *arguments, const struct fault_call *call)
{
    const struct fault_kind *kind = call->kind;
    arguments->count = 0;
    add(arguments, "%s", action_names[call->action]);
    add(arguments, "%s", kind->name);
    if (kind->struck == STRUCK_BUS)
        add(arguments, "bus=%s", call->request->component);
    else if (kind->struck == STRUCK_NETWORK)
        add(arguments, "network=%s", call->request->component);
    else if (kind->struck == STRUCK_CHANNEL)
        add(arguments, "channel=%s", call->request->component);
    else if (kind->struck == STRUCK_PROCESS)
        add(arguments, "pid=%d", call->pid);
    if (call->process != NULL)
        add(arguments, "process=%s", call->process);
    add(arguments, "tag=%u", call->tag);
    add(arguments, "seed=%" PRIu64, call->seed);
    for (unsigned i = 0; i < kind->parameter_count; i++)
        add_parameter(arguments, call, &kind->parameter[i]);
}

// SCHED_FIFO priority of the caller, 0 if it has none.
static int own_priority(void)
{
    struct sched_param parameters = {0};
    const bool real_time = (sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) == SCHED_FIFO;
    return real_time && sched_getparam(0, &parameters) == 0 ? parameters.sched_priority : 0;
}

// What it leaves at work was started after it.
static void number_proof(const struct fault_call *call, struct fault_proof *proof)
{
    if (proof->left > 0 && call->action == FAULT_ACTION_APPLY)
        cell_count(proof->left);
    cell_number_words(proof->evidence, sizeof proof->evidence);
}

enum status fault_program_run(const struct fault_call *call, struct fault_proof *proof,
                              char *reason, size_t size)
{
    static char cell[] = "UKEMI_CELL=" CELL_FOLDER;
    char *environment[] = {cell, NULL};
    char text[OUTPUT_MAX];
    struct arguments arguments;
    *proof = (struct fault_proof){0};
    write_arguments(&arguments, call);
    struct spawn_request spawn_request = {
        .program = call->kind->program,
        .arguments = arguments.pointer,
        .environment = environment,
        .inherit = {call->pidfd, call->kind->scratch ? call->scratch : -1},
        .role = CELL_FAULT,
        .priority = own_priority()};
    int status = 0;
    enum status ran = run(call, &spawn_request, text, sizeof text, &status);
    if (ran == STATUS_OK && WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
        read_proof(text, proof)) {
        number_proof(call, proof);
        return STATUS_OK;
    }
    if (ran == STATUS_OK && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_UNSUPPORTED) {
        snprintf(reason, size, "%s: %.*s", call->kind->name, (int)strcspn(text, "\n"), text);
        return STATUS_UNSUPPORTED;
    }
    snprintf(reason, size, "fault program %s %s %s: %s: %.*s", call->kind->program,
             action_names[call->action], call->kind->name,
             ran != STATUS_OK ? status_text(ran) : "failed, or gave no proof",
             (int)strcspn(text, "\n"), text);
    // What the lab ended for its delay is not what something else ended.
    bool killed = ran == STATUS_OK && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    return killed ? STATUS_DEAD : STATUS_SYSTEM;
}
