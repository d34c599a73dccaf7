#include "harness/trial/bare_needs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "harness/cell/cell.h"
#include "harness/files/scenario.h"
#include "harness/files/target/target_process.h"
#include "harness/trial/supervise/port_open.h"

#define FILE_MAX_B (4 << 20) // larger files are data
#define TURN_MS 20
#define PORTS_NAME "ukemi-ports" // abstract: the kernel frees it whoever dies

// ---- folders that all share --------------------------------------------------------------------

static bool is_of_a_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
}

// Of a bare cell, and said in words of the target's file: there it is replaced.
static bool is_replaced(const char *at)
{
    static const char *const ours[] = {CELL_FOLDER, CELL_BUILD, CELL_TARGET, CELL_FAULTS,
                                       CELL_BESIDE};
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        if (strncmp(at, ours[i], strlen(ours[i])) == 0 && !is_of_a_name(at[strlen(ours[i])]))
            return true;
    return false;
}

// The path in the text that would be another program's, too; NULL: none.
static const char *find_shared(const char *text, bool replaced)
{
    static const char *const shared[] = {"/tmp", "/dev/shm"};
    for (const char *at = text; (at = strchr(at, '/')) != NULL; at++)
        for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++) {
            const size_t length = strlen(shared[i]);
            const bool whole = strncmp(at, shared[i], length) == 0 && !is_of_a_name(at[length]) &&
                               (at == text || (!is_of_a_name(at[-1]) && at[-1] != '/'));
            if (whole && !(replaced && is_replaced(at)))
                return at;
        }
    return NULL;
}

static enum status refuse(const char *who, const char *shared, char *why, size_t size)
{
    snprintf(why, size,
             "%.80s: names %.*s, and a bare cell has no /tmp and /dev/shm of its own; take "
             "$TMPDIR, or a place where namespaces are allowed (`ukemi doctor`)",
             who, (int)strcspn(shared, " \t\n\r\"'`;,)]}<>|&"), shared);
    return STATUS_UNSUPPORTED;
}

// ---- in what the target's file says ------------------------------------------------------------

static enum status check_process(const struct process_config *process, char *why, size_t size)
{
    const char *shared = NULL;
    for (unsigned i = 0; i < process->run_count && shared == NULL; i++)
        shared = find_shared(process->run[i], true);
    for (unsigned i = 0; i < process->variable_count && shared == NULL; i++)
        shared = find_shared(process->variable[i].value, true);
    return shared == NULL ? STATUS_OK : refuse(process->name, shared, why, size);
}

// ---- in its files ------------------------------------------------------------------------------

// What is compiled speaks for itself only as a program; what is read by people, by nobody.
static bool is_source(const char *name)
{
    static const char *const endings[] = {".c",   ".h",    ".cc",  ".cpp", ".hpp",
                                          ".rs",  ".go",   ".md",  ".o",   ".msg",
                                          ".idl", ".html", ".sql", ".gp",  ".yaml"};
    const char *ending = strrchr(name, '.');
    for (size_t i = 0; ending != NULL && i < sizeof endings / sizeof endings[0]; i++)
        if (strcmp(ending, endings[i]) == 0)
            return true;
    return false;
}

// Line by line: the marks of comments of shells and settings begin with # or ;.
static enum status check_text(const char *name, char *text, size_t length, char *why, size_t size)
{
    for (char *line = text; line < text + length;) {
        const size_t line_length = strcspn(line, "\n");
        line[line_length] = '\0';
        const char first = line[strspn(line, " \t")];
        const char *shared = first == '#' || first == ';' ? NULL : find_shared(line, false);
        if (shared != NULL)
            return refuse(name, shared, why, size);
        line += line_length + 1;
    }
    return STATUS_OK;
}

