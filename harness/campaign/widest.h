// In which order the trials of a campaign are run if there may not be time for all: the next one is
// of the square whose share of failures is known least, that of the widest interval (Wilson, 95 %).
// Which trials there are, and their seeds, do not depend on it. Pure.
#pragma once

#include <stdbool.h>

#include "harness/files/campaign_file.h"
#include "harness/judge/verdict.h"

struct widest {
    unsigned judged[SQUARES_MAX], failed[SQUARES_MAX]; // stored trials: PASS or FAIL, and FAIL
    unsigned running[SQUARES_MAX], next[SQUARES_MAX];  // trials; the next number
};

// The next place to look at, which is not offered again. Equal squares take turns. False: no more.
bool widest_next(struct widest *widest, const struct campaign *campaign, unsigned *square,
                 unsigned *number);
void widest_start(struct widest *widest, unsigned square); // a trial of it
void widest_end(struct widest *widest, unsigned square, bool stored, enum verdict verdict);
