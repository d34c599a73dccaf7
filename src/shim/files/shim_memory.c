// Memory by a descriptor (memfd_create). A cell refuses the kernel's own: memory that nobody has
// mapped, in descriptors that are under way, could not be counted. What a program gets is a
// nameless file of the cell's /dev/shm, whose size is limited. The kernel knows no seals of such
// files, so they are kept in the cell's memory, and kept up by the calls below.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/shim.h"

#define NAME_MAX_B 249 // as the kernel's
#define FLAGS (MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_SEAL_NO_EXEC | MFD_MAY_EXEC)
#define MFD_SEAL_NO_EXEC 8u // MFD_NOEXEC_SEAL and MFD_EXEC, younger than some headers
#define MFD_MAY_EXEC 16u
#define SEALS (F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_FUTURE_WRITE)
#define WRITE_SEALS (F_SEAL_WRITE | F_SEAL_FUTURE_WRITE)

static uint64_t inode_of(int descriptor)
{
    struct stat file;
    return KERNEL(SYS_fstat, descriptor, &file) == 0 && S_ISREG(file.st_mode) ? file.st_ino : 0;
}

// NULL: none of ours.
static struct shim_memory *memory_of(int descriptor)
{
    const uint64_t inode = shim.cell->memories > 0 ? inode_of(descriptor) : 0;
    const uint32_t known =
        shim.cell->memories < SHIM_MEMORIES_MAX ? shim.cell->memories : SHIM_MEMORIES_MAX;
    for (uint32_t i = 0; inode != 0 && i < known; i++)
        if (shim.cell->memory[i].inode == inode)
            return &shim.cell->memory[i];
    return NULL;
}

// The oldest is forgotten: it has no seals any more.
static void note(int descriptor, uint32_t seals)
{
    shim.cell->memory[shim.cell->memories++ % SHIM_MEMORIES_MAX] =
        (struct shim_memory){.inode = inode_of(descriptor), .seals = seals};
}

PUBLIC int memfd_create(const char *name, unsigned flags)
{
    if (!shim_in_cell)
        return (int)KERNEL(SYS_memfd_create, name, flags);
    if ((flags & ~FLAGS) != 0 || strnlen(name, NAME_MAX_B + 1) > NAME_MAX_B) {
        errno = EINVAL;
        return -1;
    }
    const int close_it = flags & MFD_CLOEXEC ? O_CLOEXEC : 0;
    const mode_t mode = flags & MFD_SEAL_NO_EXEC ? 0666 : 0777;
    const int file =
        (int)KERNEL(SYS_openat, AT_FDCWD, "/dev/shm", O_TMPFILE | O_RDWR | close_it, mode);
    if (file < 0)
        return -1;
    KERNEL(SYS_fchmod, file, mode);
    if (shim.cell != NULL)
        note(file, flags & (MFD_ALLOW_SEALING | MFD_SEAL_NO_EXEC) ? 0 : F_SEAL_SEAL);
    return file;
}

// ---- seals -------------------------------------------------------------------------------------

static int add_seals(struct shim_memory *memory, int descriptor, unsigned seals)
{
    const long flags = KERNEL(SYS_fcntl, descriptor, F_GETFL);
    if ((seals & ~(unsigned)SEALS) != 0) {
        errno = EINVAL;
        return -1;
    }
    if ((memory->seals & F_SEAL_SEAL) != 0 || (flags & O_ACCMODE) == O_RDONLY) {
        errno = EPERM;
        return -1;
    }
    memory->seals |= seals;
    shim.cell->sealed = 1;
    return 0;
}

bool shim_memory_control(int descriptor, int command, const void *argument, int *result)
{
    if (command != F_ADD_SEALS && command != F_GET_SEALS)
        return false;
    struct shim_memory *memory = memory_of(descriptor);
    if (memory == NULL)
        return false;
    *result = command == F_GET_SEALS ? (int)memory->seals
                                     : add_seals(memory, descriptor, (unsigned)(uintptr_t)argument);
    return true;
}

static bool is_sealed(int descriptor, unsigned seals)
{
    if (!shim_on() || shim.cell->sealed == 0)
        return false;
    const struct shim_memory *memory = memory_of(descriptor);
    if (memory == NULL || (memory->seals & seals) == 0)
        return false;
    errno = EPERM;
    return true;
}

bool shim_is_sealed(int descriptor)
{
    return is_sealed(descriptor, WRITE_SEALS);
}

static bool may_not_be_as_long(int descriptor, off_t size_B)
{
    struct stat file;
    if (KERNEL(SYS_fstat, descriptor, &file) != 0 || file.st_size == size_B)
        return false;
    return is_sealed(descriptor, file.st_size > size_B ? F_SEAL_SHRINK : F_SEAL_GROW);
}

PUBLIC int ftruncate(int descriptor, off_t size_B)
{
    if (shim_on() && shim.cell->sealed != 0 && may_not_be_as_long(descriptor, size_B))
        return -1;
    return (int)KERNEL(SYS_ftruncate, descriptor, size_B);
}

PUBLIC int ftruncate64(int descriptor, off64_t size_B)
{
    return ftruncate(descriptor, size_B);
}

PUBLIC ssize_t pwrite(int descriptor, const void *bytes, size_t size_B, off_t at)
{
    return shim_is_sealed(descriptor) ? -1 : KERNEL(SYS_pwrite64, descriptor, bytes, size_B, at);
}

PUBLIC ssize_t pwrite64(int descriptor, const void *bytes, size_t size_B, off64_t at)
{
    return pwrite(descriptor, bytes, size_B, at);
}

PUBLIC void *mmap(void *where, size_t size_B, int protection, int flags, int descriptor, off_t at)
{
    const bool writes = (flags & MAP_TYPE) != MAP_PRIVATE && (protection & PROT_WRITE) != 0 &&
                        !(flags & MAP_ANONYMOUS);
    if (writes && shim_is_sealed(descriptor))
        return MAP_FAILED;
    shim_note_mapping(flags);
    return (void *)KERNEL(SYS_mmap, where, size_B, protection, flags, descriptor, at);
}

PUBLIC void *mmap64(void *where, size_t size_B, int protection, int flags, int descriptor,
                    off64_t at)
{
    return mmap(where, size_B, protection, flags, descriptor, at);
}
