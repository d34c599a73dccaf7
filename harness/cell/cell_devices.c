#include "harness/cell/cell_devices.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

// Linux, Documentation/admin-guide/devices.txt: all are of major number 1, in this order.
const char *const cell_devices[] = {"/dev/null",   "/dev/zero",    "/dev/full",
                                    "/dev/random", "/dev/urandom", NULL};
static const unsigned minor_of[] = {3, 5, 7, 8, 9};
#define MEMORY_MAJOR 1

// What is there instead, if anything: a file takes such a place when root writes to that name by
// rename.
static const char *kind_of(const struct stat *about)
{
    return S_ISREG(about->st_mode)   ? "a regular file"
           : S_ISDIR(about->st_mode) ? "a folder"
           : S_ISCHR(about->st_mode) ? "another device"
                                     : "no device";
}

static bool is_sound(const char *path, unsigned minor_number, char *why, size_t size)
{
    struct stat about;
    const bool there = stat(path, &about) == 0;
    if (there && S_ISCHR(about.st_mode) && about.st_rdev == makedev(MEMORY_MAJOR, minor_number))
        return true;
    snprintf(why, size,
             "%s is %s; make it anew, as root: rm -f %s; mknod -m 666 %s c %d %u, or start the "
             "machine or container again",
             path, there ? kind_of(&about) : strerror(errno), path, path, MEMORY_MAJOR,
             minor_number);
    return false;
}

bool cell_devices_sound(char *why, size_t size)
{
    for (size_t i = 0; cell_devices[i] != NULL; i++)
        if (!is_sound(cell_devices[i], minor_of[i], why, size))
            return false;
    return true;
}
