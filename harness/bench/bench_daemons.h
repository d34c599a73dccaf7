// Which runs of the benchmark of the daemons' computing were measured by a slow machine. Pure.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// What the simulated robot may use: 1.1 times the lower quartile of the runs. It is no part of what
// is tested, so leaving out runs in which it used more favours nobody. NAN: there are no runs.
// Sorts the values.
double daemons_slow_above(double *robot_us_per_ms, size_t count);
