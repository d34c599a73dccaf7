#include "harness/trial/trial_limit.h"

#include "harness/trial/outcome.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "harness/cell/cell_inside.h"
#include "harness/files/scenario.h"

#define SCHEMA_LIMIT "limit_event"

static struct breach *of_files;

// The access that failed was a plain load or store of ours, so nothing is half done in the library.
static void file_is_cut_off(int number, siginfo_t *information, void *context)
{
    (void)context;
    if (information->si_code != BUS_ADRERR) {
        (void)signal(number, SIG_DFL);
        return; // to the same access
    }
    if (!cell_room_ended(of_files)) // what was never written there needs room when it is touched
        breach_report(of_files, LIMIT_SHARED_FILES, "somebody", 0, 0, 1, 0);
    _exit(EXIT_FAILURE);
}

void trial_limit_watch_files(struct breach *breach)
{
    const struct sigaction action = {.sa_sigaction = file_is_cut_off, .sa_flags = SA_SIGINFO};
    of_files = breach;
    (void)sigaction(SIGBUS, &action, NULL);
}

// The newest process of the target, its operator or its bench that was started under this number.
static const struct process_event *find_started(const struct history *history, int pid)
{
    const int topic = history_topic(history, TOPIC_PROCESS);
    for (size_t i = history_length(history); pid != 0 && i > 0; i--) {
        const struct event *event = history_event(history, i - 1);
        const struct process_event *process = event->data;
        if (event->topic == topic && process->kind == PROCESS_STARTED && process->pid == pid)
            return process;
    }
    return NULL;
}

static bool is_loaded(const struct scenario *scenario)
{
    for (unsigned i = 0; i < scenario->fault_count; i++)
        if (scenario->fault[i].loads != LOADS_NOTHING)
            return true;
    return false;
}

static bool is_world(const struct target *target, const struct process_event *process)
{
    return process != NULL && strcmp(process->process, target->world) == 0;
}

// The simulated world takes what it takes: where others have taken most of what is used, they are
// to blame, even if none of them has taken as much as it.
static bool is_of_many(const struct breach *breach, const struct target *target,
                       const struct process_event *process)
{
    return atomic_load(&breach->limit) != LIMIT_RUNNING_TIME && is_world(target, process) &&
           breach->share <= 0.5;
}

// Who cuts files off or writes over pages nobody sees; nor who sends to a tap. The simulated world
// and faults do not. A process that is gone, or has left its group, is the target's: all others are
// known, but for those of a fault that loads the machine. Where a trial takes too long, the lab or
// the machine may be slow, unless one process has computed for most of it.
static bool of_the_target(const struct breach *breach, const struct target *target,
                          const struct scenario *scenario, const struct process_event *process)
{
    const int limit = atomic_load(&breach->limit);
    if (limit == LIMIT_SHARED_FILES || limit == LIMIT_SHARED_PAGES)
        return true;
    if (limit == LIMIT_OUTPUT && breach->pid == 0) // a tap
        return true;
    if (limit == LIMIT_RUNNING_TIME && breach->share <= 0.5)
        return false;
    if (is_of_many(breach, target, process))
        return !is_loaded(scenario);
    return process != NULL ? !is_world(target, process) : !is_loaded(scenario);
}

static struct limit_event event_of(const struct breach *breach, const struct process_event *process,
                                   bool many, instant time)
{
    const enum limit limit = (enum limit)atomic_load(&breach->limit);
    struct limit_event event = {.time = time,
                                .limit = limit,
                                .pid = breach->pid,
                                .used = breach->used,
                                .allowed = breach->allowed};
    text_copy(event.process, sizeof event.process,
              many              ? "several together"
              : process != NULL ? process->process
                                : breach->process);
    text_copy(event.component, sizeof event.component,
              process != NULL && !many ? process->component : "");
    char pid[24] = "";
    if (breach->pid != 0 && !many)
        snprintf(pid, sizeof pid, " (pid %d)", breach->pid);
    snprintf(event.words, sizeof event.words, "%s: %s%s: %.4g %s, at most %.4g", limit_name(limit),
             event.process, pid, breach->used, limit_unit(limit), breach->allowed);
    return event;
}

// What of System V was asked for by this call, of which nothing is in a bare cell; NULL: it is
// none.
static const char *system_v_of(const char *call)
{
    static const struct {
        const char *call, *makes;
    } calls[] = {
        {"shmget", "shared memory"}, {"semget", "semaphores"}, {"msgget", "message queues"}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strncmp(call, calls[i].call, strlen(calls[i].call)) == 0)
            return calls[i].makes;
    return NULL;
}

static void tell_of_room(const struct breach *breach, struct trial_result *result)
{
    static const char remedy[] =
        "give it room (docker run --shm-size=256m), remove what others left there, or name another "
        "folder in XDG_RUNTIME_DIR";
    const char *const system_v = system_v_of(breach->process);
    trial_find(result, FINDING_MACHINE_FAILURE);
    if (breach->allowed > 0)
        snprintf(result->reason, sizeof result->reason,
                 "the machine has no room: %s is full, with %.4g of %.4g MB: %s", breach->process,
                 breach->used, breach->allowed, remedy);
    else if (system_v != NULL)
        snprintf(result->reason, sizeof result->reason,
                 "a bare cell has no System V %s for programs: %s: allow namespaces "
                 "(`ukemi doctor` says how)",
                 system_v, breach->process);
    else
        snprintf(
            result->reason, sizeof result->reason,
            "the machine has no shared memory for programs: %s: make /dev/shm one that all may "
            "write, with room (docker run --shm-size=256m)",
            breach->process);
}

enum status trial_limit_exceeded(const struct breach *breach, const struct target *target,
                                 const struct scenario *scenario, struct history *history,
                                 struct trial_result *result)
{
    if (atomic_load(&breach->limit) == LIMIT_ROOM) {
        tell_of_room(breach, result);
        return STATUS_OK;
    }
    enum status status = history_refresh(history);
    if (status != STATUS_OK)
        return status;
    const size_t length = history_length(history);
    const instant end = length == 0 ? instant_ns(0) : history_event(history, length - 1)->time;
    const struct process_event *process = find_started(history, breach->group);
    const bool many = is_of_many(breach, target, process);
    const struct limit_event event = event_of(breach, process, many, end);
    result->simulated_s = instant_to_s(end);
    trial_find(result, FINDING_BROKEN_OFF);
    snprintf(result->reason, sizeof result->reason, "limit of the cell exceeded: %s", event.words);
    if (!of_the_target(breach, target, scenario, process))
        return STATUS_OK;
    unsigned topic;
    status = history_add_topic(history, TOPIC_LIMIT, SCHEMA_LIMIT, &topic);
    if (status == STATUS_OK)
        status = history_append(history, topic, 0, end, &event, sizeof event);
    if (status == STATUS_OK)
        trial_find(result, FINDING_JUDGEABLE);
    return status;
}
