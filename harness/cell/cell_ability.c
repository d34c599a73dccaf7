// What cells can do here, found by building one.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/cell/cell_private.h"

struct finding { // by the init of the probing cell, in shared memory
    struct breach breach;
    unsigned numbers_max; // of processes; 0: the machine's own
};

static int find(void *context)
{
    struct finding *finding = context;
    const unsigned numbers_max = cell_process_numbers();
    finding->numbers_max = numbers_max < CELL_NUMBERS_FREE ? numbers_max : 0;
    return 0;
}

// NOLINTNEXTLINE(readability-non-const-parameter): of a kind of function that tells why
static bool trust(const struct cell_request *request, char *why, size_t size)
{
    (void)request;
    (void)why;
    (void)size;
    return true; // nobody's program is run
}

bool cell_ability(bool real_time, struct cell_ability *ability)
{
    *ability = (struct cell_ability){0};
    struct finding *finding =
        mmap(NULL, sizeof *finding, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (finding == MAP_FAILED) {
        snprintf(ability->why, sizeof ability->why, "%s", strerror(errno));
        return false;
    }
    struct cell_end end;
    struct cell_request request = {.build_folder = "/",
                                   .target_folder = "/",
                                   .core = -1,
                                   .scratch = -1,
                                   .real_time = real_time,
                                   .bare = trust,
                                   .limits = limits_default,
                                   .breach = &finding->breach};
    request.limits.wall_s = limits_wall_s(&request.limits, 0, real_time);
    ability->possible = cell_run(&request, find, finding, &end) == STATUS_OK;
    const unsigned numbers_max = finding->numbers_max;
    munmap(finding, sizeof *finding);
    snprintf(ability->why, sizeof ability->why, "%s", end.reason);
    ability->bare = end.bare;
    cell_lacks(&end, ability->lacks, sizeof ability->lacks);
    if (end.bare)
        snprintf(ability->processes_by, sizeof ability->processes_by, "the lab's looks alone");
    if (end.bare)
        return false;
    const bool user_namespace = !real_time || geteuid() != 0;
    if (user_namespace)
        snprintf(ability->processes_by, sizeof ability->processes_by,
                 "RLIMIT_NPROC in a user namespace%s",
                 numbers_max != 0 ? ", and pid_max of the PID namespace" : "");
    else
        snprintf(ability->processes_by, sizeof ability->processes_by, "%s",
                 numbers_max != 0 ? "pid_max of the PID namespace"
                                  : "the lab's looks alone (Linux before 6.14)");
    return ability->possible && (user_namespace || numbers_max != 0);
}
