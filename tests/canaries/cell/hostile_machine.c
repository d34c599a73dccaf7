// The machine around the cell: its files, devices, sockets, keys, processes, network.
#include "tests/canaries/cell/hostile.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_link.h>
#include <linux/keyctl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/vm_sockets.h>
#include <mqueue.h>
#include <net/ethernet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

// ---- files --------------------------------------------------------------------------------------

// Is there anything in it?
static bool holds(const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *entry = NULL;
    while (folder != NULL && (entry = readdir(folder)) != NULL)
        if (entry->d_name[0] != '.')
            break;
    if (entry != NULL)
        habit_say("%s: %.60s", path, entry->d_name);
    if (folder != NULL)
        closedir(folder);
    return entry != NULL;
}

static bool read_homes(void)
{
    return holds("/home") || holds("/root");
}

static bool read_state(void)
{
    return holds("/run") || holds("/var") || holds("/srv") || holds("/opt") || holds("/mnt") ||
           holds("/media") || holds("/boot");
}

// Is there anything else in it?
static bool holds_more(const char *path, const char *known)
{
    DIR *folder = opendir(path);
    bool found = false;
    for (const struct dirent *entry; folder != NULL && !found && (entry = readdir(folder));) {
        char word[300];
        snprintf(word, sizeof word, " %s ", entry->d_name);
        found = entry->d_name[0] != '.' && strstr(known, word) == NULL;
        if (found)
            habit_say("%s: %.60s", path, entry->d_name);
    }
    if (folder != NULL)
        closedir(folder);
    return found;
}

// The processors are told, for the C library, and their memory.
static bool read_sys(void)
{
    return holds_more("/sys", " devices ") || holds_more("/sys/devices", " system ") ||
           holds_more("/sys/devices/system", " cpu node ");
}

static bool read_passwords(void)
{
    return opens("/etc/shadow", O_RDONLY) || opens("/etc/gshadow", O_RDONLY);
}

// The cell has files of its own of these names.
static bool says_more(const char *path, const char *own)
{
    char text[64] = "";
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const bool read_it = file >= 0 && read(file, text, sizeof text - 1) > 0;
    if (file >= 0)
        close(file);
    return read_it && strncmp(text, own, strlen(own)) != 0;
}

static bool read_settings(void)
{
    return holds("/etc/ssh") || says_more("/etc/machine-id", "ce110000ce11") ||
           says_more("/etc/hostname", "cell\n") ||
           says_more("/etc/passwd", "root:x:0:0:root:/tmp") || opens("/etc/fstab", O_RDONLY);
}

// What else there is at the root: the project's own checkout, say.
static bool read_root(void)
{
    static const char known[] =
        " bin sbin lib lib32 lib64 libx32 usr etc dev proc tmp root home run"
        " var sys srv opt mnt media boot ";
    DIR *root = opendir("/");
    bool found = false;
    for (const struct dirent *entry; root != NULL && !found && (entry = readdir(root)) != NULL;) {
        char word[300], path[300];
        snprintf(word, sizeof word, " %s ", entry->d_name);
        snprintf(path, sizeof path, "/%s", entry->d_name);
        found = entry->d_name[0] != '.' && strstr(known, word) == NULL && holds(path);
    }
    if (root != NULL)
        closedir(root);
    return found;
}

static void in_bystanders(char *path, size_t size, const char *name)
{
    snprintf(path, size, "%s/%s", bystander, name);
}

static bool read_bystander(void)
{
    char path[200];
    in_bystanders(path, sizeof path, "secret");
    return opens(path, O_RDONLY);
}

static bool write_bystander(void)
{
    char path[200];
    in_bystanders(path, sizeof path, "PROOF");
    return opens(path, O_CREAT | O_WRONLY);
}

static bool watch_bystander(void)
{
    int watch = inotify_init1(IN_CLOEXEC);
    return watch >= 0 && worked(inotify_add_watch(watch, bystander, IN_ALL_EVENTS));
}

static bool link_bystander(void)
{
    char path[200];
    in_bystanders(path, sizeof path, "secret");
    (void)!symlink(path, "/tmp/hostile-link");
    bool open = opens("/tmp/hostile-link", O_RDONLY);
    (void)unlink("/tmp/hostile-link");
    return open;
}

static bool devices(void)
{
    return holds_more("/dev", " null zero full random urandom shm fd stdin stdout stderr core ");
}

static bool memory_devices(void)
{
    return opens("/dev/mem", O_RDWR) || opens("/dev/kmem", O_RDWR) || opens("/dev/port", O_RDWR) ||
           opens("/proc/kcore", O_RDONLY);
}

static bool message_device(void)
{
    return opens("/dev/kmsg", O_WRONLY) || opens("/proc/kmsg", O_RDONLY);
}

