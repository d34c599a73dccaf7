// What a cell was not, for those who read results.
#include <stdio.h>

#include "harness/cell/cell.h"

const char *cell_word(const struct cell_request *request, const struct cell_end *end)
{
    return end->bare ? "bare" : request->no_wall ? "no wall" : "wall";
}

void cell_lacks(const struct cell_end *end, char *words, size_t size)
{
    words[0] = '\0';
    if (!end->bare)
        return;
    snprintf(words, size,
             "a wall (its programs were trusted); a network, process numbers, System V IPC, "
             "/dev/shm and /tmp of its own%s%s, since %s",
             end->fenced ? "" : "; a fence around other folders (Landlock)",
             end->filtered ? "" : "; a filter of system calls (seccomp)", end->refused);
}
