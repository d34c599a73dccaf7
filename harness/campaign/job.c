#include "harness/campaign/job.h"

#include "harness/campaign/fate.h"
#include "harness/cell/cpu_time.h"
#include "harness/files/scenario.h"
#include "harness/judge/judge_apart.h"
#include "harness/judge/pack.h"
#include "harness/packs/packs.h"
#include "harness/packs/robot/chain_robot.h"
#include "harness/machine/machine_floor.h"
#include "harness/machine/shortage.h"
#include "harness/trial/outcome.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/invariant.h"
#include "base/log.h"
#include "base/trouble.h"

#define STILL_LEAST_S 0.003 // the machine stood still: a shorter stall disturbs no trial
#define WATCH_LIMIT_S 86400 // samplers end by themselves
#define TIME_UP "the limit `ulimit -t` ended a process; raise it"

// ---- one trial --------------------------------------------------------------------------------

// Samplers of the machine, where a trial in real time is watched; NULL: none.
static struct machine_floor *watch_machine(const struct job *job)
{
    const struct machine_floor_request request = {.stalls_only = true,
                                                  .limit_ns = duration_s(WATCH_LIMIT_S).ns};
    struct machine_floor *samplers;
    return job->watch_machine && job->mode == CLK_WALL &&
                   machine_floor_start(&request, &samplers) == STATUS_OK
               ? samplers
               : NULL; // it has said why
}

static void say_what_machine_did(struct machine_floor *samplers, struct trial_result *result)
{
    struct stall first, longest;
    if (samplers == NULL)
        return;
    result->watched = machine_floor_longest(machine_floor_record(samplers), result->epoch_ns,
                                            duration_s(STILL_LEAST_S).ns, &first, &longest);
    result->still_s = 1e-9 * (double)(longest.end_ns - longest.begin_ns);
    if (result->still_s > 0) {
        result->still_at_s = 1e-9 * (double)(longest.begin_ns - result->epoch_ns);
        result->still_first_s = 1e-9 * (double)(first.begin_ns - result->epoch_ns);
    }
}

// What limits a trial's running time limits its judging, too: a campaign goes on.
static void judge_in_time(const struct job *job, const struct history *history,
                          const struct judge_cell *cell, const struct machine_trial *machine,
                          struct judgement *judgement)
{
    const struct judged_clock clock = {
        .real_time = job->mode == CLK_WALL,
        .stalls = {machine->record == NULL ? NULL : machine_trial_stalled, machine}};
    const double limit_s =
        limits_wall_s(&job->target->limits, job->scenario->duration_s, job->mode == CLK_WALL);
    const struct judged judged = {.history = history,
                                  .scenario = job->scenario,
                                  .target = job->target,
                                  .description = job->description,
                                  .packs = all_packs,
                                  .robot = &robot_of_chains,
                                  .clock = &clock};
    judge_apart(&judged, cell, limit_s, judgement);
}

static bool breached(const struct judgement *judgement)
{
    for (unsigned i = 0; i < judgement->count; i++)
        if (strcmp(judgement->oracle[i].oracle, "limits-kept") == 0)
            return judgement->oracle[i].verdict == VERDICT_FAIL;
    return false;
}

// A target that took more than its own limits allow is itself to blame for what the machine lacks.
static void note_shortage(const struct job *job, uint64_t kills, struct trial_result *result,
                          const struct judgement *judgement)
{
    const struct limits *limits = &job->target->limits;
    const bool time_up = cpu_time_was_up();
    if ((!verdict_is_bad(judgement->verdict) && !time_up) || breached(judgement))
        return;
    if (time_up) {
        result->shortage = TRIAL_SHORT_BY_LIMITS;
        snprintf(result->short_of, sizeof result->short_of, "%s", TIME_UP);
    } else if (kills > 0) {
        result->shortage = TRIAL_SHORT_OF_MEMORY;
        snprintf(result->short_of, sizeof result->short_of,
                 "the kernel, short of memory, ended %llu processes", (unsigned long long)kills);
    } else if (result->outcome == TRIAL_MACHINE_FAILED &&
               shortage_of_limits(limits->processes, limits->open_files, limits->file_MB,
                                  result->short_of, sizeof result->short_of)) {
        result->shortage = TRIAL_SHORT_BY_LIMITS;
    }
}

