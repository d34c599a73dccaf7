#include "tests/bench/channels/world.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <net/route.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/channels/mechanism.h"

#define SPACES (CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWNS)
#define MULTICAST_NET 0xe0000000U // 224.0.0.0/4

static void write_text(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0 || write(file, text, strlen(text)) < 0)
        bench_fail("%s", path);
    close(file);
}

static void enter_spaces(void)
{
    if (unshare(SPACES) == 0)
        return;
    char users[64], groups[64];
    snprintf(users, sizeof users, "0 %u 1", geteuid());
    snprintf(groups, sizeof groups, "0 %u 1", getegid());
    if (unshare(CLONE_NEWUSER | SPACES) != 0)
        bench_fail("this machine or user may not make namespaces; run as root");
    write_text("/proc/self/setgroups", "deny");
    write_text("/proc/self/uid_map", users);
    write_text("/proc/self/gid_map", groups);
}

static struct sockaddr address_of(uint32_t address)
{
    struct sockaddr result = {.sa_family = AF_INET};
    const struct sockaddr_in internet = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(address)};
    memcpy(&result, &internet, sizeof internet);
    return result;
}

// The frameworks find each other by multicast, which has no way through a loopback as the kernel
// makes it.
static void build_network(void)
{
    int sock = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct ifreq loopback = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING | IFF_MULTICAST};
    char device[] = "lo";
    struct rtentry route = {.rt_dst = address_of(MULTICAST_NET),
                            .rt_genmask = address_of(0xf0000000U),
                            .rt_flags = RTF_UP,
                            .rt_dev = device};
    if (sock < 0 || ioctl(sock, SIOCSIFFLAGS, &loopback) != 0 ||
        ioctl(sock, SIOCADDRT, &route) != 0)
        bench_fail("cannot build a network of its own");
    close(sock);
}

static void build_folders(void)
{
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("tmpfs", "/dev/shm", "tmpfs", 0, "mode=1777") != 0 ||
        mount("tmpfs", "/tmp", "tmpfs", 0, "mode=1777") != 0 ||
        mount("proc", "/proc", "proc", 0, NULL) != 0 || chdir("/tmp") != 0)
        bench_fail("cannot build folders of its own");
}

// Starts a process that dies with its parent; 0 in it.
static pid_t start(void)
{
    const pid_t parent = getpid();
    pid_t process = fork();
    if (process < 0)
        bench_fail("fork");
    if (process > 0)
        return process;
    // A parent outside this PID namespace has number 0 here.
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || (getppid() != parent && getppid() != 0))
        _exit(3);
    return 0;
}

static int exit_code_of(pid_t process)
{
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 3;
}

int world_run(int (*body)(void *context), void *context)
{
    fflush(NULL);
    pid_t keeper = start();
    if (keeper > 0)
        return exit_code_of(keeper);
    enter_spaces();
    pid_t first = start();
    if (first > 0)
        _exit(exit_code_of(first));
    build_folders();
    build_network();
    _exit(body(context));
}
