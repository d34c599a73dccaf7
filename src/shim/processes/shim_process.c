// Children: tasks of the same page, so that one participant is all of a program's processes.
//
// A child that executes a program is found again by the number of its task, in UKEMI_SHIM_TASK.
#include <fcntl.h>
#include <limits.h>
#include <paths.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/elf_program.h"
#include "shim/shim.h"
#include "shim/spin/shim_spin.h"

#define WORDS_MAX 4096
#define TOLD_MAX 16
#define DEATH_STEP_NS 100000
#define DEATH_STEPS 20000
#define TASK_VARIABLE "UKEMI_SHIM_TASK"

// ---- birth -------------------------------------------------------------------------------------

static void begin_child(int task)
{
    shim_threads_forget();
    shim_timers_forget();
    shim_can_forget();
    shim_task_begin(task);
    (void)shim_raw_begin();
    shim_chance_begin();
}

PUBLIC pid_t fork(void)
{
    if (shim_vforked)
        shim_leak("makes a process in a child of vfork");
    if (!shim_on())
        return NEXT(fork)();
    const int task = shim_task_new();
    if (task < 0) {
        errno = EAGAIN;
        return -1;
    }
    shim.page->handlers = 1; // signals between them reach each in its turn
    const pid_t child = NEXT(fork)();
    if (child == 0)
        begin_child(task);
    else if (child < 0)
        shim_task_drop(task);
    else {
        shim_task_is(task, child);
        shim_record(IO_FORK, child, NULL, 0);
    }
    return child;
}

PUBLIC pid_t _Fork(void)
{
    return shim_on() ? fork() : NEXT(_Fork)();
}

// The parent ends, and the participant with it: what it leaves behind does not outlive it.
PUBLIC int daemon(int stays, int keeps_output)
{
    if (!shim_on())
        return NEXT(daemon)(stays, keeps_output);
    const pid_t child = fork();
    if (child != 0) {
        if (child > 0)
            _exit(0); // which says so
        return -1;
    }
    if (setsid() < 0 || (!stays && chdir("/") != 0))
        return -1;
    const int nothing = keeps_output ? -1 : open("/dev/null", O_RDWR);
    for (int i = STDIN_FILENO; nothing >= 0 && i <= STDERR_FILENO; i++)
        (void)dup2(nothing, i);
    if (nothing > STDERR_FILENO)
        (void)close(nothing);
    return 0;
}

// ---- death -------------------------------------------------------------------------------------

// A child that has not had a turn yet when the participant's first process ends by itself was made
// to outlive it: a daemon. One that has may be about to end for the same reason, as helpers do
// whose pipe to the first process is closed.
static bool leaves_behind(void)
{
    const int own = (int)KERNEL(SYS_getpid);
    for (unsigned i = 1; i < shim.page->task_count && i < SHIM_TASKS_MAX; i++)
        if (shim.page->task[i].state == SHIM_TASK_READY && !shim.page->task[i].begun &&
            shim.page->task[i].pid != own && shim.page->task[i].pid > 0)
            return true;
    return false;
}

// Nobody else has a turn before this process is dead, and its descriptors closed.
static void end(void)
{
    if (shim.clk == NULL || shim_self < 0 || shim_vforked)
        return;
    if (shim_given_time)
        shim_spin_is_over();
    if (!shim_is_main()) // many may end at one instant
        shim_pace();
    else if (leaves_behind())
        shim_leak("detaches a process, which is ended with its first one");
    shim_process_ends();
}

__attribute__((destructor)) static void leave(void)
{
    if (shim.clk != NULL && shim_self >= 0 && !shim_vforked)
        shim_streams_end();
    end();
}

PUBLIC void _exit(int status)
{
    end();
    for (;;)
        KERNEL(SYS_exit_group, status);
}

PUBLIC void _Exit(int status)
{
    _exit(status);
}

// Whoever was killed is dead when the call returns: else it would be a matter of luck what the
// caller sees.
void shim_await_death(pid_t pid)
{
    const struct timespec step = {.tv_nsec = DEATH_STEP_NS};
    for (int i = 0; i < DEATH_STEPS && shim_is_child(pid); i++) {
        if (shim_bury_child(pid))
            return;
        KERNEL(SYS_nanosleep, &step, NULL);
    }
}

// ---- waiting -----------------------------------------------------------------------------------

