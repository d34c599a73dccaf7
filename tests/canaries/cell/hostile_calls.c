// System calls that nobody in a cell has a use for.
#include "tests/canaries/cell/hostile.h"

#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#define CALL(name, number, ...)                                                                    \
    static bool name(void)                                                                         \
    {                                                                                              \
        return passed(syscall(number, ##__VA_ARGS__));                                             \
    }

// ---- mounts: the cell's are neither taken off nor changed, nor are there others -----------------

CALL(remount, SYS_mount, NULL, "/", NULL, MS_REMOUNT | MS_BIND, NULL)
CALL(umount_tmp, SYS_umount2, "/tmp", MNT_DETACH)
CALL(umount_shm, SYS_umount2, "/dev/shm", MNT_DETACH)
CALL(umount_proc, SYS_umount2, "/proc", MNT_DETACH)
CALL(own_tmpfs, SYS_mount, "tmpfs", "/tmp", "tmpfs", 0, NULL)
CALL(blind_proc, SYS_mount, "tmpfs", "/proc", "tmpfs", 0, NULL)
CALL(bind_mount, SYS_mount, "/", "/tmp", NULL, MS_BIND | MS_REC, NULL)
CALL(mount_proc, SYS_mount, "proc", "/tmp", "proc", 0, NULL)
CALL(mount_sysfs, SYS_mount, "sysfs", "/tmp", "sysfs", 0, NULL)
CALL(mount_devpts, SYS_mount, "devpts", "/tmp", "devpts", 0, "newinstance")
CALL(mount_mqueue, SYS_mount, "mqueue", "/tmp", "mqueue", 0, NULL)
CALL(overlay, SYS_mount, "overlay", "/tmp", "overlay", 0, "lowerdir=/usr:/bin")
CALL(propagate, SYS_mount, NULL, "/", NULL, MS_REC | MS_SHARED, NULL)
CALL(clone_tree, SYS_open_tree, AT_FDCWD, "/", OPEN_TREE_CLONE)
CALL(new_fs, SYS_fsopen, "tmpfs", 0)
CALL(pick_fs, SYS_fspick, AT_FDCWD, "/", 0)
CALL(move_tree, SYS_move_mount, AT_FDCWD, "/proc", AT_FDCWD, "/tmp", 0)
CALL(pivot, SYS_pivot_root, "/tmp", "/tmp")
CALL(change_root, SYS_chroot, "/tmp")

static bool set_attributes(void)
{
    struct mount_attr writable = {.attr_clr = MOUNT_ATTR_RDONLY};
    return passed(
        syscall(SYS_mount_setattr, AT_FDCWD, "/", AT_RECURSIVE, &writable, sizeof writable));
}

// ---- namespaces ---------------------------------------------------------------------------------

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x80
#endif
CALL(new_user, SYS_unshare, CLONE_NEWUSER)
CALL(new_mount, SYS_unshare, CLONE_NEWNS)
CALL(new_pid, SYS_unshare, CLONE_NEWPID)
CALL(new_net, SYS_unshare, CLONE_NEWNET)
CALL(new_ipc, SYS_unshare, CLONE_NEWIPC)
CALL(new_uts, SYS_unshare, CLONE_NEWUTS)
CALL(new_cgroup, SYS_unshare, CLONE_NEWCGROUP)
CALL(new_time, SYS_unshare, CLONE_NEWTIME)

// A child in such a namespace ends at once.
static bool born(long pid)
{
    if (pid == 0)
        _exit(0);
    return passed(pid);
}

static bool clone_user(void)
{
    return born(syscall(SYS_clone, CLONE_NEWUSER | 17 /* SIGCHLD */, 0, 0, 0, 0));
}

static bool clone3_user(void)
{
    struct {
        uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls;
    } arguments = {.flags = CLONE_NEWUSER, .exit_signal = 17 /* SIGCHLD */};
    return born(syscall(SYS_clone3, &arguments, sizeof arguments));
}

// ---- the kernel's doors -------------------------------------------------------------------------

CALL(load_module, SYS_init_module, NULL, 0L, "")
CALL(load_module_file, SYS_finit_module, -1, "", 0)
CALL(unload_module, SYS_delete_module, "ukemi-none", O_NONBLOCK)
CALL(kexec, SYS_kexec_load, 0L, 0L, NULL, 0L)
CALL(reboot_keys, SYS_reboot, 0xfee1dead, 672274793, 0 /* Ctrl-Alt-Del off */, NULL)
CALL(swap_on, SYS_swapon, "/tmp", 0)
CALL(swap_off, SYS_swapoff, "/tmp")
CALL(quota, SYS_quotactl, 0x80000100U /* Q_SYNC, of users */, NULL, 0, NULL)
CALL(account, SYS_acct, NULL)
CALL(kernel_log, SYS_syslog, 10 /* its size */, NULL, 0)
CALL(port_level, SYS_iopl, 3)
CALL(port_rights, SYS_ioperm, 0x80L, 1L, 1)
CALL(hang_up, SYS_vhangup)
CALL(user_faults, SYS_userfaultfd, O_CLOEXEC)
CALL(secret_memory, SYS_memfd_secret, 0)
CALL(watch_files, SYS_fanotify_init, 0, O_RDONLY)
CALL(trace_me, SYS_ptrace, PTRACE_TRACEME, 0, NULL, NULL)
CALL(file_cookie, SYS_lookup_dcookie, 0ULL, NULL, 0L)

// What is there is set again, here and below.
static bool host_name(void)
{
    char name[65] = "";
    (void)gethostname(name, sizeof name - 1);
    return passed(syscall(SYS_sethostname, name, strlen(name)));
}

static bool domain_name(void)
{
    char name[65] = "";
    (void)getdomainname(name, sizeof name - 1);
    return passed(syscall(SYS_setdomainname, name, strlen(name)));
}

static bool set_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return passed(syscall(SYS_clock_settime, CLOCK_REALTIME, &now));
}

static bool set_time_of_day(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    long time_of_day[2] = {now.tv_sec, now.tv_nsec / 1000};
    return passed(syscall(SYS_settimeofday, time_of_day, NULL));
}

static bool tune_time(void)
{
    struct timex read = {0};
    (void)syscall(SYS_adjtimex, &read);
    read.modes = ADJ_FREQUENCY;
    return passed(syscall(SYS_adjtimex, &read));
}

static bool tune_clock(void)
{
    struct timex read = {0};
    (void)syscall(SYS_clock_adjtime, CLOCK_REALTIME, &read);
    read.modes = ADJ_FREQUENCY;
    return passed(syscall(SYS_clock_adjtime, CLOCK_REALTIME, &read));
}

static bool bpf_map(void)
{
    union bpf_attr map = {
        .map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 8, .max_entries = 1};
    return passed(syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof map));
}

