#include "harness/trial/trial_private.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/invariant.h"
#include "base/log.h"
#include "base/text.h"
#include "base/trouble.h"
#include "clock/futex.h"
#include "harness/cell/cell_tasks.h"
#include "harness/files/scenario.h"
#include "harness/files/trusted.h"
#include "harness/files/trusted_cell.h"
#include "harness/trial/listen.h"
#include "harness/trial/outcome.h"
#include "harness/trial/strike/fault_needs.h"
#include "harness/trial/supervise/waits.h"
#include "harness/trial/outside.h"
#include "harness/trial/trial_limit.h"

#define RECORDER_PRIORITY 2 // wall mode: above the operator's program, below every daemon
#define SPINS_S 1.0         // who has spun at memory for less at the trial's end may go on
#define SCHEMA_END "end_event"

// ---- the run, in the cell

static bool is_struck(const struct scenario *scenario, const struct process_config *process)
{
    for (unsigned i = 0; i < scenario->fault_count; i++)
        if (strcmp(scenario->fault[i].component, process->name) == 0)
            return true;
    return false;
}

static void report_spoiled(struct trial *trial, const char *writer);

// It may have ended because of what the target wrote over.
static enum status bench_ended(struct trial *trial, unsigned number, const char *what)
{
    char words[200];
    if (recorder_finds_spoiled(trial->recorder)) {
        report_spoiled(trial, recorder_spoiled(trial->recorder));
        return trial_fail(trial, STATUS_CORRUPT, "a channel was written over");
    }
    supervisor_describe_end(trial->supervisor, number, words, sizeof words);
    return trial_fail(trial, STATUS_DEAD, "%s ended: %s", what, words);
}

// The simulated robot belongs to the lab: without it there is nothing to observe. If neither itself
// nor the scenario ended it, the target did, and is judged by what was recorded until then.
static enum status check_bench(struct trial *trial)
{
    for (unsigned i = 0; i < supervisor_count(trial->supervisor); i++) {
        const struct process_config *process = supervisor_config(trial->supervisor, i);
        if ((!process->follower && !process->interposes) ||
            supervisor_state(trial->supervisor, i) != PROCESS_STATE_ENDED)
            continue;
        if (process->interposes && !supervisor_was_killed(trial->supervisor, i))
            return bench_ended(trial, i, "a channel's interposer");
        trial->facts.bench_ended = true;
        if (supervisor_was_killed(trial->supervisor, i) &&
            !is_struck(trial->request->scenario, supervisor_config(trial->supervisor, i)))
            continue;
        return bench_ended(trial, i, "the simulated robot");
    }
    return STATUS_OK;
}

static void note_facts(struct trial *trial)
{
    const int number = supervisor_find(trial->supervisor, OPERATOR_NAME);
    const bool motion_over =
        (number >= 0 &&
         supervisor_state(trial->supervisor, (unsigned)number) == PROCESS_STATE_ENDED) ||
        watch_completed(trial->watch);
    trial_facts_note(&trial->facts, watch_given_up(trial->watch), motion_over,
                     clk_coordinator_now(trial->coordinator));
}

// The only process that can have written over pages: the simulated world is the lab's. -1: more
// than one.
static int only_suspect(const struct trial *trial)
{
    int suspect = -1, count = 0;
    for (unsigned i = 0; i < supervisor_count(trial->supervisor); i++) {
        const struct process_config *process = supervisor_config(trial->supervisor, i);
        if (process->follower || process->interposes)
            continue;
        suspect = (int)i;
        count++;
    }
    return count == 1 ? suspect : -1;
}

// Of the clock's page the coordinator may know who it was. `writer`: of the channel, "" elsewhere.
static void report_spoiled(struct trial *trial, const char *writer)
{
    unsigned participant;
    int number = writer[0] == '\0' ? -1 : supervisor_find(trial->supervisor, writer);
    if (number < 0 && clk_coordinator_spoiler(trial->coordinator, &participant))
        number = supervisor_of(trial->supervisor, participant);
    if (number < 0)
        number = only_suspect(trial);
    const int pid = number < 0 ? 0 : supervisor_pid(trial->supervisor, (unsigned)number);
    const char *name =
        number < 0 ? "somebody" : supervisor_config(trial->supervisor, (unsigned)number)->name;
    breach_report(&trial->shared->breach, LIMIT_SHARED_PAGES, name, pid, pid, 1, 0);
}

