#include "harness/bench/bench.h"

#include <string.h>

#include "harness/bench/benches.h"

#define BENCH_ADDRESS(name) &bench_##name,
const struct bench *const benches[] = {BENCHES(BENCH_ADDRESS) NULL};

const struct bench *bench_find(const char *name)
{
    for (size_t i = 0; benches[i] != NULL; i++)
        if (strcmp(benches[i]->name, name) == 0)
            return benches[i];
    return NULL;
}
