// Names of temporary files: the C library draws them past us. Here they come from the trial's seed.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/shim.h"

#define LETTERS_MAX 6 // at the end of a template: XXXXXX
#define TRIES_MAX 1000

// Makes what has the name; -1 with EEXIST: it is taken.
typedef int make_named(const char *path, int flags);

static int make_file(const char *path, int flags)
{
    return open(path, (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL, 0600);
}

static int make_folder(const char *path, int flags)
{
    (void)flags;
    return mkdir(path, 0700);
}

static int make_nothing(const char *path, int flags)
{
    (void)flags;
    if (access(path, F_OK) != 0)
        return 0;
    errno = EEXIST;
    return -1;
}

static int make(char *template, int suffix_B, int flags, make_named *made)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    const size_t length_B = strlen(template);
    char *const own = template + length_B - (size_t)suffix_B - LETTERS_MAX;
    if (suffix_B < 0 || length_B < (size_t)suffix_B + LETTERS_MAX ||
        memcmp(own, "XXXXXX", LETTERS_MAX) != 0) {
        errno = EINVAL;
        return -1;
    }
    for (int i = 0; i < TRIES_MAX; i++) {
        for (int letter = 0; letter < LETTERS_MAX; letter++)
            own[letter] = letters[arc4random_uniform(sizeof letters - 1)];
        const int result = made(template, flags);
        if (result >= 0 || errno != EEXIST)
            return result;
    }
    return -1;
}

PUBLIC int mkostemps(char *template, int suffix_B, int flags)
{
    return shim_on() ? make(template, suffix_B, flags, make_file)
                     : NEXT(mkostemps)(template, suffix_B, flags);
}
PUBLIC int mkostemps64(char *template, int suffix_B, int flags)
{
    return mkostemps(template, suffix_B, flags);
}
PUBLIC int mkstemps(char *template, int suffix_B)
{
    return mkostemps(template, suffix_B, 0);
}
PUBLIC int mkstemps64(char *template, int suffix_B)
{
    return mkostemps(template, suffix_B, 0);
}
PUBLIC int mkostemp(char *template, int flags)
{
    return mkostemps(template, 0, flags);
}
PUBLIC int mkostemp64(char *template, int flags)
{
    return mkostemps(template, 0, flags);
}
PUBLIC int mkstemp(char *template)
{
    return mkostemps(template, 0, 0);
}
PUBLIC int mkstemp64(char *template)
{
    return mkostemps(template, 0, 0);
}

PUBLIC char *mkdtemp(char *template)
{
    if (!shim_on())
        return NEXT(mkdtemp)(template);
    return make(template, 0, 0, make_folder) < 0 ? NULL : template;
}

PUBLIC char *mktemp(char *template)
{
    if (!shim_on())
        return NEXT(mktemp)(template);
    if (make(template, 0, 0, make_nothing) < 0)
        template[0] = '\0';
    return template;
}

// ---- without a template ----

PUBLIC char *tmpnam(char name[L_tmpnam])
{
    static char own[L_tmpnam];
    if (!shim_on())
        return NEXT(tmpnam)(name);
    char *const place = name != NULL ? name : own;
    snprintf(place, L_tmpnam, P_tmpdir "/fileXXXXXX");
    return make(place, 0, 0, make_nothing) < 0 ? NULL : place;
}

PUBLIC char *tempnam(const char *folder, const char *prefix)
{
    char *name = NULL;
    if (!shim_on())
        return NEXT(tempnam)(folder, prefix);
    const char *const wanted = getenv("TMPDIR");
    if (wanted != NULL && access(wanted, W_OK) == 0)
        folder = wanted;
    if (folder == NULL || access(folder, W_OK) != 0)
        folder = P_tmpdir;
    if (asprintf(&name, "%s/%.5sXXXXXX", folder, prefix != NULL ? prefix : "file") < 0)
        return NULL;
    if (make(name, 0, 0, make_nothing) == 0)
        return name;
    free(name);
    return NULL;
}
