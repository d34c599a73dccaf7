#include "harness/judge/oracle_program.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "base/trouble.h"
#include "harness/cell/cell.h"
#include "harness/cell/cpu_time.h"
#include "harness/cell/spawn.h"
#include "harness/files/target/target.h"
#include "harness/files/trusted_cell.h"

#define ERRORS_MAX 1024 // of standard error the last so many bytes are kept
#define SHOWN_MAX 100   // of what a verdict cites

// ---- one answer ---------------------------------------------------------------------------------

// The word at *at, cut off at a space; *at goes on behind it.
static bool take_word(const char **at, char *word, size_t size)
{
    *at += strspn(*at, " ");
    const size_t length = strcspn(*at, " ");
    if (length == 0 || length >= size)
        return false;
    memcpy(word, *at, length);
    word[length] = '\0';
    *at += length;
    return true;
}

static bool take_margin(const char **at, double *margin)
{
    char text[64], *end;
    if (!take_word(at, text, sizeof text))
        return false;
    *margin = strtod(text, &end);
    return *end == '\0' && isfinite(*margin);
}

// "@3.25": when it was first broken. It may be left out; false: it is no instant.
static bool take_instant(const char **at, double *time_s)
{
    const char *word = *at + strspn(*at, " ");
    char *end;
    *time_s = NAN;
    if (*word != '@')
        return true;
    *time_s = strtod(word + 1, &end);
    if (end == word + 1 || (*end != '\0' && *end != ' ') || !isfinite(*time_s) || *time_s < 0)
        return false;
    *at = end;
    return true;
}

bool oracle_answer_read(const char *answer, struct oracle_verdict *verdict, char *wrong,
                        size_t size)
{
    char line[ORACLE_ANSWER_MAX], name[8], unit[sizeof verdict->unit];
    double margin, broken_s;
    const char *at = line;
    const size_t length = strcspn(answer, "\n");
    const bool whole = length < sizeof line && strcmp(answer + length, "\n") == 0;
    snprintf(line, sizeof line, "%.*s", (int)length, answer);
    for (char *tab = line; (tab = strchr(tab, '\t')) != NULL;)
        *tab = ' ';
    text_clean(line);
    const bool known = whole && take_word(&at, name, sizeof name);
    if (known && strcmp(name, verdict_name(VERDICT_SKIP)) == 0) {
        verdict_nothing(verdict, at + strspn(at, " "));
        return true;
    }
    const bool pass = known && strcmp(name, verdict_name(VERDICT_PASS)) == 0;
    if ((!pass && (!known || strcmp(name, verdict_name(VERDICT_FAIL)) != 0)) ||
        !take_margin(&at, &margin) || !take_word(&at, unit, sizeof unit)) {
        snprintf(wrong, size, "its answer is '%.*s'; print one line: PASS|FAIL MARGIN UNIT WORDS",
                 SHOWN_MAX, line);
        return false;
    }
    if (pass != (margin > 0)) {
        snprintf(wrong, size, "%s with a margin of %g; a margin above 0 holds, and no other", name,
                 margin);
        return false;
    }
    if (!take_instant(&at, &broken_s)) {
        snprintf(wrong, size, "its instant '%.*s' is none; write @SECONDS, such as @3.25",
                 SHOWN_MAX, at + strspn(at, " "));
        return false;
    }
    verdict_margin(verdict, margin, strcmp(unit, "-") == 0 ? "" : unit, "%s", at + strspn(at, " "));
    verdict_broken_at(verdict, broken_s);
    return true;
}

// ---- one run: in the cell -----------------------------------------------------------------------

// What the cell's init and the caller share.
struct report {
    struct breach breach;
    int error; // errno: the program could not be started
    bool ended;
    int how;   // as of wait(2)
    bool more; // it printed more than is kept
    char answer[ORACLE_ANSWER_MAX];
    char errors[ERRORS_MAX];
};

struct run {
    const struct promise *promise;
    struct cell_request cell;
    struct report *report;
};

// Keeps the first bytes of an answer; the last of errors.
static void keep(struct report *report, bool is_answer, const char *bytes, size_t size)
{
    char *kept = is_answer ? report->answer : report->errors;
    const size_t room = (is_answer ? sizeof report->answer : sizeof report->errors) - 1;
    size_t used = strlen(kept);
    if (is_answer && (size > room - used || memchr(bytes, '\0', size) != NULL)) {
        report->more = true;
        size = 0;
    }
    if (size > room - used) { // of errors: the oldest go
        const size_t surplus = used + size - room;
        used -= surplus;
        memmove(kept, kept + surplus, used);
    }
    memcpy(kept + used, bytes, size);
    kept[used + size] = '\0';
}

