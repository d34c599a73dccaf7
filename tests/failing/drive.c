// Lets each call of the lab that can fail, fail: once, and for good from then on.
//
//   drive UKEMI LIBRARY FOLDER [--places N] [--shift N] [--only COMMAND] [--kind KIND] [--verbose]
//
// Runs each command undisturbed and notes from where it calls what can fail (fail_nth.c), then runs
// it again for each place (or N per command, family and mode, evenly spread from the SHIFT-th) with
// that call failing. Whatever fails: the command ends by itself with 0 and the undisturbed words,
// or with 3 and a sentence; it never blames the input or the target; no process, shared memory or
// temporary file is left; the database is sound, what was in it is unchanged, what was added is
// true; and `campaign --resume` completes with the hashes of an undisturbed campaign.
//
// Prints a summary "NAME: VALUE"; exit 0: all was well, 1: not, 2: called wrongly, 77: this user
// may not make namespaces, or, with a line "busy: REASON", the machine has no time for this.
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <getopt.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/failing/fail_nth.h"
#include "tests/failing/ledger.h"
#include "tests/kill/assassin.h"

#define CAMPAIGN "tests/failing/campaign.yaml"
#define SCENARIO "tests/failing/stand.yaml"
#define LIMIT_S 60           // of a run; on a busy machine as many times longer as undisturbed
#define UNDISTURBED_SHARE 10 // of the limit: what an undisturbed run takes at most
#define EXIT_SKIPPED 77
#define WORDS_MAX 16384

struct command {
    const char *name;
    bool runs_campaign, makes_report;
    const char *argument[12]; // "@": in the folder of this run
};

static const struct command commands[] = {
    {"run", false, false, {"run", SCENARIO, "--keep", "@report/h.mcap"}},
    {"campaign",
     true,
     true,
     {"campaign", CAMPAIGN, "--db", "@work/u.db", "--output", "@report", "--jobs", "2", "--quiet"}},
    {"report", false, true, {"report", "1", "--db", "@work/u.db", "--to", "@report"}},
    {"judge", false, false, {"judge", "1", "--db", "@work/u.db"}},
    {"show", false, false, {"show", "1", "--db", "@work/u.db"}},
    {"list", false, false, {"show", "--db", "@work/u.db"}},
    {"series", false, false, {"series", "1", "--db", "@work/u.db"}},
};
#define COMMANDS (sizeof commands / sizeof commands[0])

static const char *const family_name[FAIL_FAMILIES] = {"memory", "open",    "read",
                                                       "write",  "process", "lock"};

struct driver {
    const char *ukemi, *library, *folder, *only, *kind;
    unsigned places_wanted, shift;
    double limit_s;
    bool verbose;
    struct fail_table *table;
    char table_path[PATH_SIZE];
    struct scene scene;
    struct ledger ledger;
    // what came of it
    unsigned runs, failed[FAIL_FAMILIES], places, ended[4], leaks, bad;
};

