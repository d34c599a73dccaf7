// The cell's file systems, built by its init.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "harness/cell_look.h"
#include "harness/cell_private.h"

// Of the kernel (pid.c): numbers below this are given once only.
#define RESERVED_PIDS 300
#define PID_MAX "/proc/sys/kernel/pid_max"

static int mount_folder(struct cell *cell, int folder, const char *path)
{
    if (mkdir(path, 0755) != 0 ||
        move_mount(folder, "", AT_FDCWD, path, MOVE_MOUNT_F_EMPTY_PATH) != 0)
        return cell_give_up(cell, "cannot show a folder to the cell as %s", path);
    close(folder);
    return 0;
}

static int mount_private(struct cell *cell, const char *path, const char *mode)
{
    char options[64];
    // The kernel refuses at twice the limit; see limits.h.
    snprintf(options, sizeof options, "size=%um,mode=%s", 2 * cell->request->limits.file_MB, mode);
    if (mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV, options) != 0)
        return cell_give_up(cell, "cannot mount a private %s", path);
    return 0;
}

// From Linux 6.14 on the highest process number is each PID namespace's own. Before, it is the
// machine's, and must not be touched.
static bool has_own_process_numbers(void)
{
    struct utsname system;
    unsigned major = 0, minor = 0;
    return uname(&system) == 0 && sscanf(system.release, "%u.%u", &major, &minor) == 2 &&
           (major > 6 || (major == 6 && minor >= 14));
}

unsigned cell_process_numbers(void)
{
    char text[16];
    if (!has_own_process_numbers() || cell_read_file(AT_FDCWD, PID_MAX, text, sizeof text) == 0)
        return 0;
    return (unsigned)strtoul(text, NULL, 10);
}

// The limit of processes does not bind root; this does.
static void limit_process_numbers(const struct cell *cell)
{
    char text[16];
    int file =
        cell_process_numbers() == CELL_NUMBERS_FREE ? open(PID_MAX, O_WRONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    int length =
        snprintf(text, sizeof text, "%u", RESERVED_PIDS + 2 * cell->request->limits.processes);
    (void)!write(file, text, (size_t)length);
    close(file);
}

int cell_mount(struct cell *cell, const struct cell_folders *folders)
{
    struct mount_attr read_only = {.attr_set = MOUNT_ATTR_RDONLY};
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        return cell_give_up(cell, "cannot make the mounts private");
    if (mount_setattr(AT_FDCWD, "/", AT_RECURSIVE, &read_only, sizeof read_only) != 0)
        return cell_give_up(cell, "cannot make the machine's files read-only for the cell");
    if (mount_private(cell, "/dev/shm", "0755") != 0)
        return -1;
    if (mkdir(CELL_FOLDER, 0755) != 0 || mkdir(CELL_FOLDER "/channels", 0755) != 0 ||
        mkdir(CELL_FOLDER "/buses", 0755) != 0)
        return cell_give_up(cell, "cannot make " CELL_FOLDER);
    if (mount_folder(cell, folders->build, CELL_BUILD) != 0 ||
        mount_folder(cell, folders->target, CELL_TARGET) != 0)
        return -1;
    if (mount_private(cell, "/tmp", "1777") != 0)
        return -1;
    if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) != 0)
        return cell_give_up(cell, "cannot mount the cell's own /proc");
    limit_process_numbers(cell);
    if (chdir("/tmp") != 0)
        return cell_give_up(cell, "cannot enter /tmp");
    return 0;
}
