// Files wrong in every way: takes the files of a project one after the other, makes each key and
// each attribute wrong in many ways, and lets the lab's own loaders judge every mutant, each in a
// process of its own. A mutant must be accepted, or refused with file, line and remedy; whatever
// dies, hangs or says something else has failed. Deterministic.
//
//   mutants ROOT BUILD PART PARTS EVERY KEEP FILE...
//
// ROOT: a copy of the project ($UKEMI_ROOT), in which mutants take the place of the files; FILEs
// are relative to it. Of all mutants every EVERYth is taken, of an XML file's every 6 EVERYth; of
// those, the ones numbered PART modulo PARTS are made. Each KEEPth that is accepted is copied to
// ROOT/kept/NUMBER.FILE, with / as +. Prints a line per failure, and at last "MUTANTS ACCEPTED
// REFUSED FAILED". Exit status 1: some failed.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <yaml.h>

#include "harness/files/target/target_check.h"
#include "harness/files/campaign_file.h"
#include "harness/files/scenario.h"
#include "harness/judge/pack.h"
#include "harness/packs/packs.h"
#include "targets/simulator/robot_check.h"

#define TEXT_MAX (3 << 20)
#define PLACES_MAX 4096
#define PATIENCE_MS 20000
#define LARGE_B (1 << 20)
#define DEEP 20000
#define XML_LESS 6 // its places are many, and much alike
#define SAID_MAX 16384

enum { ACCEPTED = 0, REFUSED = 2 };

struct place { // one key or attribute with its value: offsets into the file
    size_t key, key_end, value, value_end;
};

struct work {
    const char *root, *build;
    unsigned part, parts, every, keep;
    char path[512]; // of the file at hand, in root
    const char *name;
    char *text; // as it was
    size_t size;
    bool xml;
    unsigned places;
    struct place place[PLACES_MAX];
    unsigned number; // of the last mutant
    unsigned mutants, accepted, refused, failed;
};

static char mutant[TEXT_MAX];

// ---- where a file can be made wrong -------------------------------------------------------------

static void add_place(struct work *work, struct place place)
{
    if (work->places == PLACES_MAX)
        abort();
    work->place[work->places++] = place;
}

static void find_yaml_places(struct work *work)
{
    yaml_parser_t parser;
    yaml_document_t document;
    if (!yaml_parser_initialize(&parser))
        abort();
    yaml_parser_set_input_string(&parser, (const unsigned char *)work->text, work->size);
    if (!yaml_parser_load(&parser, &document))
        abort();
    for (yaml_node_t *node = document.nodes.start; node < document.nodes.top; node++) {
        if (node->type == YAML_MAPPING_NODE)
            for (yaml_node_pair_t *pair = node->data.mapping.pairs.start;
                 pair < node->data.mapping.pairs.top; pair++) {
                const yaml_node_t *key = yaml_document_get_node(&document, pair->key);
                const yaml_node_t *value = yaml_document_get_node(&document, pair->value);
                add_place(work, (struct place){key->start_mark.index, key->end_mark.index,
                                               value->start_mark.index, value->end_mark.index});
            }
        if (node->type == YAML_SEQUENCE_NODE)
            for (yaml_node_item_t *item = node->data.sequence.items.start;
                 item < node->data.sequence.items.top; item++) {
                const yaml_node_t *value = yaml_document_get_node(&document, *item);
                add_place(work, (struct place){value->start_mark.index, value->start_mark.index,
                                               value->start_mark.index, value->end_mark.index});
            }
    }
    yaml_document_delete(&document);
    yaml_parser_delete(&parser);
}

// name="value" outside of comments; such files are ours, so nothing stranger is to be expected.
static void find_xml_places(struct work *work)
{
    for (size_t i = 0; i + 1 < work->size; i++) {
        if (strncmp(work->text + i, "<!--", 4) == 0)
            i = (size_t)(strstr(work->text + i, "-->") - work->text);
        if (strncmp(work->text + i, "=\"", 2) != 0)
            continue;
        size_t key = i;
        while (work->text[key - 1] != ' ' && work->text[key - 1] != '\n')
            key--;
        const size_t end = i + 2 + strcspn(work->text + i + 2, "\"");
        add_place(work, (struct place){key, i, i + 2, end});
        i = end;
    }
}

