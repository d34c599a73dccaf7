// ukemi submit FILE --slurm: a campaign as an array of an engine that runs jobs on many machines.
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "base/trouble.h"
#include "harness/campaign/shard.h"
#include "harness/cell/piped.h"
#include "harness/cli/cli.h"
#include "harness/cli/cli_shard.h"
#include "harness/cli/slurm_script.h"
#include "harness/files/campaign_file.h"

#define TASKS_UNLESS_SAID 8
#define PARTS ".parts" // after the campaign's name
#define SCRIPT "submit.sbatch"
#define LISTED_MAX_B 512

struct submission {
    struct slurm_script script;
    const char *parts;
    unsigned trials;
    char usual_parts[NAME_MAX_LENGTH + sizeof PARTS];
    char folder[PATH_MAX_LENGTH], program[PATH_MAX_LENGTH];
};

// ---- what is asked for --------------------------------------------------------------------------

static unsigned trials_of(const struct campaign *campaign)
{
    unsigned trials = 0;
    for (unsigned i = 0; i < campaign->square_count; i++)
        trials += campaign->square[i].trials;
    return trials;
}

static bool choose_tasks(const struct cli_line *line, unsigned trials, unsigned *tasks)
{
    const bool said = line->value[CLI_TASKS].given;
    *tasks = said ? (unsigned)line->value[CLI_TASKS].count : TASKS_UNLESS_SAID;
    if (*tasks <= trials)
        return true;
    if (said)
        log_error("--tasks %u: the campaign has %u trial%s, and no task may be without one", *tasks,
                  trials, text_plural(trials));
    *tasks = trials;
    return !said;
}

static bool is_partition(const char *word)
{
    for (const char *letter = word; *letter != '\0'; letter++)
        if (!isalnum((unsigned char)*letter) && strchr("-_.,", *letter) == NULL)
            return false;
    return word[0] != '\0' && word[0] != '-';
}

static enum exit_code prepare(const struct cli_line *line, const struct campaign *campaign,
                              struct submission *s)
{
    struct shard shard;
    const char *partition = line->value[CLI_PARTITION].text;
    if (partition != NULL && !is_partition(partition)) {
        log_error("--partition %s: is no name of a partition, as `sinfo` lists them", partition);
        return EXIT_INPUT;
    }
    unsigned tasks;
    if (!choose_tasks(line, trials_of(campaign), &tasks) || !cli_shard_overlap(line, &shard))
        return EXIT_INPUT;
    const ssize_t length = readlink("/proc/self/exe", s->program, sizeof s->program - 1);
    if (length < 0 || getcwd(s->folder, sizeof s->folder) == NULL) {
        log_error("where this program or this folder is: %s", strerror(errno));
        return EXIT_LAB;
    }
    s->program[length] = '\0';
    snprintf(s->usual_parts, sizeof s->usual_parts, "%s" PARTS, campaign->name);
    s->parts = line->value[CLI_PARTS].given ? line->value[CLI_PARTS].text : s->usual_parts;
    s->script = (struct slurm_script){.program = s->program,
                                      .folder = s->folder,
                                      .campaign = line->word[0],
                                      .name = campaign->name,
                                      .partition = partition,
                                      .overlap = line->value[CLI_OVERLAP].text,
                                      .tasks = tasks,
                                      .jobs = (unsigned)line->value[CLI_JOBS].count,
                                      .wall = line->value[CLI_WALL].given,
                                      .no_wall = line->value[CLI_NO_WALL].given};
    return EXIT_PASS;
}

// ---- Slurm --------------------------------------------------------------------------------------

// Runs it and takes the first bytes that it prints. PASS: it ended with 0; INPUT: there is no such
// program here, reported; LAB: it ended otherwise, and has said why.
static enum exit_code ask(char *const *program, char said[LISTED_MAX_B])
{
    struct piped piped;
    double cpu_s;
    const enum status status = piped_start(program, false, &piped);
    if (status == STATUS_NOT_FOUND) {
        log_error("%s: this machine has no such program; submit where Slurm's commands are, or "
                  "give --write-only",
                  program[0]);
        return EXIT_INPUT;
    }
    if (status != STATUS_OK) {
        log_error("%s: %s", program[0], strerror(errno));
        return EXIT_LAB;
    }
    const size_t length = fread(said, 1, LISTED_MAX_B - 1, piped.output);
    said[length] = '\0';
    while (fgetc(piped.output) != EOF)
        ; // ends with the program
    const int how = piped_end(&piped, &cpu_s);
    return WIFEXITED(how) && WEXITSTATUS(how) == 0 ? EXIT_PASS : EXIT_LAB;
}

static bool lists(const char *lines, const char *name)
{
    const size_t length = strlen(name);
    for (const char *line = lines; *line != '\0';
         line += strcspn(line, "\n"), line += *line != '\0')
        if (strcspn(line, "\n") == length && strncmp(line, name, length) == 0)
            return true;
    return false;
}

