// Cuts the power at random instants of a campaign.
//
//   power UKEMI LIBRARY FOLDER [CUTS [SEED]]
//
// Runs tests/failing/campaign.yaml twice into one database, the second time with all it does to its
// files logged (power_log.c). Then, for each cut: everything up to some instant happened; of what
// was not synchronised by then each sector of 512 bytes, each new length and each name reached the
// disk or did not, by chance. The database must open sound, the first campaign be unchanged, every
// trial that is there be whole with its history, and --resume complete with the undisturbed
// results.
//
// Prints a summary "NAME: VALUE"; exit 0: all was well, 1: not, 2: called wrongly.
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/random.h"
#include "tests/failing/ledger.h"
#include "tests/failing/power_log.h"
#include "tests/kill/found.h"

#define CAMPAIGN "tests/failing/campaign.yaml"
#define SECTOR_B 512
#define ENTRIES_MAX 65536

static struct power_entry *entry[ENTRIES_MAX]; // each followed by its data
static unsigned entries;
static struct random_stream stream;
static double chance; // of what was not synchronised, to be on the disk all the same

__attribute__((format(printf, 1, 2))) static int shell(const char *format, ...)
{
    char line[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    const int status = system(line);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int run_campaign(const char *ukemi, const char *folder, const char *environment, bool resume)
{
    return shell("%s '%s' campaign " CAMPAIGN
                 " --db '%s/work/u.db' --output '%s/report' --jobs 2 --quiet"
                 " %s >'%s/said' 2>&1",
                 environment, ukemi, folder, folder, resume ? "--resume" : "", folder);
}

static bool read_log(const char *path)
{
    struct stat about;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &about) != 0)
        return false;
    char *all = malloc((size_t)about.st_size + 1);
    const bool good = all != NULL && read(fd, all, (size_t)about.st_size) == about.st_size;
    close(fd);
    for (char *at = all; good && at < all + about.st_size && entries < ENTRIES_MAX; entries++) {
        entry[entries] = malloc(sizeof **entry + ((struct power_entry *)at)->size_B);
        memcpy(entry[entries], at, sizeof **entry);
        memcpy(entry[entries] + 1, at + sizeof **entry, entry[entries]->size_B);
        at += sizeof **entry + entry[entries]->size_B;
    }
    return good;
}

// ---- the disk after the cut ---------------------------------------------------------------------

static bool happens(void)
{
    return random_uniform(&stream, 0, 1) < chance;
}

// Whether what entry i did was synchronised before the cut: by a later synchronisation of its file,
// or, as to its name, of its folder.
static bool is_synced(unsigned i, unsigned cut)
{
    char name[sizeof entry[i]->name];
    snprintf(name, sizeof name, "%s", entry[i]->name);
    if (entry[i]->kind >= POWER_UNLINK) {
        char *slash = strrchr(name, '/');
        name[slash == NULL ? 0 : slash - name] = '\0';
    }
    for (unsigned later = i + 1; later < cut; later++)
        if (entry[later]->kind == POWER_SYNC && strcmp(entry[later]->name, name) == 0)
            return true;
    return false;
}

static void write_part(const char *path, const struct power_entry *of, bool synced)
{
    const char *data = (const char *)(of + 1);
    const int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    for (size_t from = 0; from < of->size_B; from += SECTOR_B) {
        const size_t size = of->size_B - from < SECTOR_B ? of->size_B - from : SECTOR_B;
        if ((synced || happens()) &&
            pwrite(fd, data + from, size, of->offset + (off_t)from) != (ssize_t)size)
            complain("%s: cannot be written", path);
    }
    close(fd);
}

static void redo(const char *folder, unsigned i, unsigned cut)
{
    char path[1024];
    const bool synced = is_synced(i, cut);
    snprintf(path, sizeof path, "%s/work/%s", folder, entry[i]->name);
    if (entry[i]->kind == POWER_WRITE)
        write_part(path, entry[i], synced);
    else if (entry[i]->kind == POWER_SYNC || (!synced && !happens()))
        return;
    else if (entry[i]->kind == POWER_UNLINK)
        (void)unlink(path);
    else if (entry[i]->kind == POWER_TRUNCATE) {
        if (truncate(path, entry[i]->offset) != 0)
            complain("%s: cannot be cut", path);
    } else
        write_part(path, entry[i], entry[i]->kind == POWER_NAMED_SYNCED);
}

static void cut_power(const struct ledger *ledger, const char *ukemi, const char *folder,
                      unsigned cut)
{
    const unsigned before = complaints;
    (void)shell("cd '%s' && rm -rf work report && cp -a before work", folder);
    for (unsigned i = 0; i < cut; i++)
        redo(folder, i, cut);
    ledger_check(ledger);
    if (!ledger_complete(ledger) && run_campaign(ukemi, folder, "", ledger_begun(ledger)) != 0)
        complain("--resume did not complete");
    ledger_check(ledger);
    ledger_check_complete(ledger);
    if (complaints > before)
        complain("that was a cut after %u of %u, %.1f of the rest on the disk", cut, entries,
                 chance);
}

int main(int argc, char **argv)
{
    if (argc < 4 || argc > 6) {
        fputs("usage: power UKEMI LIBRARY FOLDER [CUTS [SEED]]\n", stderr);
        return 2;
    }
    const char *ukemi = argv[1], *folder = argv[3];
    const unsigned cuts = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 30;
    const uint64_t seed = argc > 5 ? strtoull(argv[5], NULL, 10) : 1;
    char environment[2048], log[512];
    struct ledger ledger = {0};
    random_start(&stream, seed, "power");
    snprintf(ledger.folder, sizeof ledger.folder, "%s/work", folder);
    snprintf(log, sizeof log, "%s/log", folder);
    snprintf(environment, sizeof environment,
             POWER_FOLDER "='%s/work' " POWER_LOG "='%s' LD_PRELOAD='%s'", folder, log, argv[2]);
    if (run_campaign(ukemi, folder, "", false) != 0 || !ledger_open(&ledger) ||
        shell("cd '%s' && cp -a work before && : >log", folder) != 0 ||
        run_campaign(ukemi, folder, environment, false) != 0 || !read_log(log))
        complain("the campaign did not run: see %s/said", folder);
    ledger_check_complete(&ledger);
    unsigned synced = 0, named = 0;
    for (unsigned i = 0; i < entries; i++) {
        synced += entry[i]->kind == POWER_SYNC;
        named += entry[i]->kind == POWER_NAMED_SYNCED;
    }
    for (unsigned i = 0; i < cuts && complaints == 0; i++) {
        static const double chances[] = {0, 0.5, 1};
        chance = chances[i % 3];
        cut_power(&ledger, ukemi, folder, (unsigned)(random_bits(&stream) % (entries + 1)));
    }
    printf("seed: %llu\nwrites and the like: %u\nsynchronisations: %u\nhistories: %u\ncuts: "
           "%u\nbad: %u\n",
           (unsigned long long)seed, entries, synced, named, cuts, complaints);
    return complaints == 0 && entries > 0 && named > 0 ? 0 : 1;
}
