// A daemon or operator's program that does its peers or the lab harm, half a second after it has
// joined the clock.
//
//   bad_habits HABIT [NUMBER]
//
// sleep: does nothing, for ever. stopall: stops all processes of the cell. stopone: stops the
// process NUMBER (in the cell). killall: kills all of them. leave: leaves the clock and lives on.
// escape: starts a process that leaves group, session and parents, and sleeps for ever.
// invariant: breaks one of the lab's. fail: ends with status NUMBER. channels, buses, clock: writes
// at random places into the pages of these, drawn by the seed NUMBER.
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/invariant.h"
#include "clock/clock.h"

#define BAD_AT_S 0.5
#define WRITES_MIN 2000
#define PAGE_B_A_WRITE 32

static void write_over(const char *path)
{
    struct stat info;
    const int file = open(path, O_RDWR);
    if (file < 0 || fstat(file, &info) != 0 || info.st_size == 0)
        exit(4);
    unsigned char *page =
        mmap(NULL, (size_t)info.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page == MAP_FAILED)
        exit(4);
    const size_t writes = (size_t)info.st_size / PAGE_B_A_WRITE;
    for (size_t i = 0; i < writes || i < WRITES_MIN; i++)
        page[(size_t)random() % (size_t)info.st_size] = (unsigned char)random();
}

static void write_over_all(const char *pattern, unsigned seed)
{
    char path[256];
    glob_t found;
    srandom(seed);
    snprintf(path, sizeof path, "%s/%s", getenv("UKEMI_CELL"), pattern);
    if (glob(path, 0, NULL, &found) != 0)
        exit(4);
    for (size_t i = 0; i < found.gl_pathc; i++)
        write_over(found.gl_pathv[i]);
    globfree(&found);
}

// Who looks for NUMBER among the words of all processes finds it.
static void escape(void)
{
    const pid_t child = fork();
    if (child == 0) {
        (void)setsid();
        if (fork() == 0)
            for (;;)
                pause();
        _exit(0);
    }
    (void)waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
    struct clk *clk;
    if (argc < 2 || clk_join(&clk) != STATUS_OK)
        return 3;
    const char *habit = argv[1];
    const int number = argc > 2 ? atoi(argv[2]) : 0;
    clk_sleep_until(clk, instant_s(BAD_AT_S));
    if (strcmp(habit, "stopall") == 0)
        kill(-1, SIGSTOP);
    else if (strcmp(habit, "stopone") == 0)
        kill(number, SIGSTOP);
    else if (strcmp(habit, "killall") == 0)
        kill(-1, SIGKILL);
    else if (strcmp(habit, "escape") == 0)
        escape();
    else if (strcmp(habit, "fail") == 0)
        return number;
    else if (strcmp(habit, "invariant") == 0)
        invariant(number > 0);
    else if (strcmp(habit, "channels") == 0)
        write_over_all("channels/*", (unsigned)number);
    else if (strcmp(habit, "buses") == 0)
        write_over_all("buses/*", (unsigned)number);
    else if (strcmp(habit, "clock") == 0)
        write_over_all("clock", (unsigned)number);
    if (strcmp(habit, "leave") == 0) {
        fprintf(stderr, "I am off\n");
        clk_leave(clk);
        for (;;)
            pause();
    }
    for (;;)
        clk_sleep_until(clk, instant_add(clk_now(clk), duration_s(1)));
}
