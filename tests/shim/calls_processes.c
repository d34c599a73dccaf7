// Children: forks, pipes between them, their ends.
#include <errno.h>
#include <grp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/shim/calls.h"

static void forks(void)
{
    int pair[2], status;
    char bytes[16];
    NEED(pipe(pair) == 0);
    const double begin = now_s();
    const pid_t child = fork();
    NEED(child >= 0);
    if (child == 0) {
        close(pair[0]);
        usleep(20000);
        NEED(write(pair[1], "done", 4) == 4);
        usleep(20000);
        _exit(7);
    }
    close(pair[1]);
    NEED(waitpid(child, &status, WNOHANG) == 0);
    NEED(read(pair[0], bytes, sizeof bytes) == 4 && TOOK(begin, 0.02));
    NEED(read(pair[0], bytes, sizeof bytes) == 0 && TOOK(begin, 0.04));
    NEED(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
    NEED(waitpid(-1, &status, 0) == -1 && errno == ECHILD);
}

static void crashes(void)
{
    int status;
    const double begin = now_s();
    const pid_t child = fork();
    if (child == 0) {
        usleep(10000);
        abort();
    }
    NEED(wait(&status) == child && WIFSIGNALED(status) && TOOK(begin, 0.01));
    const pid_t sleeper = fork();
    if (sleeper == 0)
        for (;;)
            pause();
    usleep(10000);
    NEED(kill(sleeper, SIGKILL) == 0);
    NEED(waitpid(sleeper, &status, 0) == sleeper && WTERMSIG(status) == SIGKILL);
    NEED(TOOK(begin, 0.02));
}

static void executes(void)
{
    static char *words[] = {(char *)"sleep", (char *)"0.25", NULL};
    int status;
    double begin = now_s();
    const pid_t child = fork();
    if (child == 0) {
        execvp("sleep", words);
        _exit(127);
    }
    NEED(waitpid(child, &status, 0) == child && status == 0 && TOOK(begin, 0.25));
    pid_t other;
    begin = now_s();
    NEED(posix_spawnp(&other, "sleep", NULL, NULL, words, environ) == 0);
    NEED(waitpid(other, &status, 0) == other && status == 0 && TOOK(begin, 0.25));
    begin = now_s();
    NEED(system("sleep 0.1; exit 3") >> 8 == 3 && TOOK(begin, 0.1));
    char line[32];
    FILE *stream = popen("sleep 0.1; echo hello", "r");
    NEED(stream != NULL && fgets(line, sizeof line, stream) != NULL);
    NEED(strcmp(line, "hello\n") == 0 && pclose(stream) == 0);
}

// As careful daemons do it: who has given up root looks whether it can have it back.
static void drops_root(void)
{
    const gid_t group = 4711;
    NEED(setgroups(1, &group) == 0 && initgroups("nobody", group) == 0);
    NEED(setresgid(group, group, group) == 0 && setresuid(4711, 4711, 4711) == 0);
    NEED(getuid() == 4711 && geteuid() == 4711 && getgid() == 4711 && getegid() == 4711);
    NEED(setuid(0) == -1 && errno == EPERM && seteuid(0) == -1 && setresuid(0, 0, 0) == -1);
    NEED(setgid(0) == -1 && setgroups(1, &group) == -1);
    NEED(setuid(4711) == 0 && geteuid() == 4711);
}

const struct subject process_subjects[] = {{"fork", forks},
                                           {"crash", crashes},
                                           {"exec", executes},
                                           {"drops-root", drops_root},
                                           {NULL, NULL}};
