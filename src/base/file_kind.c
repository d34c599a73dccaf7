#include "base/file_kind.h"

#include <stddef.h>
#include <sys/stat.h>

const char *file_special(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0 || S_ISREG(about.st_mode) || S_ISDIR(about.st_mode))
        return NULL;
    return S_ISFIFO(about.st_mode)   ? "is a FIFO; name a file"
           : S_ISSOCK(about.st_mode) ? "is a socket; name a file"
                                     : "is a device; name a file";
}