// False: that end is closed.
static bool read_some(struct report *report, bool is_answer, int end)
{
    char bytes[ERRORS_MAX / 2];
    const ssize_t got = read(end, bytes, sizeof bytes);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
    if (got > 0)
        keep(report, is_answer, bytes, (size_t)got);
    return got > 0;
}

static void read_all(struct report *report, const struct spawned *spawned)
{
    struct pollfd end[2] = {{.fd = spawned->output, .events = POLLIN},
                            {.fd = spawned->errors, .events = POLLIN}};
    while (end[0].fd >= 0 || end[1].fd >= 0) { // ends: at the latest with the cell's running time
        if (poll(end, 2, -1) < 0 && errno != EINTR)
            return;
        for (int i = 0; i < 2; i++)
            if (end[i].fd >= 0 && end[i].revents != 0 && !read_some(report, i == 0, end[i].fd))
                end[i].fd = -1;
    }
}

static int body(void *context)
{
    static char path[] = "PATH=/usr/bin:/bin", locale[] = "LC_ALL=C",
                target[] = "UKEMI_TARGET=" CELL_TARGET,
                python[] = "PYTHONPATH=" CELL_BUILD "/python";
    char *const environment[] = {path, locale, target, python, NULL};
    struct run *run = context;
    struct promise promise = *run->promise;
    char beside[PATH_MAX_LENGTH];
    char *arguments[PARAMETERS_MAX + 1] = {NULL};
    for (unsigned i = 0; i < promise.argument_count; i++)
        arguments[i] = promise.argument[i];
    const char *name = strrchr(promise.program, '/');
    snprintf(beside, sizeof beside, CELL_BESIDE "%s", name != NULL ? name : "");
    const struct spawn_request request = {
        .program = run->cell.beside_folder != NULL ? beside : promise.program,
        .arguments = arguments,
        .environment = environment,
        .input = run->cell.scratch,
        .errors_apart = true,
        .inherit = {-1, -1},
        .role = CELL_PROGRAM};
    struct spawned spawned;
    if (spawn(&request, &spawned) != STATUS_OK) {
        run->report->error = errno;
        return EXIT_FAILURE;
    }
    read_all(run->report, &spawned);
    (void)cpu_time_await(spawned.pid);
    while (waitpid(spawned.pid, &run->report->how, 0) < 0 && errno == EINTR)
        continue;
    run->report->ended = true;
    cell_look_last(&run->cell);
    return EXIT_SUCCESS;
}

// ---- one run: outside ---------------------------------------------------------------------------

// The folder of a program that lies beside its scenario; NULL: it lies elsewhere.
static const char *folder_of(const struct promise *promise, char folder[PATH_MAX_LENGTH])
{
    if (!promise->beside)
        return NULL;
    text_copy(folder, PATH_MAX_LENGTH, promise->program);
    *strrchr(folder, '/') = '\0';
    return folder;
}

static void fill_cell(struct run *run, const struct analysis *a, const struct judge_cell *cell,
                      const char *beside, int history)
{
    run->cell = (struct cell_request){.build_folder = cell->build_folder,
                                      .target_folder = a->target->folder,
                                      .beside_folder = beside,
                                      .core = -1,
                                      .scratch = history,
                                      .no_wall = cell->no_wall,
                                      .bare = trusted_cell_silently,
                                      .limits = a->target->limits,
                                      .breach = &run->report->breach};
    run->cell.limits.wall_s = run->promise->timeout_s;
    for (unsigned i = 0; i < a->target->visible_count; i++)
        run->cell.visible[run->cell.visible_count++] = a->target->visible[i];
}

// Adds the last two lines that it logged to standard error.
static void add_last_words(char *wrong, size_t size, char *errors)
{
    char *line[2] = {NULL, NULL}, *rest = NULL;
    for (char *next = strtok_r(errors, "\n", &rest); next; next = strtok_r(NULL, "\n", &rest)) {
        line[0] = line[1];
        line[1] = next + strspn(next, " \t");
    }
    for (int i = 0; i < 2; i++)
        if (line[i] != NULL) {
            text_clean(line[i]);
            text_add(wrong, size, "%s%.*s", i == 0 || line[0] == NULL ? ": " : " | ", SHOWN_MAX,
                     line[i]);
        }
}

