#include "harness/files/target_process.h"

#include <string.h>

#include "base/text.h"
#include "harness/files/program.h"

#define RESTART_MIN_S 0.01 // a process that never comes up is tried so often at most
#define RESTART_MAX_S 3600

static const char *const clocks[] = {"native", "shim", "none", NULL};

const struct file_row target_process_rows[] = {
    {"name", VALUE_NAME, true, FIELD(struct process_config, name), .unique = true,
     .help = "also the participant's name on the clock; `operator` is kept for the scenario's "
             "program"},
    {"component", VALUE_TEXT, false, FIELD(struct process_config, component),
     .help = "row of the failure table; empty for the bench"},
    {"run", VALUE_TEXT, true, LIST(struct process_config, run, run_count), .least = 1,
     .most = RUN_WORDS_MAX, .blank = true, .line = offsetof(struct process_config, line),
     .help = "the program and its arguments. The program's path is relative to the target's own "
             "folder, if there is such a file, else to the build folder; or a whole one, as the "
             "machine has it below `/usr` or what `visible` names"},
    {"program", VALUE_GONE, .help = "run: [PROGRAM, ARGUMENT, ...]"},
    {"arguments", VALUE_GONE, .help = "run: [PROGRAM, ARGUMENT, ...]"},
    {"priority", VALUE_WHOLE, true, FIELD(struct process_config, priority), .min = 1, .max = 99,
     .help = "a higher one runs first"},
    {"clock", VALUE_WORD, false, FIELD(struct process_config, clock), .words = clocks,
     .absent = "native",
     .help =
         "`native`: the program joins the clock itself; `shim`: a preloaded library does that "
         "for any dynamically linked program (`doc/reference/shim.md`); `none`: real time only, "
         "trials in virtual time are SKIP"},
    {"restart_after_s", VALUE_NUMBER, false, FIELD(struct process_config, restart_after_s),
     .min = RESTART_MIN_S, .max = RESTART_MAX_S, .absent = "0",
     .help = "restart policy: started again so long after it has ended; 0: never. A scenario's "
             "`restart_after_s` or `duration_s` goes before it"},
    {.key = NULL}};

void target_process_check(struct yaml_source *source, struct target *target)
{
    for (unsigned i = 0; i < target->process_count; i++) {
        struct process_config *process = &target->process[i];
        if (strcmp(process->name, OPERATOR_NAME) == 0)
            yaml_complain(source, yaml_key("processes[%u].name", i).text,
                          "operator: kept for the scenario's program; choose another name");
        if (process->run_count > 0 && process->run[0][0] == '\0')
            yaml_complain(source, yaml_key("processes[%u].run[0]", i).text,
                          "nothing: the first word is the program; name it");
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
