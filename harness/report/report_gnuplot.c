#include "harness/report/report_gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"

#define EXIT_NO_GNUPLOT 127 // of the fork
#define MESSAGE_MAX 8192

// ---- the data -----------------------------------------------------------------------------------

static bool is_value(const char *word)
{
    char *end;
    const double value = strtod(word, &end);
    return end != word && (*end == '\0' || *end == '\n') && isfinite(value);
}

static bool line_has_values(char *line)
{
    const char *word = strsep(&line, "\t");
    if (line == NULL)
        return is_value(word);
    while ((word = strsep(&line, "\t")) != NULL)
        if (is_value(word))
            return true;
    return false;
}

bool gnuplot_data_has_values(const char *path)
{
    FILE *in = fopen(path, "r");
    char *line = NULL;
    size_t size_B = 0;
    bool found = in == NULL;
    while (!found && getline(&line, &size_B, in) > 0)
        found = line_has_values(line);
    free(line);
    if (in != NULL)
        (void)fclose(in); // only read
    return found;
}

// ---- the process --------------------------------------------------------------------------------

// In the fork: gnuplot's system(), its `commands` and its pipes cannot start a program, since that
// needs a process; threads it may have. Without the kernel's help it runs as ever: its scripts come
// from folders that nobody else may write.
static void starts_nothing(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (filter == NULL)
        return;
    const struct scmp_arg_cmp no_thread = SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0);
    const uint32_t refuse = SCMP_ACT_ERRNO(EPERM);
    // clone3 hides its flags from a filter; the C library then takes clone.
    if (seccomp_rule_add(filter, refuse, SCMP_SYS(clone), 1, no_thread) == 0 &&
        seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0 &&
        seccomp_rule_add(filter, refuse, SCMP_SYS(fork), 0) == 0 &&
        seccomp_rule_add(filter, refuse, SCMP_SYS(vfork), 0) == 0)
        (void)seccomp_load(filter); // with no_new_privs
    seccomp_release(filter);
}

// In the fork. gnuplot ends with the lab.
static _Noreturn void become_gnuplot(char *const *argument, pid_t parent, int output, int messages)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    starts_nothing();
    int input = open("/dev/null", O_RDONLY);
    if (getppid() != parent || dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
        dup2(messages, STDERR_FILENO) < 0)
        _exit(EXIT_FAILURE);
    execvp(argument[0], argument);
    _exit(EXIT_NO_GNUPLOT);
}

// What gnuplot says where no point can be drawn, or an axis would have no length.
static bool is_about_empty_data(const char *message)
{
    static const char *const words[] = {"No valid data points", "all points y value undefined",
                                        "all points undefined", "no valid points",
                                        "empty x range",        "empty y range",
                                        "range is invalid",     "No data in plot"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(message, words[i]) != NULL)
            return true;
    return false;
}

static void read_message(int messages, char message[MESSAGE_MAX])
{
    const ssize_t size_B = pread(messages, message, MESSAGE_MAX - 1, 0);
    message[size_B > 0 ? size_B : 0] = '\0';
}

// It repeats the script's line first, and ends with what is wrong.
static const char *last_line(char *message)
{
    size_t length = strlen(message);
    while (length > 0 && (message[length - 1] == '\n' || message[length - 1] == ' '))
        message[--length] = '\0';
    const char *end = strrchr(message, '\n');
    return end != NULL ? end + 1 : message;
}

static enum status explain(int end, int messages, const char *figure)
{
    char message[MESSAGE_MAX];
    if (WIFEXITED(end) && WEXITSTATUS(end) == 0)
        return STATUS_OK; // what it warned of is drawn all the same
    if (WIFEXITED(end) && WEXITSTATUS(end) == EXIT_NO_GNUPLOT)
        return STATUS_NOT_FOUND;
    read_message(messages, message);
    if (is_about_empty_data(message))
        return STATUS_EMPTY;
    const char *last = last_line(message);
    text_clean(message);
    log_error("plot %s: gnuplot failed: %s", figure, *last != '\0' ? last : "it says nothing");
    return STATUS_INVALID;
}

enum status gnuplot_run(char *const *argument, int output, const char *figure)
{
    const int messages = memfd_create("ukemi-gnuplot", MFD_CLOEXEC);
    if (messages < 0)
        return STATUS_SYSTEM;
    const pid_t parent = getpid(), child = fork();
    if (child == 0)
        become_gnuplot(argument, parent, output, messages);
    int end = 0;
    while (child > 0 && waitpid(child, &end, 0) < 0 && errno == EINTR)
        ;
    const enum status status = child < 0 ? STATUS_SYSTEM : explain(end, messages, figure);
    close(messages);
    return status;
}
