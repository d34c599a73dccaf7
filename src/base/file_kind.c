#include "base/file_kind.h"

#include <linux/magic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/vfs.h>

// Such files have no size until they are read, and some are never at their end (/proc/kmsg).
static bool is_of_kernel(const char *path)
{
    struct statfs system;
    if (statfs(path, &system) != 0)
        return false;
    switch ((unsigned long)system.f_type) {
    case PROC_SUPER_MAGIC:
    case SYSFS_MAGIC:
    case DEBUGFS_MAGIC:
    case TRACEFS_MAGIC:
        return true;
    default:
        return false;
    }
}

const char *file_special(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0 || S_ISDIR(about.st_mode))
        return NULL;
    if (S_ISREG(about.st_mode))
        return is_of_kernel(path) ? "is a file of the kernel; name a file on a disk" : NULL;
    return S_ISFIFO(about.st_mode)   ? "is a FIFO; name a file"
           : S_ISSOCK(about.st_mode) ? "is a socket; name a file"
                                     : "is a device; name a file";
}
