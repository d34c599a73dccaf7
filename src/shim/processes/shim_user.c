// Users: a cell maps one, and has no list of them. Daemons that give up root succeed in appearance,
// in both modes; in truth they never had it. They cannot have it back, for which some of them look.
#include <grp.h>
#include <netdb.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "shim/shim.h"

#define STRANGER_ID_MIN 900 // users and groups that nobody here knows
#define STRANGER_IDS 90

// What the program believes to be, once it has changed that; real, effective, saved.
struct identity {
    bool pretended;
    unsigned id[3];
};
static struct identity user, group;

#define UNCHANGED UINT32_MAX

static unsigned id_of_name(const char *name)
{
    unsigned sum = 0;
    if (strcmp(name, "root") == 0)
        return 0;
    for (; *name != '\0'; name++)
        sum = sum * 31 + (unsigned char)*name;
    return STRANGER_ID_MIN + sum % STRANGER_IDS;
}

// ---- who it is ---------------------------------------------------------------------------------

static bool is_one_of(const struct identity *identity, unsigned id)
{
    return id == UNCHANGED || id == identity->id[0] || id == identity->id[1] ||
           id == identity->id[2];
}

// Whoever has given up root may only be what it is already.
static bool may_become(const struct identity *identity, const unsigned id[3])
{
    if (!user.pretended || is_one_of(&user, 0) || !identity->pretended)
        return true;
    return is_one_of(identity, id[0]) && is_one_of(identity, id[1]) && is_one_of(identity, id[2]);
}

static int pretend(struct identity *identity, int result, unsigned real, unsigned effective,
                   unsigned saved, unsigned now)
{
    const unsigned id[3] = {real, effective, saved};
    if (!shim_in_cell || (result != 0 && errno != EPERM && errno != EINVAL))
        return result;
    if (!may_become(identity, id)) {
        errno = EPERM;
        return -1;
    }
    for (int i = 0; i < 3; i++) {
        if (!identity->pretended)
            identity->id[i] = now;
        if (id[i] != UNCHANGED)
            identity->id[i] = id[i];
    }
    identity->pretended = true;
    return 0;
}

#define PRETEND(identity, call, real, effective, saved, now)                                       \
    pretend(&(identity), call, real, effective, saved, (unsigned)KERNEL(now))

PUBLIC int setuid(uid_t id)
{
    return PRETEND(user, NEXT(setuid)(id), id, id, id, SYS_getuid);
}

PUBLIC int seteuid(uid_t id)
{
    return PRETEND(user, NEXT(seteuid)(id), UNCHANGED, id, UNCHANGED, SYS_getuid);
}

PUBLIC int setreuid(uid_t real, uid_t effective)
{
    return PRETEND(user, NEXT(setreuid)(real, effective), real, effective, effective, SYS_getuid);
}

PUBLIC int setresuid(uid_t real, uid_t effective, uid_t saved)
{
    return PRETEND(user, NEXT(setresuid)(real, effective, saved), real, effective, saved,
                   SYS_getuid);
}

PUBLIC int setgid(gid_t id)
{
    return PRETEND(group, NEXT(setgid)(id), id, id, id, SYS_getgid);
}

PUBLIC int setegid(gid_t id)
{
    return PRETEND(group, NEXT(setegid)(id), UNCHANGED, id, UNCHANGED, SYS_getgid);
}

PUBLIC int setregid(gid_t real, gid_t effective)
{
    return PRETEND(group, NEXT(setregid)(real, effective), real, effective, effective, SYS_getgid);
}

PUBLIC int setresgid(gid_t real, gid_t effective, gid_t saved)
{
    return PRETEND(group, NEXT(setresgid)(real, effective, saved), real, effective, saved,
                   SYS_getgid);
}

PUBLIC uid_t getuid(void)
{
    return user.pretended ? user.id[0] : (uid_t)KERNEL(SYS_getuid);
}

PUBLIC uid_t geteuid(void)
{
    return user.pretended ? user.id[1] : (uid_t)KERNEL(SYS_geteuid);
}

PUBLIC gid_t getgid(void)
{
    return group.pretended ? group.id[0] : (gid_t)KERNEL(SYS_getgid);
}

PUBLIC gid_t getegid(void)
{
    return group.pretended ? group.id[1] : (gid_t)KERNEL(SYS_getegid);
}

static int tell_ids(const struct identity *identity, long call, unsigned *real, unsigned *effective,
                    unsigned *saved)
{
    if (!identity->pretended)
        return (int)KERNEL(call, real, effective, saved);
    *real = identity->id[0];
    *effective = identity->id[1];
    *saved = identity->id[2];
    return 0;
}

PUBLIC int getresuid(uid_t *real, uid_t *effective, uid_t *saved)
{
    return tell_ids(&user, SYS_getresuid, real, effective, saved);
}

PUBLIC int getresgid(gid_t *real, gid_t *effective, gid_t *saved)
{
    return tell_ids(&group, SYS_getresgid, real, effective, saved);
}

// ---- what only root may ------------------------------------------------------------------------

static int granted(int result)
{
    return shim_in_cell && result != 0 && errno == EPERM ? 0 : result;
}

PUBLIC int setgroups(size_t count, const gid_t *groups)
{
    if (user.pretended && !is_one_of(&user, 0)) { // it has given that up
        errno = EPERM;
        return -1;
    }
    return granted(NEXT(setgroups)(count, groups));
}

