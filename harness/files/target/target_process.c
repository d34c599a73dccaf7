#include "harness/files/target/target_process.h"

#include <ctype.h>
#include <regex.h>
#include <string.h>

#include "base/text.h"
#include "clock/coordinator.h"
#include "harness/files/program.h"
#include "harness/files/scenario.h"

#define RESTART_MIN_S 0.01 // a process that never comes up is tried so often at most
#define RESTART_MAX_S 3600

static const char *const clocks[] = {"native", "shim", "none", NULL};

static const char *const joined[] = {"joined", NULL};

static const struct file_row ready_rows[] = {
    {"output", VALUE_TEXT, false, FIELD(struct ready_config, output),
     .help = "when it prints a line that matches this extended regular expression"},
    {"port", VALUE_WHOLE, false, FIELD(struct ready_config, port), .min = 1, .max = 65535,
     .absent = "0", .help = "when a TCP or UDP port of this number is open in the cell"},
    {"after_s", VALUE_NUMBER, false, FIELD(struct ready_config, after_s), .min = 0.001, .max = 3600,
     .absent = "0", .help = "this long after it was started"},
    {.key = NULL}};

static const struct file_row variable_rows[] = {
    {"NAME", VALUE_TEXT, true, FIELD(struct variable, name), .unique = true,
     .help = "letters, digits and `_`. Not `UKEMI_...`, which the lab sets, and not `LD_...` "
             "except `LD_LIBRARY_PATH`"},
    {"VALUE", VALUE_TEXT, false, FIELD(struct variable, value), .help = "may be empty"},
    {.key = NULL}};

static const struct file_row thread_rows[] = {
    {"name", VALUE_NAME, true, FIELD(struct thread_config, name), .unique = true,
     .help = "what it gives to `clk_join_thread`"},
    {"priority", VALUE_WHOLE, false, FIELD(struct thread_config, priority), .min = 1, .max = 99,
     .absent = "0", .help = "a higher one runs first; 0: as its process"},
    {.key = NULL}};

