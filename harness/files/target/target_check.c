#include "harness/files/target/target_check.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "base/trouble.h"
#include "harness/files/fault/catalogue.h"
#include "harness/files/scenario.h"
#include "harness/files/target/target_process.h"
#include "harness/files/target/variation_file.h"
#include "harness/cell/cell.h"
#include "harness/cell/spawn.h"
#include "harness/files/fault/fault_place.h"
#include "harness/files/program.h"
#include "harness/files/trusted.h"
#include "harness/files/trusted_cell.h"

#define SIMULATOR "targets/simulator/simulator"
#define SIMULATOR_TIME_S 20
#define SIMULATOR_WORDS_MAX 2048 // what it says
#define TRIES 3
#define EXIT_REFUSED 2
#define EXIT_NOT_EXECUTED 127 // of spawn.c, which has reported why

struct check {
    const struct target *target;
    const struct scenario *const *scenario;
    unsigned scenario_count;
    const char *build_folder;
    unsigned errors;
};

__attribute__((format(printf, 4, 5))) static void complain(struct check *check, const char *file,
                                                           unsigned line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    log_at_list(file, line, format, arguments);
    va_end(arguments);
    check->errors++;
}

// ---- programs ----------------------------------------------------------------------------------

// What says that it is a program may lie where nobody may run any.
static bool nothing_runs_there(const char *path, const struct stat *about)
{
    struct statvfs disk;
    return S_ISREG(about->st_mode) && (about->st_mode & 0111) != 0 && statvfs(path, &disk) == 0 &&
           (disk.f_flag & ST_NOEXEC) != 0;
}

static void check_program(struct check *check, const char *program, const char *file, unsigned line,
                          const char *key)
{
    char path[2 * PATH_MAX_LENGTH];
    struct stat about = {0};
    const char *wrong = NULL;
    program_outside(check->target, check->build_folder, program, path, sizeof path);
    if (stat(path, &about) != 0)
        wrong = trouble_note(errno) ? trouble_words() : "there is no such program";
    else if (!S_ISREG(about.st_mode) || (access(path, X_OK) != 0 && !trouble_note(errno)))
        wrong = "this is not a program";
    if (wrong != NULL && nothing_runs_there(path, &about))
        complain(check, file, line,
                 "%s: %s: %s is on a file system that lets nobody run programs (noexec); put the "
                 "project elsewhere, or mount that with exec",
                 key, program, path);
    else if (wrong != NULL && program[0] == '/')
        complain(check, file, line, "%s: %s: %s; install it, or correct its path", key, program,
                 wrong);
    else if (wrong != NULL)
        complain(check, file, line,
                 "%s: %s: %s beside target.yaml or in %s; build it, or correct its path", key,
                 program, wrong, check->build_folder);
    else if (trusted_path(path) != STATUS_OK)
        complain(check, file, line, "%s: %s: cannot be used, see above", key, program);
}

// Is there an earlier scenario that was read from the same file?
static bool seen(const struct check *check, unsigned number)
{
    for (unsigned i = 0; i < number; i++)
        if (strcmp(check->scenario[i]->file, check->scenario[number]->file) == 0)
            return true;
    return false;
}

static void check_oracle_programs(struct check *check, const struct scenario *scenario)
{
    for (unsigned i = 0; i < scenario->promise_count; i++)
        if (scenario->promise[i].program[0] != '\0')
            check_program(check, scenario->promise[i].program,
                          scenario->promise[i].of_target ? check->target->file : scenario->file,
                          scenario->promise[i].line, "program");
}

static void check_scenario_programs(struct check *check, const struct scenario *scenario)
{
    if (scenario->operator_program[0] != '\0')
        check_program(check, scenario->operator_program, scenario->file, scenario->operator_line,
                      "program");
    for (unsigned i = 0; i < scenario->replacement_count; i++)
        check_program(check, scenario->replacement[i].program, scenario->file,
                      scenario->replacement[i].line, "program");
    check_oracle_programs(check, scenario);
}

static void check_fault_program(struct check *check, const struct catalogue *catalogue,
                                const struct fault_kind *kind)
{
    char program[2 * PATH_MAX_LENGTH];
    fault_place_outside(&catalogue->folders, kind->program, program, sizeof program);
    check_program(check, program, kind->file, kind->program_line, "program");
}

// Of the kinds of fault that strike in any of the scenarios, each once.
static void check_fault_programs(struct check *check)
{
    bool checked[CATALOGUE_MAX] = {false};
    for (unsigned i = 0; i < check->scenario_count; i++)
        for (unsigned j = 0; j < check->scenario[i]->fault_count; j++) {
            const struct catalogue *catalogue = check->scenario[i]->catalogue;
            const struct fault_kind *kind =
                catalogue_find(catalogue, check->scenario[i]->fault[j].kind);
            if (kind == NULL || checked[kind - catalogue->kind])
                continue;
            checked[kind - catalogue->kind] = true;
            check_fault_program(check, catalogue, kind);
        }
}

