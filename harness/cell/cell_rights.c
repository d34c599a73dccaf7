#include "harness/cell/cell_rights.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/fsuid.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// No user has capabilities for being root, and none loses them by a change of user.
#define NO_ROOT                                                                                    \
    (issecure_mask(SECURE_NOROOT) | issecure_mask(SECURE_NOROOT_LOCKED) |                          \
     issecure_mask(SECURE_NO_SETUID_FIXUP) | issecure_mask(SECURE_NO_SETUID_FIXUP_LOCKED))
#define BIT(capability) (UINT64_C(1) << (capability))
#define FILTER_MAX 4096 // instructions; the kernel's own limit (BPF_MAXINSNS)
#define FAMILY_MAX 64   // of sockets; more than there are

// Real-time priority and locked memory, where limits of the process cannot give them.
#define REAL_TIME (BIT(CAP_SYS_NICE) | BIT(CAP_IPC_LOCK))
// Of fault programs: on processes of another user, on the cell's interfaces, on files of channels.
#define MEDDLING                                                                                   \
    (BIT(CAP_KILL) | BIT(CAP_SYS_NICE) | BIT(CAP_SYS_PTRACE) | BIT(CAP_NET_ADMIN) |                \
     BIT(CAP_NET_RAW) | BIT(CAP_DAC_OVERRIDE))
// Of the init: those it hands on, and what changes users, its children's and of files.
#define SUPERVISION                                                                                \
    (MEDDLING | REAL_TIME | BIT(CAP_SETUID) | BIT(CAP_SETGID) | BIT(CAP_SETPCAP) | BIT(CAP_CHOWN))

static struct {
    struct cell_rights rights;
    struct sock_fprog filter[CELL_ROLE_COUNT];
    bool interfaces; // are open to programs
} own;               // of this cell's init; all zero elsewhere

// ---- capabilities ------------------------------------------------------------------------------

static bool set_capabilities(uint64_t mask, uint64_t inheritable)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2];
    for (unsigned i = 0; i < 2; i++)
        data[i] =
            (struct __user_cap_data_struct){.effective = (uint32_t)(mask >> (32 * i)),
                                            .permitted = (uint32_t)(mask >> (32 * i)),
                                            .inheritable = (uint32_t)(inheritable >> (32 * i))};
    return syscall(SYS_capset, &header, data) == 0;
}

static uint64_t permitted(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2] = {0};
    if (syscall(SYS_capget, &header, data) != 0)
        return 0;
    return data[0].permitted | (uint64_t)data[1].permitted << 32;
}

// What is not in the mask cannot come back, whatever is executed.
static bool bound_capabilities(uint64_t mask)
{
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability) >= 0; capability++)
        if ((mask & BIT(capability)) == 0 && prctl(PR_CAPBSET_DROP, capability) != 0)
            return false;
    return true;
}

static bool raise_ambient(uint64_t mask)
{
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability) >= 0; capability++)
        if ((mask & BIT(capability)) != 0 &&
            prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0, 0) != 0)
            return false;
    return true;
}

static bool change_user(uid_t user)
{
    if (!own.rights.users_differ) // nor may it name its groups
        return true;
    return setgroups(0, NULL) == 0 && setresgid(user, user, user) == 0 &&
           setresuid(user, user, user) == 0;
}

// ---- system calls ------------------------------------------------------------------------------

// Refused to all: they reach other processes, other namespaces, the machine, or parts of the kernel
// that no controller needs. Without capabilities the kernel refuses most of them anyway.
static const int refused[] = {
    // file systems and namespaces
    SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(pivot_root), SCMP_SYS(chroot), SCMP_SYS(open_tree),
    SCMP_SYS(move_mount), SCMP_SYS(fsopen), SCMP_SYS(fsconfig), SCMP_SYS(fsmount), SCMP_SYS(fspick),
    SCMP_SYS(mount_setattr), SCMP_SYS(unshare), SCMP_SYS(setns), SCMP_SYS(quotactl),
    SCMP_SYS(quotactl_fd), SCMP_SYS(open_by_handle_at), SCMP_SYS(name_to_handle_at),
    SCMP_SYS(fanotify_init), SCMP_SYS(swapon), SCMP_SYS(swapoff), SCMP_SYS(acct),
    // other processes
    SCMP_SYS(pidfd_getfd), SCMP_SYS(kcmp), SCMP_SYS(process_madvise), SCMP_SYS(process_mrelease),
    SCMP_SYS(move_pages), SCMP_SYS(migrate_pages),
    // the machine
    SCMP_SYS(settimeofday), SCMP_SYS(clock_settime), SCMP_SYS(adjtimex), SCMP_SYS(clock_adjtime),
    SCMP_SYS(sethostname), SCMP_SYS(setdomainname), SCMP_SYS(reboot), SCMP_SYS(kexec_load),
    SCMP_SYS(kexec_file_load), SCMP_SYS(init_module), SCMP_SYS(finit_module),
    SCMP_SYS(delete_module), SCMP_SYS(syslog), SCMP_SYS(iopl), SCMP_SYS(ioperm),
    SCMP_SYS(modify_ldt), SCMP_SYS(vhangup), SCMP_SYS(add_key), SCMP_SYS(request_key),
    SCMP_SYS(keyctl), SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(lookup_dcookie)};