const struct file_row target_process_rows[] = {
    {"name", VALUE_NAME, true, FIELD(struct process_config, name), .unique = true,
     .help = "also the participant's name on the clock; `operator` is kept for the scenario's "
             "program"},
    {"component", VALUE_TEXT, false, FIELD(struct process_config, component),
     .help = "row of the failure table; empty for processes of the lab"},
    {"run", VALUE_TEXT, true, LIST(struct process_config, run, run_count), .least = 1,
     .most = RUN_WORDS_MAX, .blank = true, .line = offsetof(struct process_config, line),
     .help = "the program and its arguments. The program's path is relative to the target's "
             "folder, if there is such a file, else to the build folder. Or it is an absolute path "
             "below `/usr` or below a folder that `visible` names"},
    {"program", VALUE_GONE, .help = "run: [PROGRAM, ARGUMENT, ...]"},
    {"arguments", VALUE_GONE, .help = "run: [PROGRAM, ARGUMENT, ...]"},
    {"priority", VALUE_WHOLE, true, FIELD(struct process_config, priority), .min = 1, .max = 99,
     .help = "a higher one runs first"},
    {"clock", VALUE_WORD, false, FIELD(struct process_config, clock), .words = clocks,
     .absent = "native",
     .help = "`native`: the program joins the clock itself; `shim`: a preloaded library does that "
             "for an unmodified program (`doc/reference/shim.md`); `none`: real time only, trials "
             "in virtual time are SKIP"},
    {"threads", VALUE_MAP, false, LIST(struct process_config, thread, thread_count),
     .most = PROCESS_THREADS_MAX, .rows = thread_rows,
     .help = "of a program with `clock: native`: those that wait by the clock, beside its first. "
             "They are part of the process, which is ready when all have joined "
             "(`doc/reference/clock.md`)"},
    {"host", VALUE_NAME, false, FIELD(struct process_config, host),
     .help = "the computer on which it runs, if that has channels of its own: its channel `NAME` "
             "is the target's `HOST-NAME`. A `channel-bridge` carries frames between hosts "
             "(`doc/reference/channels.md`)"},
    {"env", VALUE_MAP, false, LIST(struct process_config, variable, variable_count),
     .most = VARIABLES_MAX, .keyed = true, .rows = variable_rows,
     .help = "variables of its environment, in addition to the lab's; they may replace `PATH`, "
             "`LC_ALL` and `PYTHONUNBUFFERED`"},
    {"checks", VALUE_TRUTH, false, FIELD(struct process_config, checks), .absent = "false",
     .help = "`true`: with `--check` before its arguments, the program reads its files, reports "
             "mistakes with file and line, and exits with 0 or 2. `ukemi check` runs it so, in a "
             "cell, and so do trials before they start"},
    {"ready", VALUE_MAP, false, FIELD(struct process_config, ready), .rows = ready_rows,
     .words = joined,
     .help =
         "when the next process may be started. `joined`: when this one has joined the clock, or "
         "at once with `clock: none`. Otherwise one of the keys below, checked every 10 ms of the "
         "trial's time. A process that ends earlier with a status of `may_exit` counts as ready"},
    {"ready_within_s", VALUE_NUMBER, false, FIELD(struct process_config, ready_within_s),
     .min = 0.1, .max = 3600, .absent = "30",
     .help = "how long the lab waits for it to be ready: in real time until it has joined the "
             "clock, then in the trial's time"},
    {"may_exit", VALUE_WHOLE, false, LIST(struct process_config, may_exit, may_exit_count),
     .unique = true, .most = MAY_EXIT_MAX, .max = 255,
     .help = "statuses with which it may end; otherwise its end is FAIL"},
    {"restart_after_s", VALUE_NUMBER, false, FIELD(struct process_config, restart_after_s),
     .min = RESTART_MIN_S, .max = RESTART_MAX_S, .absent = "0",
     .help = "restart policy: it is started again this long after it has ended; 0: never. A "
             "scenario's `restart_after_s` or `duration_s` takes precedence"},
    {.key = NULL}};

// What the lab itself sets, or what would undo it.
static bool is_kept(const char *name)
{
    return strncmp(name, "UKEMI_", 6) == 0 ||
           (strncmp(name, "LD_", 3) == 0 && strcmp(name, "LD_LIBRARY_PATH") != 0);
}

static void check_environment(struct yaml_source *source, const char *key,
                              const struct process_config *process)
{
    for (unsigned i = 0; i < process->variable_count; i++) {
        const char *name = process->variable[i].name;
        bool good = isalpha((unsigned char)*name) || *name == '_';
        for (const char *c = name; *c != '\0'; c++)
            good = good && (isalnum((unsigned char)*c) || *c == '_');
        if (!good)
            yaml_complain(source, yaml_key("%s.env.%s", key, name).text,
                          "%s: not a variable's name; use letters, digits and '_'", name);
        else if (is_kept(name))
            yaml_complain(source, yaml_key("%s.env.%s", key, name).text,
                          "%s: kept for the lab; leave it out", name);
    }
}

static void check_ready(struct yaml_source *source, const char *key,
                        const struct process_config *process)
{
    const struct ready_config *ready = &process->ready;
    const struct yaml_key place = yaml_key("%s.ready", key);
    regex_t regex;
    char why[128];
    const int ways = (ready->output[0] != '\0') + (ready->port != 0) + (ready->after_s != 0);
    const int error =
        ready->output[0] == '\0' ? 0 : regcomp(&regex, ready->output, REG_EXTENDED | REG_NOSUB);
    if (ways > 1)
        yaml_complain(source, place.text, "several ways; keep one of them");
    if (ways == 0 && process->clock == PROCESS_CLOCK_NONE && yaml_has(source, place.text))
        yaml_complain(source, place.text,
                      "joined: with `clock: none` it never joins; give {output: REGEX}, {port: N} "
                      "or {after_s: S}");
    if (error != 0) {
        regerror(error, &regex, why, sizeof why);
        yaml_complain(source, yaml_key("%s.output", place.text).text,
                      "%s: %s; give an extended regular expression", ready->output, why);
    } else if (ready->output[0] != '\0') {
        regfree(&regex);
    }
}