// One run; on a lab error the judgement says why. `cell`: of oracle programs, NULL: they are not
// run.
static void run_it(const struct job *job, int core, const struct judge_cell *cell,
                   struct trial_result *result, struct history **history,
                   struct judgement *judgement)
{
    struct trial_request request = {.target = job->target,
                                    .scenario = job->scenario,
                                    .build_folder = job->build_folder,
                                    .seed = job->seed,
                                    .mode = job->mode,
                                    .core = core,
                                    .can = job->can,
                                    .ethernet = job->ethernet,
                                    .no_wall = job->no_wall,
                                    .observer = job->observer,
                                    .attach = job->attach};
    *history = NULL;
    *result = (struct trial_result){.outcome = TRIAL_LAB_ERROR};
    struct machine_floor *samplers = watch_machine(job);
    enum status status = trial_run(&request, history, result);
    if (samplers != NULL)
        machine_floor_stop(samplers);
    say_what_machine_did(samplers, result);
    *judgement = (struct judgement){.verdict = VERDICT_ERROR};
    if (status == STATUS_NO_MEMORY)
        (void)trouble_note(ENOMEM);
    if (status != STATUS_OK) {
        trial_find(result, trial_finding_of(status));
        if (result->reason[0] == '\0')
            snprintf(result->reason, sizeof result->reason, "the trial could not be run: %s",
                     trouble_words() != NULL ? trouble_words() : status_text(status));
    }
    if (*history != NULL && result->outcome == TRIAL_RAN) {
        const struct machine_trial machine = {
            samplers == NULL ? NULL : machine_floor_record(samplers), result->epoch_ns};
        judge_in_time(job, *history, cell, &machine, judgement);
        machine_floor_free(samplers);
        return;
    }
    machine_floor_free(samplers);
    trial_find(result, FINDING_BROKEN_OFF);
    const enum verdict verdict = fate_verdict(result);
    judgement_add(judgement, verdict == VERDICT_FAIL ? "start" : "lab", verdict, NAN, "",
                  result->reason);
}

static void run_once(const struct job *job, int core, const struct judge_cell *cell,
                     struct trial_result *result, struct history **history,
                     struct judgement *judgement)
{
    const uint64_t kills = shortage_oom_kills();
    run_it(job, core, cell, result, history, judgement);
    note_shortage(job, shortage_oom_kills() - kills, result, judgement);
}

// Runs it until the run is not in doubt, or the last that counts; `history` is that one's.
static void run_and_judge(const struct job *job, struct trial_record *record,
                          struct history **history)
{
    const struct judge_cell cell = {job->build_folder, job->no_wall};
    const struct trial_result *result = &record->result;
    for (record->runs = 1;; record->runs++) {
        run_once(job, job->core, &cell, &record->result, history, &record->judgement);
        if (!job->doubt || record->runs == FATE_RUNS_DOUBTED ||
            !fate_in_doubt(result, &record->judgement))
            return;
        if (record->runs == 1)
            snprintf(record->doubted, sizeof record->doubted,
                     "%s in a run in which the machine stood still for %.1f ms at %.2f s",
                     verdict_name(record->judgement.verdict), 1e3 * result->still_s,
                     result->still_at_s);
        history_free(*history);
    }
}

static void copy_events(const struct history *history, struct trial_record *record)
{
    int process = history_topic(history, TOPIC_PROCESS),
        fault = history_topic(history, TOPIC_FAULT);
    for (size_t i = 0; i < history_length(history); i++) {
        const struct event *event = history_event(history, i);
        if (event->topic == process && event->size_B == sizeof(struct process_event) &&
            record->process_event_count <
                sizeof record->process_event / sizeof record->process_event[0])
            memcpy(&record->process_event[record->process_event_count++], event->data,
                   event->size_B);
        if (event->topic == fault && event->size_B == sizeof(struct fault_event) &&
            record->fault_event_count < sizeof record->fault_event / sizeof record->fault_event[0])
            memcpy(&record->fault_event[record->fault_event_count++], event->data, event->size_B);
    }
}

// The record is not to be stored; one that is looked at all the same is an ERROR.
__attribute__((format(printf, 3, 4))) static void lose(struct trial_record *record, enum loss loss,
                                                       const char *format, ...)
{
    va_list arguments;
    invariant(record->loss == LOSS_NONE && loss != LOSS_NONE); // the first reason is the one
    record->loss = loss;
    va_start(arguments, format);
    vsnprintf(record->lost, sizeof record->lost, format, arguments);
    va_end(arguments);
    judgement_add(&record->judgement, "lab", VERDICT_ERROR, NAN, "", record->lost);
}

// One more run whose history and verdict do not matter.
static void run_again(const struct job *job, struct trial_result *result)
{
    struct history *history;
    struct judgement judgement;
    run_once(job, job->recheck_core, NULL, result, &history, &judgement);
    history_free(history);
}

// Runs the trial as often as it takes to know its fate.
static enum fate settle(const struct job *job, const struct trial_result *first)
{
    struct trial_result run[FATE_RUNS_MAX] = {*first};
    unsigned count = 1;
    enum fate fate = fate_of_runs(run, count, trouble_words() != NULL);
    while (fate == FATE_AGAIN && count < FATE_RUNS_MAX) {
        run_again(job, &run[count++]);
        fate = fate_of_runs(run, count, trouble_words() != NULL);
    }
    return fate;
}

