// What a put and a get cost the one who calls them, when nobody waits.
#pragma once

#include <stdbool.h>

// Measures them by frame size, in the given number of rounds; prints a table, with `tsv` on
// standard error, and on standard output lines for `ukemi bench store`. Runs in a world of its own;
// false, with a message, if it could not.
bool solo_run(unsigned rounds, bool tsv);