static bool type(void)
{
    int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC);
    return (terminal >= 0 && worked(ioctl(terminal, TIOCSTI, "x"))) ||
           worked(ioctl(0, TIOCSTI, "x")) || opens("/dev/console", O_WRONLY) ||
           opens("/dev/ptmx", O_RDWR);
}

static bool opens_one(const char *const *path)
{
    for (; *path != NULL; path++)
        if (opens(*path, O_WRONLY)) {
            habit_say("%s", *path);
            return true;
        }
    return false;
}

static bool settings_of_kernel(void)
{
    static const char *const files[] = {"/proc/sys/kernel/core_pattern",
                                        "/proc/sys/kernel/hostname",
                                        "/proc/sys/kernel/modprobe",
                                        "/proc/sys/kernel/sched_rt_runtime_us",
                                        "/proc/sys/vm/drop_caches",
                                        "/proc/sysrq-trigger",
                                        "/sys/devices/system/cpu/cpu0/online",
                                        NULL};
    return opens_one(files);
}

// Those that each namespace has for itself, but that hold limits of the cell.
static bool settings_of_cell(void)
{
    static const char *const files[] = {
        "/proc/sys/kernel/pid_max",      "/proc/sys/kernel/shmmax",
        "/proc/sys/kernel/sem",          "/proc/sys/user/max_user_namespaces",
        "/proc/sys/net/ipv4/ip_forward", NULL};
    return opens_one(files);
}

// ---- processes ----------------------------------------------------------------------------------

static bool see_processes(void)
{
    DIR *folder = opendir("/proc");
    bool found = false;
    for (const struct dirent *entry; folder != NULL && !found && (entry = readdir(folder));) {
        char path[300], name[32] = "";
        snprintf(path, sizeof path, "/proc/%s/comm", entry->d_name);
        FILE *file = fopen(path, "r");
        found = file != NULL && fgets(name, sizeof name, file) && strstr(name, "wall_bystander");
        if (file != NULL)
            (void)fclose(file);
    }
    if (folder != NULL)
        closedir(folder);
    return found;
}

// The secret of the environment in which the lab was started.
static bool own_environment(void)
{
    return getenv(BYSTANDER_VARIABLE) != NULL;
}

static bool left_open(void)
{
    for (int i = 3; i < 1024; i++)
        if (fcntl(i, F_GETFD) >= 0) {
            char path[64], target[80] = "";
            snprintf(path, sizeof path, "/proc/self/fd/%d", i);
            (void)!readlink(path, target, sizeof target - 1);
            habit_say("descriptor %d: %s", i, target);
            return true;
        }
    return false;
}

// ---- talking ------------------------------------------------------------------------------------

static bool connects(const struct sockaddr_un *address, socklen_t length)
{
    int door = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return door >= 0 && connect(door, (const struct sockaddr *)address, length) == 0;
}

static bool door(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    in_bystanders(address.sun_path, sizeof address.sun_path, "door");
    return connects(&address, sizeof address);
}

static bool abstract_door(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    in_bystanders(address.sun_path + 1, sizeof address.sun_path - 1, "door");
    return connects(&address, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
                                          strlen(address.sun_path + 1)));
}

static bool system_doors(void)
{
    static const char *const paths[] = {"/run/dbus/system_bus_socket", "/run/docker.sock",
                                        "/run/systemd/private", "/run/systemd/notify", "/dev/log"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        if (access(paths[i], F_OK) == 0) {
            habit_say("%s", paths[i]);
            return true;
        }
    return false;
}

static bool fifo(void)
{
    char path[200];
    in_bystanders(path, sizeof path, "fifo");
    int file = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    return file >= 0 && write(file, "hostile", 7) == 7;
}

static bool reaches(const char *host, unsigned port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int sock = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    (void)inet_pton(AF_INET, host, &address.sin_addr);
    return sock >= 0 && connect(sock, (const struct sockaddr *)&address, sizeof address) == 0;
}

static bool local_port(void)
{
    return reaches("127.0.0.1", 20000 + bystander_number(bystander));
}

static bool far_port(void)
{
    return reaches("192.0.2.1", 80) || errno != ENETUNREACH;
}

static bool packets(void)
{
    return worked(socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL))) ||
           worked(socket(AF_PACKET, SOCK_DGRAM, htons(ETH_P_ALL)));
}

static bool raw_sockets(void)
{
    return worked(socket(AF_INET, SOCK_RAW, IPPROTO_ICMP)) ||
           worked(socket(AF_INET6, SOCK_RAW, IPPROTO_TCP));
}

