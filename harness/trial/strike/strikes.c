#include "harness/trial/strike/strikes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/random.h"
#include "base/text.h"
#include "harness/cell/cell_inside.h"
#include "harness/files/scenario.h"
#include "harness/trial/look/look.h"
#include "harness/trial/strike/strike_course.h"
#include "harness/trial/strike/trigger.h"

struct strike {
    const struct fault_request *request;
    const struct fault_kind *kind;
    struct trigger_state trigger;
    int process; // number of the process that is struck; -1: a bus is, or the machine
    struct look_memory memory;
    uint64_t seed;
    struct strike_course course;
};

struct strikes {
    struct strikes_request request;
    bool ending; // the trial is: no proof can wait for more
    unsigned count;
    struct strike strike[FAULTS_MAX];
};

static bool find_struck(struct strike *strike, const struct supervisor *supervisor)
{
    strike->process = -1;
    if (strike->kind->struck != STRUCK_PROCESS) // the loader has looked for it
        return true;
    strike->process = supervisor_find(supervisor, strike->request->component);
    return strike->process >= 0;
}

static uint64_t draw_seed(uint64_t trial_seed, unsigned index)
{
    char name[32];
    struct random_stream stream;
    snprintf(name, sizeof name, "fault/%u", index);
    random_start(&stream, trial_seed, name);
    return random_bits(&stream);
}

enum status strikes_create(const struct strikes_request *request, struct strikes **strikes)
{
    expects(request->scenario->fault_count <= FAULTS_MAX);
    struct strikes *new = calloc(1, sizeof *new);
    if (new == NULL)
        return STATUS_NO_MEMORY;
    new->request = *request;
    new->count = request->scenario->fault_count;
    for (unsigned i = 0; i < new->count; i++) {
        struct strike *strike = &new->strike[i];
        strike->request = &request->scenario->fault[i];
        strike->kind = catalogue_find(request->scenario->catalogue, strike->request->kind);
        if (strike->kind == NULL || !find_struck(strike, request->supervisor)) {
            free(new);
            return STATUS_NOT_FOUND;
        }
        strike->seed = draw_seed(request->seed, i);
        look_remember_nothing(&strike->memory);
        trigger_draw(&strike->trigger, &strike->request->at, request->seed, i);
        const bool known = strike->trigger.kind == TRIGGER_TIME;
        strike->course = strike_course_begin(strike->kind, strike->request,
                                             known ? strike->trigger.time : INSTANT_NEVER);
    }
    *strikes = new;
    return STATUS_OK;
}

void strikes_free(struct strikes *strikes)
{
    for (unsigned i = 0; strikes != NULL && i < strikes->count; i++)
        look_forget(&strikes->strike[i].memory);
    free(strikes);
}

instant strikes_next(const struct strikes *strikes)
{
    instant next = INSTANT_NEVER;
    for (unsigned i = 0; i < strikes->count; i++)
        next = instant_min(next, strikes->strike[i].course.due);
    return next;
}

void strikes_look(struct strikes *strikes)
{
    struct watch *watch = strikes->request.watch;
    instant now = clk_coordinator_now(strikes->request.coordinator);
    for (unsigned i = 0; i < strikes->count; i++) {
        struct strike *strike = &strikes->strike[i];
        if (strike->course.stage == STRIKE_WAITING && trigger_reached(&strike->trigger, watch, now))
            strike->course.due = now;
    }
}

bool strikes_done(const struct strikes *strikes, instant *last)
{
    bool done = true;
    *last = instant_ns(0);
    for (unsigned i = 0; i < strikes->count; i++) {
        if (strikes->strike[i].request->untold)
            continue;
        done = done && strikes->strike[i].course.stage == STRIKE_OVER;
        *last = instant_max(*last, strikes->strike[i].course.last);
    }
    return done;
}

// ---- acting

