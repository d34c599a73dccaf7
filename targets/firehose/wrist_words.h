// What the wrist is told on its command line: m, c, beta and f_d of its law, as KEY=VALUE.
#pragma once

#include <stdbool.h>

#include "motion/wrist.h"

#define WRIST_FORCE_MAX_N 400.0 // more is no hose

// `words` end with NULL. *desired_N: what the hose is to pull back; NAN: what it does, low-passed.
// False, reported: a word is not known, or its number out of range.
bool wrist_words(char **words, struct wrist_parameters *parameters, double *desired_N);
