#include "harness/cell/bare_room.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

#include "harness/cell/cell_look.h"

#define FULL_SHARE 64.0 // of a file system: who finds less than this part of it free is refused
#define FULL_MB 1.0     // or less than this
#define MB (1024.0 * 1024.0)

static bool is_full(const char *folder, struct breach *breach)
{
    struct statvfs disk;
    if (statvfs(folder, &disk) != 0 || disk.f_blocks == 0)
        return false;
    const double total_MB = (double)disk.f_blocks * (double)disk.f_frsize / MB;
    const double left_MB = (double)disk.f_bavail * (double)disk.f_frsize / MB;
    const double full_MB = total_MB / FULL_SHARE < FULL_MB ? total_MB / FULL_SHARE : FULL_MB;
    if (left_MB >= full_MB)
        return false;
    char words[48];
    snprintf(words, sizeof words, "%.46s", folder);
    breach_report(breach, LIMIT_ROOM, words, 0, 0, total_MB - left_MB, total_MB);
    return true;
}

static bool was_refused(const struct bare_place *place, struct breach *breach)
{
    char path[BARE_PATH_MAX + sizeof "/" BARE_REFUSED], words[48];
    snprintf(path, sizeof path, "%s/" BARE_REFUSED, place->folder);
    if (cell_read_file(AT_FDCWD, path, words, sizeof words) == 0)
        return false;
    breach_report(breach, LIMIT_ROOM, words, 0, 0, 0, 0);
    return true;
}

// Shared memory and semaphores of its programs, which are in a file system of their own if the
// cell's folder is elsewhere.
static bool has_named(const struct bare_place *place)
{
    bool found = false;
    DIR *list = opendir(BARE_NAMED);
    for (const struct dirent *entry; list != NULL && !found && (entry = readdir(list)) != NULL;)
        found = strstr(entry->d_name, place->names) != NULL;
    if (list != NULL)
        closedir(list);
    return found;
}

bool bare_room_ended(const struct bare_place *place, struct breach *breach)
{
    char base[BARE_PATH_MAX];
    snprintf(base, sizeof base, "%.*s", (int)(strrchr(place->folder, '/') - place->folder),
             place->folder);
    return was_refused(place, breach) || is_full(base, breach) ||
           (has_named(place) && is_full(BARE_NAMED, breach));
}
