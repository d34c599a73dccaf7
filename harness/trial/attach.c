#include "harness/trial/attach.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "clock/futex.h"

#define LOOK_MS 50 // for a debugger that came or went

enum stage { NOT_YET, STANDING, ANSWERED, OVER };

static void step_to(struct attach_meeting *meeting, enum stage stage)
{
    atomic_store(&meeting->stage, stage);
    futex_wake(&meeting->stage, 1);
}

// Waits while the stage is this one.
static void wait_past(struct attach_meeting *meeting, enum stage stage)
{
    while (atomic_load(&meeting->stage) == stage)
        (void)futex_wait(&meeting->stage, stage, NULL);
}

// ---- the process, as seen from outside its cell -------------------------------------------------

// The last number of a line of /proc/PID/status; -1: none.
static int number_of(const char *pid, const char *field)
{
    char path[64], line[256];
    int number = -1;
    snprintf(path, sizeof path, "/proc/%.20s/status", pid);
    FILE *file = fopen(path, "re");
    while (file != NULL && number < 0 && fgets(line, sizeof line, file) != NULL) {
        const char *last = strrchr(line, '\t');
        if (strncmp(line, field, strlen(field)) == 0 && last != NULL)
            number = (int)strtol(last, NULL, 10);
    }
    if (file != NULL)
        (void)fclose(file);
    return number;
}

static bool is_in_namespace(const char *pid, uint64_t inode)
{
    char path[64];
    struct stat status;
    snprintf(path, sizeof path, "/proc/%.20s/ns/pid", pid);
    return stat(path, &status) == 0 && status.st_ino == inode;
}

// Its number here; 0: it is not to be found.
static int find_outside(const struct attach_meeting *meeting)
{
    int found = 0;
    DIR *processes = opendir("/proc");
    for (const struct dirent *entry;
         processes != NULL && found == 0 && (entry = readdir(processes)) != NULL;)
        if (strspn(entry->d_name, "0123456789") == strlen(entry->d_name) &&
            is_in_namespace(entry->d_name, meeting->namespace) &&
            number_of(entry->d_name, "NSpid:") == meeting->pid)
            found = (int)strtol(entry->d_name, NULL, 10);
    if (processes != NULL)
        closedir(processes);
    return found;
}

static bool is_debugged(int pid)
{
    char text[16];
    snprintf(text, sizeof text, "%d", pid);
    return number_of(text, "TracerPid:") > 0;
}

// ---- the process that speaks --------------------------------------------------------------------

enum answer { NONE, LINE, END };

// What has come on standard input, after LOOK_MS at most.
static enum answer listen_for_answer(void)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    char block[256];
    if (poll(&input, 1, LOOK_MS) <= 0)
        return NONE;
    const ssize_t got = read(STDIN_FILENO, block, sizeof block);
    return got <= 0 ? END : memchr(block, '\n', (size_t)got) != NULL ? LINE : NONE;
}

// Until there is a line, which may come while a debugger lets the process run; or until a debugger
// has gone; or until nobody can write a line, and there is no debugger.
static void await_answer(int pid)
{
    enum answer answer = NONE;
    bool debugged = false;
    const struct timespec look = {.tv_nsec = LOOK_MS * 1000000L};
    while (answer != LINE && kill(pid, 0) == 0) {
        const bool now = is_debugged(pid);
        if ((answer == END || debugged) && !now)
            return;
        debugged |= now;
        if (answer == NONE)
            answer = listen_for_answer();
        else
            (void)nanosleep(&look, NULL);
    }
}

static void speak(const struct attach_meeting *meeting, const char *process)
{
    const int pid = meeting->pid == 0 ? 0 : find_outside(meeting);
    if (pid == 0) {
        printf("%s does not run at %.6f s; the trial continues\n", process, meeting->at_s);
        fflush(stdout);
        return;
    }
    printf("everything stands still at %.6f s; %s is process %d, in its cell %d. Attach with\n"
           "    gdb -p %d\n"
           "and look into its cell with\n"
           "    nsenter -t %d -m -p -n -i\n"
           "Enter, or the end of the debugger, continues the trial.\n",
           meeting->at_s, process, pid, meeting->pid, pid, pid);
    fflush(stdout);
    await_answer(pid);
}

static _Noreturn void be_the_speaker(struct attach_meeting *meeting,
                                     const struct attach_request *request, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
    wait_past(meeting, NOT_YET);
    if (atomic_load(&meeting->stage) == STANDING) {
        speak(meeting, request->process);
        step_to(meeting, ANSWERED);
    } else {
        printf("the trial was over before %.6f s\n", instant_to_s(request->at));
        fflush(stdout);
    }
    _exit(EXIT_SUCCESS);
}

enum status attach_begin(struct attach_meeting *meeting, const struct attach_request *request,
                         pid_t *speaker)
{
    const pid_t parent = getpid();
    fflush(NULL);
    *speaker = fork();
    if (*speaker == 0)
        be_the_speaker(meeting, request, parent);
    if (*speaker > 0)
        return STATUS_OK;
    log_error("--attach: fork: %s; close other programs", strerror(errno));
    return STATUS_SYSTEM;
}

void attach_end(struct attach_meeting *meeting, pid_t speaker)
{
    step_to(meeting, OVER);
    while (waitpid(speaker, NULL, 0) < 0 && errno == EINTR)
        ;
}

// ---- in the cell --------------------------------------------------------------------------------

void attach_stand(struct attach_meeting *meeting, int pid, instant now)
{
    struct stat status = {0};
    (void)stat("/proc/self/ns/pid", &status);
    meeting->pid = pid;
    meeting->namespace = status.st_ino;
    meeting->at_s = instant_to_s(now);
    step_to(meeting, STANDING);
    wait_past(meeting, STANDING);
}
