// Fault of the tests on SocketCAN: does nothing, but takes as long as the file `held-NAME` lies
// beside this program. The virtual clock stands still meanwhile: so other programs can be ready, or
// can have finished, at a given instant of a trial, however fast that is. Without the file the
// trial has the same history.
//
//   hold apply|undo hold name=NAME ...
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LOOK_ROUND_NS 20000000
#define LOOKS_PER_LETTER 250 // 5 s: half of the lab's patience with a program that says nothing

static bool is_held(const char *name)
{
    char path[PATH_MAX], file[PATH_MAX + 64];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        return false;
    path[length] = '\0';
    *strrchr(path, '/') = '\0'; // the kernel's paths begin with one
    snprintf(file, sizeof file, "%s/held-%.48s", path, name);
    return access(file, F_OK) == 0;
}

int main(int argc, char **argv)
{
    const char *answer = argc > 1 && strcmp(argv[1], "apply") == 0
                             ? "proven=1 evidence=went on when it was let\n"
                             : "proven=1 evidence=nothing to undo\n";
    const char *name = "";
    for (int i = 2; i < argc; i++)
        if (strncmp(argv[i], "name=", 5) == 0)
            name = argv[i] + 5;
    const struct timespec pause = {.tv_nsec = LOOK_ROUND_NS};
    for (const char *letter = answer; *letter != '\0'; letter++) {
        for (unsigned i = 0; i < LOOKS_PER_LETTER && is_held(name); i++)
            nanosleep(&pause, NULL);
        putchar(*letter);
        fflush(stdout);
    }
    return 0;
}
