// Makes a place such as a container without privileges, and runs a command there.
//
//   bare_place [--user N] [--without NAME]... [--no-user-namespaces] [--processes N] [--mask N]
//   COMMAND...
//
// A filter refuses what container runtimes refuse: new namespaces and mounts (EPERM), clone3
// (ENOSYS). The capabilities left to root are those that Docker leaves. --user: another user, with
// none. --without personality|landlock|seccomp: that is refused, too. --no-user-namespaces: no
// filter; a user namespace of its own whose limit of further ones is 0. The machine stays as it is.
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXIT_NO_PLACE 125
#define BIT(capability) (UINT64_C(1) << (capability))
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const uint64_t left =
    BIT(CAP_CHOWN) | BIT(CAP_DAC_OVERRIDE) | BIT(CAP_FSETID) | BIT(CAP_FOWNER) | BIT(CAP_MKNOD) |
    BIT(CAP_NET_RAW) | BIT(CAP_SETGID) | BIT(CAP_SETUID) | BIT(CAP_SETFCAP) | BIT(CAP_SETPCAP) |
    BIT(CAP_NET_BIND_SERVICE) | BIT(CAP_SYS_CHROOT) | BIT(CAP_KILL) | BIT(CAP_AUDIT_WRITE);

static const int refused[] = {
    SCMP_SYS(unshare),  SCMP_SYS(setns),      SCMP_SYS(mount),         SCMP_SYS(umount2),
    SCMP_SYS(fsopen),   SCMP_SYS(fsmount),    SCMP_SYS(pivot_root),    SCMP_SYS(open_tree),
    SCMP_SYS(fspick),   SCMP_SYS(move_mount), SCMP_SYS(mount_setattr), SCMP_SYS(keyctl),
    SCMP_SYS(add_key),  SCMP_SYS(bpf),        SCMP_SYS(request_key),   SCMP_SYS(perf_event_open),
    SCMP_SYS(fsconfig), SCMP_SYS(userfaultfd)};

static const int namespaces[] = {CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWPID,   CLONE_NEWNET,
                                 CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP};

static _Noreturn void no_place(const char *what)
{
    fprintf(stderr, "bare_place: %s: %s\n", what, strerror(errno));
    exit(EXIT_NO_PLACE);
}

struct place {
    long user, processes, mask; // -1: as it is
    bool personality, landlock, seccomp, by_limit;
};

static int add_rules(scmp_filter_ctx filter, const struct place *place)
{
    int result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    for (size_t i = 0; i < COUNT(refused); i++)
        result |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), refused[i], 0);
    for (size_t i = 0; i < COUNT(namespaces); i++)
        result |= seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
            SCMP_A0(SCMP_CMP_MASKED_EQ, (scmp_datum_t)namespaces[i], (scmp_datum_t)namespaces[i]));
    if (!place->personality)
        result |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(personality), 1,
                                   SCMP_A0(SCMP_CMP_NE, 0));
    if (!place->landlock)
        result |=
            seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(landlock_create_ruleset), 0);
    if (!place->seccomp) {
        result |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(seccomp), 0);
        result |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(prctl), 1,
                                   SCMP_A0(SCMP_CMP_EQ, PR_SET_SECCOMP));
        result |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(prctl), 1,
                                   SCMP_A0(SCMP_CMP_EQ, PR_GET_SECCOMP));
    }
    return result;
}

static void refuse_calls(const struct place *place)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (filter == NULL || seccomp_attr_set(filter, SCMP_FLTATR_CTL_NNP, 0) != 0 ||
        add_rules(filter, place) != 0)
        no_place("filter");
    const int result = seccomp_load(filter);
    if (result != 0) {
        errno = -result;
        no_place("loading the filter takes root");
    }
    seccomp_release(filter);
}

static void keep_capabilities(uint64_t mask)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2] = {0};
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability) >= 0; capability++)
        if ((mask & BIT(capability)) == 0 && prctl(PR_CAPBSET_DROP, capability) != 0)
            no_place("bounding capabilities");
    for (unsigned i = 0; i < 2; i++)
        data[i].effective = data[i].permitted = (uint32_t)(mask >> (32 * i));
    if (syscall(SYS_capset, &header, data) != 0)
        no_place("capabilities");
}

static void write_text(const char *path, const char *text)
{
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0 || write(file, text, strlen(text)) != (ssize_t)strlen(text))
        no_place(path);
    close(file);
}

// Within it the limit is its own; the caller is this user without a capability.
static void enter_limited_namespace(const struct place *place)
{
    char map[64];
    const uid_t user = geteuid();
    if (unshare(CLONE_NEWUSER) != 0)
        no_place("a user namespace");
    write_text("/proc/self/setgroups", "deny");
    snprintf(map, sizeof map, "%ld %u 1", place->user < 0 ? (long)user : place->user, user);
    write_text("/proc/self/uid_map", map);
    write_text("/proc/self/gid_map", map);
    write_text("/proc/sys/user/max_user_namespaces", "0");
    keep_capabilities(0);
}

static struct place read_arguments(int argc, char **argv)
{
    static const struct option options[] = {
        {"user", required_argument, NULL, 'u'},         {"without", required_argument, NULL, 'w'},
        {"no-user-namespaces", no_argument, NULL, 'n'}, {"processes", required_argument, NULL, 'p'},
        {"mask", required_argument, NULL, 'm'},         {0}};
    struct place place = {.user = -1,
                          .processes = -1,
                          .mask = -1,
                          .personality = true,
                          .landlock = true,
                          .seccomp = true};
    for (int option; (option = getopt_long(argc, argv, "+", options, NULL)) != -1;) {
        if (option == '?')
            exit(EXIT_NO_PLACE);
        place.user = option == 'u' ? strtol(optarg, NULL, 10) : place.user;
        place.processes = option == 'p' ? strtol(optarg, NULL, 10) : place.processes;
        place.mask = option == 'm' ? strtol(optarg, NULL, 8) : place.mask;
        place.by_limit |= option == 'n';
        if (option == 'w') {
            place.personality &= strcmp(optarg, "personality") != 0;
            place.landlock &= strcmp(optarg, "landlock") != 0;
            place.seccomp &= strcmp(optarg, "seccomp") != 0;
        }
    }
    return place;
}

int main(int argc, char **argv)
{
    const struct place place = read_arguments(argc, argv);
    if (optind == argc) {
        fprintf(stderr, "bare_place: what shall run there?\n");
        return EXIT_NO_PLACE;
    }
    if (place.mask >= 0)
        (void)umask((mode_t)place.mask);
    if (place.processes >= 0) {
        const struct rlimit limit = {(rlim_t)place.processes, (rlim_t)place.processes};
        if (setrlimit(RLIMIT_NPROC, &limit) != 0)
            no_place("processes");
    }
    if (place.by_limit) {
        enter_limited_namespace(&place);
    } else {
        refuse_calls(&place);
        if (geteuid() == 0)
            keep_capabilities(left);
        const gid_t user = (gid_t)place.user;
        if (place.user >= 0 && (setgroups(0, NULL) != 0 || setresgid(user, user, user) != 0 ||
                                setresuid(user, user, user) != 0))
            no_place("user");
    }
    execvp(argv[optind], argv + optind);
    no_place(argv[optind]);
}
