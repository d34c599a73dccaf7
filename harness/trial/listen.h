// Reads what a trial's processes say, and records it (listen.c tells when). In the cell.
#pragma once

#include "base/status.h"

struct output_line;
struct trial;

// Reads by itself from now on, as the clock goes on.
void listen_begin(struct trial *trial);

// Records all that has come. CORRUPT, FULL, NO_MEMORY: `reason` may say why.
enum status listen_all(struct trial *trial) MUST_CHECK;

// Records what the taps have heard up to now. NO_MEMORY, FULL: also if an earlier call failed.
enum status listen_taps(struct trial *trial) MUST_CHECK;

// For whoever lets time go on while he works; of a trial.
void listen_meanwhile(void *trial);

// A process has printed a line; of a trial.
void listen_printed(void *trial, const struct output_line *line);
