// What happens to the processes: noticed here, decided by supervisor_step.h, acted on, recorded
// later.
#include "harness/trial/supervise/supervisor_private.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/invariant.h"
#include "base/text.h"
#include "harness/cell/cell_inside.h"
#include "harness/cell/cpu_time.h"
#include "harness/files/target/target.h"

#define NOTICE_PATIENCE_MS 1000
#define KEPT_MAX_B (128 << 20) // of lines, in the memory of a history
#define LINE_COST_B 32         // more than its event has
#define NOTICE_STEP_MS 1
#define CHANGES (WEXITED | WSTOPPED | WCONTINUED | WNOHANG)

// ---- what processes print

struct taking { // of a process
    struct supervisor *supervisor;
    struct process *process;
};

static enum status record_text(struct supervisor *supervisor, const struct process *process,
                               const char *text, size_t length)
{
    expects(length < OUTPUT_LINE_MAX);
    static struct output_event event; // large
    event.time = clk_coordinator_now(supervisor->request.coordinator);
    event.generation = process->life.generation;
    event.count = (uint32_t)length + 1;
    text_copy(event.process, sizeof event.process, process->config.name);
    memcpy(event.text, text, length + 1);
    const size_t size_B = offsetof(struct output_event, text) + event.count;
    supervisor->kept_B += size_B + LINE_COST_B;
    return history_append(supervisor->request.history, supervisor->output_topic, supervisor->lines,
                          event.time, &event, size_B);
}

// What is too much for the memory of a history is not kept, and the last line says so.
static enum status record_line(struct supervisor *supervisor, const struct process *process,
                               const char *text, size_t length)
{
    static const char end[] = "(more lines are not kept)";
    enum status status = STATUS_OK;
    if (supervisor->kept_B > KEPT_MAX_B)
        return STATUS_OK;
    if (supervisor->kept_B == 0)
        status = history_add_topic(supervisor->request.history, TOPIC_OUTPUT, "output_event",
                                   &supervisor->output_topic);
    if (status == STATUS_OK)
        status = record_text(supervisor, process, text, length);
    supervisor->lines++;
    return status == STATUS_OK && supervisor->kept_B > KEPT_MAX_B
               ? record_text(supervisor, process, end, sizeof end - 1)
               : status;
}

static void take_line(void *context, const char *text, size_t length)
{
    const struct taking *taking = context;
    const struct supervisor_request *request = &taking->supervisor->request;
    const struct output_line line = {.time = clk_coordinator_now(request->coordinator),
                                     .process = taking->process->config.name,
                                     .generation = taking->process->life.generation,
                                     .text = text,
                                     .length = length};
    if (record_line(taking->supervisor, taking->process, text, length) != STATUS_OK)
        taking->supervisor->overflow = true;
    ready_hear(taking->process, text);
    if (request->heard != NULL)
        request->heard(request->context, &line);
}

static void check_output(const struct supervisor *supervisor, const struct process *process)
{
    const double allowed_MB = supervisor->request.target->limits.output_MB;
    const double output_MB = (double)process->output.written_B / (1024 * 1024);
    if (output_MB > allowed_MB)
        breach_report(supervisor->request.breach, LIMIT_OUTPUT, process->config.name,
                      cell_number(process->pid), cell_number(process->pid), output_MB, allowed_MB);
}

// Most processes have written nothing since the last look: one call finds those that have.
void supervisor_listen(struct supervisor *supervisor)
{
    invariant(supervisor->count <= SUPERVISED_MAX);
    struct pollfd output[SUPERVISED_MAX]; // poll passes over those that are closed, which are -1
    for (unsigned i = 0; i < supervisor->count; i++)
        output[i] = (struct pollfd){.fd = supervisor->process[i].output.file, .events = POLLIN};
    const int ready = poll(output, supervisor->count, 0);
    for (unsigned i = 0; i < supervisor->count; i++) {
        struct process *process = &supervisor->process[i];
        struct taking taking = {supervisor, process};
        if (ready < 0 || output[i].revents != 0)
            output_read(&process->output, take_line, &taking);
        check_output(supervisor, process);
    }
}

// ---- what happens to processes

static void note(struct supervisor *supervisor, struct process *process,
                 enum process_event_kind kind, int value)
{
    invariant(process->noted <= NOTED_MAX);
    const bool passes = kind == PROCESS_STOPPED || kind == PROCESS_CONTINUED;
    if (process->noted == NOTED_MAX && passes) // sent without end: the last one counts
        process->note[NOTED_MAX - 1] = (struct note){kind, value};
    else if (process->noted == NOTED_MAX)
        supervisor->overflow = true;
    else
        process->note[process->noted++] = (struct note){kind, value};
}

static void close_process(struct supervisor *supervisor, struct process *process)
{
    struct taking taking = {supervisor, process};
    output_close(&process->output, take_line, &taking);
    if (process->pidfd >= 0)
        close(process->pidfd);
    process->pidfd = -1;
}

