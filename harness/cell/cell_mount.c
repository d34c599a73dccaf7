// The cell's file systems.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "harness/cell/cell_look.h"
#include "harness/cell/cell_devices.h"
#include "harness/cell/cell_private.h"

// Of the kernel (pid.c): numbers below this are given once only.
#define RESERVED_PIDS 300
#define PID_MAX "/proc/sys/kernel/pid_max"
#define STAGE "/tmp"  // where the new root is put together, in the keeper's own mount namespace
#define LINKED_MAX 32 // files of the target that are links to others beside its folder
#define SHOWN_MAX (32 + LINKED_MAX + VISIBLE_MAX + FAULT_FOLDERS_MAX)
#define PATH_LENGTH 512
#define INODES_PER_MB 64
#define INODES_MIN 1024

// Of the machine, and shown as they are: programs and libraries, and devices without a state.
static const char *const shown_always[] = {"/usr",
                                           "/bin",
                                           "/sbin",
                                           "/lib",
                                           "/lib32",
                                           "/lib64",
                                           "/libx32",
                                           "/proc",
                                           "/etc/ld.so.cache",
                                           "/etc/alternatives",
                                           "/sys/devices/system/cpu",
                                           "/sys/devices/system/node"};

struct shown { // something of the machine's
    int tree;  // a detached copy, to be mounted in the cell; -1: it is a link
    bool folder;
    char path[PATH_LENGTH]; // in the cell
    char link[PATH_LENGTH];
};

struct shows {
    unsigned count;
    struct shown shown[SHOWN_MAX];
};

// ---- what is taken from the machine ------------------------------------------------------------