__attribute__((format(printf, 1, 2))) static void shell(const char *format, ...)
{
    char line[8 * PATH_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (system(line) != 0)
        complain("'%s' failed", line);
}

// ---- one run ------------------------------------------------------------------------------------

struct outcome {
    bool hung;
    double took_s;
    int status;
    char said[WORDS_MAX], complained[WORDS_MAX]; // standard output and error
    unsigned long long page;                     // hash of the report's page
};

static void place(const struct driver *d, const char *name, char path[PATH_SIZE])
{
    snprintf(path, PATH_SIZE, "%.200s/%s", d->folder, name);
}

static _Noreturn void become(const struct driver *d, const struct command *command, bool resume)
{
    static char text[12][PATH_SIZE];
    const char *argument[16] = {d->ukemi};
    unsigned count = 1;
    for (unsigned i = 0; i < 12 && command->argument[i] != NULL; i++) {
        const char *word = command->argument[i];
        if (word[0] == '@')
            place(d, word + 1, text[i]);
        argument[count++] = word[0] == '@' ? text[i] : word;
    }
    if (resume)
        argument[count++] = "--resume";
    argument[count] = NULL;
    char out[PATH_SIZE], err[PATH_SIZE];
    place(d, "out", out);
    place(d, "err", err);
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(open(out, O_WRONLY | O_CREAT | O_TRUNC, 0666), STDOUT_FILENO);
    dup2(open(err, O_WRONLY | O_CREAT | O_TRUNC, 0666), STDERR_FILENO);
    personality(ADDR_NO_RANDOMIZE); // a place has the same addresses in each run
    setenv(FAIL_FILE, d->table_path, 1);
    setenv("LD_PRELOAD", d->library, 1);
    execv(argument[0], (char *const *)argument);
    _exit(127);
}

static void read_words(const struct driver *d, const char *name, char words[WORDS_MAX])
{
    char path[PATH_SIZE];
    place(d, name, path);
    FILE *file = fopen(path, "r");
    const size_t length = file == NULL ? 0 : fread(words, 1, WORDS_MAX - 1, file);
    words[length] = '\0';
    if (file != NULL)
        fclose(file);
}

static unsigned long long hash_file(const char *path)
{
    unsigned long long hash = 14695981039346656037u;
    FILE *file = fopen(path, "r");
    for (int c; file != NULL && (c = getc(file)) != EOF;)
        hash = (hash ^ (unsigned char)c) * 1099511628211u;
    if (file != NULL)
        fclose(file);
    return hash;
}

// Lines about time differ from run to run.
static void drop_times(char *words)
{
    char *to = words;
    for (char *line = words; *line != '\0';) {
        const size_t length = strcspn(line, "\n") + (strchr(line, '\n') != NULL);
        char rest = line[length];
        line[length] = '\0';
        const bool timed = strstr(line, "simulated") != NULL || strstr(line, "campaign ") == line;
        line[length] = rest;
        if (!timed) {
            memmove(to, line, length);
            to += length;
        }
        line += length;
    }
    *to = '\0';
}

static void await_end(pid_t child, double limit_s, struct outcome *outcome)
{
    const int pidfd = (int)syscall(SYS_pidfd_open, child, 0);
    struct pollfd end = {.fd = pidfd, .events = POLLIN};
    const double start_s = now_s();
    while (!scene_has_ended(child, &outcome->status)) {
        if (!outcome->hung && now_s() - start_s > limit_s) {
            outcome->hung = true;
            kill(child, SIGKILL);
        }
        poll(&end, 1, 1000);
    }
    outcome->took_s = now_s() - start_s;
    close(pidfd);
}

static void run(struct driver *d, const struct command *command, bool resume,
                struct outcome *outcome)
{
    *outcome = (struct outcome){0};
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        become(d, command, resume);
    await_end(child, d->limit_s, outcome);
    read_words(d, "out", outcome->said);
    read_words(d, "err", outcome->complained);
    drop_times(outcome->said);
    if (command->makes_report && !command->runs_campaign) { // its times differ
        char page[PATH_SIZE];
        place(d, "report/table1.txt", page);
        outcome->page = hash_file(page);
    }
    d->runs++;
}

static void fail_nothing(struct driver *d, bool note)
{
    memset(d->table, 0, note ? sizeof *d->table : offsetof(struct fail_table, place));
    d->table->note_places = note;
}

static void renew(const struct driver *d)
{
    shell("cd %s && rm -rf work report && mkdir report && cp -a before work", d->folder);
}

// ---- what holds whatever fails ------------------------------------------------------------------

static const char *const wrong_blame[] = {"(null)",          "not YAML",     "indentation",
                                          "no such channel", "bad input",    "does not belong here",
                                          "integrity_check", "file is empty"};

static void check_words(const struct outcome *outcome, const struct outcome *undisturbed, int code)
{
    for (unsigned i = 0; i < sizeof wrong_blame / sizeof wrong_blame[0]; i++)
        if (strstr(outcome->said, wrong_blame[i]) != NULL ||
            strstr(outcome->complained, wrong_blame[i]) != NULL)
            complain("it says '%s'", wrong_blame[i]);
    const bool silent = outcome->complained[0] == '\0';
    if (code == 0 && strcmp(outcome->said, undisturbed->said) != 0)
        complain("it ended with 0, but said something else");
    if (code == 0 && silent && outcome->page != undisturbed->page)
        complain("it ended with 0 without a word, but the report is another");
    if (code != 0 && silent && strstr(outcome->said, "lab error: ") == NULL)
        complain("it does not say what was wrong");
}

// A run in which nothing failed: if it is ended by our own limit, the machine is too busy to tell.
static void run_undisturbed(struct driver *d, const struct command *command,
                            struct outcome *outcome)
{
    d->limit_s = LIMIT_S;
    run(d, command, false, outcome);
    if (outcome->hung) {
        printf("busy: %s, undisturbed, did not end within %d s\n", command->name, LIMIT_S);
        exit(EXIT_SKIPPED);
    }
    d->limit_s = fmax(LIMIT_S, UNDISTURBED_SHARE * outcome->took_s);
}

static void check_end(struct driver *d, const struct outcome *outcome,
                      const struct outcome *undisturbed)
{
    const int code = WIFEXITED(outcome->status) ? WEXITSTATUS(outcome->status) : -1;
    if (outcome->hung)
        complain("it did not end within %.0f s", d->limit_s);
    else if (code < 0)
        complain("it died by signal %d", WTERMSIG(outcome->status));
    else if (code != 0 && code != 3)
        complain("it ended with %d", code);
    if (code >= 0 && code < 4)
        d->ended[code]++;
    check_words(outcome, undisturbed, code);
}

static void check_left(struct driver *d)
{
    const unsigned before = complaints;
    if (!scene_wait_until_empty())
        d->leaks++;
    d->leaks += scene_count_leaks(&d->scene);
    if (complaints == before)
        return;
    kill(-1, SIGKILL); // in this PID namespace
    shell("rm -rf %s/tmp/* /dev/shm/*", d->folder);
}

static void check_resumed(struct driver *d, const struct command *command,
                          const struct outcome *failed)
{
    const int code = WIFEXITED(failed->status) ? WEXITSTATUS(failed->status) : -1;
    struct outcome outcome = {0};
    if (!command->runs_campaign)
        return;
    if (code != 0 && !ledger_complete(&d->ledger)) {
        fail_nothing(d, false);
        run(d, command, ledger_begun(&d->ledger), &outcome);
        if (!WIFEXITED(outcome.status) || WEXITSTATUS(outcome.status) != 0)
            complain("--resume ended with status 0x%x: %.300s", outcome.status, outcome.complained);
        check_left(d);
        ledger_check(&d->ledger);
    }
    ledger_check_complete(&d->ledger);
}

// ---- places -------------------------------------------------------------------------------------

static void describe(const struct fail_place *at, FILE *out)
{
    for (unsigned i = 0; i < FAIL_FRAMES && at->frame[i] != NULL; i++)
        fprintf(out, "#     %p\n", at->frame[i]);
}

static void try_place(struct driver *d, const struct command *command, const struct fail_place *at,
                      enum fail_mode mode, const struct outcome *undisturbed)
{
    struct outcome outcome;
    const unsigned before = complaints;
    renew(d);
    fail_nothing(d, false);
    d->table->mode = mode;
    d->table->family = at->family;
    d->table->generation = at->generation;
    d->table->number = at->number;
    run(d, command, false, &outcome);
    const bool tripped = atomic_load(&d->table->tripped) > 0;
    d->failed[at->family] += tripped;
    if (d->verbose)
        printf("# %s: %s %llu of generation %u (%s) fails %s: status 0x%x\n", command->name,
               family_name[at->family], (unsigned long long)at->number, at->generation, at->call,
               mode == FAIL_ONCE ? "once" : "for good", outcome.status);
    check_end(d, &outcome, undisturbed);
    check_left(d);
    ledger_check(&d->ledger);
    check_resumed(d, command, &outcome);
    if (complaints == before)
        return;
    d->bad++;
    printf("# that was %s, %s call %llu of generation %u (%s), failing %s\n#   it said: %.600s\n#  "
           " and: "
           "%.300s\n",
           command->name, family_name[at->family], (unsigned long long)at->number, at->generation,
           at->call, mode == FAIL_ONCE ? "once" : "for good", outcome.complained,
           strstr(outcome.said, "lab error") != NULL ? strstr(outcome.said, "lab error") : "");
    if (d->verbose)
        describe(at, stdout);
    fflush(stdout);
}

static int by_number(const void *a, const void *b)
{
    const struct fail_place *left = a, *right = b;
    if (left->generation != right->generation)
        return left->generation < right->generation ? -1 : 1;
    return left->number < right->number ? -1 : left->number > right->number;
}

// The places of one family, in the order in which they are come to; the caller frees them.
static struct fail_place *collect(const struct fail_table *table, enum fail_family family,
                                  unsigned *count)
{
    struct fail_place *list = calloc(FAIL_PLACES_MAX, sizeof *list);
    *count = 0;
    for (unsigned i = 0; list != NULL && i < FAIL_PLACES_MAX; i++)
        if (atomic_load(&table->place[i].stack) != 0 && table->place[i].family == family)
            memcpy(&list[(*count)++], &table->place[i], sizeof *list);
    if (list != NULL)
        qsort(list, *count, sizeof *list, by_number);
    return list;
}

static void try_family(struct driver *d, const struct command *command,
                       const struct fail_place *list, unsigned count,
                       const struct outcome *undisturbed)
{
    const unsigned tries =
        d->places_wanted == 0 || d->places_wanted > count ? count : d->places_wanted;
    for (unsigned i = 0; i < tries; i++) {
        const unsigned at = (unsigned)((uint64_t)i * count / tries + d->shift) % count;
        try_place(d, command, &list[at], FAIL_ONCE, undisturbed);
        // A lock that cannot be had is waited for, ten seconds long: it may be another program's.
        if (list[at].family != FAIL_LOCK)
            try_place(d, command, &list[at], FAIL_FOR_GOOD, undisturbed);
        d->places++;
    }
}

static void try_command(struct driver *d, const struct command *command)
{
    struct outcome undisturbed;
    struct fail_place *list[FAIL_FAMILIES];
    unsigned count[FAIL_FAMILIES];
    renew(d);
    fail_nothing(d, true);
    run_undisturbed(d, command, &undisturbed);
    check_left(d);
    if (!WIFEXITED(undisturbed.status) || WEXITSTATUS(undisturbed.status) != 0)
        complain("%s: undisturbed it ended with status 0x%x: %s", command->name, undisturbed.status,
                 undisturbed.complained);
    for (enum fail_family family = 0; family < FAIL_FAMILIES; family++)
        list[family] = collect(d->table, family, &count[family]);
    for (enum fail_family family = 0; family < FAIL_FAMILIES; family++) {
        if (d->kind != NULL && strcmp(d->kind, family_name[family]) != 0)
            count[family] = 0;
        printf("# %s: %s from %u places\n", command->name, family_name[family], count[family]);
        fflush(stdout);
        if (list[family] != NULL && count[family] > 0)
            try_family(d, command, list[family], count[family], &undisturbed);
        free(list[family]);
    }
}

// ---- the whole ----------------------------------------------------------------------------------

static bool prepare(struct driver *d)
{
    place(d, "table", d->table_path);
    place(d, "work", d->scene.results);
    place(d, "report", d->scene.report);
    place(d, "tmp", d->scene.temporary);
    snprintf(d->ledger.folder, sizeof d->ledger.folder, "%s", d->scene.results);
    mkdir(d->scene.temporary, 0777);
    setenv("TMPDIR", d->scene.temporary, 1);
    const int file = open(d->table_path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0 || ftruncate(file, sizeof *d->table) != 0)
        return false;
    d->table = mmap(NULL, sizeof *d->table, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (d->table == MAP_FAILED)
        return false;
    // What is in the database before: an undisturbed campaign.
    struct outcome outcome;
    run_undisturbed(d, &commands[1], &outcome);
    shell("cd %s && mv work before && rm -rf report", d->folder);
    if (!WIFEXITED(outcome.status) || WEXITSTATUS(outcome.status) != 0)
        complain("the campaign ended with status 0x%x: %s", outcome.status, outcome.complained);
    renew(d);
    return complaints == 0 && ledger_open(&d->ledger);
}

static void summarise(const struct driver *d, double seconds)
{
    printf("runs: %u\nplaces: %u\n", d->runs, d->places);
    for (enum fail_family family = 0; family < FAIL_FAMILIES; family++)
        printf("failing %s: %u\n", family_name[family], d->failed[family]);
    printf("ended with 0: %u\nended with 3: %u\nended otherwise: %u\n", d->ended[0], d->ended[3],
           d->ended[1] + d->ended[2]);
    printf("leaks: %u\nbad: %u\nseconds: %.0f\n", d->leaks, d->bad, seconds);
}

static bool parse(int argc, char **argv, struct driver *d)
{
    static const struct option options[] = {
        {"places", required_argument, NULL, 'p'}, {"shift", required_argument, NULL, 's'},
        {"only", required_argument, NULL, 'o'},   {"kind", required_argument, NULL, 'k'},
        {"verbose", no_argument, NULL, 'v'},      {NULL, 0, NULL, 0}};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (option == '?')
            return false;
        if (option == 'p')
            d->places_wanted = (unsigned)strtoul(optarg, NULL, 10);
        if (option == 's')
            d->shift = (unsigned)strtoul(optarg, NULL, 10);
        if (option == 'o')
            d->only = optarg;
        if (option == 'k')
            d->kind = optarg;
        d->verbose |= option == 'v';
    }
    if (optind + 3 != argc)
        return false;
    d->ukemi = argv[optind];
    d->library = argv[optind + 1];
    d->folder = argv[optind + 2];
    return strlen(d->folder) < 200;
}

int main(int argc, char **argv)
{
    static struct driver d;
    if (!parse(argc, argv, &d)) {
        fputs("usage: drive UKEMI LIBRARY FOLDER [--places N] [--shift N] [--only COMMAND] "
              "[--kind KIND] [--verbose]\n",
              stderr);
        return 2;
    }
    fflush(stdout);
    if (scene_enter() != 0) {
        perror("drive: no namespaces");
        return EXIT_SKIPPED;
    }
    const double start_s = now_s();
    if (!prepare(&d))
        complain("could not be prepared");
    for (unsigned i = 0; i < COMMANDS && d.table != NULL; i++)
        if (d.only == NULL || strcmp(d.only, commands[i].name) == 0)
            try_command(&d, &commands[i]);
    summarise(&d, now_s() - start_s);
    return complaints == 0 && d.leaks == 0 && d.bad == 0 ? 0 : 1;
}
