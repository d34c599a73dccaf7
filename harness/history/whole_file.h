// Files that are there whole or not at all, whatever dies while they are written; and files read
// whole, whoever changes them meanwhile.
//
// Until a file is committed it has no name: the kernel takes it back with the process that writes
// it. Where the file system knows no unnamed files it is called PATH.PID.part meanwhile. A device,
// a FIFO and a descriptor (/dev/stdout) are no files to take the place of: they are written into
// when the file is whole (file_place.h). Not real-time.
#pragma once

#include <stdio.h>

#include "base/status.h"

struct whole_file; // opaque; ended by whole_file_commit or whole_file_drop

// Starts the file that is to become `path`. SYSTEM (errno says why, in
// the words of file_place_why), NO_MEMORY; says nothing.
enum status whole_file_start(const char *path, struct whole_file **file) MUST_CHECK;
// To write to; its errors are looked at by whole_file_commit.
FILE *whole_file_stream(struct whole_file *file);
// Puts what was written on the disk and then in the place of `path`, or into it. SYSTEM (errno says
// why): nothing is left of it, and a file that was there before still is.
enum status whole_file_commit(struct whole_file *file) MUST_CHECK;
// Gives it up. NULL is allowed.
void whole_file_drop(struct whole_file *file);

// Reads the file into memory that is the caller's to free, with a zero behind it. Not mapped:
// whoever reads the mapping of a file that another cuts off is killed. A file that is cut off
// meanwhile is as short as it was then, one that grows as long as it was at first. NOT_FOUND;
// TOO_LARGE: above max_B; SYSTEM (errno says why); NO_MEMORY; says nothing.
enum status whole_file_read(const char *path, size_t max_B, char **data, size_t *size_B) MUST_CHECK;