// ---- ways to make it wrong ----------------------------------------------------------------------

static const char *const yaml_value[] = {
    "",
    "-5",
    "1e400",
    "nan",
    "010",
    "1_000",
    "2.9",
    "0",
    "99999999999999",
    "yes",
    "true",
    "no_such_thing",
    "\"a\\0b\"",
    "\"a\\e[31m\"",
    "\"a\\nb\"",
    "[a, [b]]",
    "{a: {}}",
    "../../../../bin/sh",
    "*alias",
    "&x y",
    "!!binary eA==",
    "\xff\xfe",
    "'",
    "a: b: c",
    "{a: 1, a: 2",
    "/dev/zero",
    "%s%n",
    "1e9",
    "~",
    "'\"; system(1)'",
};
static const char *const xml_value[] = {
    "",
    "-5",
    "1e400",
    "nan",
    "nan nan",
    "inf 1",
    "010",
    "0",
    "1e30",
    "1e-30",
    "no_such_thing",
    "0 0 0",
    "1 2 3 4 5 6 7 8 9 10 11",
    "&#27;",
    "<",
    "&amp;",
    "&nonesuch;",
    "../../../../etc/passwd",
    "99999999999",
    "0x7f",
    "true",
    "3s",
    "\xff",
};
#define YAML_VALUES (sizeof yaml_value / sizeof yaml_value[0])
#define XML_VALUES (sizeof xml_value / sizeof xml_value[0])

enum structural {
    WAY_UNIT,
    WAY_LONG,
    WAY_MISSPELLED,
    WAY_REMOVED,
    WAY_TWICE,
    WAY_CUT_OFF,
    WAY_NEXT_VALUE,
    WAY_LARGE, // rarely: these cost most
    WAY_DEEP,
    WAY_SECOND,
    WAYS
};

static unsigned ways(const struct work *work)
{
    return WAYS + (unsigned)(work->xml ? XML_VALUES : YAML_VALUES);
}

static size_t put(size_t at, const char *text, size_t length)
{
    if (at + length >= sizeof mutant)
        abort();
    memcpy(mutant + at, text, length);
    return at + length;
}

// The file with [from, to) replaced.
static size_t replace(const struct work *work, size_t from, size_t to, const char *by,
                      size_t length)
{
    size_t at = put(0, work->text, from);
    at = put(at, by, length);
    return put(at, work->text + to, work->size - to);
}

static size_t fill(const struct work *work, size_t from, size_t to, char c, size_t count)
{
    static char many[LARGE_B];
    memset(many, c, count);
    return replace(work, from, to, many, count);
}

static size_t twice(const struct work *work, const struct place *place)
{
    char between[512];
    size_t start = place->key;
    while (start > 0 && work->text[start - 1] != '\n')
        start--;
    const bool block = strspn(work->text + start, " -") >= place->key - start;
    if (work->xml)
        snprintf(between, sizeof between, "\" ");
    else if (block)
        snprintf(between, sizeof between, "\n%*s", (int)(place->key - start), "");
    else
        snprintf(between, sizeof between, ", ");
    size_t at = put(0, work->text, place->value_end);
    at = put(at, between, strlen(between));
    return put(at, work->text + place->key, work->size - place->key);
}

// Makes the mutant; 0: there is none of this kind here.
static size_t make(const struct work *work, unsigned index, unsigned way)
{
    const struct place *p = &work->place[index];
    const struct place *next = &work->place[(index + 1) % work->places];
    if (way >= WAYS) {
        const char *by = work->xml ? xml_value[way - WAYS] : yaml_value[way - WAYS];
        return replace(work, p->value, p->value_end, by, strlen(by));
    }
    switch ((enum structural)way) {
    case WAY_UNIT:
        return replace(work, p->value_end, p->value_end, "x", 1);
    case WAY_LONG:
        return fill(work, p->value, p->value_end, 'z', 600);
    case WAY_MISSPELLED:
        return p->key_end > p->key ? replace(work, p->key_end, p->key_end, "x", 1) : 0;
    case WAY_REMOVED:
        return replace(work, p->key, p->value_end + work->xml, "", 0);
    case WAY_TWICE:
        return p->key_end > p->key ? twice(work, p) : 0;
    case WAY_CUT_OFF:
        return put(0, work->text, p->value);
    case WAY_NEXT_VALUE:
        return replace(work, p->value, p->value_end, work->text + next->value,
                       next->value_end - next->value);
    case WAY_LARGE:
        return index % 8 == 0 ? fill(work, p->value, p->value_end, 'z', LARGE_B) : 0;
    case WAY_DEEP:
        return fill(work, p->value, p->value_end, work->xml ? '<' : '[', DEEP);
    default:
        return index % 8 == 0 ? replace(work, work->size, work->size, "\n---\na: b\n", 11) : 0;
    }
}