PUBLIC pid_t wait4(pid_t which, int *status, int options, struct rusage *usage)
{
    if (!shim_on())
        return (pid_t)KERNEL(SYS_wait4, which, status, options, usage);
    const struct shim_awaited awaited = shim_awaits(SHIM_AWAITS_CHILD, which, NULL);
    for (;;) { // until a child changes its state
        struct shim_wait wait = shim_wait_io(SHIM_NEVER);
        wait.awaited = awaited;
        const pid_t got = (pid_t)KERNEL(SYS_wait4, which, status, options | WNOHANG, usage);
        if (got > 0 && usage != NULL)
            shim_usage(usage);
        if (got == 0 && (options & WNOHANG))
            shim_touch(SHIM_CALL_NS);
        if (got != 0 || (options & WNOHANG))
            return got;
        if (shim_block(&wait) != SHIM_INTERRUPTED || shim_restarts)
            continue;
        errno = EINTR;
        return -1;
    }
}

PUBLIC pid_t waitpid(pid_t which, int *status, int options)
{
    return wait4(which, status, options, NULL);
}

PUBLIC pid_t wait(int *status)
{
    return wait4(-1, status, 0, NULL);
}

PUBLIC pid_t wait3(int *status, int options, struct rusage *usage)
{
    return wait4(-1, status, options, usage);
}

PUBLIC int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
    if (!shim_on())
        return (int)KERNEL(SYS_waitid, type, id, info, options, NULL);
    const struct shim_awaited awaited =
        shim_awaits(SHIM_AWAITS_CHILD, type == P_PID ? (int)id : -1, NULL);
    for (;;) { // until a child changes its state
        siginfo_t found = {0};
        struct shim_wait wait = shim_wait_io(SHIM_NEVER);
        wait.awaited = awaited;
        const int result = (int)KERNEL(SYS_waitid, type, id, &found, options | WNOHANG, NULL);
        if (result != 0 || found.si_pid != 0 || (options & WNOHANG)) {
            if (result == 0 && found.si_pid == 0)
                shim_touch(SHIM_CALL_NS);
            if (result == 0 && info != NULL)
                *info = found;
            return result;
        }
        if (shim_block(&wait) != SHIM_INTERRUPTED || shim_restarts)
            continue;
        errno = EINTR;
        return -1;
    }
}

// ---- executing ---------------------------------------------------------------------------------

// The environment that brings the library and the task into the new program.
struct environment {
    char *words[WORDS_MAX];
    char preload[PATH_MAX + 16], task[32];
};

// What the lab has told this program, which may have forgotten it since (env -i).
static char *told[TOLD_MAX];

void shim_environment_begin(void)
{
    unsigned count = 0;
    for (char *const *word = environ; word != NULL && *word != NULL && count < TOLD_MAX; word++)
        if ((strncmp(*word, "UKEMI_", 6) == 0 && strncmp(*word, TASK_VARIABLE "=", 16) != 0) ||
            strncmp(*word, "SHIM_", 5) == 0)
            told[count++] = strdup(*word);
}

static bool holds(char *const *words, const char *word)
{
    const size_t name_B = strcspn(word, "=") + 1;
    for (; words != NULL && *words != NULL; words++)
        if (strncmp(*words, word, name_B) == 0)
            return true;
    return false;
}

static bool is_ours(const char *word)
{
    return strncmp(word, "LD_PRELOAD=", 11) == 0 ||
           strncmp(word, TASK_VARIABLE "=", sizeof TASK_VARIABLE) == 0;
}

static char **extend(struct environment *environment, char *const *from, int task)
{
    unsigned count = 0;
    snprintf(environment->preload, sizeof environment->preload, "LD_PRELOAD=%s%s", shim_path(),
             shim_beside());
    snprintf(environment->task, sizeof environment->task, TASK_VARIABLE "=%d", task);
    environment->words[count++] = environment->preload;
    environment->words[count++] = environment->task;
    for (unsigned i = 0; i < TOLD_MAX && told[i] != NULL; i++)
        if (!holds(from, told[i]))
            environment->words[count++] = told[i];
    for (; from != NULL && *from != NULL && count < WORDS_MAX - 1; from++)
        if (!is_ours(*from))
            environment->words[count++] = *from;
    environment->words[count] = NULL;
    return environment->words;
}

// What is executed in place of a program into which no library can be loaded: the host of such
// programs, with the program before its words.
struct image {
    const char *path;
    char *const *words;
    char host[PATH_MAX];
    char *hosted[WORDS_MAX];
};

// Not on the stack of whoever executes something, which may be a small one. Nobody else of the
// process has the turn from when it is filled until the kernel has read it.
static struct {
    struct environment environment;
    struct image image;
} next;

