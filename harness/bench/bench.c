#include "harness/bench/bench.h"

#include <string.h>

#include "harness/bench/benches.h"

const struct bench *const benches[] = {
    &bench_latency,  &bench_floor, &bench_daemons, &bench_interference, &bench_ethernet,
    &bench_programs, NULL};

const struct bench *bench_find(const char *name)
{
    for (size_t i = 0; benches[i] != NULL; i++)
        if (strcmp(benches[i]->name, name) == 0)
            return benches[i];
    return NULL;
}