static enum status record(struct strikes *strikes, unsigned index, enum fault_event_kind kind,
                          const struct fault_proof *proof)
{
    expects(index < strikes->count);
    // Nothing is told of it before.
    expects(strikes->strike[index].course.stage != STRIKE_WAITING);
    expects((kind != FAULT_EFFECT && kind != FAULT_SETTLED) ||
            strikes->strike[index].kind->proof_later);
    const struct strike *strike = &strikes->strike[index];
    struct fault_event event = {
        .time = clk_coordinator_now(strikes->request.coordinator),
        .index = index,
        .kind = kind,
        .proven = proof->proven,
        .proof_follows =
            (kind == FAULT_APPLIED || kind == FAULT_UNDONE) && strike->kind->proof_later,
    };
    text_copy(event.fault, sizeof event.fault, strike->kind->name);
    text_copy(event.component, sizeof event.component, strike->request->component);
    text_copy(event.evidence, sizeof event.evidence, proof->evidence);
    enum status status = history_append(strikes->request.history, strikes->request.topic, 0,
                                        event.time, &event, sizeof event);
    return status == STATUS_OK ? supervisor_record(strikes->request.supervisor) : status;
}

static void add_words(struct fault_proof *proof, const char *words)
{
    const size_t used = strlen(proof->evidence);
    if (*words != '\0')
        snprintf(proof->evidence + used, sizeof proof->evidence - used, "%s%s",
                 used > 0 ? "; " : "", words);
}

static void disprove(struct fault_proof *proof, const char *why)
{
    proof->proven = false;
    add_words(proof, why);
}

// The lab's own look at what the program says it did.
static void confirm(struct strikes *strikes, struct strike *strike, const struct fault_call *call,
                    instant began, struct fault_proof *proof)
{
    const struct looker *looker = look_with(strike->kind->look);
    char seen[96] = "";
    const struct look look = {.call = call,
                              .proof = proof,
                              .supervisor = strikes->request.supervisor,
                              .process = strike->process,
                              .memory = &strike->memory,
                              .history = strikes->request.history,
                              .watch = strikes->request.watch,
                              .began = began,
                              .now = clk_coordinator_now(strikes->request.coordinator),
                              .mode = clk_coordinator_mode(strikes->request.coordinator),
                              .last = strikes->ending,
                              .seen = seen,
                              .seen_size = sizeof seen};
    // Not even real time goes back: lookers take the time between for the strike's.
    expects(!instant_before(look.now, began));
    if (looker->reads_history)
        strikes->request.record(strikes->request.context);
    const char *doubt = looker->doubt(&look);
    add_words(proof, seen);
    if (proof->proven && doubt != NULL)
        disprove(proof, doubt);
}

static bool is_there(const struct strikes *strikes, const struct strike *strike)
{
    if (strike->process < 0)
        return true;
    enum process_state state =
        supervisor_state(strikes->request.supervisor, (unsigned)strike->process);
    return state == PROCESS_STATE_RUNNING || state == PROCESS_STATE_SUSPENDED;
}

static struct fault_call call_of(const struct strikes *strikes, const struct strike *strike,
                                 enum fault_action action)
{
    struct supervisor *supervisor = strikes->request.supervisor;
    struct fault_call call = {
        .kind = strike->kind,
        .request = strike->request,
        .target = strikes->request.target,
        .scenario = strikes->request.scenario,
        .action = action,
        .pidfd = -1,
        .tag = (unsigned)(strike - strikes->strike) + 1,
        .seed = strike->seed,
        .scratch = strikes->request.scratch,
        .meanwhile = strikes->request.meanwhile,
        .context = strikes->request.context,
    };
    if (strike->process >= 0)
        call.process = supervisor_config(supervisor, (unsigned)strike->process)->name;
    if (strike->process >= 0 && is_there(strikes, strike)) {
        call.pid = supervisor_pid(supervisor, (unsigned)strike->process);
        call.pidfd = supervisor_pidfd(supervisor, (unsigned)strike->process);
    }
    ensures(call.tag >= 1 && call.tag <= strikes->count); // 0 is nobody's, in all pages
    return call;
}