// The same to programs of the target and the simulated robot; a page-fault storm needs them.
static const int refused_untrusted[] = {SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv),
                                        SCMP_SYS(process_vm_writev)};

// Not there, as on an older kernel: programs have another way. Memory that no process has mapped
// could not be counted (memfd_create: descriptors in flight; io_uring: buffers).
static const int absent[] = {SCMP_SYS(clone3),           SCMP_SYS(memfd_create),
                             SCMP_SYS(memfd_secret),     SCMP_SYS(userfaultfd),
                             SCMP_SYS(io_uring_setup),   SCMP_SYS(io_uring_enter),
                             SCMP_SYS(io_uring_register)};

// The same where their number has no limit.
static const int absent_semaphores[] = {SCMP_SYS(semget)};
static const int absent_queues[] = {SCMP_SYS(msgget)};

// The same in a bare cell, beyond which they would last.
static const int absent_bare[] = {SCMP_SYS(shmget)};

// A sanitizer looks for leaks by tracing.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TRACED true
#else
#define TRACED false
#endif

static const int namespaces[] = {CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWPID,   CLONE_NEWNET,
                                 CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP};

// Of sockets: what stays within the cell. (AF_VSOCK, for one, would reach the machine's host.)
static bool is_family_allowed(int family)
{
    return family == AF_UNIX || family == AF_INET || family == AF_INET6 || family == AF_NETLINK ||
           family == AF_CAN || family == AF_PACKET;
}

static int refuse_all(scmp_filter_ctx filter, const int *calls, size_t count, int error)
{
    int result = 0;
    for (size_t i = 0; i < count && result == 0; i++)
        result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(error), calls[i], 0);
    return result;
}

#define REFUSE(filter, call, argument)                                                             \
    seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(call), 1, argument)
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static int refuse_by_argument(scmp_filter_ctx filter)
{
    const unsigned init = (unsigned)getpid();
    int result = 0;
    for (size_t i = 0; i < COUNT(namespaces) && result == 0; i++)
        result = REFUSE(
            filter, clone,
            SCMP_A0(SCMP_CMP_MASKED_EQ, (scmp_datum_t)namespaces[i], (scmp_datum_t)namespaces[i]));
    for (int family = 0; family < FAMILY_MAX && result == 0; family++)
        if (!is_family_allowed(family))
            result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EAFNOSUPPORT), SCMP_SYS(socket), 1,
                                      SCMP_A0_32(SCMP_CMP_EQ, (uint32_t)family));
    // What waits in a socket is counted by nobody: it stays at the default, some 0.2 MB each.
    result |=
        seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(setsockopt), 2,
                         SCMP_A1_32(SCMP_CMP_EQ, SOL_SOCKET), SCMP_A2_32(SCMP_CMP_EQ, SO_SNDBUF));
    // Keystrokes into a terminal.
    result |= REFUSE(filter, ioctl, SCMP_A1_32(SCMP_CMP_EQ, TIOCSTI));
    result |= REFUSE(filter, ioctl, SCMP_A1_32(SCMP_CMP_EQ, TIOCLINUX));
    // The init, which is of the same user where the lab's is no root.
    result |= REFUSE(filter, sched_setscheduler, SCMP_A0_32(SCMP_CMP_EQ, init));
    result |= REFUSE(filter, sched_setparam, SCMP_A0_32(SCMP_CMP_EQ, init));
    result |= REFUSE(filter, sched_setattr, SCMP_A0_32(SCMP_CMP_EQ, init));
    result |= REFUSE(filter, sched_setaffinity, SCMP_A0_32(SCMP_CMP_EQ, init));
    result |= REFUSE(filter, setpriority, SCMP_A0_32(SCMP_CMP_NE, PRIO_PROCESS));
    result |= REFUSE(filter, setpriority, SCMP_A1_32(SCMP_CMP_EQ, init));
    result |= REFUSE(filter, ioprio_set, SCMP_A0_32(SCMP_CMP_NE, 1)); // IOPRIO_WHO_PROCESS
    result |= REFUSE(filter, ioprio_set, SCMP_A1_32(SCMP_CMP_EQ, init));
    result |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prlimit64), 2,
                               SCMP_A0_32(SCMP_CMP_NE, 0), SCMP_A2_64(SCMP_CMP_NE, 0));
    return result;
}

