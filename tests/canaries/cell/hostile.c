// A hostile process: tries what a process of a cell must not be able to do; see
// doc/explanation/wall.md.
//
//   hostile WHAT FOLDER [late]
//
// WHAT is a group of habits (hostile_*.c), one of them by its name, or an act below. FOLDER is a
// bystander's (wall_bystander.c). Groups are tried before the clock is joined, or, late, a tenth of
// a second after. A group ends with a line that says how many were tried and which have worked:
// exit status 0 if none has, else 7. Each habit has a process of its own, and changes nothing that
// it does not have to. Acts do harm, or pretend to; then the process goes on as if nothing had
// been.
#include "tests/canaries/cell/hostile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock/clock.h"

#define EXIT_ESCAPED 7
#define PATIENCE_S 2 // of one habit
#define HELD_MB 400  // more than a trial of these tests may have
#define HELD_MS 250  // several looks of the lab
#define ATTACK_S 0.1

const char *bystander;

// What a habit's process leaves to this one.
static struct {
    bool works;
    char words[120];
} * result;

void habit_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(result->words, sizeof result->words, format, arguments);
    va_end(arguments);
}

bool passed(long value)
{
    return value >= 0 || (errno != EPERM && errno != EACCES && errno != ENOSYS);
}

bool opens(const char *path, int flags)
{
    int file = open(path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
    if (file >= 0)
        close(file);
    if (file >= 0 && result->words[0] == '\0')
        habit_say("%s", path);
    return file >= 0;
}

// ---- groups -------------------------------------------------------------------------------------

static void try_it(const struct habit *habit)
{
    alarm(PATIENCE_S);
    if (strcmp(habit->group, "mounts") == 0)
        (void)!unshare(CLONE_NEWNS); // where that works, what else works is seen by nobody
    errno = 0;
    result->works = habit->works();
    if (result->words[0] == '\0')
        habit_say("%s", strerror(errno));
    _exit(0);
}

static bool works(const struct habit *habit)
{
    int status = 0;
    memset(result, 0, sizeof *result);
    pid_t pid = fork();
    if (pid == 0)
        try_it(habit);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (pid < 0 || WIFSIGNALED(status))
        habit_say("signal %d", WTERMSIG(status));
    return result->works;
}

// Tries those of a table that WHAT names; one alone says how it ended.
static void try_table(const struct habit *habit, const char *what, unsigned *tried, char *names,
                      size_t size)
{
    for (; habit->name != NULL; habit++) {
        const bool alone = strcmp(habit->name, what) == 0;
        if (!alone && strcmp(habit->group, what) != 0 && strcmp(what, "all") != 0)
            continue;
        const bool escaped = works(habit);
        const size_t length = strlen(names);
        if (escaped)
            snprintf(names + length, size - length, " %s", habit->name);
        if (alone || getenv("HOSTILE_VERBOSE") != NULL)
            printf("%s: %s: %s\n", habit->name, escaped ? "worked" : "contained", result->words);
        ++*tried;
    }
}

// True: WHAT is a group or a habit, and this process has done what it is for.
static bool try_habits(const char *what, bool *escaped)
{
    char names[2048] = "";
    unsigned tried = 0;
    try_table(habits_of_calls, what, &tried, names, sizeof names);
    try_table(habits_of_init, what, &tried, names, sizeof names);
    try_table(habits_of_machine, what, &tried, names, sizeof names);
    try_table(habits_of_self, what, &tried, names, sizeof names);
    *escaped = names[0] != '\0';
    if (tried > 0)
        printf("%s: %u tried, %s%s\n", what, tried, *escaped ? "worked:" : "none worked", names);
    fflush(stdout);
    return tried > 0;
}

// ---- acts ---------------------------------------------------------------------------------------

static void forge_lines(int file)
{
    dprintf(file, "\nPASS\nPASS  forged by the target\n  PASS  peers-survive\n"
                  "\033[2J\033]0;forged\a\033[32mPASS\033[m\n\xc2\x9b"
                  "2J\n");
}

// Its last words want to look like the lab's.
static void act_words(void)
{
    forge_lines(1);
    abort();
}

// Whatever leads to the output of the lab.
static void act_output(void)
{
    static const char *const paths[] = {"/dev/tty", "/dev/console", "/dev/stdout", "/dev/stderr"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        forge_lines(open(paths[i], O_WRONLY | O_CLOEXEC | O_NOCTTY));
    for (int process = 1; process < 100; process++)
        for (int number = 0; number < 32; number++) {
            char path[64];
            snprintf(path, sizeof path, "/proc/%d/fd/%d", process, number);
            int file = process == getpid() ? -1 : open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
            if (file >= 0)
                forge_lines(file);
            if (file >= 0)
                close(file);
        }
}

// Ends a peer, then wants to hide that in init's memory.
static void act_forge(void)
{
    for (int process = 2; process < 100; process++) {
        char path[64], name[32] = "";
        snprintf(path, sizeof path, "/proc/%d/comm", process);
        FILE *file = fopen(path, "r");
        if (file != NULL && fgets(name, sizeof name, file) && strcmp(name, "perception\n") == 0)
            (void)kill(process, SIGTERM);
        if (file != NULL)
            (void)fclose(file);
    }
    (void)opens("/proc/1/mem", O_RDWR);
}

// Everything that could end the init or hold it up.
static void act_end_init(void)
{
    for (int number = 1; number < NSIG; number++)
        (void)kill(INIT, number);
    (void)prlimit(INIT, RLIMIT_CPU, &(struct rlimit){0, 0}, NULL);
    (void)prlimit(INIT, RLIMIT_AS, &(struct rlimit){0, 0}, NULL);
    (void)prlimit(INIT, RLIMIT_NOFILE, &(struct rlimit){0, 0}, NULL);
    (void)prlimit(INIT, RLIMIT_FSIZE, &(struct rlimit){0, 0}, NULL);
    (void)setpriority(PRIO_PROCESS, INIT, 19);
}

// Leads every file of the cell's folders to a file outside, where that is allowed.
static void replace(const char *folder)
{
    char target[200], path[600];
    snprintf(target, sizeof target, "%s/secret", bystander);
    DIR *files = opendir(folder);
    for (const struct dirent *entry; files != NULL && (entry = readdir(files)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && unlink(path) == 0)
            (void)!symlink(target, path);
    }
    if (files != NULL)
        closedir(files);
}

static void act_replace(void)
{
    replace("/dev/shm/cell/channels");
    replace("/dev/shm/cell/buses");
    replace("/dev/shm/cell");
}

// Orphans for init to bury.
static void act_orphans(void)
{
    for (int i = 0; i < 200; i++) {
        pid_t pid = fork();
        if (pid == 0 && fork() >= 0)
            _exit(0);
        (void)waitpid(pid, NULL, 0);
    }
}

// Holds memory for a few looks of the lab, and says how much it got.
static void hold(const struct holder *holder)
{
    const size_t held_B = holder->hold((size_t)HELD_MB << 20);
    poll(NULL, 0, HELD_MS);
    printf("%s: %zu MB held\n", holder->name, held_B >> 20);
    exit(0);
}

static const struct {
    const char *name;
    void (*act)(void);
} acts[] = {
    {"words", act_words},       {"output", act_output},   {"forge-death", act_forge},
    {"end-init", act_end_init}, {"replace", act_replace}, {"orphans", act_orphans},
};

static void act(const char *what)
{
    for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++)
        if (strcmp(acts[i].name, what) == 0)
            acts[i].act();
    for (const struct holder *holder = holders; holder->name != NULL; holder++)
        if (strcmp(holder->name, what) == 0)
            hold(holder);
}

int main(int argc, char **argv)
{
    struct clk *clk;
    bool escaped = false;
    if (argc < 3)
        return 2;
    bystander = argv[2];
    const bool late = argc > 3;
    result = mmap(NULL, sizeof *result, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (result == MAP_FAILED)
        return 3;
    const bool tried = !late && try_habits(argv[1], &escaped);
    if (clk_join(&clk) != STATUS_OK)
        return escaped ? EXIT_ESCAPED : 3;
    clk_sleep_until(clk, instant_s(ATTACK_S));
    if (tried || (late && try_habits(argv[1], &escaped)))
        return escaped ? EXIT_ESCAPED : 0;
    act(argv[1]);
    for (double time_s = ATTACK_S;; time_s += 0.01)
        clk_sleep_until(clk, instant_s(time_s));
}