PUBLIC int initgroups(const char *name, gid_t own)
{
    return granted(NEXT(initgroups)(name, own));
}

PUBLIC int chown(const char *path, uid_t owner, gid_t own)
{
    const int result = NEXT(chown)(path, owner, own);
    return result != 0 && errno == EINVAL && shim_in_cell ? 0 : granted(result);
}

PUBLIC int lchown(const char *path, uid_t owner, gid_t own)
{
    const int result = NEXT(lchown)(path, owner, own);
    return result != 0 && errno == EINVAL && shim_in_cell ? 0 : granted(result);
}

PUBLIC int fchown(int file, uid_t owner, gid_t own)
{
    const int result = NEXT(fchown)(file, owner, own);
    return result != 0 && errno == EINVAL && shim_in_cell ? 0 : granted(result);
}

PUBLIC int capset(void *header, void *data);
PUBLIC int capset(void *header, void *data)
{
    return granted((int)KERNEL(SYS_capset, header, data));
}

// ---- names -------------------------------------------------------------------------------------

static char nothing[] = "", root_folder[] = "/", shell[] = "/bin/sh";

static int make_user(const char *name, unsigned id, struct passwd *entry, char *buffer, size_t size)
{
    if (strlen(name) >= size)
        return ERANGE;
    memcpy(buffer, name, strlen(name) + 1);
    *entry = (struct passwd){.pw_name = buffer,
                             .pw_passwd = nothing,
                             .pw_uid = id,
                             .pw_gid = id,
                             .pw_gecos = nothing,
                             .pw_dir = root_folder,
                             .pw_shell = shell};
    return 0;
}

static int make_group(const char *name, unsigned id, struct group *entry, char *buffer, size_t size)
{
    static char *nobody[] = {NULL};
    if (strlen(name) >= size)
        return ERANGE;
    memcpy(buffer, name, strlen(name) + 1);
    *entry =
        (struct group){.gr_name = buffer, .gr_passwd = nothing, .gr_gid = id, .gr_mem = nobody};
    return 0;
}

static const char *name_of_id(unsigned id, char name[32])
{
    if (id == 0)
        return "root";
    snprintf(name, 32, "user%u", id);
    return name;
}

PUBLIC int getpwnam_r(const char *name, struct passwd *entry, char *buffer, size_t size,
                      struct passwd **result)
{
    const int error = NEXT(getpwnam_r)(name, entry, buffer, size, result);
    if (!shim_in_cell || *result != NULL || error == ERANGE)
        return error;
    const int made = make_user(name, id_of_name(name), entry, buffer, size);
    *result = made == 0 ? entry : NULL;
    return made;
}

PUBLIC int getpwuid_r(uid_t id, struct passwd *entry, char *buffer, size_t size,
                      struct passwd **result)
{
    char name[32];
    const int error = NEXT(getpwuid_r)(id, entry, buffer, size, result);
    if (!shim_in_cell || *result != NULL || error == ERANGE)
        return error;
    const int made = make_user(name_of_id(id, name), id, entry, buffer, size);
    *result = made == 0 ? entry : NULL;
    return made;
}

PUBLIC int getgrnam_r(const char *name, struct group *entry, char *buffer, size_t size,
                      struct group **result)
{
    const int error = NEXT(getgrnam_r)(name, entry, buffer, size, result);
    if (!shim_in_cell || *result != NULL || error == ERANGE)
        return error;
    const int made = make_group(name, id_of_name(name), entry, buffer, size);
    *result = made == 0 ? entry : NULL;
    return made;
}

PUBLIC struct passwd *getpwnam(const char *name)
{
    static struct passwd entry;
    static char buffer[1024];
    struct passwd *result = NEXT(getpwnam)(name);
    if (result == NULL && shim_in_cell)
        (void)getpwnam_r(name, &entry, buffer, sizeof buffer, &result);
    return result;
}

PUBLIC struct passwd *getpwuid(uid_t id)
{
    static struct passwd entry;
    static char buffer[1024];
    struct passwd *result = NEXT(getpwuid)(id);
    if (result == NULL && shim_in_cell)
        (void)getpwuid_r(id, &entry, buffer, sizeof buffer, &result);
    return result;
}

PUBLIC struct group *getgrnam(const char *name)
{
    static struct group entry;
    static char buffer[1024];
    struct group *result = NEXT(getgrnam)(name);
    if (result == NULL && shim_in_cell)
        (void)getgrnam_r(name, &entry, buffer, sizeof buffer, &result);
    return result;
}

static bool is_own_name(const char *name)
{
    struct utsname machine;
    return uname(&machine) == 0 && strcmp(name, machine.nodename) == 0;
}

// Also where there is no /etc/hosts of the cell's own (--no-wall, a bare cell), its names resolve.
PUBLIC int getaddrinfo(const char *restrict node, const char *restrict service,
                       const struct addrinfo *restrict hints, struct addrinfo **restrict result)
{
    const char *const here = hints != NULL && hints->ai_family == AF_INET6 ? "::1" : "127.0.0.1";
    const bool named = shim_in_cell && node != NULL;
    if (named && strcmp(node, "localhost") == 0)
        return NEXT(getaddrinfo)(here, service, hints, result);
    const int error = NEXT(getaddrinfo)(node, service, hints, result);
    return error != 0 && named && is_own_name(node)
               ? NEXT(getaddrinfo)(here, service, hints, result)
               : error;
}