static enum status run_program(struct strikes *strikes, struct strike *strike,
                               enum fault_action action, struct fault_proof *proof, char *reason,
                               size_t size)
{
    const struct fault_call call = call_of(strikes, strike, action);
    const instant began = clk_coordinator_now(strikes->request.coordinator);
    const bool sound = !clk_coordinator_is_spoiled(strikes->request.coordinator);
    enum status status = fault_program_run(&call, proof, reason, size);
    if (sound) // what it has done to clocks is the lab's doing
        clk_coordinator_adopt(strikes->request.coordinator);
    if (status == STATUS_OK)
        confirm(strikes, strike, &call, began, proof);
    return status;
}

// How long after it is undone its effect may still be seen.
static duration late_of(struct strikes *strikes, unsigned index)
{
    const struct strike *strike = &strikes->strike[index];
    const struct looker *looker = look_with(strike->kind->look);
    const struct fault_call call = call_of(strikes, strike, FAULT_ACTION_EFFECT);
    return looker->late == NULL ? DURATION_ZERO : looker->late(&call);
}

// Asks for the effect and records it, unless what is not seen yet may still come.
static enum status ask_effect(struct strikes *strikes, unsigned index, char *reason, size_t size)
{
    expects(index < strikes->count);
    struct strike *strike = &strikes->strike[index];
    struct fault_proof proof;
    if (!strike_course_asks_effect(&strike->course))
        return STATUS_OK;
    const enum status status =
        run_program(strikes, strike, FAULT_ACTION_EFFECT, &proof, reason, size);
    if (status != STATUS_OK)
        return status;
    const duration late = late_of(strikes, index);
    if (!strikes->ending && !proof.proven && late.ns > 0) {
        strike_course_awaits(&strike->course, late,
                             clk_coordinator_now(strikes->request.coordinator));
        return STATUS_OK;
    }
    strike->course.asked = true;
    return record(strikes, index, FAULT_EFFECT, &proof);
}

static enum status ask_settled(struct strikes *strikes, unsigned index, char *reason, size_t size)
{
    struct strike *strike = &strikes->strike[index];
    if (!strike_course_asks_settled(&strike->course))
        return STATUS_OK;
    strike->course.asked_settled = true;
    struct fault_proof proof;
    const enum status status =
        run_program(strikes, strike, FAULT_ACTION_SETTLED, &proof, reason, size);
    return status == STATUS_OK ? record(strikes, index, FAULT_SETTLED, &proof) : status;
}

static bool acts(const struct strikes *strikes, const struct fault_kind *kind)
{
    for (unsigned i = 0; i < strikes->count; i++)
        if (strikes->strike[i].kind == kind && strikes->strike[i].course.stage == STRIKE_APPLIED)
            return true;
    return false;
}

// A world shows only the last change of those that one program made: what the other faults still
// have to prove is asked for before it changes.
static enum status ask_others(struct strikes *strikes, unsigned index, char *reason, size_t size)
{
    const struct fault_kind *kind = strikes->strike[index].kind;
    const instant now = clk_coordinator_now(strikes->request.coordinator);
    enum status status = STATUS_OK;
    for (unsigned i = 0; kind->look == LOOK_world && i < strikes->count && status == STATUS_OK;
         i++) {
        const struct strike *other = &strikes->strike[i];
        if (i == index || strcmp(other->kind->program, kind->program) != 0 ||
            !instant_before(other->course.last, now))
            continue;
        status = ask_effect(strikes, i, reason, size);
        if (status == STATUS_OK && !acts(strikes, other->kind))
            status = ask_settled(strikes, i, reason, size);
    }
    return status;
}

static enum status apply(struct strikes *strikes, unsigned index, char *reason, size_t size)
{
    expects(strikes->strike[index].course.stage == STRIKE_WAITING);
    struct strike *strike = &strikes->strike[index];
    struct fault_proof proof = {0};
    instant now = clk_coordinator_now(strikes->request.coordinator);
    if (is_there(strikes, strike)) {
        // What the scenario undoes itself is not the restart policy's to undo.
        if (strike->process >= 0 && strike->course.undo_after_s >= 0)
            supervisor_hold(strikes->request.supervisor, (unsigned)strike->process);
        enum status status = run_program(strikes, strike, FAULT_ACTION_APPLY, &proof, reason, size);
        if (status != STATUS_OK)
            return status;
    } else {
        disprove(&proof, "the process was not there to be struck");
    }
    strike_course_applied(&strike->course, proof.proven, now);
    return record(strikes, index, FAULT_APPLIED, &proof);
}