static enum status check_file(int folder, const char *name, char *why, size_t size)
{
    struct stat about;
    enum status status = STATUS_OK;
    const int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char *text = NULL;
    if (file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode) &&
        about.st_size <= FILE_MAX_B)
        text = malloc((size_t)about.st_size + 1);
    const ssize_t got = text == NULL ? -1 : read(file, text, (size_t)about.st_size);
    if (got > 0) {
        text[got] = '\0';
        for (ssize_t i = 0; i < got; i++)
            if (text[i] == '\0')
                text[i] = '\n';
        status = check_text(name, text, (size_t)got, why, size);
    }
    free(text);
    if (file >= 0)
        close(file);
    return status;
}

static enum status check_files(const struct target *target, char *why, size_t size)
{
    enum status status = STATUS_OK;
    DIR *list = opendir(target->folder);
    for (const struct dirent *entry;
         list != NULL && status == STATUS_OK && (entry = readdir(list)) != NULL;)
        if (entry->d_name[0] != '.' && !is_source(entry->d_name))
            status = check_file(dirfd(list), entry->d_name, why, size);
    if (list != NULL)
        closedir(list);
    return status;
}

// ---- all ---------------------------------------------------------------------------------------

enum status bare_needs_met(const struct target *target, const struct scenario *scenario, char *why,
                           size_t size)
{
    enum status status = STATUS_OK;
    if (target->cable_count > 0) {
        snprintf(why, size,
                 "cable from %s to %s: a bare cell has no network of its own in which to lay it; "
                 "`ukemi doctor` says how to get one",
                 target->cable[0].end[0], target->cable[0].end[1]);
        return STATUS_UNSUPPORTED;
    }
    for (unsigned i = 0; i < target->process_count && status == STATUS_OK; i++)
        status = check_process(&target->process[i], why, size);
    struct process_config operator= {.name = OPERATOR_NAME};
    process_run(&operator, scenario->operator_program, scenario->operator_arguments);
    if (status == STATUS_OK)
        status = check_process(&operator, why, size);
    return status == STATUS_OK ? check_files(target, why, size) : status;
}

// ---- ports -------------------------------------------------------------------------------------

// The lab's own library talks by channels alone.
static bool may_use_ports(const struct target *target)
{
    bool uses = target->tap_count > 0;
    for (unsigned i = 0; i < target->process_count; i++)
        uses |=
            target->process[i].clock != PROCESS_CLOCK_NATIVE || target->process[i].ready.port != 0;
    return uses;
}

// Whose the name is has the ports.
static bool take_name(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path + 1, PORTS_NAME, strlen(PORTS_NAME));
    const socklen_t length =
        (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(PORTS_NAME));
    const int name = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    while (name >= 0 && bind(name, (const struct sockaddr *)&address, length) != 0) {
        if (errno != EADDRINUSE) { // ends: with the cell's running time
            close(name);
            return false;
        }
        poll(NULL, 0, TURN_MS);
    }
    return name >= 0; // closed by this process's end
}

static enum status refuse_port(unsigned port, const char *who, char *why, size_t size)
{
    snprintf(why, size,
             "port %u of %.60s is in use on this machine, and a bare cell has no ports of its own; "
             "end what uses it: ss -lntup 'sport = :%u'",
             port, who, port);
    return STATUS_UNSUPPORTED;
}

enum status bare_take_ports(const struct target *target, char *why, size_t size)
{
    if (!may_use_ports(target))
        return STATUS_OK;
    if (!take_name()) {
        snprintf(why, size, "the machine's ports cannot be taken: %s", strerror(errno));
        return STATUS_SYSTEM;
    }
    for (unsigned i = 0; i < target->process_count; i++)
        if (target->process[i].ready.port != 0 && port_open(target->process[i].ready.port))
            return refuse_port(target->process[i].ready.port, target->process[i].name, why, size);
    for (unsigned i = 0; i < target->tap_count; i++) {
        const unsigned port =
            target->tap[i].kind == TAP_UDP ? (unsigned)strtoul(target->tap[i].name, NULL, 10) : 0;
        if (port != 0 && port_open(port))
            return refuse_port(port, target->tap[i].channel, why, size);
    }
    return STATUS_OK;
}
