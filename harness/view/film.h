// A film of a trial: its robot as its history says it moved, with the time and the faults that act.
// An animated WebP, which every browser plays. The same trial gives the same film on one machine.
// Not real-time: 20 to 100 ms a frame, in a process of its own.
#pragma once

#include <stdio.h>

#include "harness/view/view.h"

#define FILM_WIDTH 640
#define FILM_HEIGHT 480
#define FILM_FRAMES_S 25     // frames a second; less in a trial that is longer than
#define FILM_FRAMES_MAX 3000 // of these

// Errors are reported. NOT_FOUND: the target has no body, or the history does not say where it was;
// UNSUPPORTED: this machine draws no pictures; INVALID: the model cannot be compiled; SYSTEM,
// NO_MEMORY. Of the request, verdicts and hash are not needed.
enum status film_write(const struct view_request *request, FILE *out) MUST_CHECK;
