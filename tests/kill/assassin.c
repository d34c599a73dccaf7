// Kills the lab at random instants, and checks what is left of it.
//
//   assassin UKEMI FOLDER [--kills N] [--seed N] [--wall] [--jobs N] [--verbose]
//
// Runs tests/kill/campaign.yaml undisturbed (unless FOLDER holds that already), then again and
// again while it kills (SIGKILL) its orchestrator, workers, keepers, inits, fault programs,
// simulators and daemons, each found by its place below the process this one started. Whenever the
// campaign has ended, killed or not, nothing of it may be left, every trial reported done must be
// whole, and --resume must go on with exactly the missing ones; when it is complete it must be the
// undisturbed one, with the same hashes (virtual clock) or the same trials (wall clock). Then the
// next campaign, until N processes are killed.
//
// Prints a summary "NAME: VALUE"; exit 0: all was well, 1: not, 2: called wrongly, 77: this user
// may not make namespaces.
#include "tests/kill/assassin.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"

#define CAMPAIGN "tests/kill/campaign.yaml"
#define RUNS_MAX 200    // of one campaign: it must get on between the kills
#define DELAY_MAX_S 0.7 // to the next kill
#define HUNT_MAX_S 1.5  // looking for one that is there only now and then
#define EXIT_SKIPPED 77

struct assassin {
    const char *ukemi, *folder, *jobs;
    bool wall, verbose;
    double start_s;
    unsigned kills_wanted;
    uint64_t seed;
    struct random_stream stream;
    enum prey deck[2 * PREY_COUNT]; // drawn without putting back, so that each comes often enough
    unsigned left_in_deck;
    struct scene scene;
    struct books books;
    char log[PATH_SIZE];
    // what came of it
    unsigned killed[PREY_COUNT], kills, escaped;
    unsigned campaigns, resumes, lost_runs, leaks, bad, trials, same;
    double gone_max_s;
};

// ---- one run of the campaign --------------------------------------------------------------------

static void name_places(struct assassin *a, const char *series)
{
    snprintf(a->scene.results, sizeof a->scene.results, "%.200s/%s", a->folder, series);
    snprintf(a->scene.report, sizeof a->scene.report, "%.200s/%s-report", a->folder, series);
    snprintf(a->log, sizeof a->log, "%.200s/%s.log", a->folder, series);
    snprintf(a->books.path, sizeof a->books.path, "%.500s/u.db", a->scene.results);
    snprintf(a->books.results, sizeof a->books.results, "%s", a->scene.results);
}