static enum status clock_is_spoiled(struct trial *trial)
{
    report_spoiled(trial, "");
    return trial_fail(trial, STATUS_CORRUPT, "the clock's page was written over");
}

// CORRUPT: code of the lab's has found itself wrong, in some process of the target.
static enum status check_invariants(struct trial *trial)
{
    char words[sizeof trial->reason];
    if (!supervisor_broke_invariant(trial->supervisor, words, sizeof words))
        return STATUS_OK;
    return trial_fail(trial, STATUS_CORRUPT, "%s", words);
}

// Records what has come, lets the triggers look.
static enum status tick(struct trial *trial)
{
    expects(!instant_before(clk_coordinator_now(trial->coordinator), trial->grid));
    if (trial->request->observer.computing != NULL && trial->request->mode == CLK_WALL)
        computing_look(trial->request->observer.computing, trial->supervisor);
    enum status status = listen_all(trial);
    if (status == STATUS_OK && trial->spoiled)
        status = trial_fail(trial, STATUS_CORRUPT, "a shimmed program's page was written over");
    if (clk_coordinator_is_spoiled(trial->coordinator))
        return clock_is_spoiled(trial);
    if (status == STATUS_CORRUPT) // the lab's own programs write no such thing
        report_spoiled(trial, recorder_spoiled(trial->recorder));
    if (status != STATUS_OK)
        return status;
    supervisor_notice(trial->supervisor);
    status = supervisor_record(trial->supervisor);
    if (status != STATUS_OK)
        return trial_fail(trial, status, "recording process events: %s", status_text(status));
    status = check_invariants(trial);
    if (status != STATUS_OK)
        return status;
    note_facts(trial);
    strikes_look(trial->strikes);
    const unsigned grid_ms = trial->request->observer.grid_ms;
    trial->grid =
        instant_add(trial->grid, duration_ms(grid_ms == 0 ? TRIAL_GRID_MS : (int64_t)grid_ms));
    return check_bench(trial);
}

static bool is_over(struct trial *trial)
{
    trial->facts.faults_done = strikes_done(trial->strikes, &trial->facts.fault_last);
    return trial_end(&trial->facts, clk_coordinator_now(trial->coordinator)) != TRIAL_GOES_ON;
}

// Not while a debugger may stand still in it.
static bool asks(const struct trial *trial, unsigned number)
{
    return trial->request->mode == CLK_VIRTUAL && trial->request->attach == NULL &&
           supervisor_config(trial->supervisor, number)->clock == PROCESS_CLOCK_SHIM &&
           supervisor_state(trial->supervisor, number) == PROCESS_STATE_RUNNING;
}

static bool ask_spinner(void *context, unsigned participant, bool last)
{
    const struct trial *trial = context;
    const int number = supervisor_of(trial->supervisor, participant);
    return number >= 0 && asks(trial, (unsigned)number) &&
           shims_ask(supervisor_config(trial->supervisor, (unsigned)number)->name,
                     supervisor_pidfd(trial->supervisor, (unsigned)number), last);
}

static enum status run_until(struct trial *trial, instant next)
{
    unsigned culprit;
    output_listen(true);
    enum status status = clk_coordinator_run_until(trial->coordinator, next, &culprit);
    output_listen(false);
    switch (status) {
    case STATUS_TIMEOUT:
        return supervisor_hung(trial->supervisor, culprit, HUNG_KEPT_TURN);
    case STATUS_DEAD:
        return supervisor_hung(trial->supervisor, culprit, HUNG_LEFT_CLOCK);
    case STATUS_CORRUPT:
        if (clk_coordinator_is_spoiled(trial->coordinator))
            return clock_is_spoiled(trial);
        return supervisor_hung(trial->supervisor, culprit, HUNG_PAGE_SPOILED);
    default:
        return status;
    }
}

static enum status start_more(struct trial *trial)
{
    const enum status status = trial_start_processes(trial);
    const enum status recorded = supervisor_record(trial->supervisor);
    return status != STATUS_OK ? status : recorded;
}

