// A project of one's own to begin with: the cart-pole of targets/pendulum under another name.
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/trouble.h"
#include "harness/cli/cli.h"
#include "harness/files/target/target.h"
#include "harness/files/trusted.h"
#include "harness/history/whole_file.h"

#define EXAMPLE "pendulum"
#define FOLDER "targets/" EXAMPLE "/"
#define EXAMPLE_SOCKETS EXAMPLE "-sockets"
#define FOLDER_SOCKETS "targets/" EXAMPLE_SOCKETS "/"
#define TEXT_MAX_B ((size_t)1 << 16)
#define OPEN_FOLDERS 8 // while a tree is removed

// Languages, bits in the order of the option's words.
enum { C = 1, CPP = 2, PYTHON = 4, CHANNELS = C | CPP | PYTHON, SOCKETS = 8 };

// What a project consists of. `to` may hold one %s, for the target's name.
static const struct part {
    const char *from, *to; // in the lab's data folder, in the project
    unsigned languages;    // that need it
    bool renamed;          // the example's name in it becomes the target's
} parts[] = {
    {FOLDER "target.yaml", "targets/%s/target.yaml", CHANNELS, true},
    {FOLDER "pole.msg", "targets/%s/pole.msg", CHANNELS | SOCKETS, false},
    {FOLDER "force.msg", "targets/%s/force.msg", CHANNELS, false},
    {FOLDER "world.c", "targets/%s/world.c", CHANNELS, false},
    {FOLDER "controller.c", "targets/%s/controller.c", C, false},
    {FOLDER "controller.cpp", "targets/%s/controller.cpp", CPP, false},
    {FOLDER "controller.py", "targets/%s/controller.py", PYTHON, false},
    {FOLDER "project.mk", "Makefile", CHANNELS, true},
    {"scenarios/" EXAMPLE "/070-pole-controller-killed.yaml", "scenarios/controller-killed.yaml",
     CHANNELS, true},
    {"scenarios/latency/490-pole-balanced.yaml", "scenarios/balanced.yaml", CHANNELS, true},
    {FOLDER_SOCKETS "target.yaml", "targets/%s/target.yaml", SOCKETS, true},
    {FOLDER_SOCKETS "world.py", "targets/%s/world.py", SOCKETS, false},
    {FOLDER_SOCKETS "controller.py", "targets/%s/controller.py", SOCKETS, false},
    {"scenarios/" EXAMPLE "/095-sockets-controller-killed.yaml", "scenarios/controller-killed.yaml",
     SOCKETS, true},
    {"scenarios/latency/491-pole-balanced-by-sockets.yaml", "scenarios/balanced-by-sockets.yaml",
     SOCKETS, true},
};

static const char project_file[] =
    "# Marks the root of a project: the lab finds targets/ and scenarios/ beside this file.\n"
    "format: 1\n";

// ---- one file -----------------------------------------------------------------------------------

static void write_renamed(FILE *out, const char *text, const char *target)
{
    const struct {
        const char *was, *is;
    } words[] = {{FOLDER, ""},      {"070-pole-", ""},    {"490-pole-", ""},
                 {"491-pole-", ""}, {"095-sockets-", ""}, {EXAMPLE_SOCKETS, target},
                 {EXAMPLE, target}};
    while (*text != '\0') {
        size_t length = 0;
        for (size_t i = 0; i < sizeof words / sizeof words[0] && length == 0; i++)
            if (strncmp(text, words[i].was, strlen(words[i].was)) == 0) {
                fputs(words[i].is, out);
                length = strlen(words[i].was);
            }
        if (length == 0)
            fputc(*text, out);
        text += length > 0 ? length : 1;
    }
}

static enum status fail(const char *path)
{
    log_error("%s: cannot be written: %s; make room, or go to a folder that you may write", path,
              strerror(errno));
    (void)trouble_note(errno);
    return STATUS_INVALID;
}

