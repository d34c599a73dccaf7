#include "harness/bench/compare/figures.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"

#define FIELDS_MIN 5
#define FIELDS_MAX 6
#define NUMBER_TEXT(number) #number
#define NUMBER(number) NUMBER_TEXT(number)

// Where a mistake is.
struct place {
    const char *name;
    unsigned line;
};

static enum status refuse(const struct place *place, const char *value, const char *why)
{
    log_error("%s:%u: '%.80s' %s", place->name, place->line, value, why);
    return STATUS_INVALID;
}

// Makes room for one more in an array of `count`, which doubles whenever that is a power of two.
static bool grow(void **array, unsigned count, size_t size)
{
    if ((count & (count - 1)) != 0)
        return true;
    void *more = realloc(*array, (count == 0 ? 1 : 2 * (size_t)count) * size);
    if (more != NULL)
        *array = more;
    return more != NULL;
}

// *run is that of this square and round, maybe new. The newest first: what is printed together is
// of few runs.
static enum status find_run(struct figures *figures, const struct place *place, const char *square,
                            unsigned round, struct figures_run **run)
{
    for (unsigned i = figures->run_count; i-- > 0;) {
        *run = &figures->run[i];
        if ((*run)->round == round && strcmp((*run)->square, square) == 0)
            return STATUS_OK;
    }
    if (figures->run_count == FIGURES_RUNS_MAX)
        return refuse(
            place, square,
            "is one square and round more than the " NUMBER(FIGURES_RUNS_MAX) " there may be");
    if (!grow((void **)&figures->run, figures->run_count, sizeof *figures->run))
        return STATUS_NO_MEMORY;
    *run = &figures->run[figures->run_count++];
    **run = (struct figures_run){.round = round};
    text_copy((*run)->square, sizeof(*run)->square, square);
    if (round >= figures->rounds)
        figures->rounds = round + 1;
    return STATUS_OK;
}

static enum status add_figure(struct figures_run *run, const struct place *place,
                              const struct figure *figure)
{
    for (unsigned i = 0; i < run->count; i++)
        if (strcmp(run->figure[i].metric, figure->metric) == 0)
            return refuse(
                place, figure->metric,
                "was printed for this square before; a run, or a round, measures a metric "
                "once");
    if (run->count == FIGURES_OF_RUN_MAX)
        return refuse(
            place, figure->metric,
            "is one metric more than the " NUMBER(FIGURES_OF_RUN_MAX) " a square may have");
    if (!grow((void **)&run->figure, run->count, sizeof *run->figure))
        return STATUS_NO_MEMORY;
    run->figure[run->count++] = *figure;
    return STATUS_OK;
}

// Cuts a line at its tabs; the number of fields, at most FIELDS_MAX + 1.
static unsigned split(char *line, char *field[FIELDS_MAX + 1])
{
    unsigned count = 0;
    while (line != NULL && count <= FIELDS_MAX)
        field[count++] = strsep(&line, "\t");
    return count;
}

static enum status read_round(const struct place *place, const char *text, unsigned *round)
{
    char *rest;
    const unsigned long number = strtoul(text, &rest, 10);
    if (text[0] < '0' || text[0] > '9' || *rest != '\0' || number < 1 ||
        number > FIGURES_ROUNDS_MAX)
        return refuse(place, text, "is not a round from 1 to " NUMBER(FIGURES_ROUNDS_MAX));
    *round = (unsigned)number - 1;
    return STATUS_OK;
}

static enum status take_line(struct figures *figures, const struct place *place, char *line)
{
    char *field[FIELDS_MAX + 1], *rest;
    struct figure figure;
    struct figures_run *run;
    unsigned round = 0;
    const unsigned fields = split(line, field);
    if (fields < FIELDS_MIN || fields > FIELDS_MAX)
        return refuse(place, line,
                      "is not a figure: print SQUARE, METRIC, UNIT, less or more or nothing, "
                      "VALUE, and ROUND if there are several, with a tab between two; other lines "
                      "begin with #");
    if (field[0][0] == '\0' || strlen(field[0]) >= sizeof run->square)
        return refuse(place, field[0], "is not the name of a square: one has 1 to 63 bytes");
    if (field[1][0] == '\0' || strlen(field[1]) >= sizeof figure.metric)
        return refuse(place, field[1], "is not the name of a metric: one has 1 to 63 bytes");
    if (strlen(field[2]) >= sizeof figure.unit)
        return refuse(place, field[2], "is not a unit: one has at most 15 bytes");
    if (!better_parse(field[3], &figure.better))
        return refuse(place, field[3], "is not less, more or nothing");
    errno = 0;
    figure.value = strtod(field[4], &rest);
    if (rest == field[4] || *rest != '\0' || !isfinite(figure.value))
        return refuse(place, field[4], "is not a finite number");
    text_copy(figure.metric, sizeof figure.metric, field[1]);
    text_copy(figure.unit, sizeof figure.unit, field[2]);
    enum status status = STATUS_OK;
    if (fields == FIELDS_MAX)
        status = read_round(place, field[5], &round);
    if (status == STATUS_OK)
        status = find_run(figures, place, field[0], round, &run);
    return status == STATUS_OK ? add_figure(run, place, &figure) : status;
}

enum status figures_read(FILE *in, const char *name, struct figures *figures)
{
    struct place place = {.name = name};
    enum status status = STATUS_OK;
    char *line = NULL;
    size_t size = 0;
    *figures = (struct figures){0};
    for (ssize_t length; status == STATUS_OK && (length = getline(&line, &size, in)) >= 0;) {
        place.line++;
        if (length > 0 && line[length - 1] == '\n')
            line[length - 1] = '\0';
        if (line[0] != '\0' && line[0] != '#')
            status = take_line(figures, &place, line);
    }
    free(line);
    if (status == STATUS_OK && figures->run_count == 0) {
        log_error("%s: printed no figures; does it need an option to print them between tabs?",
                  name);
        status = STATUS_INVALID;
    }
    if (status != STATUS_OK)
        figures_free(figures);
    return status;
}

void figures_free(struct figures *figures)
{
    for (unsigned i = 0; i < figures->run_count; i++)
        free(figures->run[i].figure);
    free(figures->run);
    *figures = (struct figures){0};
}