// When it stands still for a debugger; INSTANT_NEVER: not, no longer, or not before all runs.
static instant attach_next(const struct trial *trial)
{
    const struct attach_request *attach = trial->request->attach;
    const instant now = clk_coordinator_now(trial->coordinator);
    if (attach == NULL || trial->attached || !supervisor_has_started(trial->supervisor))
        return INSTANT_NEVER;
    return instant_before(attach->at, now) ? now : attach->at;
}

static void attach(struct trial *trial, instant next)
{
    if (instant_before(next, attach_next(trial)))
        return;
    const int number = supervisor_find(trial->supervisor, trial->request->attach->process);
    const bool runs =
        number >= 0 && supervisor_state(trial->supervisor, (unsigned)number) != PROCESS_STATE_ENDED;
    attach_stand(&trial->shared->attach,
                 runs ? supervisor_pid(trial->supervisor, (unsigned)number) : 0,
                 clk_coordinator_now(trial->coordinator));
    trial->attached = true;
}

// At the end: OK, or why not all have started.
static enum status say_who_is_missing(struct trial *trial)
{
    if (supervisor_has_started(trial->supervisor))
        return STATUS_OK;
    supervisor_notice(trial->supervisor); // it may have ended while a fault was at work
    const enum status status = start_more(trial);
    if (status != STATUS_OK)
        return status;
    if (trial->request->mode == CLK_VIRTUAL)
        trial_find(&trial->shared->result, FINDING_REFUSAL);
    return STATUS_TIMEOUT; // `reason` has been said
}

// Whoever has spun at memory to the trial's end, with time passing meanwhile, has hung.
static enum status end_spinners(struct trial *trial)
{
    const instant since =
        instant_add(clk_coordinator_now(trial->coordinator), duration_s(-SPINS_S));
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < supervisor_count(trial->supervisor) && status == STATUS_OK; i++)
        if (asks(trial, i) && shims_spins(supervisor_config(trial->supervisor, i)->name, since))
            status = supervisor_hung(trial->supervisor,
                                     supervisor_participant(trial->supervisor, i), HUNG_KEPT_TURN);
    return status == STATUS_OK ? supervisor_record(trial->supervisor) : status;
}

static enum status run(struct trial *trial)
{
    trial->facts = trial_facts_begin(trial->request->scenario);
    const instant end = instant_s(trial->request->scenario->duration_s);
    clk_coordinator_on_long(trial->coordinator, ask_spinner, trial);
    while (!is_over(trial)) { // ends: time advances to `end`, or a process is killed and time stays
        instant next = instant_min(
            instant_min(trial->grid, end),
            instant_min(strikes_next(trial->strikes), supervisor_next(trial->supervisor)));
        next = instant_min(next, attach_next(trial));
        // Or time would stand still: nothing is due before the present.
        invariant(trial->request->mode == CLK_WALL ||
                  !instant_before(next, clk_coordinator_now(trial->coordinator)));
        // What a process has said before it joined belongs to the instant at which it was started.
        enum status status = listen_taps(trial);
        if (status == STATUS_OK)
            status = run_until(trial, next);
        if (status != STATUS_OK)
            return trial_fail(trial, status, "running the clock: %s", status_text(status));
        if (instant_before(clk_coordinator_now(trial->coordinator), next))
            continue; // a process hung and is dead now: go on with the others
        attach(trial, next);
        if (!instant_before(next, trial->grid)) {
            status = tick(trial);
            if (status != STATUS_OK)
                return status;
        }
        status = supervisor_act(trial->supervisor);
        if (status == STATUS_OK && !supervisor_has_started(trial->supervisor))
            status = start_more(trial);
        if (status != STATUS_OK)
            return status;
        const bool struck = trial->request->mode == CLK_VIRTUAL &&
                            !instant_before(next, strikes_next(trial->strikes));
        status = strikes_act(trial->strikes, trial->reason, sizeof trial->reason);
        if (status == STATUS_DEAD)
            trial_note_kill(&trial->shared->result, TRIAL_KILL_PERHAPS, "fault program");
        if (status != STATUS_OK)
            return status;
        if (struck)
            shims_tell(trial->request->target, &trial->wiring, IO_FAULT, "", next);
    }
    const enum status status = end_spinners(trial);
    return status == STATUS_OK ? say_who_is_missing(trial) : status;
}