// Writes `text` as the new file `path`, and the folders on its way. A script can be executed.
static enum status write_file(char *path, const char *text, const char *renamed_to)
{
    const mode_t mode = strncmp(text, "#!", 2) == 0 ? 0777 : 0666;
    for (char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made)
            return fail(path);
    }
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    FILE *out = file < 0 ? NULL : fdopen(file, "w");
    if (out == NULL)
        return fail(path);
    if (renamed_to != NULL)
        write_renamed(out, text, renamed_to);
    else
        fputs(text, out);
    const bool written = ferror(out) == 0;
    return fclose(out) == 0 && written ? STATUS_OK : fail(path);
}

static enum status copy_part(const struct part *part, const char *project, const char *target)
{
    char from[2 * PATH_MAX_LENGTH], to[2 * PATH_MAX_LENGTH], relative[2 * NAME_MAX_LENGTH];
    char *text = NULL;
    size_t size_B;
    snprintf(from, sizeof from, "%s/%s", cli_root, part->from);
    // NOLINTNEXTLINE(clang-diagnostic-format-nonliteral): one of the table above
    snprintf(relative, sizeof relative, part->to, target);
    snprintf(to, sizeof to, "%s/%s", project, relative);
    enum status status = trusted_path(from);
    if (status == STATUS_OK)
        status = whole_file_read(from, TEXT_MAX_B, &text, &size_B);
    if (status == STATUS_OK)
        status = write_file(to, text, part->renamed ? target : NULL);
    else if (status != STATUS_INVALID)
        log_error("%s: cannot be read: %s; install the lab again", from, status_text(status));
    free(text);
    return status;
}

// ---- all of it ----------------------------------------------------------------------------------

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about, (void)kind, (void)where;
    (void)remove(path);
    return 0;
}

static enum status fill(const char *project, const char *target, unsigned language)
{
    char path[2 * PATH_MAX_LENGTH];
    snprintf(path, sizeof path, "%s/ukemi.yaml", project);
    enum status status = write_file(path, project_file, NULL);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == STATUS_OK; i++)
        if ((parts[i].languages & language) != 0)
            status = copy_part(&parts[i], project, target);
    return status;
}

// In a folder of another name first: a project is there whole, or not at all.
static enum status make_project(const char *target, unsigned language)
{
    char project[NAME_MAX_LENGTH + 16];
    snprintf(project, sizeof project, ".%s-XXXXXX", target);
    if (mkdtemp(project) == NULL)
        return fail(target);
    const mode_t mask = umask(0);
    (void)umask(mask);
    enum status status = fill(project, target, language);
    if (status == STATUS_OK &&
        (chmod(project, 0777 & ~mask) != 0 ||
         renameat2(AT_FDCWD, project, AT_FDCWD, target, RENAME_NOREPLACE) != 0))
        status = fail(target);
    if (status != STATUS_OK)
        (void)nftw(project, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
    return status;
}

static enum exit_code check_name(const char *target)
{
    char path[PATH_MAX_LENGTH];
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    if (strspn(target, letters) != strlen(target) || strchr("-.", target[0]) != NULL ||
        strlen(target) >= NAME_MAX_LENGTH) {
        log_error("%s: not a target's name; use at most %d letters, digits, -, _ and .", target,
                  NAME_MAX_LENGTH - 1);
        return EXIT_INPUT;
    }
    if (faccessat(AT_FDCWD, target, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
        log_error("%s: exists already; choose another name, or go to another folder", target);
        return EXIT_INPUT;
    }
    const enum status status = target_find(target, path, sizeof path);
    if (status == STATUS_OK)
        log_error("%s: there is such a target already, %s; choose another name", target, path);
    return status == STATUS_NOT_FOUND ? EXIT_PASS : EXIT_INPUT;
}

int cli_new(const struct cli_line *line)
{
    const char *target = line->word[0];
    const unsigned language = 1u << line->value[CLI_LANGUAGE].choice;
    const enum exit_code code = check_name(target);
    if (code != EXIT_PASS)
        return (int)code;
    const enum status status = make_project(target, language);
    if (status != STATUS_OK)
        return (int)cli_exit_of(status);
    printf("%s: written. Next:\n\n    cd %s\n%s    ukemi run controller-killed --seed 1\n", target,
           target, language == SOCKETS ? "" : "    make\n");
    return EXIT_PASS;
}