static int take(struct cell *cell, const char *source, const char *path, struct shows *shows)
{
    struct stat file;
    struct shown *new = &shows->shown[shows->count];
    if ((source == path ? lstat : stat)(source, &file) != 0)
        return cell_give_up(cell, "%s: cannot be shown to the cell", source);
    *new = (struct shown){.tree = -1, .folder = S_ISDIR(file.st_mode)};
    snprintf(new->path, sizeof new->path, "%s", path);
    shows->count++;
    if (S_ISLNK(file.st_mode)) {
        const ssize_t length = readlink(source, new->link, sizeof new->link - 1);
        return length > 0 ? 0 : cell_give_up(cell, "%s: cannot be read", source);
    }
    struct mount_attr read_only = {.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID};
    if (!S_ISCHR(file.st_mode))
        read_only.attr_set |= MOUNT_ATTR_NODEV;
    new->tree = open_tree(AT_FDCWD, source, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
    // What covers the machine's /proc later must not be stricter than it.
    if (new->tree < 0 ||
        (strcmp(path, "/proc") != 0 && mount_setattr(new->tree, "", AT_EMPTY_PATH | AT_RECURSIVE,
                                                     &read_only, sizeof read_only) != 0))
        return cell_give_up(cell, "%s: cannot be shown to the cell", source);
    return 0;
}

static int take_fault_folders(struct cell *cell, struct shows *shows)
{
    const struct cell_request *request = cell->request;
    for (unsigned i = 0; i < request->fault_folder_count; i++) {
        char path[sizeof CELL_FAULTS + 12];
        snprintf(path, sizeof path, CELL_FAULTS "/%u", i);
        if (take(cell, request->fault_folder[i], path, shows) != 0)
            return -1;
    }
    return 0;
}

// Files of the target's folder may be links to files beside it, as "../other/robot.xml"; what they
// lead to is shown where they lead in the cell.
static int take_linked(struct cell *cell, struct shows *shows)
{
    const char *folder = cell->request->target_folder;
    DIR *entries = opendir(folder);
    int result = 0;
    unsigned linked = 0;
    for (const struct dirent *entry; entries != NULL && result == 0;) {
        char link[PATH_LENGTH], file[2 * PATH_LENGTH], path[PATH_LENGTH + sizeof CELL_TARGET];
        if ((entry = readdir(entries)) == NULL)
            break;
        const ssize_t length = readlinkat(dirfd(entries), entry->d_name, link, sizeof link - 1);
        if (length < 0)
            continue;
        link[length] = '\0';
        if (strncmp(link, "../", 3) != 0 || strstr(link + 3, "..") != NULL)
            continue;
        if (linked++ == LINKED_MAX) {
            result = cell_give_up(cell, "%s: more than the 32 links that a cell shows", folder);
            break;
        }
        snprintf(file, sizeof file, "%s/%s", folder, link);
        snprintf(path, sizeof path, "%.*s/%s", (int)(strrchr(CELL_TARGET, '/') - CELL_TARGET),
                 CELL_TARGET, link + 3);
        result = take(cell, file, path, shows);
    }
    if (entries != NULL)
        (void)closedir(entries);
    return result;
}

static int take_all(struct cell *cell, struct shows *shows)
{
    const struct cell_request *request = cell->request;
    if (take(cell, request->build_folder, CELL_BUILD, shows) != 0 ||
        take(cell, request->target_folder, CELL_TARGET, shows) != 0 ||
        take_linked(cell, shows) != 0 || take_fault_folders(cell, shows) != 0 ||
        (request->beside_folder != NULL &&
         take(cell, request->beside_folder, CELL_BESIDE, shows) != 0))
        return -1;
    if (request->no_wall) // all of it stays in sight
        return 0;
    for (size_t i = 0; i < sizeof shown_always / sizeof shown_always[0]; i++)
        if (faccessat(AT_FDCWD, shown_always[i], F_OK, AT_SYMLINK_NOFOLLOW) == 0 &&
            take(cell, shown_always[i], shown_always[i], shows) != 0)
            return -1;
    for (size_t i = 0; cell_devices[i] != NULL; i++)
        if (take(cell, cell_devices[i], cell_devices[i], shows) != 0)
            return -1;
    for (unsigned i = 0; i < request->visible_count; i++)
        if (take(cell, request->visible[i], request->visible[i], shows) != 0)
            return -1;
    return 0;
}

// ---- what is put together ----------------------------------------------------------------------

// Folders on the way to `path`, which begins with "./".
static void make_parents(char *path)
{
    for (char *slash = strchr(path + 2, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0755); // the mount after it fails if this did
        *slash = '/';
    }
}

static int put(struct cell *cell, const struct shown *shown)
{
    char path[PATH_LENGTH + 1];
    snprintf(path, sizeof path, ".%s", shown->path);
    make_parents(path);
    if (shown->tree < 0)
        return symlink(shown->link, path) == 0 ? 0 : cell_give_up(cell, "%s: no link", path);
    int made = shown->folder ? mkdir(path, 0755) : mknod(path, S_IFREG | 0444, 0);
    if ((made != 0 && errno != EEXIST) ||
        move_mount(shown->tree, "", AT_FDCWD, path, MOVE_MOUNT_F_EMPTY_PATH) != 0)
        return cell_give_up(cell, "%s: cannot be shown to the cell", shown->path);
    close(shown->tree);
    return 0;
}

static int mount_private(struct cell *cell, const char *path, unsigned size_MB, const char *mode)
{
    char options[96];
    // Files without a byte take the kernel's memory, too.
    snprintf(options, sizeof options, "size=%um,nr_inodes=%u,mode=%s", size_MB,
             INODES_PER_MB * size_MB + INODES_MIN, mode);
    if ((mkdir(path, 0755) != 0 && errno != EEXIST) ||
        mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV, options) != 0)
        return cell_give_up(cell, "cannot mount a private %s", path);
    return 0;
}

// For all; nobody can remove what is another user's.
static int make_cell_folders(struct cell *cell)
{
    static const char *const folder[] = {CELL_FOLDER, CELL_FOLDER "/channels",
                                         CELL_FOLDER "/buses"};
    const bool root = cell->root && !cell->request->no_wall;
    for (size_t i = 0; i < sizeof folder / sizeof folder[0]; i++) {
        char path[64];
        snprintf(path, sizeof path, ".%s", folder[i]);
        if (mkdir(path, 0755) != 0 || chmod(path, 01777) != 0 ||
            (root && chown(path, CELL_INIT_USER, CELL_INIT_USER) != 0))
            return cell_give_up(cell, "cannot make %s", folder[i]);
    }
    return 0;
}