// Of a list of partitions the first that Slurm does not have; reported.
static bool has_partitions(const char *wanted, char *lines)
{
    char words[LISTED_MAX_B], *rest = NULL;
    text_copy(words, sizeof words, wanted);
    for (char *word = strtok_r(words, ",", &rest); word != NULL; word = strtok_r(NULL, ",", &rest))
        if (!lists(lines, word)) {
            for (char *end = lines; (end = strchr(end, '\n')) != NULL;)
                *end = ' ';
            log_error("--partition %s: Slurm has no such partition; there are %s", word, lines);
            return false;
        }
    return true;
}

static enum exit_code look_at_slurm(const struct submission *s)
{
    char *const list[] = {"sinfo", "--noheader", "--format=%R", NULL};
    char lines[LISTED_MAX_B];
    const enum exit_code code = ask(list, lines);
    if (code == EXIT_LAB)
        log_error("sinfo: Slurm does not answer; nothing was submitted");
    if (code != EXIT_PASS || s->script.partition == NULL)
        return code;
    return has_partitions(s->script.partition, lines) ? EXIT_PASS : EXIT_INPUT;
}

static enum exit_code write_script(const struct submission *s)
{
    char path[2 * PATH_MAX_LENGTH];
    snprintf(path, sizeof path, "%s/" SCRIPT, s->parts);
    if (mkdir(s->parts, 0777) != 0 && errno != EEXIST) {
        log_error("%s: %s; --parts names another folder", s->parts, strerror(errno));
        return trouble_note(errno) ? EXIT_LAB : EXIT_INPUT;
    }
    FILE *out = fopen(path, "we");
    bool written = out != NULL;
    if (written)
        slurm_script_write(&s->script, out);
    written = written && !ferror(out);
    if (out != NULL && fclose(out) != 0)
        written = false;
    if (written)
        return EXIT_PASS;
    log_error("%s: %s", path, strerror(errno));
    return trouble_note(errno) ? EXIT_LAB : EXIT_INPUT;
}

// The number of the job, or what Slurm said instead.
static enum exit_code submit(const struct submission *s, char job[LISTED_MAX_B])
{
    char *const program[] = {"sbatch", "--parsable", SCRIPT, NULL};
    if (chdir(s->parts) != 0) {
        log_error("%s: %s", s->parts, strerror(errno));
        return EXIT_INPUT;
    }
    const enum exit_code code = ask(program, job);
    const bool returned = chdir(s->folder) == 0;
    job[strcspn(job, ";\n")] = '\0'; // "NUMBER;CLUSTER"
    if (code == EXIT_LAB)
        log_error("sbatch does not take %s/" SCRIPT " (above); nothing was submitted", s->parts);
    return code == EXIT_PASS && returned ? EXIT_PASS : EXIT_INPUT;
}

static void say_what_follows(const struct submission *s, const char *database)
{
    const char *wall = s->script.wall ? " --wall" : "",
               *no_wall = s->script.no_wall ? " --no-wall" : "";
    printf("When they have ended, and at any time before:\n"
           "  ukemi merge %s %s\n"
           "  ukemi campaign %s --db %s%s%s --missing\n"
           "  ukemi campaign %s --db %s%s%s --finish\n",
           database, s->parts, s->script.campaign, database, wall, no_wall, s->script.campaign,
           database, wall, no_wall);
}

static enum exit_code act(const struct cli_line *line, const struct submission *s)
{
    char job[LISTED_MAX_B];
    if (line->value[CLI_WRITE_ONLY].given) {
        slurm_script_write(&s->script, stdout);
        return EXIT_PASS;
    }
    enum exit_code code = look_at_slurm(s);
    if (code == EXIT_PASS)
        code = write_script(s);
    if (code == EXIT_PASS)
        code = submit(s, job);
    if (code != EXIT_PASS)
        return code;
    printf("job %s: %u task%s of %u trials in all; their databases and logs come into %s\n", job,
           s->script.tasks, text_plural(s->script.tasks), s->trials, s->parts);
    say_what_follows(s, line->value[CLI_DB].text);
    return EXIT_PASS;
}

int cli_submit(const struct cli_line *line)
{
    struct submission submission = {0};
    struct cli_bench bench;
    if (!line->value[CLI_SLURM].given) {
        log_error("give the engine: --slurm; for others see doc/how-to/cluster.md");
        return EXIT_INPUT;
    }
    enum status status = cli_load_campaign(line->word[0], &bench);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    int code = (int)prepare(line, bench.campaign, &submission);
    submission.trials = trials_of(bench.campaign);
    if (code == EXIT_PASS && (status = cli_check_bench(&bench)) != STATUS_OK)
        code = (int)cli_exit_of(status);
    if (code == EXIT_PASS)
        code = (int)act(line, &submission);
    cli_free(&bench);
    return code;
}