// Whether it has ended as it should; otherwise what was wrong.
static bool ended_well(const struct run *run, enum status status, const struct cell_end *end,
                       char *wrong, size_t size)
{
    struct report *report = run->report;
    const int limit = atomic_load(&report->breach.limit);
    if (limit == LIMIT_RUNNING_TIME)
        snprintf(wrong, size, "no answer within %g s", run->promise->timeout_s);
    else if (limit != LIMIT_NONE)
        snprintf(wrong, size, "%s: %g %s, %g allowed", limit_name((enum limit)limit),
                 report->breach.used, limit_unit((enum limit)limit), report->breach.allowed);
    else if (status != STATUS_OK)
        snprintf(wrong, size, "no cell: %.120s", end->reason);
    else if (report->error != 0)
        snprintf(wrong, size, "cannot be started: %s", strerror(report->error));
    else if (!report->ended)
        snprintf(wrong, size, "its cell was ended by signal %d", end->signal);
    else if (WIFSIGNALED(report->how))
        snprintf(wrong, size, "ended by signal %d", WTERMSIG(report->how));
    else if (WEXITSTATUS(report->how) != 0)
        snprintf(wrong, size, "exit status %d", WEXITSTATUS(report->how));
    else if (report->more)
        snprintf(wrong, size, "more than one line, or %d bytes", ORACLE_ANSWER_MAX - 1);
    else
        return true;
    add_last_words(wrong, size, report->errors);
    return false;
}

// Fills `answer`; false: it has none, and `wrong` says why.
static bool ask(const struct analysis *a, const struct promise *promise,
                const struct judge_cell *cell, int history, char answer[ORACLE_ANSWER_MAX],
                char *wrong, size_t size)
{
    char self[64], folder[PATH_MAX_LENGTH];
    struct run run = {.promise = promise};
    struct cell_end end;
    snprintf(self, sizeof self, "/proc/self/fd/%d", history);
    const int again = open(self, O_RDONLY | O_CLOEXEC); // read from its beginning
    run.report =
        mmap(NULL, sizeof *run.report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bool good = again >= 0 && run.report != MAP_FAILED;
    if (good) {
        fill_cell(&run, a, cell, folder_of(promise, folder), again);
        const enum status status = cell_run(&run.cell, body, &run, &end);
        if (run.report->error != 0)
            (void)trouble_note(run.report->error);
        good = ended_well(&run, status, &end, wrong, size);
        text_copy(answer, ORACLE_ANSWER_MAX, run.report->answer);
    } else {
        (void)trouble_note(errno);
        snprintf(wrong, size, "the history cannot be given to it: %s", strerror(errno));
    }
    if (run.report != MAP_FAILED)
        munmap(run.report, sizeof *run.report);
    if (again >= 0)
        close(again);
    return good;
}

// ---- both runs ----------------------------------------------------------------------------------

// A file in memory that nobody can change any more; -1 with errno.
static int write_history(const struct history *history)
{
    const int memory = memfd_create("history", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    const int copy = memory < 0 ? -1 : fcntl(memory, F_DUPFD_CLOEXEC, 0);
    FILE *file = copy < 0 ? NULL : fdopen(copy, "wb");
    bool good = file != NULL && history_write_plain(history, file) == STATUS_OK;
    if (file != NULL)
        good = fclose(file) == 0 && good;
    else if (copy >= 0)
        close(copy);
    const int seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
    if (good && fcntl(memory, F_ADD_SEALS, seals) == 0)
        return memory;
    if (memory >= 0)
        close(memory);
    return -1;
}

void oracle_program_judge(const struct analysis *a, const struct promise *promise,
                          const struct judge_cell *cell, struct oracle_verdict *verdict)
{
    char answer[2][ORACLE_ANSWER_MAX], wrong[sizeof verdict->detail] = "";
    if (cell == NULL || a->target == NULL) {
        verdict_nothing(verdict, "no oracle program is run here");
        return;
    }
    const int history = write_history(a->history);
    if (history < 0) {
        (void)trouble_note(errno);
        snprintf(wrong, sizeof wrong, "the history cannot be given to it: %s", strerror(errno));
    }
    bool good = history >= 0;
    for (int i = 0; i < 2 && good; i++)
        good = ask(a, promise, cell, history, answer[i], wrong, sizeof wrong);
    if (history >= 0)
        close(history);
    if (good && strcmp(answer[0], answer[1]) != 0) {
        text_clean(answer[0]);
        text_clean(answer[1]);
        snprintf(wrong, sizeof wrong, "two runs give two answers: '%.70s' and '%.70s'", answer[0],
                 answer[1]);
        good = false;
    }
    if (!good || !oracle_answer_read(answer[0], verdict, wrong, sizeof wrong))
        verdict_count(verdict, 1, VERDICT_ERROR, "answers", "%s", wrong);
}
