#include "harness/trial/computing.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "clock/futex.h"
#include "harness/trial/supervise/supervisor.h"

#define QUANTILE 0.25
#define NS_PER_MS 1000000
#define US_PER_NS 1e-3

void computing_begin(struct computing *computing, int64_t now_ns)
{
    computing->from_ns = now_ns + (int64_t)COMPUTING_WARM_UP_MS * NS_PER_MS;
    computing->count = 0;
    for (unsigned i = 0; i < PROCESSES_MAX; i++) {
        computing->daemon[i].pid = 0;
        histogram_reset(&computing->daemon[i].ns_per_ms);
    }
}

void computing_take(struct computing *computing, struct computing_daemon *daemon, pid_t pid,
                    int64_t used_ns, int64_t now_ns)
{
    const int64_t elapsed_ns = now_ns - daemon->asked_ns;
    if (daemon->pid == pid && elapsed_ns > 0 && daemon->asked_ns >= computing->from_ns)
        histogram_record(&daemon->ns_per_ms, (used_ns - daemon->used_ns) * NS_PER_MS / elapsed_ns);
    daemon->pid = pid;
    daemon->used_ns = used_ns;
    daemon->asked_ns = now_ns;
}

// What the process has used so far; false: it is not there.
static bool used_by(pid_t pid, int64_t *used_ns)
{
    clockid_t clock;
    struct timespec used;
    if (pid <= 0 || clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return false;
    *used_ns = (int64_t)used.tv_sec * 1000 * NS_PER_MS + used.tv_nsec;
    return true;
}

void computing_look(struct computing *computing, const struct supervisor *supervisor)
{
    unsigned count = 0;
    for (unsigned i = 0; i < supervisor_count(supervisor); i++) {
        const struct process_config *config = supervisor_config(supervisor, i);
        if (config->interposes || strcmp(config->name, OPERATOR_NAME) == 0)
            continue;
        struct computing_daemon *daemon = &computing->daemon[count++];
        const pid_t pid = supervisor_pid(supervisor, i);
        int64_t used_ns;
        text_copy(daemon->name, sizeof daemon->name, config->name);
        daemon->robot = config->follower;
        if (supervisor_state(supervisor, i) == PROCESS_STATE_RUNNING && used_by(pid, &used_ns))
            computing_take(computing, daemon, pid, used_ns, monotonic_ns());
        else
            daemon->pid = 0;
    }
    computing->count = count;
}

double computing_us_per_ms(const struct computing_daemon *daemon)
{
    if (histogram_count(&daemon->ns_per_ms) < COMPUTING_LOOKS_MIN)
        return NAN;
    const int64_t ns_per_ms = histogram_quantile(&daemon->ns_per_ms, QUANTILE);
    return ns_per_ms > 0 ? US_PER_NS * (double)ns_per_ms : NAN;
}