static bool perf(void)
{
    struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE,
                                    .size = sizeof event,
                                    .config = PERF_COUNT_SW_TASK_CLOCK,
                                    .exclude_kernel = 1};
    return passed(syscall(SYS_perf_event_open, &event, 0, -1, -1, 0L));
}

static bool uring(void)
{
    char parameters[120] = {0};
    return passed(syscall(SYS_io_uring_setup, 1, parameters));
}

static bool name_handle(void)
{
    struct {
        unsigned bytes;
        int type;
        char handle[128];
    } found = {.bytes = 128};
    int mount;
    return passed(syscall(SYS_name_to_handle_at, AT_FDCWD, "/tmp", &found, &mount, 0));
}

// The root folder of most file systems has number 2.
static bool open_handle(void)
{
    struct {
        unsigned bytes;
        int type;
        unsigned handle[2];
    } root = {.bytes = 8, .type = 1, .handle = {2, 0}};
    int folder = open("/usr", O_RDONLY | O_DIRECTORY);
    return passed(syscall(SYS_open_by_handle_at, folder, &root, O_RDONLY));
}

// Other doors to the same calls: those of 32 bits, and of 32 bits in 64.
static bool old_door(void)
{
#if defined(__x86_64__)
    long result = -1;
    __asm__ volatile("int $0x80"
                     : "=a"(result)
                     : "a"(20L /* getpid */)
                     : "memory", "r8", "r9", "r10", "r11");
    return result >= 0;
#else
    return false;
#endif
}

