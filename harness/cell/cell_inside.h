// What a process in a cell knows of it. In a cell with file systems of its own everything is where
// cell.h says, and processes have the numbers that the cell gives them. In a bare cell
// (cell_bare.h) they lie elsewhere and have the machine's numbers; here one is told for the other,
// so that histories are the same.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// The folder of clock page, channels and buses. CELL_FOLDER, but in a bare cell.
const char *cell_folder(void);

// Whether a bare cell has no room left for files, which is reported then. One with file systems of
// its own has its limits.
struct breach;
bool cell_room_ended(struct breach *breach);

// Whether the calling process is the init of a bare cell.
bool cell_is_bare(void);

// Copies `text` with every path of cell.h in it replaced by where that is. False: it does not fit.
bool cell_locate(const char *text, char *located, size_t size);

// What else the environment of programs says in a bare cell: TMPDIR, for they have no /tmp of their
// own; LD_PRELOAD and UKEMI_NAMES, so that names of shared memory are the cell's own. What
// `environment` says already stays, but LD_PRELOAD gets one more. `more`, of at most CELL_MORE, is
// ended by NULL; its memory is the calling process's, for good.
#define CELL_MORE 3
void cell_environment(char *const *environment, char *more[CELL_MORE + 1]);

// In the init: a process was started by it, or by what it has started. Gives it the next number.
void cell_count(pid_t pid);
// The number of a process in the cell; its own if it has never been counted.
int cell_number(pid_t pid);
// The same in words: after each "pid " of `text` the machine's number becomes the cell's.
void cell_number_words(char *text, size_t size);

// In the init, at its end: no process of the cell is left but itself.
void cell_end_processes(void);