static pid_t start(const struct assassin *a, bool wall)
{
    const char *argument[] = {a->ukemi,      "campaign", CAMPAIGN,        "--db",
                              a->books.path, "--output", a->scene.report, "--jobs",
                              a->jobs,       "--resume", "--quiet",       wall ? "--wall" : NULL,
                              NULL};
    fflush(NULL);
    pid_t child = fork();
    if (child != 0)
        return child;
    int log = open(a->log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    if (a->ukemi != NULL)
        execv(a->ukemi, (char *const *)argument);
    _exit(127);
}

// Waits for `seconds` or until the orchestrator ends.
static bool ends_within(pid_t orchestrator, double seconds, int *status)
{
    int pidfd = (int)syscall(SYS_pidfd_open, orchestrator, 0);
    struct pollfd end = {.fd = pidfd, .events = POLLIN};
    if (pidfd >= 0) {
        poll(&end, 1, (int)ceil(1000 * seconds));
        close(pidfd);
    }
    return scene_has_ended(orchestrator, status);
}

static enum prey draw(struct assassin *a)
{
    // The orchestrator more often than the others: it is what --resume is for.
    static const enum prey full[] = {PREY_ORCHESTRATOR, PREY_ORCHESTRATOR, PREY_ORCHESTRATOR,
                                     PREY_REPORTER,     PREY_WORKER,       PREY_WRITER,
                                     PREY_KEEPER,       PREY_INIT,         PREY_INIT,
                                     PREY_FAULT,        PREY_SIMULATOR,    PREY_DAEMON};
    if (a->left_in_deck == 0) {
        memcpy(a->deck, full, sizeof full);
        a->left_in_deck = sizeof full / sizeof full[0];
    }
    const unsigned left = a->left_in_deck;
    unsigned i = (unsigned)(random_bits(&a->stream) % left);
    enum prey drawn = a->deck[i];
    a->deck[i] = a->deck[--a->left_in_deck];
    return drawn;
}

// One kill after a random time; returns whether the orchestrator has ended meanwhile.
static bool strike(struct assassin *a, pid_t orchestrator, int *status)
{
    enum prey prey = draw(a);
    if (ends_within(orchestrator, random_uniform(&a->stream, 0, DELAY_MAX_S), status)) {
        a->deck[a->left_in_deck++] = prey;
        return true;
    }
    double patience_s = prey == PREY_REPORTER ? 60 : HUNT_MAX_S;
    bool ended = false;
    for (const double start_s = now_s(); !ended && now_s() - start_s < patience_s;) {
        unsigned left;
        double gone_s;
        if (prey_kill(prey, orchestrator, &left, &gone_s)) {
            if (left > 0)
                complain("%u processes outlived the %s above them", left, prey_name(prey));
            a->leaks += left;
            a->gone_max_s = gone_s > a->gone_max_s ? gone_s : a->gone_max_s;
            a->killed[prey]++;
            a->kills++;
            if (a->verbose)
                printf("# %.1f s: %s killed\n", now_s() - a->start_s, prey_name(prey));
            return ends_within(orchestrator, 0, status);
        }
        ended = ends_within(orchestrator, prey == PREY_REPORTER ? 0.01 : 0.0005, status);
    }
    // It was not there: the next one, and this one later.
    a->escaped++;
    a->deck[a->left_in_deck++] = prey;
    return ended;
}

static bool says(const char *path, const char *words)
{
    char text[8192];
    FILE *file = fopen(path, "r");
    size_t length = file == NULL ? 0 : fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    if (file != NULL)
        fclose(file);
    return strstr(text, words) != NULL;
}

// Whether the campaign ended as it should: killed; or complete; or with trials lost, saying so.
static void check_end(struct assassin *a, int status, bool finished)
{
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        return;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    bool lost = code == 3 && !finished && says(a->log, "lost: ") && says(a->log, "--resume");
    a->lost_runs += lost;
    if (lost || ((code == 0 || a->wall) && finished))
        return;
    complain("the campaign ended with %d, %s; see %s", code, finished ? "finished" : "not finished",
             a->log);
    a->bad++;
}

static void check_left(struct assassin *a)
{
    a->leaks += !scene_wait_until_empty();
    a->leaks += scene_count_leaks(&a->scene);
}

// Runs the campaign until it is complete.
static void run_series(struct assassin *a, bool disturb)
{
    bool finished = false;
    char *before = strdup("");
    for (int run = 0; run < RUNS_MAX && !finished && complaints == 0; run++) {
        int status = 0;
        pid_t orchestrator = start(a, a->wall && disturb);
        bool ended = orchestrator < 0;
        while (!ended)
            ended = disturb && a->kills < a->kills_wanted ? strike(a, orchestrator, &status)
                                                          : ends_within(orchestrator, 60, &status);
        check_left(a);
        unsigned trials = 0;
        a->bad += books_check(&a->books, &trials, &finished);
        check_end(a, status, finished);
        char *after = books_list(&a->books);
        if (strncmp(before, after, strlen(before)) != 0) {
            complain("a trial that was stored is gone or another: see %s", a->books.path);
            a->bad++;
        }
        free(before);
        before = after;
        a->resumes += run > 0;
    }
    free(before);
    if (!finished)
        complain("the campaign was never complete");
}

// ---- the whole ----------------------------------------------------------------------------------

static bool run_undisturbed(struct assassin *a)
{
    static char reference[PATH_SIZE];
    name_places(a, "undisturbed");
    snprintf(reference, sizeof reference, "%s", a->books.path);
    a->books.reference = reference;
    if (access(reference, F_OK) == 0) // of an earlier series in this folder
        return true;
    run_series(a, false);
    unsigned same;
    a->books.same_hashes = true;
    return complaints == 0 && books_compare(&a->books, &same) == 0;
}

// The tables of both reports, but for the lines about time.
static bool tables_differ(const struct assassin *a)
{
    char command[4 * PATH_SIZE];
    snprintf(
        command, sizeof command,
        "diff -I 'min simulated' '%s/table1.txt' '%.400s/undisturbed-report/table1.txt' >&2 && "
        "diff '%s/table1.csv' '%.400s/undisturbed-report/table1.csv' >&2",
        a->scene.report, a->folder, a->scene.report, a->folder);
    return system(command) != 0;
}

static void run_disturbed(struct assassin *a)
{
    char name[32];
    a->books.same_hashes = !a->wall;
    while (a->kills < a->kills_wanted && complaints == 0) {
        unsigned trials, same = 0;
        bool finished;
        snprintf(name, sizeof name, "%s-%u", a->wall ? "wall" : "virtual", a->campaigns++);
        name_places(a, name);
        run_series(a, true);
        if (complaints > 0)
            return;
        a->bad += books_compare(&a->books, &same) + books_check(&a->books, &trials, &finished);
        a->trials += trials;
        a->same += same;
        if (!a->wall && tables_differ(a)) {
            complain("the table of %s is not that of the undisturbed campaign", a->scene.report);
            a->bad++;
        }
    }
}

static void summarise(const struct assassin *a, double seconds)
{
    printf("kills: %u\n", a->kills);
    for (enum prey prey = 0; prey < PREY_COUNT; prey++)
        printf("killed %s: %u\n", prey_name(prey), a->killed[prey]);
    printf("not there when looked for: %u\n", a->escaped);
    printf("campaigns: %u\nresumes: %u\nruns with lost trials: %u\n", a->campaigns, a->resumes,
           a->lost_runs);
    printf("leaks: %u\nbad rows: %u\ntrials: %u\nsame hash: %u of %u\n", a->leaks, a->bad,
           a->trials, a->same, a->trials);
    printf("all gone after at most: %.3f s\nseconds: %.0f\n", a->gone_max_s, seconds);
}

static bool parse(int argc, char **argv, struct assassin *a)
{
    static const struct option options[] = {
        {"kills", required_argument, NULL, 'k'}, {"seed", required_argument, NULL, 's'},
        {"jobs", required_argument, NULL, 'j'},  {"wall", no_argument, NULL, 'w'},
        {"verbose", no_argument, NULL, 'v'},     {NULL, 0, NULL, 0}};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (option == '?')
            return false;
        if (option == 'k')
            a->kills_wanted = (unsigned)strtoul(optarg, NULL, 10);
        if (option == 's')
            a->seed = strtoull(optarg, NULL, 10);
        if (option == 'j')
            a->jobs = optarg;
        a->wall |= option == 'w';
        a->verbose |= option == 'v';
    }
    a->ukemi = argv[optind];
    a->folder = optind + 2 == argc ? argv[optind + 1] : NULL;
    return a->folder != NULL && strlen(a->folder) < 200;
}

int main(int argc, char **argv)
{
    static struct assassin a = {.kills_wanted = 20, .seed = 1, .jobs = "2"};
    if (!parse(argc, argv, &a)) {
        fputs(
            "usage: assassin UKEMI FOLDER [--kills N] [--seed N] [--wall] [--jobs N] [--verbose]\n",
            stderr);
        return 2;
    }
    printf("seed: %llu\n", (unsigned long long)a.seed);
    fflush(stdout);
    if (scene_enter() != 0) {
        perror("assassin: no namespaces");
        return EXIT_SKIPPED;
    }
    random_start(&a.stream, a.seed, "assassin");
    srand((unsigned)a.seed);
    snprintf(a.scene.temporary, sizeof a.scene.temporary, "%s/tmp", a.folder);
    mkdir(a.scene.temporary, 0777);
    setenv("TMPDIR", a.scene.temporary, 1);
    a.start_s = now_s();
    if (run_undisturbed(&a))
        run_disturbed(&a);
    summarise(&a, now_s() - a.start_s);
    return complaints == 0 && a.leaks == 0 && a.bad == 0 ? 0 : 1;
}