// The rules as the kernel takes them, in memory of their own. The library writes to files only.
static bool compile(scmp_filter_ctx filter, struct sock_fprog *program)
{
    int file = memfd_create("filter", MFD_CLOEXEC);
    if (file < 0)
        return false;
    const int result = seccomp_export_bpf(filter, file);
    const off_t size_B = lseek(file, 0, SEEK_END);
    const size_t count = (size_t)size_B / sizeof(struct sock_filter);
    void *code = MAP_FAILED;
    if (result == 0 && count > 0 && count <= FILTER_MAX)
        code = mmap(NULL, (size_t)size_B, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (code == MAP_FAILED) {
        errno = result < 0 ? -result : EINVAL;
        return false;
    }
    *program = (struct sock_fprog){.len = (unsigned short)count, .filter = code};
    return true;
}

static bool prepare_filter(enum cell_role role, struct sock_fprog *program)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (filter == NULL) {
        errno = ENOMEM;
        return false;
    }
    int result = refuse_all(filter, refused, COUNT(refused), EPERM);
    result |= refuse_all(filter, absent, COUNT(absent), ENOSYS);
    if (!own.rights.semaphores)
        result |= refuse_all(filter, absent_semaphores, COUNT(absent_semaphores), ENOSYS);
    if (!own.rights.queues)
        result |= refuse_all(filter, absent_queues, COUNT(absent_queues), ENOSYS);
    if (own.rights.bare)
        result |= refuse_all(filter, absent_bare, COUNT(absent_bare), ENOSYS) |
                  REFUSE(filter, kill, SCMP_A0_32(SCMP_CMP_EQ, (uint32_t)-1)); // everybody
    if (role != CELL_FAULT && !TRACED)
        result |= refuse_all(filter, refused_untrusted, COUNT(refused_untrusted), EPERM);
    result |= refuse_by_argument(filter);
    const bool done = result == 0 && compile(filter, program);
    seccomp_release(filter);
    return done;
}

// ---- who takes what ----------------------------------------------------------------------------

// A kernel or a container without filters is no reason to run nothing: end->filtered tells of it.
static bool begin_bare(void)
{
    for (enum cell_role role = 0; role < CELL_ROLE_COUNT; role++)
        if (prctl(PR_GET_SECCOMP) < 0 || !prepare_filter(role, &own.filter[role]))
            own.filter[role] = (struct sock_fprog){0};
    const uint64_t mask = SUPERVISION & ~BIT(CAP_NET_ADMIN) & permitted();
    return set_capabilities(mask, mask) && prctl(PR_SET_DUMPABLE, 0) == 0;
}

bool cell_rights_filtered(void)
{
    return own.filter[CELL_PROGRAM].len > 0;
}

bool cell_rights_begin(const struct cell_rights *rights)
{
    own.rights = *rights;
    if (!rights->wall)
        return true;
    if (rights->bare)
        return begin_bare();
    // Programs could not be started later: a kernel without filters is no fault of theirs.
    if (prctl(PR_GET_SECCOMP) < 0 || !prepare_filter(CELL_PROGRAM, &own.filter[CELL_PROGRAM]) ||
        !prepare_filter(CELL_FAULT, &own.filter[CELL_FAULT]))
        return false;
    own.filter[CELL_BENCH] = own.filter[CELL_PROGRAM];
    const uint64_t mask = SUPERVISION & permitted();
    if (!bound_capabilities(mask) || prctl(PR_SET_SECUREBITS, NO_ROOT) != 0 ||
        !change_user(rights->init) || !set_capabilities(mask, mask))
        return false;
    if (rights->users_differ) { // what it makes in the cell's folders belongs to the programs
        (void)setfsgid(rights->program);
        (void)setfsuid(rights->program);
    }
    // Neither memory nor descriptors nor environment are for those it watches.
    return prctl(PR_SET_DUMPABLE, 0) == 0;
}

// The caller keeps its user: a change would end the wish to die with the keeper.
bool cell_rights_keep_file(const char *path)
{
    return !own.rights.users_differ ||
           (chmod(path, 0644) == 0 && chown(path, own.rights.init, own.rights.init) == 0);
}

void cell_rights_open_interfaces(void)
{
    own.interfaces = true;
}

static uint64_t mask_of(enum cell_role role)
{
    const uint64_t real_time = own.rights.nice ? REAL_TIME : 0;
    if (role == CELL_FAULT)
        return (MEDDLING | real_time) & permitted();
    uint64_t interfaces = own.interfaces ? BIT(CAP_NET_RAW) : 0;
    if (own.interfaces && role == CELL_BENCH)
        interfaces |= BIT(CAP_NET_ADMIN);
    // The files of channels and buses are the programs'.
    const uint64_t files =
        role == CELL_BENCH && own.rights.users_differ ? BIT(CAP_DAC_OVERRIDE) : 0;
    return (files | interfaces | real_time) & permitted();
}

static bool take_bare(enum cell_role role)
{
    const uint64_t mask = mask_of(role);
    return set_capabilities(mask, mask) && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           (own.filter[role].len == 0 ||
            prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &own.filter[role]) == 0);
}

bool cell_rights_take(enum cell_role role)
{
    if (!own.rights.wall)
        return true;
    if (own.rights.bare)
        return take_bare(role);
    const uint64_t mask = mask_of(role);
    return bound_capabilities(mask) &&
           change_user(role == CELL_PROGRAM ? own.rights.program : own.rights.init) &&
           set_capabilities(mask, mask) && raise_ambient(mask) &&
           prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &own.filter[role]) == 0;
}