void supervisor_happen(struct supervisor *supervisor, struct process *process,
                       enum happening_kind kind, int value)
{
    struct clk_coordinator *coordinator = supervisor->request.coordinator;
    const struct happening happening = {.kind = kind, .value = value};
    const unsigned actions = process_life_step(&process->life, &happening);
    if (actions & ACTION_CLOSE)
        close_process(supervisor, process);
    const bool waits = kind == HAPPENING_JOINED && process->awaited;
    if ((actions & ACTION_NOTE) && !waits)
        note(supervisor, process, (enum process_event_kind)kind, value);
    if (actions & ACTION_SAY_LEFT)
        clk_coordinator_left(coordinator, process->participant);
    if (actions & ACTION_SAY_STOPPED)
        clk_coordinator_stopped(coordinator, process->participant);
    if (actions & ACTION_SAY_CONTINUED)
        clk_coordinator_continued(coordinator, process->participant);
    if (actions & ACTION_KILL)
        (void)syscall(SYS_pidfd_send_signal, process->pidfd, SIGKILL, NULL, 0);
}

void supervisor_ready(struct supervisor *supervisor, struct process *process)
{
    process->awaited = false;
    note(supervisor, process, PROCESS_READY, 0);
}

static enum happening_kind happening_of(const siginfo_t *info)
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
    supervisor_listen(supervisor);
    for (;;) { // ends: each turn consumes one change of state of a child
        siginfo_t info = {0};
        if (waitid(P_ALL, 0, &info, CHANGES | WNOWAIT) != 0 || info.si_pid == 0)
            return;
        if (happening_of(&info) == HAPPENING_KILLED)
            (void)cpu_time_look(info.si_pid, info.si_status);
        if (waitid(P_PID, (id_t)info.si_pid, &info, CHANGES) != 0 || info.si_pid == 0)
            return;
        struct process *process = process_of(supervisor, info.si_pid);
        if (process == NULL)
            continue;
        supervisor_happen(supervisor, process, happening_of(&info), info.si_status);
        if (process->life.state == PROCESS_STATE_ENDED && supervisor->request.ended != NULL)
            supervisor->request.ended(supervisor->request.context, &process->config);
    }
}

enum status supervisor_await(struct supervisor *supervisor, unsigned number,
                             enum process_state state)
{
    for (int waited_ms = 0; waited_ms <= NOTICE_PATIENCE_MS; waited_ms += NOTICE_STEP_MS) {
        supervisor_notice(supervisor);
        if (supervisor->process[number].life.state == state)
            return STATUS_OK;
        poll(NULL, 0, NOTICE_STEP_MS);
    }
    return STATUS_TIMEOUT;
}

enum status supervisor_hung(struct supervisor *supervisor, unsigned participant, enum hung why)
{
    unsigned number = 0;
    while (supervisor->process[number].participant != participant) {
        number++;
        invariant(number < supervisor->count); // the supervisor has registered all participants
    }
    struct process *process = &supervisor->process[number];
    supervisor_happen(supervisor, process, HAPPENING_HUNG, (int)why);
    return supervisor_await(supervisor, number, PROCESS_STATE_ENDED);
}

// ---- recording

// A process that has code of the lab's in it may die of that code: that is not the target's doing.
static void note_invariant(struct supervisor *supervisor, const struct process *process)
{
    const char *words = strstr(process->output.words, INVARIANT_WORDS);
    if (supervisor->broken_invariant[0] != '\0' || words == NULL)
        return;
    snprintf(supervisor->broken_invariant, sizeof supervisor->broken_invariant, "%s: %.*s",
             process->config.name, (int)strcspn(words, "\n"), words);
}

bool supervisor_broke_invariant(const struct supervisor *supervisor, char *text, size_t size)
{
    snprintf(text, size, "%s", supervisor->broken_invariant);
    return supervisor->broken_invariant[0] != '\0';
}

static enum status record(struct supervisor *supervisor, struct process *process, struct note what)
{
    bool ended = what.kind == PROCESS_EXITED || what.kind == PROCESS_KILLED;
    struct process_event event = {
        .time = clk_coordinator_now(supervisor->request.coordinator),
        .kind = what.kind,
        .value = what.value,
        .pid = cell_number(process->pid),
        .generation = process->life.generation,
    };
    text_copy(event.process, sizeof event.process, process->config.name);
    text_copy(event.component, sizeof event.component, process->config.component);
    if (ended || what.kind == PROCESS_HUNG)
        text_copy(event.last_words, sizeof event.last_words, process->output.words);
    if (what.kind == PROCESS_KILLED && what.value == SIGABRT)
        note_invariant(supervisor, process);
    const struct happening recorded = {.kind = HAPPENING_END_RECORDED, .time = event.time};
    if (ended)
        (void)process_life_step(&process->life, &recorded);
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
