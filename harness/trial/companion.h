// A process of the lab that runs beside a trial, outside its cell. It ends with the lab.
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "base/status.h"

// Runs `body` in a process of its own; the process ends when it returns. `what` it is for: of the
// message. SYSTEM, logged to standard error; then *pid is 0.
enum status companion_start(void (*body)(void *context), void *context, const char *what,
                            pid_t *pid) MUST_CHECK;
void companion_stop(pid_t pid); // 0: does nothing

// Keeps the calling process on one core; false: it may not run there.
bool companion_pin(int core);
