// What a process has itself: capabilities, users, limits; and what it may do to files of the cell.
#include "tests/canaries/cell/hostile.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/syscall.h>
#include <unistd.h>

// ---- capabilities and users ---------------------------------------------------------------------

// The number behind NAME in /proc/self/status; -1 if there is none.
static long long status_of(const char *name, int base)
{
    char line[256];
    long long value = -1;
    FILE *status = fopen("/proc/self/status", "r");
    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (strncmp(line, name, strlen(name)) == 0)
            value = strtoll(line + strlen(name), NULL, base);
    if (status != NULL)
        (void)fclose(status);
    return value;
}

// In wall mode a root who cannot raise limits gives these instead; see doc/reference/cell.md.
#define REAL_TIME (1LL << CAP_SYS_NICE | 1LL << CAP_IPC_LOCK)

static bool has_but(long long allowed)
{
    static const char *const sets[] = {"CapInh:", "CapPrm:", "CapEff:", "CapBnd:", "CapAmb:"};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        if ((status_of(sets[i], 16) & ~allowed) != 0) {
            habit_say("%s %llx", sets[i], (unsigned long long)status_of(sets[i], 16));
            return true;
        }
    return false;
}

static bool capabilities(void)
{
    return has_but(REAL_TIME);
}

static bool real_time_capabilities(void)
{
    return has_but(0);
}

static bool new_privileges(void)
{
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1;
}

static bool unfiltered(void)
{
    return status_of("Seccomp:", 10) != 2;
}

static bool set_capabilities(void)
{
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct all[2] = {{~0u, ~0u, 0}, {~0u, ~0u, 0}};
    return worked(syscall(SYS_capset, &head, all));
}

static bool raise_ambient(void)
{
    return worked(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_SYS_ADMIN, 0, 0));
}

static bool secure_bits(void)
{
    return worked(prctl(PR_SET_SECUREBITS, SECBIT_KEEP_CAPS, 0, 0, 0));
}

// The system call, as the C library's function tells other threads. A user it is already is none.
static bool become(uid_t user)
{
    return geteuid() != user && worked(syscall(SYS_setresuid, user, user, user));
}

static bool become_root(void)
{
    return become(0);
}

static bool become_other(void)
{
    return become(1) || become(1000);
}

static bool other_group(void)
{
    const gid_t other = getegid() == 0 ? 1 : 0;
    return worked(syscall(SYS_setresgid, other, other, other));
}

static bool more_groups(void)
{
    const gid_t group = 6; // disk
    return worked(setgroups(1, &group));
}

static bool own_layout(void)
{
    return worked(prctl(PR_SET_MM, PR_SET_MM_START_BRK, sbrk(0), 0, 0));
}

static bool urgent(void)
{
    return worked(syscall(SYS_ioprio_set, 1, 0, 1 << 13 /* real time */));
}

static bool raise_limits(void)
{
    static const int limits[] = {RLIMIT_NPROC, RLIMIT_NOFILE, RLIMIT_FSIZE, RLIMIT_CORE};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        struct rlimit limit;
        if (getrlimit((__rlimit_resource_t)limits[i], &limit) != 0 ||
            limit.rlim_max == RLIM_INFINITY)
            continue;
        limit.rlim_max++;
        if (setrlimit((__rlimit_resource_t)limits[i], &limit) == 0) {
            habit_say("limit %d", limits[i]);
            return true;
        }
    }
    return false;
}

// A program of somebody else, with his rights: a file system of the machine with suid in force
// would do, but for the lock on new privileges.
static bool borrowed_rights(void)
{
    static const char *const programs[] = {"/usr/bin/su", "/usr/bin/mount", "/usr/bin/passwd",
                                           "/usr/bin/newgrp", "/usr/bin/ping"};
    struct statvfs system;
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        if (new_privileges() && access(programs[i], X_OK) == 0 &&
            statvfs(programs[i], &system) == 0 && (system.f_flag & ST_NOSUID) == 0) {
            habit_say("%s", programs[i]);
            return true;
        }
    return false;
}

// ---- files that are the lab's -------------------------------------------------------------------

