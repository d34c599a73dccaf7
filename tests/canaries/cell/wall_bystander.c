// What a machine has beside a lab, open to whoever can reach it, and who notices.
//
//   wall_bystander FOLDER COMMAND...   becomes COMMAND; while it lives, listens at a socket and a
//   FIFO
//                                      in FOLDER, at an abstract socket and a port, has a System V
//                                      segment, a message queue and, in a session keyring that
//                                      COMMAND inherits, a key. What comes in is added to
//                                      FOLDER/touched.
//   wall_bystander FOLDER              prints what the keyring, the segment and the queue hold
#include "tests/canaries/cell/hostile.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#define KEYS_MAX 64

static const char *folder;

static void path_of(char *path, size_t size, const char *name)
{
    snprintf(path, size, "%s/%s", folder, name);
}

static key_t segment_key(void)
{
    return (key_t)(0x75000000 + bystander_number(folder));
}

static void queue_name(char *name, size_t size)
{
    snprintf(name, size, "/ukemi-wall-%u", bystander_number(folder));
}

// ---- what there is ------------------------------------------------------------------------------

static int listen_at(int family, const void *address, socklen_t length)
{
    int sock = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (sock < 0 || bind(sock, address, length) != 0 || listen(sock, 8) != 0) {
        perror("wall_bystander: a socket");
        exit(3);
    }
    return sock;
}

static int open_door(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    path_of(address.sun_path, sizeof address.sun_path, "door");
    int sock = listen_at(AF_UNIX, &address, sizeof address);
    (void)chmod(address.sun_path, 0777);
    return sock;
}

static int open_abstract_door(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    path_of(address.sun_path + 1, sizeof address.sun_path - 1, "door");
    return listen_at(
        AF_UNIX, &address,
        (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(address.sun_path + 1)));
}

static int open_port(void)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port =
                                            htons((uint16_t)(20000 + bystander_number(folder))),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    return listen_at(AF_INET, &address, sizeof address);
}

static int open_fifo(void)
{
    char path[200];
    path_of(path, sizeof path, "fifo");
    if (mkfifo(path, 0666) != 0 || chmod(path, 0666) != 0) {
        perror("wall_bystander: a FIFO");
        exit(3);
    }
    return open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
}

// What this machine refuses is not there, and is not touched.
static void make_others(void)
{
    char name[32];
    queue_name(name, sizeof name);
    (void)mq_open(name, O_CREAT | O_RDWR, 0666, NULL);
    (void)shmget(segment_key(), 4096, IPC_CREAT | 0666);
    if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) >= 0)
        (void)syscall(SYS_add_key, "user", BYSTANDER_KEY, BYSTANDER_SECRET,
                      strlen(BYSTANDER_SECRET), KEY_SPEC_SESSION_KEYRING);
    (void)setenv(BYSTANDER_VARIABLE, BYSTANDER_SECRET, 1);
}

static void remove_others(void)
{
    char name[32];
    queue_name(name, sizeof name);
    (void)mq_unlink(name);
    (void)shmctl(shmget(segment_key(), 1, 0), IPC_RMID, NULL);
}

// ---- who notices --------------------------------------------------------------------------------

static void note(const char *what)
{
    char path[200];
    path_of(path, sizeof path, "touched");
    FILE *file = fopen(path, "a");
    if (file != NULL) {
        fprintf(file, "%s\n", what);
        (void)fclose(file);
    }
}

static void watch(struct pollfd *watched, size_t count, int command)
{
    static const char *const names[] = {"door", "abstract door", "port", "FIFO"};
    for (;;) {
        char byte;
        poll(watched, (nfds_t)count, -1);
        for (size_t i = 0; i < count; i++)
            if ((watched[i].revents & POLLIN) != 0) {
                if (watched[i].fd == command)
                    return;
                int guest = accept(watched[i].fd, NULL, NULL);
                if (guest >= 0)
                    close(guest);
                else
                    while (read(watched[i].fd, &byte, 1) > 0)
                        continue;
                note(names[i]);
            }
    }
}

// Until COMMAND has ended.
static void stay(int command)
{
    struct pollfd watched[] = {{.fd = open_door(), .events = POLLIN},
                               {.fd = open_abstract_door(), .events = POLLIN},
                               {.fd = open_port(), .events = POLLIN},
                               {.fd = open_fifo(), .events = POLLIN},
                               {.fd = command, .events = POLLIN}};
    note("begins");
    watch(watched, sizeof watched / sizeof watched[0], command);
    remove_others();
}

// ---- what is left of it -------------------------------------------------------------------------

static void print_keys(void)
{
    int32_t keys[KEYS_MAX];
    long size = syscall(SYS_keyctl, KEYCTL_READ, KEY_SPEC_SESSION_KEYRING, keys, sizeof keys);
    for (long i = 0; i < size / (long)sizeof keys[0] && i < KEYS_MAX; i++) {
        char what[128] = "", text[64] = "";
        (void)syscall(SYS_keyctl, KEYCTL_DESCRIBE, keys[i], what, sizeof what - 1);
        (void)syscall(SYS_keyctl, KEYCTL_READ, keys[i], text, sizeof text - 1);
        printf("key %d %s: %s\n", (int)keys[i], what, text);
    }
}

static void print_others(void)
{
    char name[32];
    struct mq_attr queue = {0};
    struct shmid_ds segment = {0};
    queue_name(name, sizeof name);
    mqd_t opened = mq_open(name, O_RDONLY | O_NONBLOCK);
    if (opened >= 0 && mq_getattr(opened, &queue) == 0)
        printf("queue %ld messages\n", queue.mq_curmsgs);
    if (shmctl(shmget(segment_key(), 1, 0), IPC_STAT, &segment) == 0)
        printf("segment of %zu bytes, attached %ld times, last by %d\n", segment.shm_segsz,
               (long)segment.shm_nattch, (int)segment.shm_lpid);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    folder = argv[1];
    if (argc == 2) {
        print_keys();
        print_others();
        return 0;
    }
    make_others();
    int command = (int)syscall(SYS_pidfd_open, getpid(), 0);
    pid_t pid = command < 0 ? -1 : fork();
    if (pid == 0) {
        stay(command);
        return 0;
    }
    if (pid < 0)
        return 3;
    close(command);
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    return 3;
}