// Below the present folder, which is or becomes the root.
static int build(struct cell *cell, const struct shows *shows)
{
    // The kernel refuses at twice the limit; see limits.h.
    const unsigned file_MB = 2 * cell->request->limits.file_MB;
    (void)mkdir("./dev", 0755);
    if (mount_private(cell, "./dev/shm", file_MB, "1777") != 0 ||
        mount_private(cell, "./tmp", file_MB, "1777") != 0 || make_cell_folders(cell) != 0)
        return -1;
    if (!cell->request->no_wall && cell_write_names(cell) != 0)
        return -1;
    for (unsigned i = 0; i < shows->count; i++)
        if (put(cell, &shows->shown[i]) != 0)
            return -1;
    return 0;
}

// The present folder becomes the root, and the machine's is gone.
static int change_root(struct cell *cell)
{
    struct mount_attr read_only = {.attr_set =
                                       MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV};
    if (syscall(SYS_pivot_root, ".", ".") != 0 || umount2(".", MNT_DETACH) != 0 ||
        chdir("/") != 0 || mount_setattr(AT_FDCWD, "/", 0, &read_only, sizeof read_only) != 0)
        return cell_give_up(cell, "cannot leave the machine's files behind");
    return 0;
}

int cell_mount(struct cell *cell)
{
    static struct shows shows;
    struct mount_attr read_only = {.attr_set = MOUNT_ATTR_RDONLY};
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) {
        cell->refused = errno == EACCES; // by AppArmor
        return cell_give_up(cell, "cannot make the mounts private");
    }
    shows.count = 0;
    if (take_all(cell, &shows) != 0)
        return -1;
    if (cell->request->no_wall) {
        if (mount_setattr(AT_FDCWD, "/", AT_RECURSIVE, &read_only, sizeof read_only) != 0)
            return cell_give_up(cell, "cannot make the machine's files read-only for the cell");
        return chdir("/") == 0 ? build(cell, &shows) : cell_give_up(cell, "cannot enter /");
    }
    if (mount_private(cell, STAGE, 1, "0755") != 0 || chdir(STAGE) != 0 || build(cell, &shows) != 0)
        return -1;
    return change_root(cell);
}

// ---- processes ---------------------------------------------------------------------------------

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

static bool write_once(const char *path, const char *text)
{
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    const bool done = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    if (file >= 0)
        close(file);
    return done;
}

// Of the cell's own network: its daemons are not root, and have their ports below 1024 all the
// same.
static void open_low_ports(void)
{
    (void)write_once("/proc/sys/net/ipv4/ip_unprivileged_port_start", "0");
}

// Of the cell's own IPC namespace, so that what they take of the kernel's memory is bounded: 32
// sets of 64 and some, and 32 queues of 16 KiB. False: this user may not say so, and programs go
// without.
static bool limit_semaphores(void)
{
    return write_once("/proc/sys/kernel/sem", "64 1024 32 32"); // in a set, in all, in a call, sets
}

static bool limit_queues(void)
{
    return write_once("/proc/sys/kernel/msgmni", "32") &&
           write_once("/proc/sys/kernel/msgmnb", "16384") &&
           write_once("/proc/sys/kernel/msgmax", "8192");
}

int cell_mount_processes(struct cell *cell)
{
    const unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
    // Whoever may not trace a process does not see it: the init, and for targets the simulated
    // robot.
    const char *options = cell->request->no_wall ? NULL : "hidepid=invisible";
    if (mount("proc", "/proc", "proc", flags, options) != 0)
        return cell_give_up(cell, "cannot mount the cell's own /proc");
    limit_process_numbers(cell);
    open_low_ports();
    cell->rights.semaphores = limit_semaphores();
    cell->rights.queues = limit_queues();
    // An ordinary user's programs are root of the namespace, and so may set what is the
    // namespace's.
    if (!cell->request->no_wall &&
        (mount("/proc/sys", "/proc/sys", NULL, MS_BIND, NULL) != 0 ||
         mount(NULL, "/proc/sys", NULL, MS_BIND | MS_REMOUNT | MS_RDONLY | flags, NULL) != 0))
        return cell_give_up(cell, "cannot make /proc/sys read-only for the cell");
    if (chdir("/tmp") != 0)
        return cell_give_up(cell, "cannot enter /tmp");
    return 0;
}
