// Why cells have no wall here, and what helps: told apart by what the kernel answers and shows.
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/cli/cli_doctor.h"

#define USER_NAMESPACES "/proc/sys/user/max_user_namespaces"
#define UNPRIVILEGED "/proc/sys/kernel/unprivileged_userns_clone"
#define APPARMOR "/proc/sys/kernel/apparmor_restrict_unprivileged_userns"

enum container { NO_CONTAINER, DOCKER, PODMAN, KUBERNETES, OTHER_CONTAINER };

struct place {
    bool root, mounts;                  // is root; has the right to mount
    bool filtered;                      // a filter of system calls is at work
    bool no_new_rights;                 // programs gain none by being executed
    int user_error;                     // of a new user namespace; 0: it can be had
    int mount_error;                    // the same of one of mounts, for root
    long limit, unprivileged, apparmor; // of /proc/sys; -1: not there
    enum container container;
};

// ---- what is seen ------------------------------------------------------------------------------

static int try_unshare(int kind)
{
    int status = 0;
    const pid_t pid = fork();
    if (pid == 0)
        _exit(unshare(kind) == 0 ? 0 : errno);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : EAGAIN;
}

static size_t read_text(const char *path, char *text, size_t size)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t got = file < 0 ? -1 : read(file, text, size - 1);
    if (file >= 0)
        close(file);
    text[got > 0 ? got : 0] = '\0';
    return got > 0 ? (size_t)got : 0;
}

static long number_in(const char *path)
{
    char text[32];
    return read_text(path, text, sizeof text) > 0 ? strtol(text, NULL, 10) : -1;
}

static unsigned long long field_of(const char *status, const char *name, int base)
{
    const char *at = strstr(status, name);
    return at == NULL ? 0 : strtoull(at + strlen(name), NULL, base);
}

static enum container container_of_this(void)
{
    char groups[4096];
    (void)read_text("/proc/1/cgroup", groups, sizeof groups);
    if (getenv("KUBERNETES_SERVICE_HOST") != NULL || strstr(groups, "kubepods") != NULL)
        return KUBERNETES;
    if (access("/.dockerenv", F_OK) == 0 || strstr(groups, "docker") != NULL)
        return DOCKER;
    if (access("/run/.containerenv", F_OK) == 0 || strstr(groups, "libpod") != NULL)
        return PODMAN;
    return getenv("container") != NULL || strstr(groups, "lxc") != NULL ? OTHER_CONTAINER
                                                                        : NO_CONTAINER;
}

static struct place look(void)
{
    char status[8192];
    (void)read_text("/proc/self/status", status, sizeof status);
    struct place place = {.root = geteuid() == 0,
                          .filtered = field_of(status, "\nSeccomp:\t", 10) == 2,
                          .no_new_rights = field_of(status, "\nNoNewPrivs:\t", 10) == 1,
                          .user_error = try_unshare(CLONE_NEWUSER),
                          .mount_error = try_unshare(CLONE_NEWNS),
                          .limit = number_in(USER_NAMESPACES),
                          .unprivileged = number_in(UNPRIVILEGED),
                          .apparmor = number_in(APPARMOR),
                          .container = container_of_this()};
    place.mounts = (field_of(status, "\nCapEff:\t", 16) >> CAP_SYS_ADMIN & 1) != 0;
    return place;
}

// ---- what it means -----------------------------------------------------------------------------

static void print_container_remedy(const struct place *place)
{
    switch (place->container) {
    case KUBERNETES:
        puts("       allow them to the container: securityContext: {seccompProfile: {type: "
             "Unconfined}, procMount: Unmasked} and hostUsers: false, or privileged: true");
        return;
    case PODMAN:
        puts("       allow them to the container: podman run --security-opt seccomp=unconfined "
             "--security-opt unmask=ALL");
        return;
    default:
        puts("       allow them to the container: docker run --security-opt seccomp=unconfined "
             "--security-opt apparmor=unconfined --security-opt systempaths=unconfined; as root "
             "also --cap-add SYS_ADMIN --cap-add NET_ADMIN (podman: --security-opt unmask=ALL)");
    }
}

static void print_seccomp(const struct place *place)
{
    printf("  why: a filter of system calls refuses namespaces (seccomp: /proc/self/status says "
           "Seccomp: 2%s), as container runtimes have it\n",
           place->no_new_rights ? ", NoNewPrivs: 1" : "");
    print_container_remedy(place);
}

static void print_limit(const struct place *place)
{
    printf("  why: no more user namespaces are allowed: user.max_user_namespaces is %ld%s\n",
           place->limit, place->limit > 0 ? ", or that of one around this" : "");
    printf("       raise it%s: sysctl user.max_user_namespaces=15000\n",
           place->container != NO_CONTAINER ? ", on the host" : ", as root");
}

static void print_other(const struct place *place)
{
    if (place->root && !place->mounts)
        puts("  why: this root has no CAP_SYS_ADMIN, as in a container without privileges");
    else
        printf("  why: user namespaces: %s; mount namespaces: %s\n",
               place->user_error == 0 ? "allowed" : strerror(place->user_error),
               place->mount_error == 0 ? "allowed" : strerror(place->mount_error));
    if (place->container != NO_CONTAINER || place->root)
        print_container_remedy(place);
    else
        puts("       run as root, or ask who runs this machine for user namespaces");
}

void doctor_explain_bare(void)
{
    const struct place place = look();
    const bool refused = place.user_error == EPERM || place.user_error == EACCES ||
                         place.user_error == ENOSYS || place.user_error == EINVAL;
    if (place.user_error == ENOSPC || (place.user_error != 0 && place.limit == 0))
        print_limit(&place);
    else if (refused && !place.root && place.unprivileged == 0)
        puts("  why: kernel.unprivileged_userns_clone is 0\n"
             "       allow them, as root on the host: sysctl kernel.unprivileged_userns_clone=1");
    else if (!place.filtered && !place.root && place.apparmor == 1)
        puts("  why: AppArmor keeps rights from user namespaces "
             "(kernel.apparmor_restrict_unprivileged_userns is 1)\n"
             "       allow them, as root on the host: sysctl "
             "kernel.apparmor_restrict_unprivileged_userns=0, or a profile with `userns,` for "
             "ukemi");
    else if (place.filtered && (refused || place.mount_error != 0))
        print_seccomp(&place);
    else
        print_other(&place);
    puts("       until then trials run in bare cells, with the same histories: "
         "doc/how-to/ci.md");
}
