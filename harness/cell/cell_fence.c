#include "harness/cell/cell_fence.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Newer than the headers of Debian 12.
#define ACCESS_REFER (UINT64_C(1) << 13)    // from the second version on
#define ACCESS_TRUNCATE (UINT64_C(1) << 14) // third
#define SCOPE_ABSTRACT_SOCKETS (UINT64_C(1) << 0)
#define SCOPE_SIGNALS (UINT64_C(1) << 1)
#define VERSION_REFER 2
#define VERSION_TRUNCATE 3
#define VERSION_SCOPES 6

#define WRITING                                                                                    \
    (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |                               \
     LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | \
     LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |   \
     LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM)

struct ruleset_attributes { // struct landlock_ruleset_attr of Linux 6.12
    uint64_t files, network, scopes;
};

static uint64_t writing_of(long version)
{
    return WRITING | (version >= VERSION_REFER ? ACCESS_REFER : 0) |
           (version >= VERSION_TRUNCATE ? ACCESS_TRUNCATE : 0);
}

// What is not there needs no rule.
static bool allow(int rules, const char *path, uint64_t writing)
{
    struct stat about;
    const int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0 || fstat(file, &about) != 0)
        return true;
    const uint64_t of_files = LANDLOCK_ACCESS_FS_WRITE_FILE | ACCESS_TRUNCATE;
    const struct landlock_path_beneath_attr rule = {
        .allowed_access = S_ISDIR(about.st_mode) ? writing : writing & of_files, .parent_fd = file};
    const long added = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0u);
    close(file);
    return added == 0;
}

// /proc: of processes' own files, as their rank before the kernel that is short of memory.
static bool allow_all(int rules, const char *folder, uint64_t writing)
{
    static const char *const paths[] = {"/dev/shm",  "/tmp",      "/var/tmp",    "/dev/null",
                                        "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom",
                                        "/dev/ptmx", "/dev/pts",  "/proc"};
    bool done = allow(rules, folder, writing);
    for (unsigned i = 0; done && i < sizeof paths / sizeof paths[0]; i++)
        done = allow(rules, paths[i], writing);
    return done;
}

bool cell_fence(const char *folder)
{
    const long version =
        syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1)
        return false;
    const struct ruleset_attributes attributes = {.files = writing_of(version),
                                                  .scopes = SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS};
    const size_t size_B = version >= VERSION_SCOPES ? sizeof attributes : sizeof attributes.files;
    const int rules = (int)syscall(SYS_landlock_create_ruleset, &attributes, size_B, 0u);
    const bool fenced = rules >= 0 && allow_all(rules, folder, writing_of(version)) &&
                        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                        syscall(SYS_landlock_restrict_self, rules, 0u) == 0;
    if (rules >= 0)
        close(rules);
    return fenced;
}
