// Where an object lies that tasks wait for. What belongs to one process is known by its address. In
// memory that several have mapped it is known by file and offset, since each may have it elsewhere.
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>

#include "shim/shim.h"

#define PAGE_B 4096U
#define KNOWN 64
#define TEXT_B 4096
#define HEAD_B 128 // of a line, before the path

#define SPACE_FILES (UINT64_C(1) << 63)
#define SPACE_SEMAPHORES (UINT64_C(1) << 62)
#define SPACE_MESSAGES (UINT64_C(1) << 61)

// ---- what is mapped -----------------------------------------------------------------------------

// Of this process: pages that have been looked up since the mappings last changed.
static struct {
    uintptr_t page;
    uint64_t changes;
    struct shim_object first; // of the page's first byte; all zero: the process's own
} known[KNOWN];
static _Atomic uint64_t changes = 1;

void shim_places_forget(void)
{
    changes++;
}

// One line of /proc/self/maps. True: it is about the address.
static bool read_line(const char *line, uintptr_t address, struct shim_object *object)
{
    unsigned long from, to, offset, file;
    unsigned major, minor;
    char rights[5];
    if (sscanf(line, "%lx-%lx %4s %lx %x:%x %lu", &from, &to, rights, &offset, &major, &minor,
               &file) != 7 ||
        address < from || address >= to)
        return false;
    if (rights[3] == 's') // memory of System V may have the number 0
        *object = (struct shim_object){SPACE_FILES | (uint64_t)major << 32 | minor, file + 1,
                                       offset + (address - from)};
    return true;
}

// Feeds the lines in a text; how much of its end is the beginning of another line.
static size_t read_lines(char *text, size_t size_B, uintptr_t address, struct shim_object *object,
                         bool *found)
{
    char *line = text, *end;
    while (!*found && (end = memchr(line, '\n', size_B - (size_t)(line - text))) != NULL) {
        *end = '\0';
        *found = read_line(line, address, object);
        line = end + 1;
    }
    size_t left_B = size_B - (size_t)(line - text);
    if (left_B > HEAD_B) // a long path, of which nothing is wanted
        left_B = HEAD_B;
    memmove(text, line, left_B);
    return left_B;
}

static struct shim_object look_up(uintptr_t address)
{
    static char text[TEXT_B + 1];
    struct shim_object object = SHIM_NOTHING;
    bool found = false;
    const int file = (int)KERNEL(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
    size_t left_B = 0;
    while (file >= 0 && !found) {
        const ssize_t got = KERNEL(SYS_read, file, text + left_B, TEXT_B - left_B);
        if (got <= 0)
            break;
        left_B = read_lines(text, left_B + (size_t)got, address, &object, &found);
    }
    if (file >= 0)
        KERNEL(SYS_close, file);
    if (!found)
        shim_leak("waits at memory of which the kernel does not tell");
    return object;
}

struct shim_object shim_object_at(const void *address)
{
    const int error = errno;
    const uintptr_t page = (uintptr_t)address / PAGE_B, within_B = (uintptr_t)address % PAGE_B;
    __typeof__(&known[0]) entry = &known[page % KNOWN];
    if (entry->changes != changes || entry->page != page) {
        entry->first = look_up(page * PAGE_B);
        entry->page = page;
        entry->changes = changes;
    }
    errno = error;
    struct shim_object object = entry->first;
    object.place += within_B;
    return shim_is_shared(&object) ? object : shim_mine(address);
}

struct shim_object shim_mine(const void *address)
{
    return (struct shim_object){(uint64_t)shim_process(), 0, (uintptr_t)address};
}

struct shim_object shim_object_if(bool shared, const void *address)
{
    return shared ? shim_object_at(address) : shim_mine(address);
}

// Numbers of the cell's namespace may be 0.
struct shim_object shim_semaphores(int id)
{
    return (struct shim_object){SPACE_SEMAPHORES, (uint64_t)(unsigned)id + 1, 0};
}

struct shim_object shim_messages(int id)
{
    return (struct shim_object){SPACE_MESSAGES, (uint64_t)(unsigned)id + 1, 0};
}

// ---- what changes it ----------------------------------------------------------------------------

// New memory of the process's own lies where nothing was, unless it says where.
void shim_note_mapping(int flags)
{
    if ((flags & MAP_TYPE) != MAP_PRIVATE || (flags & MAP_FIXED))
        shim_places_forget();
}

PUBLIC int munmap(void *address, size_t size_B)
{
    shim_places_forget();
    return (int)KERNEL(SYS_munmap, address, size_B);
}

PUBLIC void *mremap(void *address, size_t old_B, size_t new_B, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    void *const wanted = flags & MREMAP_FIXED ? va_arg(rest, void *) : NULL;
    va_end(rest);
    shim_places_forget();
    return (void *)KERNEL(SYS_mremap, address, old_B, new_B, flags, wanted);
}

PUBLIC void *shmat(int id, const void *address, int flags)
{
    shim_places_forget();
    return (void *)KERNEL(SYS_shmat, id, address, flags);
}

PUBLIC int shmdt(const void *address)
{
    shim_places_forget();
    return (int)KERNEL(SYS_shmdt, address);
}
