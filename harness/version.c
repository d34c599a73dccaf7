#include "harness/version.h"

#include <gnu/libc-version.h>
#include <mujoco/mujoco.h>
#include <sched.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#ifndef LAB_REVISION // given by programs.mk
#define LAB_REVISION "unknown"
#endif
#define TEXT(x) #x
#define TEXT_OF(x) TEXT(x)

struct build_info build_info(void)
{
    return (struct build_info){
        .lab_revision = LAB_REVISION[0] == '\0' ? "unknown" : LAB_REVISION,
#ifdef __clang__
        .compiler = "clang " __clang_version__,
#else
        .compiler = "gcc " __VERSION__,
#endif
        .libc = gnu_get_libc_version(),
        .mujoco = TEXT_OF(mjVERSION_HEADER),
        .sqlite = sqlite3_libversion(),
    };
}

// Value of the first "model name : ..." line.
static void read_cpu_model(char *model, size_t size)
{
    snprintf(model, size, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (file == NULL)
        return;
    char line[256];
    while (fgets(line, sizeof line, file) != NULL) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || colon == NULL)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(model, size, "%s", colon + 2);
        break;
    }
    (void)fclose(file); // only read
}

struct machine_info machine_info(void)
{
    struct machine_info info = {.kernel = "unknown", .cores = 1};
    read_cpu_model(info.cpu_model, sizeof info.cpu_model);
    struct utsname name;
    if (uname(&name) == 0)
        snprintf(info.kernel, sizeof info.kernel, "%.20s %.100s", name.sysname, name.release);
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) == 0)
        info.cores = CPU_COUNT(&cores);
    return info;
}
