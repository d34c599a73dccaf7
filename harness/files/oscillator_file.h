// What clocks of a trial's processes go by: the scenario's `oscillators`.
#pragma once

#include "clock/oscillator.h"
#include "harness/files/yaml/file_table.h"
#include "harness/files/yaml/yaml_source.h"

struct scenario;
struct target;

extern const struct file_row oscillator_rows[];

// Complains of processes that the target does not have, or that do not join the clock themselves.
void oscillators_check(struct yaml_source *source, const struct target *target,
                       const struct scenario *scenario);

// The oscillator of a process in the trial with this seed. False: it goes by the trial's time.
bool oscillator_draw(const struct scenario *scenario, const char *process, uint64_t seed,
                     struct clk_oscillator *oscillator);
