#include "harness/store/machine.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

// The first line of a small file of the kernel's; `fallback` if it has none.
static void read_line(const char *path, const char *fallback, char *text, size_t size)
{
    char line[256] = "";
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        if (fgets(line, sizeof line, file) == NULL)
            line[0] = '\0';
        (void)fclose(file); // only read
    }
    line[strcspn(line, "\n")] = '\0';
    snprintf(text, size, "%.*s", (int)size - 1, line[0] == '\0' ? fallback : line);
}

// "model name : ..." of the first CPU, and its flags.
static void read_cpu(struct machine_info *info)
{
    snprintf(info->cpu_model, sizeof info->cpu_model, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (file == NULL)
        return;
    char line[8192];
    while (fgets(line, sizeof line, file) != NULL && line[0] != '\n') { // an empty line ends a CPU
        const char *colon = strchr(line, ':');
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "model name", 10) == 0 && colon != NULL)
            snprintf(info->cpu_model, sizeof info->cpu_model, "%.127s", colon + 2);
        if (strncmp(line, "flags", 5) == 0)
            info->hypervisor = strstr(line, " hypervisor") != NULL;
    }
    (void)fclose(file); // only read
}

static void read_kernel(struct machine_info *info)
{
    static const char *const words[] = {"PREEMPT_RT", "PREEMPT_DYNAMIC", "PREEMPT"};
    struct utsname name;
    snprintf(info->kernel, sizeof info->kernel, "unknown");
    snprintf(info->preemption, sizeof info->preemption, "unknown");
    if (uname(&name) != 0)
        return;
    snprintf(info->kernel, sizeof info->kernel, "%.20s %.100s", name.sysname, name.release);
    snprintf(info->preemption, sizeof info->preemption, "none");
    for (size_t i = sizeof words / sizeof words[0]; i > 0; i--) // the longer words last
        if (strstr(name.version, words[i - 1]) != NULL)
            snprintf(info->preemption, sizeof info->preemption, "%s", words[i - 1]);
}

static void read_rt_limit(struct machine_info *info)
{
    char runtime_us[16], period_us[16];
    read_line("/proc/sys/kernel/sched_rt_runtime_us", "unknown", runtime_us, sizeof runtime_us);
    read_line("/proc/sys/kernel/sched_rt_period_us", "unknown", period_us, sizeof period_us);
    if (runtime_us[0] == '-' || strcmp(runtime_us, "unknown") == 0)
        snprintf(info->rt_limit, sizeof info->rt_limit, "%s",
                 runtime_us[0] == '-' ? "none" : runtime_us);
    else
        snprintf(info->rt_limit, sizeof info->rt_limit, "%s of %s us", runtime_us, period_us);
}

struct machine_info machine_info(void)
{
    struct machine_info info = {.cores = 1};
    char memory[128];
    read_cpu(&info);
    read_kernel(&info);
    read_rt_limit(&info);
    read_line("/proc/meminfo", "", memory, sizeof memory); // "MemTotal:  24684092 kB"
    if (strncmp(memory, "MemTotal:", 9) == 0)
        info.memory_MB = (int)(strtoll(memory + 9, NULL, 10) / 1000);
    read_line("/sys/devices/system/clocksource/clocksource0/current_clocksource", "unknown",
              info.clock_source, sizeof info.clock_source);
    read_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "none", info.governor,
              sizeof info.governor);
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) == 0)
        info.cores = CPU_COUNT(&cores);
    return info;
}