// ---- judging ------------------------------------------------------------------------------------

static enum status judge_target(const struct work *work, const char *path)
{
    struct target *target;
    enum status status = target_load(path, &target);
    if (status != STATUS_OK)
        return status;
    status = packs_check(all_packs, target);
    if (status == STATUS_OK)
        status = target_check(target, NULL, 0, work->build);
    target_free(target);
    return status;
}

static enum status judge_scenario(const struct work *work, const char *path)
{
    char target_path[512];
    struct scenario *scenario;
    struct target *target;
    enum status status = scenario_load(path, NULL, &scenario);
    if (status != STATUS_OK)
        return status;
    status = target_find(scenario->target, target_path, sizeof target_path);
    if (status == STATUS_OK)
        status = target_load(target_path, &target);
    if (status == STATUS_OK) {
        const struct scenario *const all[] = {scenario};
        status = target_check(target, all, 1, work->build);
        target_free(target);
    }
    scenario_free(scenario);
    return status;
}

static enum status judge_campaign(const char *path)
{
    struct campaign *campaign;
    const enum status status = campaign_load(path, &campaign);
    if (status == STATUS_OK)
        campaign_free(campaign);
    return status;
}

static enum status judge_robot(const struct work *work)
{
    char model[512], description[512];
    snprintf(model, sizeof model, "%s/targets/hubo2/robot.xml", work->root);
    snprintf(description, sizeof description, "%s/targets/hubo2/hubo2.xml", work->root);
    return robot_check(model, description, NULL, NULL);
}

static enum status judge(const struct work *work)
{
    if (work->xml)
        return judge_robot(work);
    if (strncmp(work->name, "targets/", 8) == 0)
        return judge_target(work, work->path);
    if (strncmp(work->name, "faults/", 7) == 0)
        return family_check(work->path, work->build);
    if (strstr(work->name, "campaigns/") != NULL)
        return judge_campaign(work->path);
    return judge_scenario(work, work->path);
}

// In the child: what it says goes to `said`.
static _Noreturn void judge_alone(const struct work *work, int said)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (dup2(said, STDERR_FILENO) < 0)
        _exit(9);
    const enum status status = judge(work);
    _exit(status == STATUS_OK                                      ? ACCEPTED
          : status == STATUS_INVALID || status == STATUS_NOT_FOUND ? REFUSED
                                                                   : 100 + (int)status);
}

// The status of waitpid, or -1: it took too long.
static int judge_in_time(const struct work *work, int said)
{
    int how = -1;
    if (ftruncate(said, 0) != 0 || lseek(said, 0, SEEK_SET) != 0)
        abort();
    const pid_t pid = fork();
    if (pid == 0)
        judge_alone(work, said);
    const int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    struct pollfd wait = {.fd = pidfd, .events = POLLIN};
    const bool ended = poll(&wait, 1, PATIENCE_MS) == 1;
    if (!ended)
        kill(pid, SIGKILL);
    while (waitpid(pid, &how, 0) < 0 && errno == EINTR)
        ;
    close(pidfd);
    return ended ? how : -1;
}

// Does a line name a file and a line in it?
static bool names_a_line(const char *said)
{
    for (const char *colon = said; (colon = strchr(colon, ':')) != NULL; colon++) {
        const size_t digits = strspn(colon + 1, "0123456789");
        if (digits > 0 && colon[1] != '0' && strncmp(colon + 1 + digits, ": ", 2) == 0)
            return true;
    }
    return false;
}

