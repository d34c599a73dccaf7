// The commands: what each is for, the forms of its line, and what its help says beside its options.
#include <string.h>

#include "harness/cli/cli.h"
#include "harness/judge/tracks.h"

#define ANY_WORDS 4096

#define COMMAND(command, text)                                                                     \
    .name = #command, .key = CLI_COMMAND_##command, .run = cli_##command, .summary = text

const struct cli_command cli_commands[CLI_COMMAND_COUNT] = {
    {COMMAND(new, "write a first project of your own"), .forms = "TARGET [OPTION...]",
     .about =
         "Writes a project into the new folder TARGET: a cart-pole, its controller, a scenario, "
         "and a\nMakefile that builds them with an installed lab. doc/start.md continues from "
         "there. No existing\nfile is overwritten.\n",
     .least = 1, .most = 1},
    {COMMAND(run, "run one trial of a scenario and judge it"),
     .forms = "SCENARIO [OPTION...]\n--trial N [OPTION...]",
     .about = "Runs one trial and judges it. SCENARIO is a file, a name in scenarios/*/, or the\n"
              "beginning of a name. Nothing is stored.\n",
     .most = 1, .word = {WORD_SCENARIO}},
    {COMMAND(campaign, "run a campaign, store it in the database, print its table"),
     .forms = "FILE [OPTION...]",
     .about =
         "Runs every trial of a campaign and stores it, then prints the table and writes the\n"
         "report. FILE is a file, a name in scenarios/campaigns/, or the beginning of a name.\n",
     .least = 1, .most = 1, .word = {WORD_CAMPAIGN}},
    {COMMAND(submit, "submit a campaign to a cluster, as an array of parts"),
     .forms = "FILE --slurm [OPTION...]",
     .about =
         "Submits a campaign to Slurm as an array of jobs. Each task runs one part, into a "
         "database "
         "of\nits own, and continues where it was when it is requeued. Prints the commands that "
         "merge the\nparts and finish the campaign. Submitting again runs what is missing.\n",
     .after = "Exit status: 0 it is submitted, 2 bad input, or Slurm refuses it, 3 Slurm does not "
              "answer.\nOther engines: doc/how-to/cluster.md.\n",
     .least = 1, .most = 1, .word = {WORD_CAMPAIGN}},
    {COMMAND(night, "run campaigns within a budget, and tell what changed since last night"),
     .forms = "[FILE] [OPTION...]",
     .about =
         "Runs the campaigns of a night's file by priority until its budget is spent, then writes "
         "one\npage: what has changed since the last night. FILE is a file, a name in "
         "scenarios/nights/, or\nthe beginning of a name (default: night). A night that was ended "
         "before goes on where it was,\nand a campaign that time ran out for goes on the next "
         "night.\n",
     .after =
         "Exit status: 0 nothing new was found, 1 something new fails, 2 bad input, 3 a new ERROR, "
         "or the\nlab could not do all of it, 75 told to end (SIGTERM): run it again.\n",
     .most = 1, .word = {WORD_NIGHT}},
    {COMMAND(merge, "merge databases of parts of a campaign"), .forms = "INTO FROM... [OPTION...]",
     .about =
         "Merges result databases into the database INTO, which is made if there is none. FROM "
         "is a\ndatabase, or a folder of *.db. What is there already is not added again, and "
         "the order does\nnot matter. The same trial with two histories is refused. INTO is as "
         "before, or has all of it.\n",
     .after =
         "Exit status: 0 all is merged, 2 bad input or two results of one trial, and nothing is "
         "written,\n3 this machine failed.\n",
     .least = 2, .most = ANY_WORDS, .word = {WORD_FILE, WORD_FILE}},
    {COMMAND(doubt, "tell how blind a scenario is, by faults that the judge is not told of"),
     .forms = "SCENARIO... [OPTION...]",
     .about = "How blind is a scenario? Runs it as it is, which must pass, and then once for each "
              "doubt: a\nfault from soon after the start to the end, of which the judge is not "
              "told. A doubt that\npasses all the same was not noticed. The scenario's `harmless:` "
              "names those that need not\nbe. Trials are stored; `ukemi run --trial N` runs one "
              "again.\n",
     .after = "Exit status: 0 every doubt was noticed or is harmless, 1 some passed, 2 bad input, "
              "3 nothing\ncould be doubted, or the undisturbed trial does not pass.\n",
     .least = 1, .most = ANY_WORDS, .word = {WORD_SCENARIO, WORD_SCENARIO}},
    {COMMAND(storm, "strike a target with whatever a storm's file lets strike"),
     .forms = "STORM [OPTION...]\nSTORM --seed N --write FILE",
     .about =
         "Draws trials from a storm's file, which says what may strike and what must hold all the "
         "same,\nruns and stores them, and prints what failed: findings, trials of one signature "
         "together.\nSTORM is a file, a name in scenarios/storms/, or the beginning of a name. "
         "Every trial is a\nscenario: --write writes it.\n",
     .after = "Exit status: 0 every trial passed, 1 a finding that is not known, 2 bad input, 3 "
              "the lab, or\na fault without effect.\n",
     .least = 1, .most = 1, .word = {WORD_STORM}},
    {COMMAND(shrink, "make a failing trial smaller, as long as it fails alike"),
     .forms = "TRIAL [OPTION...]\nSCENARIO --seed N [OPTION...]",
     .about =
         "Makes a trial that fails smaller while it fails alike: the same promise or oracle, the "
         "same\nprocess, and no further kind of fault. It drops faults, makes the others weaker "
         "and shorter,\nmoves them to rounder instants, and ends the trial soon after. TRIAL is a "
         "stored trial of a\nstorm. What comes out is a scenario, with a comment that says what "
         "was found.\n",
     .after = "Exit status: 0 it is smaller, or cannot be, 2 bad input, or a trial that does not "
              "fail, 3 the\nlab.\n",
     .least = 1, .most = 1, .word = {WORD_SCENARIO}},
    {COMMAND(findings, "list what storms have found, the new ones first"), .forms = "[OPTION...]",
     .about = "Lists the findings of all storms of the database: failed trials of one signature "
              "together.\nThose that scenarios/findings/known.yaml names, with a reason, come "
              "last.\n",
     .after = "Exit status: 0 all are known, 1 some are new.\n"},
    {COMMAND(check, "check files without running anything"), .forms = "FILE...",
     .about =
         "Checks scenarios, campaigns, storms, targets (target.yaml) and fault families, as "
         "`ukemi run` and\n`ukemi campaign` do before the first trial: every key and value, the "
         "programs, the robot's\ndescription, and its model, which the simulator compiles. It "
         "runs no trial.\n",
     .after = "Exit status: 0 all are valid, 2 the messages say what is wrong, where, and what to "
              "do.\n",
     .least = 1, .most = ANY_WORDS, .word = {WORD_FILE, WORD_FILE}},
    {COMMAND(show, "show a stored trial, or list the campaigns"),
     .forms = "[TRIAL] [OPTION...]\nTRIAL|HISTORY.mcap --all|--search REGEX|--process NAME",
     .about = "Shows a stored trial: what was asked, what happened, every verdict, and the last "
              "lines that\nits processes printed. For a run of a benchmark it shows the figures. "
              "Without a number it\nlists the campaigns and benchmarks, and the trials that did "
              "not pass.\n",
     .most = 1, .word = {WORD_FILE}},
    {COMMAND(judge, "judge a kept history again"),
     .forms = "TRIAL [OPTION...]\nHISTORY.mcap SCENARIO [OPTION...]",
     .about = "Judges a kept history again, with the oracles of this build. With a trial's number "
              "it\njudges by the files that its database keeps, and adds the judgement to it. "
              "Earlier\nones remain; the newest counts.\n",
     .least = 1, .most = 2, .word = {WORD_FILE, WORD_SCENARIO}},
    {COMMAND(report, "write the report of a campaign"), .forms = "[CAMPAIGN] [OPTION...]",
     .about = "Writes the report of a campaign as text, Markdown, LaTeX, CSV and one HTML page, or "
              "the page\nof a stored benchmark. CAMPAIGN is a name or number (default: the newest "
              "campaign of trials).\nWith --format it writes the trials one by one, for other "
              "tools.\n",
     .most = 1},
    {COMMAND(view, "write one page that shows a trial over time"),
     .forms = "TRIAL [OPTION...]\nHISTORY.mcap SCENARIO [OPTION...]",
     .about = "Writes one HTML page about a trial whose history was kept, with a slider for the "
              "time:\nsignals, promises, faults, lives of processes, traffic, output, and the "
              "robot's body. The\npage needs no network. Its address may end in #t=SECONDS.\n",
     .least = 1, .most = 2, .word = {WORD_FILE, WORD_SCENARIO}},
    {COMMAND(series, "print the time series of a trial, for plots"),
     .forms = "TRIAL [TERM...] [OPTION...]",
     .about = "Prints the time series of a trial whose history was kept, for gnuplot: the tracks "
              "that the\nreport plots around the first fault (doc/reference/report.md). With terms "
              "it prints these\ninstead, over the whole trial, a column each, such as\n"
              "'truth.position_rad[19] * 57.3' (doc/reference/formulas.md).\n",
     .least = 1, .most = 1 + TRACKS_TERMS_MAX},
    {COMMAND(export, "write a trial for other tools: traffic, histograms, a film"),
     .forms = "TRIAL|HISTORY.mcap [OPTION...]\nTRIAL|TARGET --format dbc [OPTION...]\n"
              "TRIAL --format hgrm|cyclictest [OPTION...]\n"
              "TRIAL|HISTORY.mcap SCENARIO --format film|trace --output FILE [OPTION...]",
     .about = "Writes for other tools: the CAN or Ethernet traffic of a trial whose history was "
              "kept, the\nmeaning of its frames, the histograms of a run of a benchmark, a film "
              "of the trial, or its\ntrace.\n",
     .least = 1, .most = 2, .word = {WORD_FILE, WORD_SCENARIO}},
    {.name = "bench",
     .key = CLI_COMMAND_bench,
     .summary = "measure in real time",
     .forms = "NAME [ARGUMENT...]"},
    {COMMAND(diff, "compare two benchmarks: better, worse, or no difference"),
     .forms = "A B [OPTION...]\nB --last N [OPTION...]\nCAMPAIGN --squares BEFORE,AFTER "
              "[OPTION...]",
     .about = "Compares two benchmarks of the database, A before and B after, metric by metric, "
              "with rank\ntests over their runs: better, worse, no difference, or too few runs to "
              "tell. A and B are\nnumbers or names of campaigns (`ukemi show`); a name means the "
              "newest of that name.\n",
     .after = "Exit status: 1 if anything is worse; 2 for bad input, or if all have too few "
              "runs.\n",
     .least = 1, .most = 2},
    {COMMAND(plant, "run the simulated robot alone, on CAN interfaces"),
     .forms = "TARGET --can INTERFACE,INTERFACE [OPTION...]",
     .about = "Runs the boards and the physics of a target's robot on two CAN interfaces of the "
              "kernel, in\nreal time, until SIGINT or SIGTERM. There is no operator, nothing is "
              "judged, and a fall does\nnot end it. At the end it prints how many frames there "
              "were.\n",
     .least = 1, .most = 1, .word = {WORD_TARGET}},
    {COMMAND(list, "list targets, scenarios, campaigns, storms, nights, faults or oracles"),
     .forms = "targets|scenarios|campaigns|storms|nights|faults|oracles",
     .about = "Lists what there is, one per line, with a description. Scenarios are listed with "
              "their\nfamily, which is their folder in scenarios/.\n",
     .least = 1, .most = 1, .words = "targets|scenarios|campaigns|storms|nights|faults|oracles"},
    {COMMAND(header, "print the C structure of a message file"), .forms = "FILE.msg",
     .about = "Prints the C structure of a message file, for C and C++: `struct NAME_message` for "
              "NAME.msg,\nwith the file's comments. The file is the only source of the message's "
              "layout.\n",
     .least = 1, .most = 1, .word = {WORD_FILE}},
    {COMMAND(prune, "delete histories that nothing needs any more"), .forms = "[OPTION...]",
     .about =
         "Deletes kept histories of older runs of each campaign, so that their folder stays "
         "bounded.\nNever those that a finding or an example needs. Rows stay, and on the virtual "
         "clock `ukemi view`\nand `ukemi show` run the trial again, bit for bit.\n",
     .after = "Exit status: 0 done, 2 bad input, 3 what is needed is larger than --size.\n"},
    {COMMAND(doctor, "print what this machine can do, and what will be skipped"), .forms = "",
     .about = "Tries what trials need. Prints what this machine can do, and what will be skipped "
              "or run\nworse. Exit status 3 if no trial can be run here.\n"},
};

const struct cli_command *cli_command_find(const char *name)
{
    for (unsigned i = 0; i < CLI_COMMAND_COUNT; i++)
        if (strcmp(name, cli_commands[i].name) == 0)
            return &cli_commands[i];
    return NULL;
}

bool cli_takes(const struct cli_command *command, const struct cli_option *option)
{
    return (option->commands & 1u << command->key) != 0 &&
           (option->benches == 0 || (option->benches & command->bench) != 0);
}

const char *cli_fallback(const struct cli_command *command, const struct cli_option *option)
{
    for (unsigned i = 0; i < CLI_OWN_MAX && command->own[i].text != NULL; i++)
        if (command->own[i].key == option->key)
            return command->own[i].text;
    return option->fallback;
}

bool cli_each_choice(const char *choices, bool (*act)(void *context, const char *word),
                     void *context)
{
    bool more = true;
    for (size_t length; more && *choices != '\0'; choices += length) {
        char word[32];
        length = strcspn(choices, "|");
        snprintf(word, sizeof word, "%.*s", (int)length, choices);
        more = act(context, word);
        length += choices[length] == '|';
    }
    return more;
}
