// What a path leads to, before it is opened: opening a FIFO waits for whoever writes into it.
#pragma once

// NULL: a file, a folder, or nothing, of which opening tells; else what it is and what to do, as
// the end of a message: "is a FIFO; name a file".
const char *file_special(const char *path);
