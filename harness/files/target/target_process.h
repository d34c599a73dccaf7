// The processes of a target file: what it says of one, and what a scenario runs in its place.
#pragma once

#include "harness/files/yaml/file_table.h"

struct process_config;
struct scenario;
struct target;

extern const struct file_row target_process_rows[];

// Places the programs of a target (program.h), and complains of what the rows cannot say.
void target_process_check(struct yaml_source *source, struct target *target);

// Lets a process run this program. `arguments` are words between blanks, as a scenario has them;
// what is more than RUN_WORDS_MAX is left out.
void process_run(struct process_config *process, const char *program, const char *arguments);

// The process as a trial of this scenario runs it; NULL: of none in particular.
void process_in(const struct scenario *scenario, const struct process_config *process,
                struct process_config *chosen);
