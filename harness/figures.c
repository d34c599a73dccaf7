#include "harness/figures.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"

#define FIELDS 5
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

static struct figures_cell *find_cell(struct figures *figures, const char *name)
{
    for (unsigned i = 0; i < figures->cell_count; i++)
        if (strcmp(figures->cell[i].name, name) == 0)
            return &figures->cell[i];
    if (figures->cell_count == FIGURES_CELLS_MAX)
        return NULL;
    struct figures_cell *cell = &figures->cell[figures->cell_count++];
    text_copy(cell->name, sizeof cell->name, name);
    cell->count = 0;
    return cell;
}

static bool has_metric(const struct figures_cell *cell, const char *metric)
{
    for (unsigned i = 0; i < cell->count; i++)
        if (strcmp(cell->figure[i].metric, metric) == 0)
            return true;
    return false;
}

static enum status add_figure(struct figures *figures, const struct place *place,
                              const char *cell_name, const struct figure *figure)
{
    struct figures_cell *cell = find_cell(figures, cell_name);
    if (cell == NULL)
        return refuse(place, cell_name,
                      "is one cell more than the " NUMBER(FIGURES_CELLS_MAX) " there may be");
    if (has_metric(cell, figure->metric))
        return refuse(place, figure->metric,
                      "was printed for this cell before; a run measures a metric once");
    if (cell->count == FIGURES_OF_CELL_MAX)
        return refuse(
            place, figure->metric,
            "is one metric more than the " NUMBER(FIGURES_OF_CELL_MAX) " a cell may have");
    cell->figure[cell->count++] = *figure;
    return STATUS_OK;
}

// Cuts a line at its tabs; the number of fields, at most FIELDS + 1.
static unsigned split(char *line, char *field[FIELDS + 1])
{
    unsigned count = 0;
    while (line != NULL && count <= FIELDS)
        field[count++] = strsep(&line, "\t");
    return count;
}

static enum status take_line(struct figures *figures, const struct place *place, char *line)
{
    char *field[FIELDS + 1], *rest;
    struct figure figure;
    if (split(line, field) != FIELDS)
        return refuse(place, line,
                      "begins no figure: print CELL, METRIC, UNIT, less or more or nothing, "
                      "and VALUE, with a tab between two; other lines begin with #");
    if (field[0][0] == '\0' || strlen(field[0]) >= sizeof figures->cell[0].name)
        return refuse(place, field[0], "is no name of a cell: it has 1 to 63 bytes");
    if (field[1][0] == '\0' || strlen(field[1]) >= sizeof figure.metric)
        return refuse(place, field[1], "is no name of a metric: it has 1 to 63 bytes");
    if (strlen(field[2]) >= sizeof figure.unit)
        return refuse(place, field[2], "is no unit: it has at most 15 bytes");
    if (!better_parse(field[3], &figure.better))
        return refuse(place, field[3], "is none of less, more or nothing");
    errno = 0;
    figure.value = strtod(field[4], &rest);
    if (rest == field[4] || *rest != '\0' || !isfinite(figure.value))
        return refuse(place, field[4], "is no finite number");
    text_copy(figure.metric, sizeof figure.metric, field[1]);
    text_copy(figure.unit, sizeof figure.unit, field[2]);
    return add_figure(figures, place, field[0], &figure);
}

enum status figures_read(FILE *in, const char *name, struct figures *figures)
{
    struct place place = {.name = name};
    enum status status = STATUS_OK;
    char *line = NULL;
    size_t size = 0;
    figures->cell_count = 0;
    for (ssize_t length; status == STATUS_OK && (length = getline(&line, &size, in)) >= 0;) {
        place.line++;
        if (length > 0 && line[length - 1] == '\n')
            line[length - 1] = '\0';
        if (line[0] != '\0' && line[0] != '#')
            status = take_line(figures, &place, line);
    }
    free(line);
    if (status == STATUS_OK && figures->cell_count == 0) {
        log_error("%s: printed no figures; is it given the option to print them between tabs?",
                  name);
        status = STATUS_INVALID;
    }
    return status;
}