// What is wrong with how a mutant was judged; NULL: nothing.
static const char *complaint(int how, const char *said)
{
    if (how == -1)
        return "hangs";
    if (!WIFEXITED(how))
        return "crashes";
    if (WEXITSTATUS(how) == ACCEPTED)
        return NULL;
    if (WEXITSTATUS(how) != REFUSED)
        return "is neither accepted nor refused";
    if (!names_a_line(said))
        return "is refused without file and line";
    if (strchr(said, ';') == NULL && strstr(said, "see above") == NULL)
        return "is refused without a remedy";
    if (strstr(said, "(null)") != NULL)
        return "is refused with (null)";
    for (const char *c = said; *c != '\0'; c++)
        if (((unsigned char)*c < ' ' && *c != '\n') || *c == 0x7f)
            return "is refused with a control character";
    return NULL;
}

static void write_file(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "w");
    if (file == NULL || fwrite(text, 1, size, file) != size || fclose(file) != 0) {
        perror(path);
        exit(3);
    }
}

static void keep(const struct work *work, size_t size)
{
    char path[1024], name[256];
    snprintf(name, sizeof name, "%s", work->name);
    for (char *c = name; *c != '\0'; c++)
        if (*c == '/')
            *c = '+';
    snprintf(path, sizeof path, "%s/kept/%u.%s", work->root, work->number, name);
    write_file(path, mutant, size);
}

static void try_mutant(struct work *work, size_t size, unsigned index, unsigned way, int said)
{
    static char words[SAID_MAX];
    write_file(work->path, mutant, size);
    const int how = judge_in_time(work, said);
    const ssize_t got = pread(said, words, sizeof words - 1, 0);
    words[got > 0 ? got : 0] = '\0';
    const char *wrong = complaint(how, words);
    const bool accepted = how != -1 && WIFEXITED(how) && WEXITSTATUS(how) == ACCEPTED;
    work->mutants++;
    work->accepted += accepted;
    work->refused += !accepted && wrong == NULL;
    if (accepted && work->keep > 0 && work->accepted % work->keep == 0)
        keep(work, size);
    if (wrong == NULL)
        return;
    work->failed++;
    const struct place *p = &work->place[index];
    printf("%s: mutant %u (%.*s, way %u) %s, status %d: %.300s\n", work->name, work->number,
           (int)(p->key_end - p->key), work->text + p->key, way, wrong, how, words);
}

// ---- a file -------------------------------------------------------------------------------------

static void read_text(struct work *work)
{
    FILE *file = fopen(work->path, "r");
    if (file == NULL || (work->text = malloc(LARGE_B)) == NULL) {
        perror(work->path);
        exit(3);
    }
    work->size = fread(work->text, 1, LARGE_B - 1, file);
    work->text[work->size] = '\0';
    (void)fclose(file); // only read
}

static void try_file(struct work *work, const char *name, int said)
{
    work->name = name;
    work->xml = strcmp(name + strlen(name) - 4, ".xml") == 0;
    work->places = 0;
    snprintf(work->path, sizeof work->path, "%s/%s", work->root, name);
    read_text(work);
    if (work->xml)
        find_xml_places(work);
    else
        find_yaml_places(work);
    if (judge_in_time(work, said) != 0) {
        printf("%s: not sound before it is made wrong\n", name);
        work->failed++;
    }
    for (unsigned index = 0; index < work->places; index++)
        for (unsigned way = 0; way < ways(work); way++) {
            const unsigned every = work->xml ? XML_LESS * work->every : work->every;
            if ((index + 7 * way) % every != 0)
                continue;
            work->number++;
            const size_t size =
                work->number % work->parts == work->part ? make(work, index, way) : 0;
            if (size > 0)
                try_mutant(work, size, index, way, said);
        }
    write_file(work->path, work->text, work->size);
    free(work->text);
}

int main(int argc, char **argv)
{
    static struct work work;
    if (argc < 8) {
        fputs("usage: mutants ROOT BUILD PART PARTS EVERY KEEP FILE...\n", stderr);
        return 3;
    }
    work.root = argv[1];
    work.build = argv[2];
    work.part = (unsigned)atoi(argv[3]);
    work.parts = (unsigned)atoi(argv[4]);
    work.every = (unsigned)atoi(argv[5]);
    work.keep = (unsigned)atoi(argv[6]);
    const int said = memfd_create("said", MFD_CLOEXEC);
    setenv("UKEMI_ROOT", work.root, 1);
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 7; i < argc; i++)
        try_file(&work, argv[i], said);
    printf("%u %u %u %u\n", work.mutants, work.accepted, work.refused, work.failed);
    return work.failed > 0;
}
