// What a trial needs in its cell: the clock, the wiring, who watches and who acts.
#include "harness/trial/trial_private.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "clock/futex.h"
#include "harness/files/scenario.h"
#include "harness/files/target/variation_file.h"
#include "harness/cell/cell_inside.h"
#include "harness/trial/bare_needs.h"
#include "harness/trial/listen.h"
#include "harness/trial/outcome.h"

#define SCHEMA_PROCESS "process_event"
#define SCHEMA_FAULT "fault_event"
#define SCHEMA_VARIATION "variation_event"

enum status trial_fail(struct trial *trial, enum status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(trial->reason, sizeof trial->reason, format, arguments);
    va_end(arguments);
    return status;
}

static enum status create_topics(struct trial *trial, unsigned *process, unsigned *fault)
{
    enum status status = history_add_topic(trial->history, TOPIC_PROCESS, SCHEMA_PROCESS, process);
    if (status == STATUS_OK)
        status = history_add_topic(trial->history, TOPIC_FAULT, SCHEMA_FAULT, fault);
    return status;
}

// What this trial's world is, for all who read its history.
static enum status record_variation(struct trial *trial)
{
    const struct target *target = trial->request->target;
    unsigned topic;
    if (trial->request->scenario->unvaried || target->variation_count == 0)
        return STATUS_OK;
    enum status status =
        history_add_topic(trial->history, TOPIC_VARIATION, SCHEMA_VARIATION, &topic);
    for (unsigned i = 0; i < target->variation_count && status == STATUS_OK; i++) {
        const struct variation_config *config = &target->variation[i];
        struct variation drawn;
        char text[VARIATION_TEXT_MAX];
        variation_draw(config, trial->request->seed, &drawn, text);
        struct variation_event event = {
            .low = config->low, .high = config->high, .count = drawn.count};
        _Static_assert(VARIATION_EVENT_VALUES_MAX == VARIATION_VALUES_MAX, "it holds all");
        text_copy(event.quantity, sizeof event.quantity, config->quantity);
        memcpy(event.value, drawn.value, drawn.count * sizeof drawn.value[0]);
        status = history_append(trial->history, topic, i, event.time, &event,
                                offsetof(struct variation_event, value) +
                                    drawn.count * sizeof event.value[0]);
    }
    return status;
}

static enum status create_watchers(struct trial *trial)
{
    enum status status =
        recorder_create(cell_folder(), trial->request->target, &trial->wiring.interposed,
                        trial->history, &trial->recorder);
    if (status == STATUS_OK)
        recorder_mind_clocks(trial->recorder, trial->request->scenario, trial->request->target,
                             trial->request->mode, trial->request->seed);
    if (status == STATUS_OK && trial->request->target->tap_count > 0)
        status = taps_create(cell_folder(), trial->request->target, trial->request->mode,
                             trial->history, &trial->taps, trial->reason, sizeof trial->reason);
    if (status == STATUS_OK)
        status = watch_create(trial->request->target, trial->history, &trial->watch);
    return status;
}

static bool is_supervised(const void *context, int pid)
{
    const struct supervisor *supervisor = context;
    for (unsigned i = 0; i < supervisor_count(supervisor); i++)
        if (supervisor_pid(supervisor, i) == pid)
            return true;
    return false;
}

static void process_ended(void *context, const struct process_config *process)
{
    struct trial *trial = context;
    wiring_kick(&trial->wiring);
    if (process->clock != PROCESS_CLOCK_SHIM || trial->request->mode != CLK_VIRTUAL) {
        const int number = supervisor_find(trial->supervisor, process->name);
        orphans_end(process->name, supervisor_pid(trial->supervisor, (unsigned)number),
                    is_supervised, trial->supervisor);
        return;
    }
    trial->spoiled |= !shims_end_children(process->name, is_supervised, trial->supervisor);
    shims_tell(trial->request->target, &trial->wiring, IO_END, process->name,
               clk_coordinator_now(trial->coordinator));
}

// How far ahead the lab has made a process's clock.
static int64_t error_of(void *context, const char *name, instant time)
{
    const struct trial *trial = context;
    const int number = supervisor_find(trial->supervisor, name);
    return number < 0 ? 0
                      : clk_coordinator_error_ns(
                            trial->coordinator,
                            supervisor_participant(trial->supervisor, (unsigned)number), time);
}

static enum status create_actors(struct trial *trial, unsigned process_topic, unsigned fault_topic)
{
    const struct trial_request *request = trial->request;
    struct supervisor_request supervisor = {
        .target = request->target,
        .scenario = request->scenario,
        .interposed = &trial->wiring.interposed,
        .seed = request->seed,
        .coordinator = trial->coordinator,
        .history = trial->history,
        .topic = process_topic,
        .breach = &trial->shared->breach,
        .probes_off = request->observer.probes_off,
        .mode = request->mode,
        .ended = process_ended,
        .heard = trial->taps == NULL ? NULL : listen_printed,
        .context = trial,
    };
    enum status status = supervisor_create(&supervisor, &trial->supervisor);
    if (status != STATUS_OK)
        return status;
    struct strikes_request strikes = {
        .scenario = request->scenario,
        .target = request->target,
        .supervisor = trial->supervisor,
        .coordinator = trial->coordinator,
        .history = trial->history,
        .watch = trial->watch,
        .topic = fault_topic,
        .seed = request->seed,
        .scratch = trial->scratch,
        .record = listen_meanwhile,
        .meanwhile = request->mode == CLK_WALL ? listen_meanwhile : NULL,
        .context = trial,
    };
    return strikes_create(&strikes, &trial->strikes);
}