static bool writes(const char *folder)
{
    char path[64];
    snprintf(path, sizeof path, "%s/ukemi-hostile", folder);
    int file = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    if (file < 0)
        return false;
    close(file);
    unlink(path);
    habit_say("%s", folder);
    return true;
}

static bool write_outside(void)
{
    static const char *const folders[] = {"/",    "/usr", "/etc",     "/dev",
                                          "/var", "/run", "/usr/bin", "/lib"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        if (writes(folders[i]))
            return true;
    return false;
}

// Whether all of the cell is one user: the lab is an ordinary user's.
static bool is_alone(void)
{
    unsigned within, outside, count = 0;
    FILE *map = fopen("/proc/self/uid_map", "re");
    const bool known = map != NULL && fscanf(map, "%u %u %u", &within, &outside, &count) == 3;
    const bool more = known && fscanf(map, "%u", &within) == 1;
    if (map != NULL)
        (void)fclose(map); // only read
    return known && !more && count == 1;
}

// What the simulated robot says. An ordinary user's programs are the same user as it.
static bool write_truth(void)
{
    return !is_alone() && opens("/dev/shm/cell/channels/truth", O_RDWR);
}

static bool write_build(void)
{
    return writes("/dev/shm/build");
}

static bool write_target(void)
{
    return writes("/dev/shm/target");
}

static bool change_program(void)
{
    return opens("/dev/shm/build/targets/hubo2/planner", O_RDWR) ||
           worked(chmod("/dev/shm/build/targets/hubo2/planner", 0777)) ||
           worked(rename("/dev/shm/build/targets", "/dev/shm/build/others"));
}

static bool change_description(void)
{
    return opens("/dev/shm/target/robot.xml", O_RDWR) ||
           worked(unlink("/dev/shm/target/robot.xml"));
}

static bool write_through_self(void)
{
    int build = open("/dev/shm/build", O_PATH | O_CLOEXEC);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", build);
    return writes(path);
}

static bool device_file(void)
{
    return worked(mknod("/tmp/hostile-mem", S_IFCHR | 0600, makedev(1, 1)));
}

static bool own_suid(void)
{
    int file = open("/tmp/hostile-suid", O_CREAT | O_WRONLY | O_CLOEXEC, 0755);
    bool given = file >= 0 && fchown(file, geteuid() == 0 ? 1 : 0, (gid_t)-1) == 0;
    (void)unlink("/tmp/hostile-suid");
    return given;
}

static bool file_capabilities(void)
{
    struct vfs_cap_data all = {.magic_etc = VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE,
                               .data = {{~0u, 0}, {~0u, 0}}};
    int file = open("/tmp/hostile-cap", O_CREAT | O_WRONLY | O_CLOEXEC, 0755);
    bool given =
        file >= 0 && syscall(SYS_fsetxattr, file, "security.capability", &all, sizeof all, 0) == 0;
    (void)unlink("/tmp/hostile-cap");
    return given;
}

const struct habit habits_of_self[] = {
    {"self", "caps", capabilities},
    {"self", "new-privs", new_privileges},
    {"self", "unfiltered", unfiltered},
    {"self", "capset", set_capabilities},
    {"self", "ambient", raise_ambient},
    {"self", "securebits", secure_bits},
    {"self", "setuid-root", become_root},
    {"self", "setuid", become_other},
    {"self", "setgid", other_group},
    {"self", "setgroups", more_groups},
    {"self", "set-mm", own_layout},
    {"self", "rlimits", raise_limits},
    {"self", "suid", borrowed_rights},
    {"virtual", "any-cap", real_time_capabilities},
    {"virtual", "ioprio-rt", urgent},
    {"files", "truth", write_truth},
    {"files", "outside", write_outside},
    {"files", "build", write_build},
    {"files", "target", write_target},
    {"files", "program", change_program},
    {"files", "robot", change_description},
    {"files", "by-fd", write_through_self},
    {"files", "mknod", device_file},
    {"files", "own-suid", own_suid},
    {"files", "file-caps", file_capabilities},
    {0},
};
