// The host of a statically linked program with `clock: shim`: it is linked dynamically, so that the
// library can be preloaded, which then loads the program into this process.
//
//   static-host PROGRAM NAME [ARGUMENT...]      as whose NAME it sees itself
#include <stdio.h>
#include <string.h>
#include <errno.h>

#define EXIT_NOT_EXECUTED 127

extern int shim_run_static(const char *path, char *const arguments[]) __attribute__((weak));

int main(int argc, char *argv[])
{
    if (argc < 3 || shim_run_static == NULL) {
        fprintf(stderr, "static-host: is started by the lab, with its library preloaded\n");
        return EXIT_NOT_EXECUTED;
    }
    (void)shim_run_static(argv[1], argv + 2);
    fprintf(stderr, "static-host: %s: cannot be loaded: %s\n", argv[1], strerror(errno));
    return EXIT_NOT_EXECUTED;
}
