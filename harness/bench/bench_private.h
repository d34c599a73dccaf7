// What the runner's files share.
#pragma once

#include "harness/bench/bench.h"

struct bench_pool { // a distribution over all runs of a square
    char square[BENCH_LABEL_MAX], metric[64], figures[64];
    bool corrected;
    struct histogram *histogram;
};

// Adds the quantiles of the distributions as figures.
void bench_derive(struct bench_result *result);
void bench_free_distributions(struct bench_result *result);

enum status bench_pool_add(struct bench_session *session,
                           const struct bench_result *result) MUST_CHECK;
struct bench_pool *bench_find_pool(const struct bench_session *session, const char *square,
                                   const char *metric, bool corrected);
