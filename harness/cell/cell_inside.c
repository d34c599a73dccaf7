#include "harness/cell/cell_inside.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "harness/cell/bare_room.h"
#include "harness/cell/cell_family.h"

#define INIT_PID 1
#define PID_WORD "pid "
#define TASKS_MAX 2048

static struct bare_place *place; // NULL: not in a bare cell

void cell_inside_begin(struct bare_place *own)
{
    place = own;
}

const struct bare_place *cell_inside_place(void)
{
    return place;
}

bool cell_room_ended(struct breach *breach)
{
    return place != NULL && bare_room_ended(place, breach);
}

bool cell_is_bare(void)
{
    return place != NULL;
}

const char *cell_folder(void)
{
    return place == NULL ? CELL_FOLDER : place->cell;
}

static const char *given(char *const *environment, const char *name)
{
    const size_t length = strlen(name);
    for (; *environment != NULL; environment++)
        if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
            return *environment + length + 1;
    return NULL;
}

static void add(char *more[CELL_MORE + 1], const char *name, const char *one, const char *other)
{
    char *text = NULL;
    if (asprintf(&text, "%s=%s%s%s", name, one, other[0] == '\0' ? "" : ":", other) < 0)
        return;
    while (*more != NULL)
        more++;
    *more = text;
}

void cell_environment(char *const *environment, char *more[CELL_MORE + 1])
{
    memset(more, 0, (CELL_MORE + 1) * sizeof *more);
    if (place == NULL)
        return;
    const char *preloaded = given(environment, "LD_PRELOAD");
    if (given(environment, "TMPDIR") == NULL)
        add(more, "TMPDIR", place->scrap, "");
    if (place->library[0] == '\0')
        return;
    add(more, "UKEMI_NAMES", place->folder, "");
    add(more, "LD_PRELOAD", preloaded != NULL ? preloaded : place->library,
        preloaded != NULL ? place->library : "");
}

// ---- paths -------------------------------------------------------------------------------------

// Which of the pairs begins at `text` as a whole name: its number, or the count of them.
static unsigned find(const char *text)
{
    unsigned i = 0;
    for (; i < place->pair_count; i++) {
        const char *name = place->pair[i].inside;
        const size_t length = strlen(name);
        if (length > 1 && strncmp(text, name, length) == 0 &&
            (text[length] == '\0' || strchr("/:;,=\"' \t\n)]}", text[length]) != NULL))
            break;
    }
    return i;
}

static bool replace(const char *text, char *result, size_t size)
{
    size_t used = 0;
    result[0] = '\0';
    while (*text != '\0') {
        const unsigned number = *text == '/' ? find(text) : place->pair_count;
        const bool found = number < place->pair_count;
        const struct bare_pair *pair = &place->pair[found ? number : 0];
        const int more = found ? snprintf(result + used, size - used, "%s", pair->outside)
                               : snprintf(result + used, size - used, "%c", *text);
        if (more < 0 || (size_t)more >= size - used)
            return false;
        used += (size_t)more;
        text += found ? strlen(pair->inside) : 1;
    }
    return true;
}

bool cell_locate(const char *text, char *located, size_t size)
{
    if (place != NULL)
        return replace(text, located, size);
    return (size_t)snprintf(located, size, "%s", text) < size;
}

// ---- numbers -----------------------------------------------------------------------------------

// The number that it was given last; 0: it was never counted.
static int find_number(pid_t pid)
{
    const unsigned known = place->count < BARE_COUNTED_MAX ? place->count : BARE_COUNTED_MAX;
    for (unsigned i = 1; i <= known; i++)
        if (place->counted[(place->count - i) % BARE_COUNTED_MAX] == pid)
            return (int)(INIT_PID + 1 + place->count - i);
    return 0;
}

int cell_number(pid_t pid)
{
    const int number = place == NULL || pid <= 0 ? 0 : find_number(pid);
    return number != 0 ? number : pid;
}

static int by_number(const void *one, const void *other)
{
    const pid_t a = *(const pid_t *)one, b = *(const pid_t *)other;
    return (a > b) - (a < b);
}

// A thread takes a number as a process does: all that have come since are counted, in the order of
// the machine's numbers. What `pid` itself has started so far comes after it.
void cell_count(pid_t pid)
{
    static pid_t tasks[TASKS_MAX];
    if (place == NULL || pid <= 0)
        return;
    unsigned count = family_tasks(pid, tasks, TASKS_MAX);
    count = count < TASKS_MAX ? count : TASKS_MAX;
    qsort(tasks, count, sizeof tasks[0], by_number);
    for (unsigned i = 0; i < count; i++)
        if (find_number(tasks[i]) == 0)
            place->counted[place->count++ % BARE_COUNTED_MAX] = tasks[i];
    place->counted[place->count++ % BARE_COUNTED_MAX] = pid;
}

void cell_number_words(char *text, size_t size)
{
    char words[1024];
    size_t used = 0;
    if (place == NULL || size > sizeof words)
        return;
    for (const char *at = text; *at != '\0' && used < size - 1;) {
        const bool named = strncmp(at, PID_WORD, strlen(PID_WORD)) == 0 &&
                           strspn(at + strlen(PID_WORD), "0123456789") > 0;
        if (!named) {
            words[used++] = *at++;
            continue;
        }
        char *end;
        const long pid = strtol(at + strlen(PID_WORD), &end, 10);
        used += (size_t)snprintf(words + used, size - used, PID_WORD "%d", cell_number((pid_t)pid));
        at = end;
    }
    words[used < size ? used : size - 1] = '\0';
    text_copy(text, size, words);
}

// ---- the end -----------------------------------------------------------------------------------

void cell_end_processes(void)
{
    if (getpid() == INIT_PID)
        kill(-1, SIGKILL); // every process of the cell, and none outside
    else if (place != NULL)
        family_end(NULL, 0);
    while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
        continue;
}