static void check_programs(struct check *check)
{
    const struct target *target = check->target;
    for (unsigned i = 0; i < target->process_count; i++)
        check_program(check, target->process[i].run[0], target->file, target->process[i].line,
                      "run");
    for (unsigned i = 0; i < check->scenario_count; i++)
        if (!seen(check, i))
            check_scenario_programs(check, check->scenario[i]);
    check_fault_programs(check);
}

// ---- what the simulated robot needs -------------------------------------------------------------

static const struct process_config *simulator_of(const struct target *target)
{
    for (unsigned i = 0; i < target->process_count; i++)
        if (strcmp(target->process[i].run[0], SIMULATOR) == 0)
            return &target->process[i];
    return NULL;
}

static void check_channel(struct check *check, const char *name)
{
    const struct target *target = check->target;
    for (unsigned i = 0; i < target->channel_count; i++)
        if (strcmp(target->channel[i].name, name) == 0)
            return;
    complain(check, target->file, target->channels_line,
             "channels: the simulated robot writes %s, which is not among them; add it, and "
             "its message file",
             name);
}

static void check_bus(struct check *check, const char *name)
{
    const struct target *target = check->target;
    for (unsigned i = 0; i < target->bus_count; i++)
        if (strcmp(target->bus[i].name, name) == 0)
            return;
    complain(check, target->file, target->buses_line,
             "buses: the simulated robot's boards are on %s, which is not among them; add "
             "{name: %s, bitrate_bit_s: 1000000}",
             name, name);
}

static void check_file(struct check *check, const char *key, const char *name, unsigned line)
{
    char path[2 * PATH_MAX_LENGTH];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", check->target->folder, name);
    errno = 0;
    const bool there = stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, R_OK) == 0;
    if (!there && !trouble_note(errno))
        complain(check, check->target->file, line,
                 "%s: %s: there is no such file to read in %s; correct its name", key, name,
                 check->target->folder);
}

// ---- programs that know --check -----------------------------------------------------------------

struct words { // of a command line, and variables of an environment
    const char *program;
    char *argument[RUN_WORDS_MAX + 1];
    char variable[PARAMETERS_MAX + 2][PATH_MAX_LENGTH + 32];
    char variation[VARIATIONS_MAX][VARIATION_VARIABLE_MAX];
    char *environment[PARAMETERS_MAX + VARIATIONS_MAX + 3];
};

struct compilation { // shared by the caller and the cell's init
    const struct words *words;
    struct breach breach;
    int error;                      // errno if it could not be started
    int how;                        // the program ended, as waitpid says it
    char said[SIMULATOR_WORDS_MAX]; // what it wrote
};

// As the supervisor would start it for a trial of this scenario.
static void write_words(struct words *words, const struct target *target,
                        struct process_config *process, const struct scenario *scenario)
{
    static char option[] = "--check";
    unsigned count = 0;
    words->argument[count++] = option;
    for (unsigned i = 1; i < process->run_count && count < SPAWN_ARGUMENTS_MAX; i++)
        words->argument[count++] = process->run[i];
    words->argument[count] = NULL;
    words->program = process->run[0];

    count = 0;
    snprintf(words->variable[count++], sizeof words->variable[0], "LC_ALL=C");
    snprintf(words->variable[count++], sizeof words->variable[0], "UKEMI_TARGET=" CELL_TARGET);
    for (unsigned i = 0; scenario != NULL && i < scenario->environment_count; i++) {
        char *variable = words->variable[count++];
        snprintf(variable, sizeof words->variable[0], "UKEMI_ENV_%s", scenario->environment[i]);
        for (; *variable != '\0' && *variable != '='; variable++)
            *variable = (char)toupper((unsigned char)*variable);
    }
    for (unsigned i = 0; i < count; i++)
        words->environment[i] = words->variable[i];
    const bool varies = process->follower && (scenario == NULL || !scenario->unvaried);
    for (unsigned i = 0; i < target->variation_count && varies; i++) {
        variation_variable(&target->variation[i], 1, words->variation[i]);
        words->environment[count++] = words->variation[i];
    }
    words->environment[count] = NULL;
}

