// The batch script of a campaign for Slurm: an array whose every task runs one part. Private to the
// command line.
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct slurm_script {
    const char *program;   // this one's path, as on the nodes
    const char *folder;    // where the command was given: `campaign` and what it uses lie by it
    const char *campaign;  // its file or name, as given
    const char *name;      // of the campaign
    const char *partition; // NULL: the cluster's default
    const char *overlap;   // as given; NULL: none
    unsigned tasks, jobs;  // trials at once in a task, a CPU each
    bool wall, no_wall;
};

// Writes it. It is to be submitted from the folder that gets the parts. Whoever closes `out` sees
// errors.
void slurm_script_write(const struct slurm_script *script, FILE *out);
