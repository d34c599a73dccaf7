// Which programs may run in a bare cell, behind no wall: those that nobody else can have changed.
#pragma once

#include "harness/cell/cell.h"

// For cell_request.bare. True if trusted_path says so of the folders of programs and target, and
// trusted_file of every file in the target's. `why` says what refused it; the remedy is logged.
bool trusted_cell(const struct cell_request *request, char *why, size_t size);

// The same, and logs nothing: for cells beside that of a trial, which says it.
bool trusted_cell_silently(const struct cell_request *request, char *why, size_t size);