// Not of a network namespace: they lead to the hypervisor, or deep into the kernel.
static bool odd_sockets(void)
{
    static const struct {
        int family, kind;
    } odd[] = {{AF_VSOCK, SOCK_STREAM},  {AF_ALG, SOCK_SEQPACKET},  {AF_BLUETOOTH, SOCK_RAW},
               {AF_KEY, SOCK_RAW},       {AF_TIPC, SOCK_SEQPACKET}, {AF_RDS, SOCK_SEQPACKET},
               {AF_QIPCRTR, SOCK_DGRAM}, {AF_NFC, SOCK_SEQPACKET}};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
        if (worked(socket(odd[i].family, odd[i].kind, 0))) {
            habit_say("family %d", odd[i].family);
            return true;
        }
    return false;
}

static bool new_interface(void)
{
    struct {
        struct nlmsghdr head;
        struct ifinfomsg interface;
        struct rtattr info;
        struct rtattr kind;
        char name[8];
    } request = {
        .head = {sizeof request, RTM_NEWLINK, NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL,
                 1, 0},
        .info = {sizeof request.info + sizeof request.kind + sizeof request.name, IFLA_LINKINFO},
        .kind = {sizeof request.kind + sizeof request.name, IFLA_INFO_KIND},
        .name = "bridge"};
    struct {
        struct nlmsghdr head;
        struct nlmsgerr error;
        char rest[256];
    } answer;
    int sock = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (sock < 0 || send(sock, &request, sizeof request, 0) < 0 ||
        recv(sock, &answer, sizeof answer, 0) < (ssize_t)sizeof answer.head)
        return false;
    errno = -answer.error.error;
    return passed(answer.error.error == 0 ? 0 : -1);
}

// ---- keys, segments, queues ---------------------------------------------------------------------

static bool read_key(void)
{
    char text[64] = "";
    long key = syscall(SYS_request_key, "user", BYSTANDER_KEY, NULL, 0);
    if (key < 0)
        key =
            syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING, "user", BYSTANDER_KEY, 0);
    if (key >= 0)
        (void)syscall(SYS_keyctl, KEYCTL_READ, key, text, sizeof text - 1);
    if (key >= 0)
        habit_say("%s", text);
    return worked(key);
}

static bool add_key(const char *name, int ring)
{
    return passed(syscall(SYS_add_key, "user", name, "hostile", 7L, ring));
}

static bool write_key(void)
{
    return add_key("hostile", KEY_SPEC_SESSION_KEYRING);
}

static bool write_user_key(void)
{
    return add_key("hostile", KEY_SPEC_USER_KEYRING);
}

static bool control_keys(void)
{
    return passed(syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0, 0, 0));
}

static bool list_keys(void)
{
    char line[256];
    bool found = false;
    FILE *keys = fopen("/proc/keys", "r");
    while (keys != NULL && !found && fgets(line, sizeof line, keys) != NULL)
        found = strstr(line, BYSTANDER_KEY) != NULL;
    if (keys != NULL)
        (void)fclose(keys);
    return found;
}

static bool segment(void)
{
    return worked(shmget((key_t)(0x75000000 + bystander_number(bystander)), 1, 0));
}

static bool queue(void)
{
    char name[32];
    snprintf(name, sizeof name, "/ukemi-wall-%u", bystander_number(bystander));
    return worked(mq_open(name, O_WRONLY));
}

const struct habit habits_of_machine[] = {
    {"machine", "homes", read_homes},
    {"machine", "state", read_state},
    {"machine", "sys", read_sys},
    {"machine", "shadow", read_passwords},
    {"machine", "settings", read_settings},
    {"machine", "checkout", read_root},
    {"machine", "secret", read_bystander},
    {"machine", "proof", write_bystander},
    {"machine", "inotify", watch_bystander},
    {"machine", "symlink", link_bystander},
    {"machine", "devices", devices},
    {"machine", "memory", memory_devices},
    {"machine", "kmsg", message_device},
    {"machine", "tiocsti", type},
    {"machine", "sysctl", settings_of_kernel},
    {"limits", "own-sysctl", settings_of_cell},
    {"machine", "processes", see_processes},
    {"machine", "own-environ", own_environment},
    {"machine", "left-open", left_open},
    {"doors", "door", door},
    {"doors", "abstract", abstract_door},
    {"doors", "system", system_doors},
    {"doors", "fifo", fifo},
    {"doors", "local-port", local_port},
    {"doors", "far-port", far_port},
    {"doors", "packet", packets},
    {"doors", "raw", raw_sockets},
    {"doors", "odd-sockets", odd_sockets},
    {"doors", "interface", new_interface},
    {"doors", "read-key", read_key},
    {"doors", "write-key", write_key},
    {"doors", "user-key", write_user_key},
    {"doors", "keyctl", control_keys},
    {"doors", "list-keys", list_keys},
    {"doors", "segment", segment},
    {"doors", "queue", queue},
    {0},
};