static void check_threads(struct yaml_source *source, const char *key,
                          const struct process_config *process)
{
    if (process->thread_count > 0 && process->clock != PROCESS_CLOCK_NATIVE)
        yaml_complain(
            source, yaml_key("%s.threads", key).text,
            "only with `clock: native`: elsewhere threads take part by themselves, or not "
            "at all; leave them out");
    for (unsigned i = 0; i < process->thread_count; i++)
        if (strlen(process->name) + 1 + strlen(process->thread[i].name) >= NAME_MAX_LENGTH)
            yaml_complain(source, yaml_key("%s.threads[%u].name", key, i).text,
                          "%s/%s: longer than %d characters; shorten one of the two names",
                          process->name, process->thread[i].name, NAME_MAX_LENGTH - 1);
}

// The clock has room for those, the operator and what interposes.
static void check_participants(struct yaml_source *source, const struct target *target)
{
    unsigned count = target->process_count + 1 + FAULTS_MAX;
    for (unsigned i = 0; i < target->process_count; i++)
        count += target->process[i].thread_count;
    if (count > CLK_PARTICIPANTS_MAX)
        yaml_complain(source, "processes", "more than %d processes and threads; use fewer",
                      CLK_PARTICIPANTS_MAX - 1 - FAULTS_MAX);
}

void target_process_check(struct yaml_source *source, struct target *target)
{
    check_participants(source, target);
    for (unsigned i = 0; i < target->process_count; i++) {
        struct process_config *process = &target->process[i];
        if (strcmp(process->name, OPERATOR_NAME) == 0)
            yaml_complain(source, yaml_key("processes[%u].name", i).text,
                          "operator: kept for the scenario's program; choose another name");
        if (process->run_count > 0 && process->run[0][0] == '\0')
            yaml_complain(source, yaml_key("processes[%u].run[0]", i).text,
                          "nothing: the first word is the program; name it");
        check_environment(source, yaml_key("processes[%u]", i).text, process);
        check_ready(source, yaml_key("processes[%u]", i).text, process);
        check_threads(source, yaml_key("processes[%u]", i).text, process);
        program_place(source, yaml_key("processes[%u].run[0]", i).text, target, process->run[0],
                      sizeof process->run[0]);
    }
}

void process_run(struct process_config *process, const char *program, const char *arguments)
{
    text_copy(process->run[0], sizeof process->run[0], program);
    process->run_count = 1;
    for (const char *word = arguments + strspn(arguments, " ");
         *word != '\0' && process->run_count < RUN_WORDS_MAX;) {
        const size_t length = strcspn(word, " ");
        char *copy = process->run[process->run_count++];
        memcpy(copy, word, length); // no longer than `arguments` may be
        copy[length] = '\0';
        word += length;
        word += strspn(word, " ");
    }
}

void process_in(const struct scenario *scenario, const struct process_config *process,
                struct process_config *chosen)
{
    *chosen = *process;
    for (unsigned i = 0; scenario != NULL && i < scenario->replacement_count; i++) {
        const struct replacement *instead = &scenario->replacement[i];
        if (strcmp(instead->component, process->name) != 0 &&
            strcmp(instead->component, process->component) != 0)
            continue;
        if (instead->arguments[0] != '\0')
            process_run(chosen, instead->program, instead->arguments);
        else
            text_copy(chosen->run[0], sizeof chosen->run[0], instead->program);
    }
}