static bool is_static(const char *path)
{
    struct elf_program program;
    const int file = (int)KERNEL(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    const bool known = file >= 0 && elf_program_read(file, &program) == STATUS_OK;
    if (file >= 0)
        KERNEL(SYS_close, file);
    return known && program.is_static;
}

static void find_image(struct image *image, const char *path, char *const words[])
{
    unsigned count = 0;
    path = shim_own_path(path);
    image->path = path;
    image->words = words;
    if (!is_static(path) || access(path, X_OK) != 0)
        return;
    const char *const library = shim_path(), *const name = strrchr(library, '/');
    snprintf(image->host, sizeof image->host, "%.*s/" SHIM_HOST,
             name == NULL ? 0 : (int)(name - library), library);
    image->hosted[count++] = image->host;
    image->hosted[count++] = (char *)path;
    for (; words != NULL && *words != NULL && count < WORDS_MAX - 1; words++)
        image->hosted[count++] = *words;
    image->hosted[count] = NULL;
    image->path = image->host;
    image->words = image->hosted;
}

// By a child of vfork: the program is a task, as one is that posix_spawn begins.
static int execute_vforked(const char *path, char *const arguments[], char *const variables[])
{
    const int task = shim_task_new();
    if (task < 0) {
        errno = EAGAIN;
        return -1;
    }
    find_image(&next.image, path, arguments);
    shim_hide_counter(false);
    (void)KERNEL(SYS_execve, next.image.path, next.image.words,
                 extend(&next.environment, variables, task));
    shim_hide_counter(true);
    shim_task_drop(task);
    return -1;
}

static bool executes_unseen(void)
{
    return !shim_vforked && !shim_on();
}

PUBLIC int execve(const char *path, char *const arguments[], char *const variables[])
{
    if (shim_vforked)
        return execute_vforked(path, arguments, variables);
    if (executes_unseen())
        return (int)KERNEL(SYS_execve, path, arguments, variables);
    find_image(&next.image, path, arguments);
    if (shim_is_main() && !shim_alone())
        shim_leak("executes a program while it has threads or children");
    if (shim_is_main())
        clk_exec(shim.clk);
    shim_abandon_by_exec();
    shim_hide_counter(false);
    shim_spin_listens(false);
    (void)KERNEL(SYS_execve, next.image.path, next.image.words,
                 extend(&next.environment, variables, shim_self));
    shim_spin_listens(true);
    shim_hide_counter(true);
    if (shim_is_main())
        clk_exec_failed(shim.clk);
    return -1;
}

PUBLIC int execv(const char *path, char *const arguments[])
{
    return execve(path, arguments, environ);
}

PUBLIC int fexecve(int file, char *const arguments[], char *const variables[])
{
    char path[64];
    if (executes_unseen())
        return NEXT(fexecve)(file, arguments, variables);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return execve(path, arguments, variables);
}

PUBLIC int execveat(int folder, const char *path, char *const arguments[], char *const variables[],
                    int flags)
{
    char whole[PATH_MAX];
    if (executes_unseen())
        return (int)KERNEL(SYS_execveat, folder, path, arguments, variables, flags);
    if (path[0] == '\0' && (flags & AT_EMPTY_PATH))
        return fexecve(folder, arguments, variables);
    if (path[0] == '/' || folder == AT_FDCWD)
        return execve(path, arguments, variables);
    snprintf(whole, sizeof whole, "/proc/self/fd/%d/%s", folder, path);
    return execve(whole, arguments, variables);
}

// A file without a first line that says by whom is the shell's.
static int execute_script(const char *path, char *const arguments[], char *const variables[])
{
    char *words[WORDS_MAX], shell[] = _PATH_BSHELL;
    unsigned count = 0;
    words[count++] = shell;
    words[count++] = (char *)path;
    for (unsigned i = 1; arguments[0] != NULL && arguments[i] != NULL && count < WORDS_MAX - 1; i++)
        words[count++] = arguments[i];
    words[count] = NULL;
    return execve(shell, words, variables);
}

static int execute(const char *path, char *const arguments[], char *const variables[])
{
    (void)execve(path, arguments, variables);
    return errno == ENOEXEC ? execute_script(path, arguments, variables) : -1;
}

// Where the program of this name lies; false: nowhere. `path` holds PATH_MAX.
static bool find_program(const char *name, char *path)
{
    const char *folders = getenv("PATH");
    if (strchr(name, '/') != NULL)
        return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX;
    for (folders = folders != NULL ? folders : _PATH_DEFPATH;; folders++) {
        const int length = (int)strcspn(folders, ":");
        const int used =
            snprintf(path, PATH_MAX, "%.*s%s%s", length, folders, length > 0 ? "/" : "", name);
        if (used < PATH_MAX && access(path, X_OK) == 0)
            return true;
        folders += length;
        if (*folders == '\0')
            return false;
    }
}

PUBLIC int execvpe(const char *name, char *const arguments[], char *const variables[])
{
    char path[PATH_MAX];
    if (find_program(name, path))
        return execute(path, arguments, variables);
    errno = ENOENT;
    return -1;
}

PUBLIC int execvp(const char *name, char *const arguments[])
{
    return execvpe(name, arguments, environ);
}

// The words of a call with any number of them, the last of which is NULL.
#define GATHER(words, first, arguments)                                                            \
    do {                                                                                           \
        unsigned count_ = 0;                                                                       \
        (words)[count_] = (char *)(first);                                                         \
        while ((words)[count_] != NULL && count_ < WORDS_MAX - 1)                                  \
            (words)[++count_] = va_arg(arguments, char *);                                         \
        (words)[count_] = NULL;                                                                    \
    } while (0)

PUBLIC int execl(const char *path, const char *word, ...)
{
    char *words[WORDS_MAX];
    va_list arguments;
    va_start(arguments, word);
    GATHER(words, word, arguments);
    va_end(arguments);
    return execve(path, words, environ);
}

PUBLIC int execlp(const char *name, const char *word, ...)
{
    char *words[WORDS_MAX];
    va_list arguments;
    va_start(arguments, word);
    GATHER(words, word, arguments);
    va_end(arguments);
    return execvpe(name, words, environ);
}

PUBLIC int execle(const char *path, const char *word, ...)
{
    char *words[WORDS_MAX];
    va_list arguments;
    va_start(arguments, word);
    GATHER(words, word, arguments);
    char *const *variables = va_arg(arguments, char *const *);
    va_end(arguments);
    return execve(path, words, variables);
}

// ---- spawning ----------------------------------------------------------------------------------

// The child is a task before it is a process. The C library makes it, and it executes at once.
static int spawn(pid_t *result, const char *path, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const words[], char *const variables[])
{
    pid_t child;
    const int task = shim_task_new();
    if (task < 0)
        return EAGAIN;
    find_image(&next.image, path, words);
    shim.page->handlers = 1;
    shim_hide_counter(false);
    const int error =
        NEXT(posix_spawn)(&child, next.image.path, actions, attributes, next.image.words,
                          extend(&next.environment, variables, task));
    shim_hide_counter(true);
    if (error != 0) {
        shim_task_drop(task);
        return error;
    }
    shim_task_is(task, child);
    shim_record(IO_FORK, child, NULL, 0);
    if (result != NULL)
        *result = child;
    return 0;
}

PUBLIC int posix_spawn(pid_t *restrict child, const char *restrict path,
                       const posix_spawn_file_actions_t *actions,
                       const posix_spawnattr_t *restrict attributes, char *const words[restrict],
                       char *const variables[restrict])
{
    if (shim_vforked)
        shim_leak("makes a process in a child of vfork");
    if (!shim_on())
        return NEXT(posix_spawn)(child, path, actions, attributes, words, variables);
    return spawn(child, path, actions, attributes, words, variables);
}

PUBLIC int posix_spawnp(pid_t *restrict child, const char *restrict name,
                        const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *restrict attributes, char *const words[restrict],
                        char *const variables[restrict])
{
    char path[PATH_MAX];
    if (!shim_on())
        return NEXT(posix_spawnp)(child, name, actions, attributes, words, variables);
    if (!find_program(name, path))
        return ENOENT;
    return spawn(child, path, actions, attributes, words, variables);
}

// ---- shells ------------------------------------------------------------------------------------

pid_t shim_start_shell(const char *command, const posix_spawn_file_actions_t *actions)
{
    char shell[] = "sh", option[] = "-c";
    char *words[] = {shell, option, (char *)command, NULL};
    pid_t child;
    const int error = spawn(&child, _PATH_BSHELL, actions, NULL, words, environ);
    if (error == 0)
        return child;
    errno = error;
    return -1;
}

PUBLIC int system(const char *command)
{
    if (!shim_on() || command == NULL)
        return NEXT(system)(command);
    int status;
    const pid_t child = shim_start_shell(command, NULL);
    if (child < 0)
        return -1;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return status;
}