// In the cell's init: runs the program with --check.
static int compile(void *context)
{
    struct compilation *compilation = context;
    const struct spawn_request request = {.program = compilation->words->program,
                                          .arguments = compilation->words->argument,
                                          .environment = compilation->words->environment,
                                          .inherit = {-1, -1},
                                          .role = CELL_PROGRAM};
    struct spawned program;
    if (spawn(&request, &program) != STATUS_OK) {
        compilation->error = errno;
        return EXIT_FAILURE;
    }
    struct pollfd wait = {.fd = program.output, .events = POLLIN};
    size_t length = 0;
    for (;;) { // ends: at the latest when the cell's running time is over
        char more[512];
        const ssize_t got = poll(&wait, 1, -1) > 0 ? read(program.output, more, sizeof more) : -1;
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (got <= 0)
            break;
        const size_t room = sizeof compilation->said - 1 - length;
        const size_t kept = (size_t)got < room ? (size_t)got : room;
        memcpy(compilation->said + length, more, kept);
        length += kept;
    }
    while (waitpid(program.pid, &compilation->how, 0) < 0 && errno == EINTR)
        continue;
    return EXIT_SUCCESS;
}

static bool killed(int how)
{
    return how == -1 || (WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL);
}

// A stranger's files are read where its target runs: in a cell. What something from outside
// kills is tried again. UNSUPPORTED, SYSTEM: see cell_run, which has no cell then.
static enum status run_check(const struct check *check, struct compilation *compilation)
{
    struct cell_request cell = {.build_folder = check->build_folder,
                                .target_folder = check->target->folder,
                                .core = -1,
                                .scratch = -1,
                                .limits = check->target->limits,
                                .bare = trusted_cell_silently,
                                .breach = &compilation->breach};
    struct cell_end end;
    enum status status = STATUS_SYSTEM;
    cell.limits.wall_s = SIMULATOR_TIME_S;
    for (int i = 0; i < TRIES; i++) {
        compilation->how = -1;
        status = cell_run(&cell, compile, compilation, &end);
        const bool over = atomic_load(&compilation->breach.limit) != LIMIT_NONE;
        if (over || compilation->error != 0 ||
            (end.signal == 0 && (status != STATUS_OK || !killed(compilation->how))))
            break;
    }
    return status;
}

// What it said, each line as it stands: it names the file, as it is called in the cell.
static void repeat(const char *words, const char *folder)
{
    for (const char *place; (place = strstr(words, CELL_TARGET)) != NULL;
         words = place + strlen(CELL_TARGET)) {
        char before[SIMULATOR_WORDS_MAX];
        snprintf(before, sizeof before, "%.*s%s", (int)(place - words), words, folder);
        text_print(stderr, before, "\n");
    }
    text_print(stderr, words, "\n");
    fputc('\n', stderr);
}

// Where that stands which it has refused, unless it has named a file itself.
static void complain_of_refusal(struct check *check, const struct process_config *process,
                                const struct scenario *scenario, const char *said)
{
    check->errors++;
    if (scenario != NULL && strcmp(process->name, OPERATOR_NAME) == 0)
        complain(check, scenario->file, scenario->operator_line,
                 "operator.arguments: the program refuses them: see above what it wants");
    else if (scenario != NULL && strstr(said, "UKEMI_ENV_") != NULL)
        complain(check, scenario->file, scenario->environment_line,
                 "environment: the simulated robot refuses it: see above what it needs");
    else if (strstr(said, VARIATION_PREFIX) != NULL)
        complain(check, check->target->file, check->target->variation_line,
                 "variation: the simulated robot refuses it: see above what it needs");
    else if (strstr(said, "usage: ") != NULL)
        complain(check, check->target->file, process->line,
                 "run: %s %s: it does not know these arguments; see above what it does",
                 process->run[0], process->run_count > 1 ? process->run[1] : "");
}

// What became of a program that was to check its files.
static void judge_check(struct check *check, const struct process_config *process,
                        const struct scenario *scenario, const struct compilation *compilation)
{
    const int how = compilation->how;
    const char *const folder = check->target->folder;
    if (WIFEXITED(how) && WEXITSTATUS(how) == 0)
        return;
    repeat(compilation->said, folder);
    if (how != -1 && WIFEXITED(how) && WEXITSTATUS(how) == EXIT_REFUSED)
        complain_of_refusal(check, process, scenario, compilation->said);
    else if (how == -1)
        complain(check, check->target->file, process->line,
                 "run: %s --check: not done within %d s and the memory of a trial; make what it "
                 "reads smaller",
                 process->run[0], SIMULATOR_TIME_S);
    else
        complain(check, check->target->file, process->line,
                 "run: %s --check: ends with %s %d; correct what it reads in %s, or itself",
                 process->run[0], WIFSIGNALED(how) ? "signal" : "status",
                 WIFSIGNALED(how) ? WTERMSIG(how) : WEXITSTATUS(how), folder);
}