// What ended a process of the lab in every run, the target did: that is no error of the lab.
static void blame_target(const struct job *job, const struct history *history,
                         struct trial_record *record)
{
    char detail[192];
    trial_find(&record->result, FINDING_JUDGEABLE);
    record->result.reason[0] = '\0';
    if (history != NULL)
        judge_in_time(job, history, NULL, &(struct machine_trial){0}, &record->judgement);
    if (record->judgement.verdict == VERDICT_FAIL)
        return;
    record->judgement = (struct judgement){0};
    snprintf(detail, sizeof detail, "%s was ended by signal 9 whenever the trial ran",
             record->result.killed);
    judgement_add(&record->judgement, "peers-survive", VERDICT_FAIL, 0, "deaths", detail);
}

static void recheck(const struct job *job, struct trial_record *record)
{
    expects(record->loss == LOSS_NONE && record->result.outcome == TRIAL_RAN);
    struct trial_result result;
    run_again(job, &result);
    const char *trouble = trouble_words();
    const enum fate fate = fate_of_recheck(&record->result, &result, trouble != NULL);
    if (fate == FATE_MACHINE_FAILED)
        lose(record, LOSS_MACHINE_FAILED, "this machine failed in its second run: %.80s",
             trouble != NULL                             ? trouble
             : result.shortage != TRIAL_SHORT_OF_NOTHING ? result.short_of
                                                         : result.reason);
    else if (fate == FATE_DISTURBED)
        lose(record, LOSS_DISTURBED, "%s killed by signal 9 from outside, in its second run",
             result.killed);
    if (fate != FATE_STORED)
        return;
    snprintf(record->recheck_hash, sizeof record->recheck_hash, "%s", result.hash);
    judgement_compare(&record->judgement, record->result.hash, result.hash);
}

static bool is_kept(enum keep keep, enum verdict verdict)
{
    return keep == KEEP_ALWAYS || (keep == KEEP_BAD && verdict_is_bad(verdict)) ||
           (keep == KEEP_PASSED && verdict == VERDICT_PASS);
}

static void keep_history(const struct job *job, const struct history *history,
                         struct trial_record *record)
{
    expects(record->loss == LOSS_NONE);
    if (history == NULL || job->history.file[0] == '\0' ||
        !is_kept(job->keep, record->judgement.verdict))
        return;
    struct derived_topics derived;
    packs_derive(all_packs, job->target, job->description, &derived);
    if (history_write(history, &derived, job->history.file) == STATUS_OK)
        snprintf(record->history_path, sizeof record->history_path, "%s", job->history.relative);
    else // it has reported why
        lose(record, LOSS_HISTORY, "its history could not be written");
}

void job_run(const struct job *job, struct trial_record *record, struct history **history)
{
    *record = (struct trial_record){
        .square = job->square, .number = job->number, .seed = job->seed, .mode = job->mode};
    struct history *own = NULL;
    cpu_time_begin();
    run_and_judge(job, record, &own);
    if (own != NULL) {
        copy_events(own, record);
        bus_figures(own, job->description, &record->buses);
    }
    const enum fate fate = settle(job, &record->result);
    if (fate == FATE_DISTURBED)
        lose(record, LOSS_DISTURBED, "%s killed by signal 9 from outside", record->result.killed);
    else if (fate == FATE_MACHINE_FAILED)
        lose(record, LOSS_MACHINE_FAILED, "this machine failed: %.100s",
             record->result.shortage != TRIAL_SHORT_OF_NOTHING ? record->result.short_of
             : record->result.reason[0] != '\0'                ? record->result.reason
                                                               : trouble_words());
    else if (fate == FATE_BLAMED)
        blame_target(job, own, record);
    if (record->loss == LOSS_NONE && job->recheck && record->result.outcome == TRIAL_RAN)
        recheck(job, record);
    if (record->loss == LOSS_NONE)
        keep_history(job, own, record);
    if (record->loss == LOSS_NONE && trouble_words() != NULL)
        lose(record, LOSS_MACHINE_FAILED, "this machine failed: %.100s", trouble_words());
    if (history != NULL)
        *history = own;
    else
        history_free(own);
}

void job_trouble(const struct trial_record *record, const struct history *history, char *trouble,
                 size_t size)
{
    const struct judgement *judgement = &record->judgement;
    trouble[0] = '\0';
    if (record->loss != LOSS_NONE || history == NULL || record->result.outcome != TRIAL_RAN)
        snprintf(trouble, size, "%.250s",
                 record->loss != LOSS_NONE ? record->lost : record->result.reason);
    const struct oracle_verdict *oracle = judgement_decisive(judgement);
    if (trouble[0] == '\0' && judgement->verdict == VERDICT_ERROR && oracle != NULL)
        snprintf(trouble, size, "%.47s: %.190s", oracle->oracle, oracle->detail);
}

