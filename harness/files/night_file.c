#include "harness/files/night_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "harness/files/yaml/file_table.h"

#define BUDGET_MAX_H 168
#define BUDGET_H 8
#define WINDOW 30

static const char *const tell_words[] = {"changes", "always", NULL};

static const struct file_row part_rows[] = {
    {"campaign", VALUE_TEXT, true, FIELD(struct night_file_part, campaign), .unique = true,
     .help = "its file, relative to the night's folder"},
    {"priority", VALUE_WHOLE, false, FIELD(struct night_file_part, priority), .min = 1, .max = 99,
     .absent = "1",
     .help = "the lowest number is run first; of equals what was not run for longest"},
    {"budget_h", VALUE_NUMBER, false, FIELD(struct night_file_part, budget_h), .min = 0.001,
     .max = BUDGET_MAX_H, .absent = "0",
     .help = "at most so many hours of the night; 0: as long as there is time"},
    {"wall", VALUE_TRUTH, false, FIELD(struct night_file_part, wall), .absent = "false",
     .help = "in real time instead of on the virtual clock"},
    {.key = NULL}};

const struct file_row night_rows[] = {
    FORMAT_ROW(1),
    {"name", VALUE_NAME, true, FIELD(struct night_file, name),
     .help = "of the night; nights of one name are compared"},
    {"claim", VALUE_TEXT, false, FIELD(struct night_file, claim),
     .help = "what it is for, in one sentence; `ukemi list nights` prints it"},
    {"budget_h", VALUE_NUMBER, false, FIELD(struct night_file, budget_h), .min = 0.001,
     .max = BUDGET_MAX_H, .absent = TEXT_OF(BUDGET_H),
     .help = "hours after which no trial is started, unless `--budget` says otherwise"},
    {"parts", VALUE_MAP, true, LIST(struct night_file, part, part_count), .least = 1,
     .most = NIGHT_PARTS_MAX, .rows = part_rows, .help = "what is run"},
    {"nights", VALUE_WHOLE, false, FIELD(struct night_file, window), .min = 2,
     .max = NIGHT_WINDOW_MAX, .absent = TEXT_OF(WINDOW),
     .help = "how many nights are compared, this one included"},
    {"relevant_percent", VALUE_NUMBER, false, FIELD(struct night_file, relevant_percent),
     .max = 1000, .absent = "5", .help = "a smaller change of a quantity is not told"},
    {"mail", VALUE_TEXT, false, LIST(struct night_file, mail, mail_count), .most = NIGHT_MAIL_MAX,
     .unique = true, .help = "addresses that `sendmail` is given the page's text for"},
    {"hook", VALUE_TEXT, false, FIELD(struct night_file, hook),
     .help = "a program that is run at the end, relative to the night's folder"},
    {"tell", VALUE_WORD, false, FIELD(struct night_file, tell), .words = tell_words,
     .absent = "changes",
     .help = "when mail is sent and the hook is run: if anything has changed since the last night, "
             "or `always`"},
    {.key = NULL}};

// A path that the file names relative to its own folder.
static void make_whole(const struct night_file *night, char path[PATH_MAX_LENGTH],
                       struct yaml_source *source, const char *key)
{
    char whole[2 * PATH_MAX_LENGTH];
    const char *slash = strrchr(night->file, '/');
    if (path[0] == '/')
        return;
    if (slash == NULL)
        snprintf(whole, sizeof whole, "./%s", path); // a program without a folder is another one
    else
        snprintf(whole, sizeof whole, "%.*s%s", (int)(slash - night->file) + 1, night->file, path);
    if (strlen(whole) >= PATH_MAX_LENGTH)
        yaml_complain(source, key, "%s: longer than %d characters; choose a shorter path", path,
                      PATH_MAX_LENGTH - 1);
    else
        text_copy(path, PATH_MAX_LENGTH, whole);
}

// What sendmail would take for an option, or for two addresses, is none.
static bool is_address(const char *word)
{
    const char *at = strchr(word, '@');
    for (const char *letter = word; *letter != '\0'; letter++)
        if (*letter <= ' ' || *letter > '~' || strchr(",;<>()\"\\|", *letter) != NULL)
            return false;
    return word[0] != '-' && word[0] != '@' &&
           (at == NULL || (at[1] != '\0' && strchr(at + 1, '@') == NULL));
}

static enum status check(struct yaml_source *source, void *file, void *context)
{
    struct night_file *night = file;
    (void)context;
    yaml_copy_path(source, night->file);
    for (unsigned i = 0; i < night->part_count; i++)
        make_whole(night, night->part[i].campaign, source, yaml_key("parts[%u].campaign", i).text);
    if (night->hook[0] != '\0')
        make_whole(night, night->hook, source, "hook");
    for (unsigned i = 0; i < night->mail_count; i++)
        if (!is_address(night->mail[i]))
            yaml_complain(source, yaml_key("mail[%u]", i).text,
                          "'%s': is no address; write one like me@example.org, or a user of this "
                          "machine",
                          night->mail[i]);
    return yaml_status(source);
}

enum status night_file_load(const char *path, struct night_file **night)
{
    void *file = NULL;
    const enum status status =
        file_load(path, night_rows, sizeof(struct night_file), check, NULL, &file);
    *night = status == STATUS_OK ? file : NULL;
    if (status != STATUS_OK)
        free(file);
    return status;
}

void night_file_free(struct night_file *night)
{
    free(night);
}
