// Private to the files of `ukemi doctor`.
#pragma once

#include <stdbool.h>

// Prints why cells are bare here, and what would give them a wall: what is seen decides.
void doctor_explain_bare(void);
