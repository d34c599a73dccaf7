// What happens to the processes: noticed here, acted on by a table state x happening, recorded
// later.
#include "harness/trial/supervisor_private.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"

#define NOTICE_PATIENCE_MS 1000
#define NOTICE_STEP_MS 1

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
        process->output_B += (size_t)got;
    }
}

static void check_output(const struct supervisor *supervisor, const struct process *process)
{
    const double allowed_MB = supervisor->request.target->limits.output_MB;
    const double output_MB = (double)process->output_B / (1024 * 1024);
    if (output_MB > allowed_MB)
        breach_report(supervisor->request.breach, LIMIT_OUTPUT, process->config.name, process->pid,
                      process->pid, output_MB, allowed_MB);
}

// ---- what happens to processes: table state x happening

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
    process->output_B = 0;
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

void supervisor_happen(struct supervisor *supervisor, struct process *process, enum happening what,
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
    for (unsigned i = 0; i < supervisor->count; i++) {
        read_words(&supervisor->process[i]);
        check_output(supervisor, &supervisor->process[i]);
    }
    for (;;) { // ends: each turn consumes one change of state of a child
        siginfo_t info = {0};
        if (waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WCONTINUED | WNOHANG) != 0 ||
            info.si_pid == 0)
            return;
        struct process *process = process_of(supervisor, info.si_pid);
        if (process == NULL)
            continue;
        supervisor_happen(supervisor, process, happening_of(&info), info.si_status);
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

enum status supervisor_hung(struct supervisor *supervisor, unsigned number, enum hung why)
{
    struct process *process = &supervisor->process[number];
    supervisor_happen(supervisor, process, HAPPENING_HUNG, (int)why);
    return supervisor_await(supervisor, number, PROCESS_STATE_ENDED);
}

// ---- recording

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
    text_copy(event.process, sizeof event.process, process->config.name);
    text_copy(event.component, sizeof event.component, process->config.component);
    if (ended || what.kind == PROCESS_HUNG)
        text_copy(event.last_words, sizeof event.last_words, process->words);
    if (ended) {
        if (process->config.restart_after_s > 0 && !process->held)
            process->restart_due =
                instant_add(event.time, duration_s(process->config.restart_after_s));
    }
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