// Starts the process again. That it does not come up is the target's failure, not the lab's: then
// the evidence says so.
static bool start_again(struct strikes *strikes, const struct strike *strike,
                        struct fault_proof *proof)
{
    expects(strike->process >= 0); // only processes are started again
    char reason[160];
    unsigned number = (unsigned)strike->process;
    if (supervisor_state(strikes->request.supervisor, number) != PROCESS_STATE_ENDED) {
        disprove(proof, strike->kind->proof_later
                            ? "the process had not ended, or something else had started it"
                            : "the process had been started by something else");
        return false;
    }
    if (supervisor_restart(strikes->request.supervisor, number, reason, sizeof reason) == STATUS_OK)
        return true;
    proof->proven = true;
    snprintf(proof->evidence, sizeof proof->evidence, "started again as pid %d; %.100s",
             cell_number(supervisor_pid(strikes->request.supervisor, number)), reason);
    return false;
}

// What it did to the process is over if another fault has ended that since.
static bool was_ended_by_another(const struct strikes *strikes, const struct strike *strike)
{
    for (unsigned i = 0; i < strikes->count; i++) {
        const struct strike *other = &strikes->strike[i];
        if (other != strike && other->process == strike->process && other->course.applied &&
            other->kind->halts == HALTS_ENDED)
            return true;
    }
    return false;
}

static enum status undo(struct strikes *strikes, unsigned index, char *reason, size_t size)
{
    expects(strikes->strike[index].course.stage == STRIKE_APPLIED);
    struct strike *strike = &strikes->strike[index];
    struct fault_proof proof = {0};
    strike_course_undoing(&strike->course, clk_coordinator_now(strikes->request.coordinator));
    enum status status = ask_effect(strikes, index, reason, size);
    if (status != STATUS_OK)
        return status;
    bool ready = true;
    if (strike->kind->undo != UNDO_PROGRAM)
        ready = start_again(strikes, strike, &proof);
    else if (!look_with(strike->kind->look)->outlives_process && !is_there(strikes, strike)) {
        ready = false;
        disprove(&proof, "the process has ended meanwhile");
        proof.proven = was_ended_by_another(strikes, strike);
    }
    if (ready) {
        status = run_program(strikes, strike, FAULT_ACTION_UNDO, &proof, reason, size);
        if (status != STATUS_OK)
            return status;
    }
    strike->course.undone = proof.proven;
    return record(strikes, index, FAULT_UNDONE, &proof);
}

enum status strikes_act(struct strikes *strikes, char *reason, size_t size)
{
    instant now = clk_coordinator_now(strikes->request.coordinator);
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < strikes->count && status == STATUS_OK; i++) {
        const struct strike_course *course = &strikes->strike[i].course;
        enum strike_step step;
        // At most twice: a restart without down time is undone at the same instant.
        while (status == STATUS_OK &&
               (step = strike_course_step(course, now)) != STRIKE_STEP_NONE) {
            status = ask_others(strikes, i, reason, size);
            if (status == STATUS_OK)
                status = (step == STRIKE_STEP_APPLY ? apply : undo)(strikes, i, reason, size);
        }
    }
    ensures(status != STATUS_OK || instant_before(now, strikes_next(strikes)));
    return status;
}

enum status strikes_finish(struct strikes *strikes, char *reason, size_t size)
{
    expects(!strikes->ending);
    strikes->ending = true;
    for (unsigned i = 0; i < strikes->count; i++) {
        enum status status = ask_effect(strikes, i, reason, size);
        if (status == STATUS_OK)
            status = ask_settled(strikes, i, reason, size);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}
