#include "harness/bench/ethernet/rig.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "clock/coordinator.h"

#define NOT_POSSIBLE 3
#define AWAIT_US 1000
#define AWAITS_MAX 3000
#define RIG_MEMBERS_MAX 4
#define PATIENCE_NS 10000000000

struct rig *rig_new(void)
{
    struct rig *rig =
        mmap(NULL, sizeof *rig, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (rig == MAP_FAILED)
        return NULL;
    for (unsigned i = 0; i < RIG_PARTS; i++)
        histogram_reset(&rig->part[i]);
    return rig;
}

void rig_free(struct rig *rig)
{
    if (rig != NULL)
        munmap(rig, sizeof *rig);
}

// ---- its world ----------------------------------------------------------------------------------

static bool give_up(struct rig *rig, const char *what, int error)
{
    snprintf(rig->trouble, sizeof rig->trouble, "%s: %s", what, strerror(error));
    return false;
}

static bool build(struct rig *rig)
{
    if (rig->is_virtual)
        return eth_network_create(rig->cell, &rig->plan, false) == STATUS_OK ||
               give_up(rig, rig->cell, errno);
    if (unshare(CLONE_NEWNET) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0)
        return give_up(rig, "network namespaces are refused", errno);
    rig->plan.medium = ETH_VETH;
    const int error = eth_veth_create(&rig->plan);
    if (error != 0)
        return give_up(rig, "the kernel makes no veth cables with relays", error);
    if (rig->cell[0] != '\0' && eth_network_create(rig->cell, &rig->plan, true) != STATUS_OK)
        return give_up(rig, rig->cell, errno);
    return true;
}

static void live(struct rig *rig, void (*measure)(struct rig *rig, struct clk *clk), pid_t lab)
{
    struct clk *clk = NULL;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != lab || !build(rig))
        _exit(NOT_POSSIBLE);
    unsetenv("UKEMI_CELL"); // a clock by itself, one for all
    if (!rig->is_virtual && clk_join(&clk) != STATUS_OK)
        _exit(NOT_POSSIBLE);
    EtherRTClock(clk);
    if (rig->cell[0] != '\0')
        setenv("UKEMI_CELL", rig->cell, 1);
    measure(rig, clk);
    atomic_store(&rig->over, 1);
    while (wait(NULL) > 0)
        ;
    _exit(0);
}

static void remove_cell(const struct rig *rig)
{
    char path[256];
    if (rig->cell[0] == '\0')
        return;
    snprintf(path, sizeof path, "%s/networks/%s", rig->cell, rig->plan.name);
    (void)unlink(path);
    snprintf(path, sizeof path, "%s/networks", rig->cell);
    (void)rmdir(path);
    snprintf(path, sizeof path, "%s/clock", rig->cell);
    (void)unlink(path);
    (void)rmdir(rig->cell);
}

enum status rig_run(struct rig *rig, void (*measure)(struct rig *rig, struct clk *clk))
{
    char folder[] = "/dev/shm/ukemi-bench-XXXXXX";
    int how = 0;
    if (rig->cell != NULL && mkdtemp(folder) == NULL)
        return STATUS_SYSTEM;
    rig->cell = rig->cell != NULL ? folder : "";
    const pid_t lab = getpid(), pid = fork();
    if (pid == 0)
        live(rig, measure, lab);
    while (pid > 0 && waitpid(pid, &how, 0) < 0 && errno == EINTR)
        ;
    remove_cell(rig);
    if (pid < 0)
        return STATUS_SYSTEM;
    if (WIFEXITED(how) && WEXITSTATUS(how) == NOT_POSSIBLE)
        return STATUS_UNSUPPORTED;
    if (!WIFEXITED(how) || WEXITSTATUS(how) != 0)
        text_copy(rig->trouble, sizeof rig->trouble, "a process of the benchmark died");
    return STATUS_OK;
}

// ---- its processes ------------------------------------------------------------------------------

bool rig_start(struct rig *rig, struct clk *clk, int priority,
               void (*run)(struct rig *rig, struct clk *clk))
{
    const pid_t parent = getpid(), pid = fork();
    if (pid < 0)
        return give_up(rig, "no process", errno);
    if (pid > 0)
        return true;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(NOT_POSSIBLE);
    if (priority > 0 && clk_realtime(priority) != STATUS_OK)
        errno = 0; // the kernel refuses: an ordinary process measures as well as it can
    run(rig, clk);
    _exit(0);
}

// The process of a member: it joins, and does what it does.
static _Noreturn void take_part(struct rig *rig, const struct rig_member *member, pid_t parent)
{
    struct clk *clk;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || setenv("UKEMI_PARTICIPANT", member->name, 1) != 0 ||
        clk_join(&clk) != STATUS_OK)
        _exit(NOT_POSSIBLE);
    EtherRTClock(clk);
    member->run(rig, clk);
    _exit(0);
}

static bool play(struct rig *rig, const struct rig_member *member, unsigned count, pid_t *pid)
{
    struct clk_coordinator *coordinator;
    const pid_t parent = getpid();
    unsigned number[RIG_MEMBERS_MAX];
    bool ok = clk_coordinator_create(rig->cell, CLK_VIRTUAL, &coordinator) == STATUS_OK;
    for (unsigned i = 0; ok && i < count; i++)
        ok = clk_coordinator_add(coordinator, member[i].name, 0, i == 0, &number[i]) == STATUS_OK;
    ok = ok && eth_network_register(rig->cell, rig->plan.name, coordinator) == STATUS_OK;
    for (unsigned i = 0; ok && i < count; i++) {
        pid[i] = fork();
        if (pid[i] == 0)
            take_part(rig, &member[i], parent);
        ok = pid[i] > 0 &&
             clk_coordinator_await(coordinator, number[i], duration_ns(PATIENCE_NS)) == STATUS_OK;
    }
    const instant end = instant_add(instant_ns(0), duration_s(rig->duration_s));
    return ok && clk_coordinator_run_until(coordinator, end, NULL) == STATUS_OK;
}

bool rig_play(struct rig *rig, const struct rig_member *member, unsigned count)
{
    pid_t pid[RIG_MEMBERS_MAX] = {0};
    const bool ok = count <= RIG_MEMBERS_MAX && play(rig, member, count, pid);
    for (unsigned i = 0; i < count && i < RIG_MEMBERS_MAX; i++)
        if (pid[i] > 0)
            (void)kill(pid[i], SIGKILL);
    return ok || give_up(rig, "on the virtual clock", EPROTO);
}

void rig_pin(int number)
{
    cpu_set_t allowed, one;
    CPU_ZERO(&one);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return;
    for (int core = 0; core < CPU_SETSIZE; core++)
        if (CPU_ISSET(core, &allowed) && number-- == 0) {
            CPU_SET(core, &one);
            (void)sched_setaffinity(0, sizeof one, &one); // else it is where it is
        }
}

void rig_await(struct rig *rig, int ready)
{
    for (unsigned i = 0; i < AWAITS_MAX && atomic_load(&rig->ready) < ready; i++)
        usleep(AWAIT_US);
}

EtherRTSock *rig_bind(struct rig *rig, const char *name)
{
    EtherRTSock *sock = EtherRTSocket(SOCK_DGRAM, ETH_P_RT);
    if (sock != NULL && EtherRTBind(sock, name) == 0)
        return sock;
    (void)give_up(rig, name, errno);
    return NULL;
}