// Only now is it certain that nothing of the history is missing at its end.
static enum status record_end(struct trial *trial)
{
    const struct end_event event = {.time = trial->looked};
    unsigned topic;
    enum status status = history_add_topic(trial->history, TOPIC_END, SCHEMA_END, &topic);
    if (status == STATUS_OK)
        status = history_append(trial->history, topic, 0, event.time, &event, sizeof event);
    return status == STATUS_OK ? status : trial_fail(trial, status, "recording the end");
}

// Wall mode: the recorder must not be late by more frames than a channel holds, whatever else the
// machine does; the target's real-time processes still go before it. Where that is refused the
// recorder says so by missing frames.
static void outrank_the_machine(void)
{
    const struct sched_param parameters = {.sched_priority = RECORDER_PRIORITY};
    (void)sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &parameters);
}

static int body(void *context)
{
    struct trial *trial = context;
    if (trial->request->mode == CLK_WALL)
        outrank_the_machine();
    trial_limit_watch_files(&trial->shared->breach);
    struct trial_result *result = &trial->shared->result;
    enum status status = trial_set_up(trial);
    if (status == STATUS_OK)
        status = run(trial);
    if (status == STATUS_OK && trial->request->mode == CLK_VIRTUAL)
        status = waits_record(trial->supervisor, trial->history);
    if (status == STATUS_OK)
        status = strikes_finish(trial->strikes, trial->reason, sizeof trial->reason);
    // What the lab could not start again would be the target's fault in the eyes of every oracle.
    if (status == STATUS_OK && trouble_words() != NULL)
        status = trial_fail(trial, STATUS_SYSTEM, "%s", trouble_words());
    if (status == STATUS_OK)
        status = record_end(trial);
    trial_find(result, trial_finding_of(status));
    // What ended a process may be the reason; it shall stand in the history.
    if (status != STATUS_OK && trial->supervisor != NULL)
        (void)!supervisor_record(trial->supervisor);
    if (trial->supervisor != NULL && check_invariants(trial) != STATUS_OK) {
        status = STATUS_CORRUPT;
        trial_find(result, FINDING_BROKEN_INVARIANT);
    }
    if (status != STATUS_OK)
        snprintf(result->reason, sizeof result->reason, "%s",
                 trial->reason[0] != '\0' ? trial->reason : status_text(status));
    result->strangers_dropped = wiring_strangers_dropped(trial->request->target);
    cell_look_last(trial->cell);
    trial_tear_down(trial);
    trial->shared->finished = true;
    return 0;
}

// ---- outside

// What the results have to say of the cell.
static void tell_of_cell(const struct cell_request *cell, const struct cell_end *end,
                         enum status status, struct trial_result *result)
{
    const char *accepted = trusted_accepted();
    if (status == STATUS_OK)
        text_copy(result->cell, sizeof result->cell, cell_word(cell, end));
    cell_lacks(end, result->lacks, sizeof result->lacks);
    const size_t used = strlen(result->lacks);
    if (accepted != NULL)
        snprintf(result->lacks + used, sizeof result->lacks - used,
                 "%sfiles that only its user can change (--trust-folder): %.200s",
                 used == 0 ? "" : "; ", accepted);
}

static double wall_s(void)
{
    return 1e-9 * (double)monotonic_ns();
}

static void show_fault_folders(struct cell_request *cell, const struct catalogue *catalogue)
{
    for (unsigned i = 0; catalogue != NULL && i < catalogue->folders.count; i++)
        cell->fault_folder[cell->fault_folder_count++] = catalogue->folders.path[i];
}