// Whether a process of the target has ended by itself: the simulated robot is the lab's.
static bool daemon_ended(const struct supervisor *supervisor)
{
    for (unsigned i = 0; i < supervisor_count(supervisor); i++)
        if (!supervisor_config(supervisor, i)->follower &&
            !supervisor_config(supervisor, i)->interposes &&
            supervisor_state(supervisor, i) == PROCESS_STATE_ENDED)
            return true;
    return false;
}

// In real time a machine that is too slow lets a fault strike while the target still starts.
static void tell_slow_machine(struct trial *trial)
{
    char why[sizeof trial->reason];
    text_copy(why, sizeof why, trial->reason);
    snprintf(trial->reason, sizeof trial->reason,
             "this machine was too slow, a fault struck before all were ready; let less run beside "
             "it in real time: %.130s",
             why);
}

enum status trial_start_processes(struct trial *trial)
{
    const enum status status =
        supervisor_start(trial->supervisor, trial->reason, sizeof trial->reason);
    // In virtual time nothing but the target decides how long that takes.
    const bool virtual = trial->request->mode == CLK_VIRTUAL;
    const bool struck = !virtual && supervisor_struck_early(trial->supervisor);
    if ((status == STATUS_DEAD && daemon_ended(trial->supervisor) && !struck) ||
        (status == STATUS_TIMEOUT && supervisor_awaits(trial->supervisor) && virtual))
        trial_find(&trial->shared->result, FINDING_REFUSAL);
    if (status != STATUS_OK && struck)
        tell_slow_machine(trial);
    if (status == STATUS_OK && supervisor_has_started(trial->supervisor))
        trial->reason[0] = '\0';
    return status;
}

static enum status check_bare(struct trial *trial)
{
    const struct target *target = trial->request->target;
    if (!cell_is_bare())
        return STATUS_OK;
    const enum status status =
        bare_needs_met(target, trial->request->scenario, trial->reason, sizeof trial->reason);
    return status == STATUS_OK ? bare_take_ports(target, trial->reason, sizeof trial->reason)
                               : status;
}

enum status trial_set_up(struct trial *trial)
{
    unsigned process_topic, fault_topic;
    enum status status = check_bare(trial);
    if (status != STATUS_OK)
        return status;
    status = clk_coordinator_create(cell_folder(), trial->request->mode, &trial->coordinator);
    if (status != STATUS_OK)
        return trial_fail(trial, status, "clock: %s", status_text(status));
    clk_coordinator_grant_limit(trial->coordinator,
                                duration_s(trial->request->attach != NULL
                                               ? ATTACH_PATIENCE_S
                                               : trial->request->target->limits.turn_s));
    const struct wiring_request wiring = {.target = trial->request->target,
                                          .scenario = trial->request->scenario,
                                          .coordinator = trial->coordinator,
                                          .mode = trial->request->mode,
                                          .can = trial->request->can,
                                          .ethernet = trial->request->ethernet,
                                          .bitrate_bit_s =
                                              trial->request->scenario->bus_bitrate_bit_s};
    status = shims_check(trial->request->target, trial->request->scenario, trial->request->mode,
                         trial->reason, sizeof trial->reason);
    if (status != STATUS_OK)
        return status;
    status = wiring_create(&wiring, &trial->wiring, trial->reason, sizeof trial->reason);
    trial->shared->result.socketcan = trial->wiring.through_kernel;
    trial->shared->result.veth = trial->wiring.by_veth;
    if (status != STATUS_OK)
        return status;
    status = create_topics(trial, &process_topic, &fault_topic);
    if (status == STATUS_OK)
        status = record_variation(trial);
    if (status == STATUS_OK)
        status = create_watchers(trial);
    if (status == STATUS_OK)
        status = create_actors(trial, process_topic, fault_topic);
    if (status == STATUS_OK)
        recorder_go_by(trial->recorder, error_of, trial);
    if (status != STATUS_OK && trial->reason[0] != '\0')
        return status;
    if (status != STATUS_OK)
        return trial_fail(trial, status, "setting up the cell: %s", status_text(status));
    listen_begin(trial);
    status = trial_start_processes(trial);
    if (status != STATUS_OK)
        return status;
    if (trial->request->mode == CLK_WALL && trial->request->observer.computing != NULL)
        computing_begin(trial->request->observer.computing, monotonic_ns());
    clk_coordinator_start(trial->coordinator);
    if (trial->request->mode == CLK_WALL) // to a microsecond or so
        trial->shared->result.epoch_ns =
            monotonic_ns() - clk_coordinator_now(trial->coordinator).ns;
    return STATUS_OK;
}

void trial_tear_down(struct trial *trial)
{
    struct trial_result *result = &trial->shared->result;
    if (trial->coordinator != NULL) {
        result->simulated_s = instant_to_s(clk_coordinator_now(trial->coordinator));
        result->grants = clk_coordinator_grants(trial->coordinator);
    }
    strikes_free(trial->strikes);
    supervisor_destroy(trial->supervisor);
    recorder_free(trial->recorder);
    taps_free(trial->taps);
    watch_free(trial->watch);
    wiring_close(&trial->wiring);
    clk_coordinator_destroy(trial->coordinator);
}