// ---- workers ----------------------------------------------------------------------------------

static void write_all(int fd, const void *data, size_t size_B)
{
    const char *bytes = data;
    while (size_B > 0) {
        ssize_t written = write(fd, bytes, size_B);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return;
        bytes += written;
        size_B -= (size_t)written;
    }
}

// In the fork. Its process group is its own: a Ctrl-C at the terminal is for the campaign, which
// then ends its workers.
static _Noreturn void work(const struct job *job, pid_t parent, int fd)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) // died before the line above
        _exit(3);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    trouble_forget();
    invariant_ends_with(0); // its signal tells it from what could not make a record
    struct trial_record *record = malloc(sizeof *record);
    if (record == NULL)
        _exit(3);
    job_run(job, record, NULL);
    write_all(fd, record, sizeof *record);
    _exit(0);
}

enum status worker_start(struct worker *worker, const struct job *job)
{
    expects(worker->pid == 0); // its last job has ended, and was received
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        log_error("starting a worker: pipe: %s; close other programs or raise `ulimit -n`",
                  strerror(errno));
        return STATUS_SYSTEM;
    }
    fflush(NULL);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        work(job, parent, ends[1]);
    close(ends[1]);
    if (pid < 0) {
        log_error("starting a worker: fork: %s; use fewer --jobs", strerror(errno));
        close(ends[0]);
        return STATUS_SYSTEM;
    }
    worker->pid = pid;
    worker->pipe = ends[0];
    worker->received_B = 0;
    return STATUS_OK;
}

// The lab sends its workers none of these, and none is what a crash ends with.
static bool is_from_outside(int number)
{
    return number == SIGKILL || number == SIGTERM || number == SIGINT || number == SIGHUP;
}

static void begin_record(struct trial_record *record, const struct job *job)
{
    *record = (struct trial_record){
        .square = job->square, .number = job->number, .seed = job->seed, .mode = job->mode};
    record->result.outcome = TRIAL_LAB_ERROR;
}

// The record of a worker that died: lost, or an ERROR that says how.
static void record_death(struct trial_record *record, const struct job *job, int wait_status,
                         bool time_up)
{
    begin_record(record, job);
    if (WIFEXITED(wait_status)) { // it could not make its record, or not send it
        lose(record, LOSS_MACHINE_FAILED,
             "this machine failed: the lab's worker exited with status %d",
             WEXITSTATUS(wait_status));
        return;
    }
    if (time_up) {
        lose(record, LOSS_MACHINE_FAILED, "this machine failed: " TIME_UP);
        return;
    }
    if (is_from_outside(WTERMSIG(wait_status))) {
        lose(record, LOSS_WORKER, "worker killed by signal %d", WTERMSIG(wait_status));
        return;
    }
    snprintf(record->result.reason, sizeof record->result.reason,
             "the lab's worker was ended by signal %d", WTERMSIG(wait_status));
    judgement_add(&record->judgement, "lab", VERDICT_ERROR, NAN, "", record->result.reason);
}

bool worker_receive(struct worker *worker, const struct job *job)
{
    char *bytes = (char *)&worker->record;
    ssize_t got =
        read(worker->pipe, bytes + worker->received_B, sizeof worker->record - worker->received_B);
    if (got < 0 && errno == EINTR)
        return false;
    if (got > 0)
        worker->received_B += (size_t)got;
    if (got > 0 && worker->received_B < sizeof worker->record)
        return false;
    // A worker blocks while its pipe is full, which nobody empties any more.
    const int error = got < 0 ? errno : 0;
    if (error != 0)
        (void)kill(worker->pid, SIGKILL);
    int wait_status = 0;
    const bool time_up = cpu_time_await(worker->pid);
    while (waitpid(worker->pid, &wait_status, 0) < 0 && errno == EINTR)
        ;
    if (error != 0) {
        begin_record(&worker->record, job);
        lose(&worker->record, LOSS_MACHINE_FAILED,
             "this machine failed: what the lab's worker found cannot be read: %s",
             strerror(error));
    } else if (worker->received_B < sizeof worker->record) {
        record_death(&worker->record, job, wait_status, time_up);
    }
    close(worker->pipe);
    worker->pid = 0;
    worker->pipe = -1;
    return true;
}

void worker_stop(struct worker *worker)
{
    if (worker->pid == 0)
        return;
    kill(worker->pid, SIGKILL);
    while (waitpid(worker->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    close(worker->pipe);
    worker->pid = 0;
    worker->pipe = -1;
}