static bool narrow_door(void)
{
#if defined(__x86_64__)
    return worked(syscall(0x40000000 + 39 /* getpid */));
#else
    return false;
#endif
}

static bool read_child(void)
{
    char here = 'x', there = 0;
    struct {
        void *base;
        size_t length;
    } from = {&here, 1}, to = {&there, 1};
    return passed(syscall(SYS_process_vm_readv, getpid(), &to, 1L, &from, 1L, 0L));
}

const struct habit habits_of_calls[] = {
    {"mounts", "remount", remount},
    {"mounts", "umount-tmp", umount_tmp},
    {"mounts", "umount-shm", umount_shm},
    {"mounts", "umount-proc", umount_proc},
    {"mounts", "hide", own_tmpfs},
    {"mounts", "blind", blind_proc},
    {"mounts", "bind", bind_mount},
    {"mounts", "mount-proc", mount_proc},
    {"mounts", "mount-sysfs", mount_sysfs},
    {"mounts", "mount-devpts", mount_devpts},
    {"mounts", "mount-mqueue", mount_mqueue},
    {"mounts", "overlay", overlay},
    {"mounts", "propagate", propagate},
    {"mounts", "open-tree", clone_tree},
    {"mounts", "fsopen", new_fs},
    {"mounts", "fspick", pick_fs},
    {"mounts", "move-mount", move_tree},
    {"mounts", "setattr", set_attributes},
    {"mounts", "pivot-root", pivot},
    {"mounts", "chroot", change_root},
    {"spaces", "new-user", new_user},
    {"spaces", "new-mount", new_mount},
    {"spaces", "new-pid", new_pid},
    {"spaces", "new-net", new_net},
    {"spaces", "new-ipc", new_ipc},
    {"spaces", "new-uts", new_uts},
    {"spaces", "new-cgroup", new_cgroup},
    {"spaces", "new-time", new_time},
    {"spaces", "clone-user", clone_user},
    {"spaces", "clone3-user", clone3_user},
    {"kernel", "init-module", load_module},
    {"kernel", "finit-module", load_module_file},
    {"kernel", "delete-module", unload_module},
    {"kernel", "kexec", kexec},
    {"kernel", "reboot", reboot_keys},
    {"kernel", "swapon", swap_on},
    {"kernel", "swapoff", swap_off},
    {"kernel", "quotactl", quota},
    {"kernel", "acct", account},
    {"kernel", "sethostname", host_name},
    {"kernel", "setdomainname", domain_name},
    {"kernel", "dmesg", kernel_log},
    {"kernel", "iopl", port_level},
    {"kernel", "ioperm", port_rights},
    {"kernel", "vhangup", hang_up},
    {"kernel", "settime", set_time},
    {"kernel", "settimeofday", set_time_of_day},
    {"kernel", "adjtimex", tune_time},
    {"kernel", "clock-adjtime", tune_clock},
    {"kernel2", "bpf", bpf_map},
    {"kernel2", "perf", perf},
    {"kernel2", "userfaultfd", user_faults},
    {"kernel2", "io-uring", uring},
    {"kernel2", "memfd-secret", secret_memory},
    {"kernel2", "fanotify", watch_files},
    {"kernel2", "traceme", trace_me},
    {"kernel2", "dcookie", file_cookie},
    {"kernel2", "name-handle", name_handle},
    {"kernel2", "open-handle", open_handle},
    {"kernel2", "vm-read", read_child},
    {"kernel2", "int-80", old_door},
    {"kernel2", "x32", narrow_door},
    {0},
};
