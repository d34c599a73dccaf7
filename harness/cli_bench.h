// The benchmarks of `ukemi bench`. Private to the command line. argv[0] is the benchmark's name.
#pragma once

#include "harness/cli.h"

int cli_bench_daemons(int argc, char **argv);
int cli_bench_interference(int argc, char **argv);
int cli_bench_latency(int argc, char **argv);
int cli_bench_floor(int argc, char **argv);
int cli_bench_store(int argc, char **argv);
