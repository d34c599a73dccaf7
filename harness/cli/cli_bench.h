// The benchmarks of `ukemi bench`. Private to the command line. argv[0] is the benchmark's name.
#pragma once

#include "harness/cli/cli.h"

// Names the newest runs of a benchmark that were judged FAIL or ERROR, where their histories are, and the command that shows them; nothing if there
// are none. `path` is the database's. Errors of reading it are said.
enum status cli_bench_print_bad(struct database *database, const char *path,
                                int64_t campaign_id) MUST_CHECK;

int cli_bench_daemons(int argc, char **argv);
int cli_bench_interference(int argc, char **argv);
int cli_bench_latency(int argc, char **argv);
int cli_bench_floor(int argc, char **argv);
int cli_bench_store(int argc, char **argv);
