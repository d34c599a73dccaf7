#include "faults/fault_main.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    size_t offset; // of the function in an entry
} actions[] = {{"apply", offsetof(struct fault_entry, apply)},
               {"effect", offsetof(struct fault_entry, effect)},
               {"undo", offsetof(struct fault_entry, undo)},
               {"settled", offsetof(struct fault_entry, settled)}};

const char *fault_find(const struct fault_asked *asked, const char *key)
{
    const size_t length = strlen(key);
    for (int i = 0; i < asked->word_count; i++)
        if (strncmp(asked->word[i], key, length) == 0 && asked->word[i][length] == '=')
            return asked->word[i] + length + 1;
    return NULL;
}

const char *fault_text(const struct fault_asked *asked, const char *key)
{
    const char *value = fault_find(asked, key);
    if (value != NULL)
        return value;
    fprintf(stderr, "%s: missing; give it as %s=VALUE\n", key, key);
    exit(FAULT_CALLED_WRONGLY);
}

double fault_number(const struct fault_asked *asked, const char *key)
{
    return strtod(fault_text(asked, key), NULL);
}

double fault_number_or(const struct fault_asked *asked, const char *key, double neutral)
{
    return fault_find(asked, key) == NULL ? neutral : fault_number(asked, key);
}

void fault_prove(bool proven, pid_t left, const char *format, ...)
{
    va_list arguments;
    printf("proven=%d ", proven);
    if (left != 0)
        printf("left=%d ", left);
    fputs("evidence=", stdout);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

enum fault_exit fault_prove_settled(bool taken, uint64_t hit_when_taken, uint64_t hit)
{
    fault_prove(taken && hit == hit_when_taken, 0,
                "acted on %" PRIu64 " when it was taken out, on %" PRIu64 " now", hit_when_taken,
                hit);
    return FAULT_DONE;
}

enum fault_exit fault_no_sense(const struct fault_asked *asked)
{
    fprintf(stderr, "%s: these parameters make no sense together\n", asked->kind);
    return FAULT_CALLED_WRONGLY;
}

static int complain(const char *word, const char *why)
{
    fprintf(stderr, "%s: %s\n", word, why);
    return FAULT_CALLED_WRONGLY;
}

static int explain_use(const char *program, const struct fault_entry *entries)
{
    const char *slash = strrchr(program, '/');
    fprintf(stderr,
            "usage: UKEMI_CELL=FOLDER %s apply|effect|undo|settled KIND [key=value...]\nkinds:",
            slash != NULL ? slash + 1 : program);
    for (const struct fault_entry *entry = entries; entry->kind != NULL; entry++)
        fprintf(stderr, " %s", entry->kind);
    fputc('\n', stderr);
    return FAULT_CALLED_WRONGLY;
}

// A process number, without a rest.
static bool parse_pid(const char *text, pid_t *pid)
{
    char *end;
    errno = 0;
    const long number = strtol(text, &end, 10);
    *pid = (pid_t)number;
    return text[0] >= '1' && text[0] <= '9' && *end == '\0' && errno == 0 && number <= INT_MAX;
}

// All words are key=value, and what is needed is among them; 0 if so.
static int read_words(struct fault_asked *asked, unsigned needs)
{
    for (int i = 0; i < asked->word_count; i++) {
        if (strchr(asked->word[i], '=') == NULL)
            return complain(asked->word[i], "not KEY=VALUE");
        if (strncmp(asked->word[i], "pid=", 4) == 0 && strcmp(asked->word[i], "pid=0") != 0 &&
            !parse_pid(asked->word[i] + 4, &asked->pid))
            return complain(asked->word[i], "not a process number");
    }
    const char *tag = fault_find(asked, "tag");
    asked->tag = tag == NULL ? 0 : (unsigned)strtoul(tag, NULL, 10);
    if ((needs & FAULT_NEEDS_PID) && asked->pid == 0)
        return complain(asked->kind, "strikes a process; give pid=PID");
    if ((needs & FAULT_NEEDS_CELL) && asked->cell == NULL)
        return complain(asked->kind, "acts in a cell; set UKEMI_CELL to its folder");
    if ((needs & FAULT_NEEDS_CELL) && tag == NULL)
        return complain(asked->kind, "has a number of its own in the trial; give tag=N");
    return 0;
}

static const struct fault_entry *find(const struct fault_entry *entries, const char *kind)
{
    for (const struct fault_entry *entry = entries; entry->kind != NULL; entry++)
        if (strcmp(entry->kind, kind) == 0)
            return entry;
    return NULL;
}

static fault_act *find_act(const struct fault_entry *entry, const char *action)
{
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        if (strcmp(actions[i].name, action) == 0)
            return *(fault_act *const *)(const void *)((const char *)entry + actions[i].offset);
    return NULL;
}

static int act_at(struct fault_asked *asked, fault_act *act, const struct fault_place *place)
{
    if (place == NULL)
        return (int)act(asked);
    asked->place = place->open(asked);
    if (asked->place == NULL)
        return FAULT_FAILED;
    const enum fault_exit code = act(asked);
    place->close(asked->place);
    return (int)code;
}

int fault_main_at(int argc, char **argv, unsigned needs, const struct fault_entry *entries,
                  const struct fault_place *place)
{
    if (argc < 3)
        return explain_use(argv[0], entries);
    struct fault_asked asked = {
        .kind = argv[2], .cell = getenv("UKEMI_CELL"), .word_count = argc - 3, .word = argv + 3};
    const struct fault_entry *entry = find(entries, asked.kind);
    if (entry == NULL) {
        (void)complain(asked.kind, "not a fault of this program");
        return explain_use(argv[0], entries);
    }
    fault_act *act = find_act(entry, argv[1]);
    if (act == NULL)
        return complain(argv[1], "not an action of this fault");
    asked.own = entry->own;
    const int wrong = read_words(&asked, needs);
    return wrong != 0 ? wrong : act_at(&asked, act, place);
}

int fault_main(int argc, char **argv, unsigned needs, const struct fault_entry *entries)
{
    return fault_main_at(argc, argv, needs, entries, NULL);
}
