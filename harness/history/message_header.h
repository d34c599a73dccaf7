// Message text as the C structure that it describes (message_text.h), for C and C++.
#pragma once

#include <stdio.h>

#include "base/status.h"
#include "harness/history/message_text.h"

// Prints a header with `struct NAME` for the message, after those of its nested types, with the
// text's comments. `file` is the text's name, for the first line. A sequence needs a bound.
// INVALID: *mistake says what is wrong with the text, and nothing is printed.
enum status message_header(const char *text, const char *name, const char *file, FILE *out,
                           struct message_mistake *mistake) MUST_CHECK;
