// Programs that wait for good.
//
//   waits first|second    each takes one shared mutex, and then waits for the other's
//   waits holder|heir     the first ends with a mutex that the second then wants
//   waits queue           for a message that nobody sends
//   waits child           for a child that waits for its parent's mutex
//   waits server          for a connection, as is ordinary
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define MS 1000

struct shared {
    pthread_mutex_t mutex[2];
};

static struct shared *map(void)
{
    const int file = shm_open("/waits", O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, sizeof(struct shared)) != 0)
        abort();
    void *memory = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return memory == MAP_FAILED ? (abort(), NULL) : memory;
}

static struct shared *make(void)
{
    struct shared *shared = map();
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&shared->mutex[0], &attributes);
    pthread_mutex_init(&shared->mutex[1], &attributes);
    return shared;
}

static void take_both(struct shared *shared, int first)
{
    pthread_mutex_lock(&shared->mutex[first]);
    usleep(200 * MS);
    pthread_mutex_lock(&shared->mutex[!first]);
    printf("both\n");
}

static void wait_for_child(void)
{
    struct shared *shared = make();
    pthread_mutex_lock(&shared->mutex[0]);
    const pid_t child = fork();
    if (child == 0) {
        pthread_mutex_lock(&shared->mutex[0]);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

static void serve(void)
{
    const struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(5000)};
    const int server = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(server, (const struct sockaddr *)&address, sizeof address) != 0 ||
        listen(server, 1) != 0)
        abort();
    (void)accept(server, NULL, NULL);
}

int main(int argc, char *argv[])
{
    const char *what = argc > 1 ? argv[1] : "";
    char message[16];
    if (strcmp(what, "first") == 0) {
        take_both(make(), 0);
    } else if (strcmp(what, "second") == 0) {
        usleep(100 * MS);
        take_both(map(), 1);
    } else if (strcmp(what, "holder") == 0) {
        pthread_mutex_lock(&make()->mutex[0]);
        usleep(200 * MS);
    } else if (strcmp(what, "heir") == 0) {
        usleep(100 * MS);
        pthread_mutex_lock(&map()->mutex[0]);
    } else if (strcmp(what, "queue") == 0) {
        (void)msgrcv(msgget(IPC_PRIVATE, 0600), message, 8, 0, 0);
    } else if (strcmp(what, "child") == 0) {
        wait_for_child();
    } else if (strcmp(what, "server") == 0) {
        serve();
    }
    return 0;
}
