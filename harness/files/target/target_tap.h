// The taps of a target file: messages of programs that do not use our channels.
#pragma once

#include "harness/files/yaml/file_table.h"

struct target;

extern const struct file_row target_tap_rows[];

// What a writer may owe.
#define FLOOR_MIN_HZ 1 // activity is counted over a second
#define FLOOR_MAX_HZ 1e6

// Completes the taps of a target, declares the messages made up of their fields, and complains of
// what the rows cannot say. The processes and channels have been read.
void target_tap_check(struct yaml_source *source, struct target *target);
