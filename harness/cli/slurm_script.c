#include "harness/cli/slurm_script.h"

#include <ctype.h>

#define WARNED_S 60 // before the time of a job is up

// As a shell takes it for one word, whatever is in it.
static void quote(const char *word, FILE *out)
{
    fputc('\'', out);
    for (; *word != '\0'; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    fputc('\'', out);
}

// Of a name what Slurm's lists show well.
static void write_name(const char *name, FILE *out)
{
    for (; *name != '\0'; name++)
        fputc(isalnum((unsigned char)*name) || *name == '-' ? *name : '_', out);
}

static void write_wishes(const struct slurm_script *script, FILE *out)
{
    fputs("#SBATCH --job-name=ukemi-", out);
    write_name(script->name, out);
    fprintf(out,
            "\n#SBATCH --array=0-%u\n#SBATCH --cpus-per-task=%u\n#SBATCH --requeue\n"
            "#SBATCH --output=%%a.log\n#SBATCH --open-mode=append\n#SBATCH --signal=B:USR1@%d\n",
            script->tasks - 1, script->jobs, WARNED_S);
    if (script->partition != NULL)
        fprintf(out, "#SBATCH --partition=%s\n", script->partition);
}

static void write_command(const struct slurm_script *script, FILE *out)
{
    fputs("(exec setpriv --pdeathsig KILL ", out);
    quote(script->program, out);
    fputs(" campaign ", out);
    quote(script->campaign, out);
    fprintf(out, " --quiet --jobs %u%s%s", script->jobs, script->wall ? " --wall" : "",
            script->no_wall ? " --no-wall" : "");
    if (script->overlap != NULL) {
        fputs(" --overlap ", out);
        quote(script->overlap, out);
    }
    fprintf(out,
            " \\\n    --shard \"$SLURM_ARRAY_TASK_ID/%u\" --db \"$parts/$SLURM_ARRAY_TASK_ID.db\")"
            " &\n",
            script->tasks);
}

void slurm_script_write(const struct slurm_script *script, FILE *out)
{
    fputs("#!/bin/bash\n# Written by `ukemi submit`. In the folder where this lies, which gets the "
          "parts and what\n# their tasks print: sbatch submit.sbatch\n",
          out);
    write_wishes(script, out);
    fputs("\n# A task that is told to end stores what it has, and ends with 75. Slurm itself "
          "requeues one\n# that is preempted, or whose node is gone; one whose time is up requeues "
          "itself.\n"
          "parts=$PWD again='' told=''\n"
          "tell() { told=yes; kill -TERM \"$lab\" 2>/dev/null; }\n"
          "trap 'again=yes; tell' USR1\n"
          "trap tell TERM INT\n"
          "cd -- ",
          out);
    quote(script->folder, out);
    fputs(" || exit 3\n", out);
    write_command(script, out);
    fputs("lab=$!\n"
          "wait \"$lab\"\n"
          "status=$?\n"
          "while [ -n \"$told\" ]; do # it was the wait that was interrupted\n"
          "    told=''\n"
          "    wait \"$lab\"\n"
          "    status=$?\n"
          "done\n"
          "[ $status -ne 75 ] || [ -z \"$again\" ] || scontrol requeue \"$SLURM_JOB_ID\"\n"
          "exit $status\n",
          out);
}
