// `ukemi bench`: the benchmarks, one file cli_bench_NAME.c each, one line each in this table.
#include <string.h>

#include "base/log.h"
#include "harness/cli/cli_bench.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} benchmarks[] = {
    {"latency", cli_bench_latency,
     "the target's loop, stage by stage, beside what the machine can do"},
    {"floor", cli_bench_floor, "how late a timer wakes a process here, beside cyclictest"},
    {"daemons", cli_bench_daemons, "how much of the processor each daemon uses"},
    {"interference", cli_bench_interference,
     "which daemon misses which deadlines under which load"},
    {"store", cli_bench_store, "run a program several times and store the figures it prints"},
};
#define BENCHMARKS (sizeof benchmarks / sizeof benchmarks[0])

static enum exit_code help(FILE *out)
{
    fputs("usage: ukemi bench NAME [ARGUMENT...]\n\n"
          "Measures in real time; `ukemi diff` compares what was stored.\n\n",
          out);
    for (size_t i = 0; i < BENCHMARKS; i++)
        fprintf(out, "  %-13s %s\n", benchmarks[i].name, benchmarks[i].summary);
    fputs("\nukemi bench NAME --help explains one.\n", out);
    return out == stdout ? EXIT_PASS : EXIT_INPUT;
}

int cli_bench(int argc, char **argv)
{
    if (argc < 2)
        return help(stderr);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help(stdout);
    for (size_t i = 0; i < BENCHMARKS; i++)
        if (strcmp(argv[1], benchmarks[i].name) == 0)
            return cli_call(benchmarks[i].run, argc - 1, argv + 1);
    log_error("there is no benchmark '%s'; `ukemi bench --help` lists them", argv[1]);
    return EXIT_INPUT;
}