static enum status check_reading(struct check *check, struct process_config *process,
                                 const struct scenario *scenario)
{
    struct words words;
    struct compilation *compilation =
        mmap(NULL, sizeof *compilation, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (compilation == MAP_FAILED)
        return STATUS_NO_MEMORY;
    compilation->words = &words;
    write_words(&words, check->target, process, scenario);
    // Where there are no cells the trial says so.
    enum status status = STATUS_OK;
    const bool ran = run_check(check, compilation) == STATUS_OK;
    const int how = compilation->how;
    if (ran && how != -1 && WIFEXITED(how) && WEXITSTATUS(how) == EXIT_NOT_EXECUTED) {
        log_error("%s cannot be run: %s", process->run[0], compilation->said);
        status = STATUS_SYSTEM;
    } else if (compilation->error != 0) {
        (void)trouble_note(compilation->error);
        log_error("%s cannot be run: %s", process->run[0], strerror(compilation->error));
        status = STATUS_SYSTEM;
    } else if (ran) {
        judge_check(check, process, scenario, compilation);
    }
    munmap(compilation, sizeof *compilation);
    return status;
}

static bool run_alike(const struct process_config *one, const struct process_config *other)
{
    unsigned same = 0;
    while (same < one->run_count && same < other->run_count &&
           strcmp(one->run[same], other->run[same]) == 0)
        same++;
    return same == one->run_count && same == other->run_count;
}

// Has it been asked with these arguments, and the environment of this scenario?
static bool asked(const struct check *check, const struct process_config *process,
                  const struct process_config *chosen, unsigned number)
{
    const struct scenario *own = check->scenario[number];
    for (unsigned i = 0; i < number; i++) {
        const struct scenario *other = check->scenario[i];
        struct process_config before;
        unsigned same = 0;
        process_in(other, process, &before);
        if (!run_alike(&before, chosen))
            continue;
        while (same < own->environment_count && other->environment_count > same &&
               strcmp(own->environment[same], other->environment[same]) == 0)
            same++;
        if (same == own->environment_count && same == other->environment_count)
            return true;
    }
    return false;
}

static void check_robot(struct check *check)
{
    if (simulator_of(check->target) == NULL) // then nobody here knows what it needs
        return;
    check_file(check, "robot", check->target->robot, check->target->robot_line);
    check_channel(check, "truth");
    check_channel(check, "bus-log");
    check_channel(check, "camera");
    check_bus(check, "can0");
    check_bus(check, "can1");
}

// As every scenario runs it; in another program's place nobody knows what it would say.
static enum status check_files_of(struct check *check, const struct process_config *process)
{
    struct process_config chosen = *process;
    if (check->scenario_count == 0)
        return check_reading(check, &chosen, NULL);
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < check->scenario_count && status == STATUS_OK; i++) {
        process_in(check->scenario[i], process, &chosen);
        if (strcmp(chosen.run[0], process->run[0]) == 0 && !asked(check, process, &chosen, i))
            status = check_reading(check, &chosen, check->scenario[i]);
    }
    return status;
}

// Words that no trial would get beyond.
static enum status check_operators(struct check *check)
{
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < check->scenario_count && status == STATUS_OK; i++) {
        const struct scenario *scenario = check->scenario[i];
        struct process_config operator= {.name = OPERATOR_NAME};
        process_run(&operator, scenario->operator_program, scenario->operator_arguments);
        if (scenario->operator_checks)
            status = check_reading(check, &operator, scenario);
    }
    return status;
}

static enum status check_files(struct check *check)
{
    const struct target *target = check->target;
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < target->process_count && status == STATUS_OK; i++)
        if (target->process[i].checks || &target->process[i] == simulator_of(target))
            status = check_files_of(check, &target->process[i]);
    return status == STATUS_OK ? check_operators(check) : status;
}

enum status target_check(const struct target *target, const struct scenario *const *scenario,
                         unsigned scenario_count, const char *build_folder)
{
    struct check check = {target, scenario, scenario_count, build_folder, 0};
    check_programs(&check);
    if (target->description[0] != '\0')
        check_file(&check, "description", target->description, target->description_line);
    if (target->body.model[0] != '\0')
        check_file(&check, "body", target->body.model, target->body.line);
    check_robot(&check);
    const enum status status = check.errors > 0 ? STATUS_OK : check_files(&check);
    return status == STATUS_OK && check.errors > 0 ? STATUS_INVALID : status;
}

enum status oracle_programs_check(const struct target *target, const struct scenario *scenario,
                                  const char *build_folder)
{
    struct check check = {.target = target, .build_folder = build_folder};
    check_oracle_programs(&check, scenario);
    return check.errors > 0 ? STATUS_INVALID : STATUS_OK;
}

enum status family_check(const char *path, const char *build_folder)
{
    struct check check = {.build_folder = build_folder};
    struct catalogue *catalogue;
    const enum status status = catalogue_load_family(path, &catalogue);
    if (status != STATUS_OK)
        return status;
    check_fault_program(&check, catalogue, &catalogue->kind[0]);
    catalogue_free(catalogue);
    return check.errors > 0 ? STATUS_INVALID : STATUS_OK;
}