static enum status run_cell(struct trial *trial, struct trial_result *result)
{
    const struct trial_request *request = trial->request;
    struct cell_request cell = {.build_folder = request->build_folder,
                                .target_folder = request->target->folder,
                                .core = request->core,
                                .scratch = trial->scratch,
                                .no_wall = request->no_wall,
                                .bare = trusted_cell,
                                .limits = request->target->limits,
                                .real_time = request->mode == CLK_WALL,
                                .breach = &trial->shared->breach};
    cell.limits.wall_s =
        request->attach != NULL
            ? ATTACH_PATIENCE_S
            : limits_wall_s(&cell.limits, request->scenario->duration_s, cell.real_time);
    for (; cell.visible_count < request->target->visible_count; cell.visible_count++)
        cell.visible[cell.visible_count] = request->target->visible[cell.visible_count];
    show_fault_folders(&cell, request->scenario->catalogue);
    trial->cell = &cell; // cppcheck-suppress autoVariables // until it has run
    struct cell_end end;
    const double start_s = wall_s();
    enum status status = cell_run(&cell, body, trial, &end);
    trial->cell = NULL;
    *result = trial->shared->result;
    result->wall_s = wall_s() - start_s;
    result->cpu_s = end.cpu_s;
    result->held_s = end.held_s;
    text_copy(result->held, sizeof result->held, end.held);
    tell_of_cell(&cell, &end, status, result);
    if (status == STATUS_OK && atomic_load(&trial->shared->breach.limit) != LIMIT_NONE)
        return trial_limit_exceeded(&trial->shared->breach, trial->request->target,
                                    trial->request->scenario, trial->history, result);
    if (status == STATUS_OK && trial->shared->finished)
        return history_refresh(trial->history);
    trial_find(result, status == STATUS_INVALID ? FINDING_UNTRUSTED
                       : status == STATUS_OK    ? FINDING_BROKEN_OFF
                                                : trial_finding_of(status));
    if (end.reason[0] != '\0')
        snprintf(result->reason, sizeof result->reason, "%s", end.reason);
    else
        snprintf(result->reason, sizeof result->reason,
                 "the cell's init ended before the trial did (exit status %d, signal %d)",
                 end.exit_code, end.signal);
    if (end.signal == SIGKILL)
        trial_note_kill(result, TRIAL_KILL_SURE,
                        end.reason[0] != '\0' ? "the cell's keeper" : "the cell's init");
    if (status == STATUS_UNSUPPORTED)
        log_error("no cell: %s; `ukemi doctor` says why, and what helps", end.reason);
    return status == STATUS_UNSUPPORTED ? status : STATUS_OK;
}

// What the machine then refuses to programs would be taken for theirs.
static bool short_of_processes(const struct trial_request *request, struct trial_result *result)
{
    const char *by;
    const long left = cell_tasks_free(&by);
    const unsigned wanted = request->target->limits.processes;
    if (left < 0 || left >= (long)wanted)
        return false;
    trial_find(result, FINDING_MACHINE_FAILURE);
    snprintf(result->reason, sizeof result->reason,
             "the machine lets this user start %ld more processes, and the target may have %u: "
             "raise that (%s), or give the target fewer (limits: processes)",
             left, wanted, by);
    return true;
}

enum status trial_run(const struct trial_request *request, struct history **history,
                      struct trial_result *result)
{
    *history = NULL;
    *result = (struct trial_result){.outcome = TRIAL_LAB_ERROR};
    struct trial trial = {.request = request, .scratch = -1};
    enum status status = STATUS_OK;
    if (!fault_needs_met(request->scenario, request->mode, result->reason, sizeof result->reason))
        return STATUS_UNSUPPORTED;
    if (short_of_processes(request, result))
        return STATUS_OK;
    trial.scratch = fault_needs_scratch(request->scenario);
    trial.shared =
        mmap(NULL, sizeof *trial.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (trial.shared == MAP_FAILED || history_create_shared(&trial.history) != STATUS_OK)
        status = STATUS_NO_MEMORY;
    pid_t speaker = 0;
    if (status == STATUS_OK && request->attach != NULL)
        status = attach_begin(&trial.shared->attach, request->attach, &speaker);
    if (status == STATUS_OK)
        status = run_cell(&trial, result);
    if (speaker > 0)
        attach_end(&trial.shared->attach, speaker);
    char killed[sizeof result->killed];
    if (status == STATUS_OK && atomic_load(&trial.shared->breach.limit) == LIMIT_NONE &&
        killed_from_outside(trial.history, request->scenario->catalogue, killed, sizeof killed))
        trial_note_kill(result, TRIAL_KILL_PERHAPS, killed);
    if (status == STATUS_OK && history_length(trial.history) > 0) {
        history_hash(trial.history, result->hash);
        *history = trial.history;
    } else {
        history_free(trial.history);
    }
    if (trial.scratch >= 0)
        close(trial.scratch);
    if (trial.shared != MAP_FAILED)
        munmap(trial.shared, sizeof *trial.shared);
    return status;
}
