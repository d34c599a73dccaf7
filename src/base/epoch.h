// Where time begins for a process that belongs to no cell: its clock and what it opens outside must
// agree on it.
#pragma once

#include <stdint.h>

// From now on. CLOCK_MONOTONIC; called by clk_join.
int64_t epoch_begin_ns(void);
// When it began; if nobody has said so, now.
int64_t epoch_ns(void);
