#include "harness/bench/compare/compare_together.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

enum part { PART_A, PART_B, PARTS };

struct values {
    struct measured *value;
    size_t count;
};

static struct values values_of(const struct comparison *c, enum part part)
{
    return part == PART_A ? (struct values){c->a, c->a_count} : (struct values){c->b, c->b_count};
}

// The order in which values come: by group, then run.
static int compare_places(const void *key, const void *element)
{
    const struct measured *x = key, *y = element;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->run > y->run) - (x->run < y->run);
}

static bool same_metric(const struct comparison *x, const struct comparison *y)
{
    return strcmp(x->metric, y->metric) == 0 && strcmp(x->unit, y->unit) == 0;
}

static bool positive(const struct comparison *c)
{
    for (enum part part = PART_A; part < PARTS; part++) {
        const struct values values = values_of(c, part);
        for (size_t i = 0; i < values.count; i++)
            if (!(values.value[i].value > 0))
                return false;
    }
    return true;
}

// Sum of the logarithms of a run over the cells of a metric; false: one lacks it.
static bool sum_of_run(const struct compare_data *data, const struct comparison *first,
                       enum part part, const struct measured *run, double *sum)
{
    *sum = 0;
    for (const struct comparison *c = first; c < data->list + data->count; c++) {
        if (!same_metric(c, first))
            continue;
        const struct values in = values_of(c, part);
        const struct measured *found =
            bsearch(run, in.value, in.count, sizeof *in.value, compare_places);
        if (found == NULL)
            return false;
        *sum += log(found->value);
    }
    return true;
}

static enum status means_of(const struct compare_data *data, const struct comparison *first,
                            unsigned cells, enum part part, struct values *means)
{
    const struct values in = values_of(first, part);
    double sum;
    *means = (struct values){.value = malloc((in.count + 1) * sizeof *means->value)};
    if (means->value == NULL)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < in.count; i++)
        if (sum_of_run(data, first, part, &in.value[i], &sum)) {
            struct measured *mean = &means->value[means->count++];
            *mean = in.value[i];
            mean->value = exp(sum / cells);
        }
    return STATUS_OK;
}

// Adds the metric that `first` is the first of, if there is a run in all of its cells on both sides.
static enum status add_metric(const struct compare_data *data, const struct comparison *first,
                              struct compare_data *all)
{
    struct values a, b = {0};
    unsigned cells = 0;
    for (const struct comparison *c = first; c < data->list + data->count; c++) {
        if (!same_metric(c, first))
            continue;
        cells++;
        if (!positive(c)) {
            all->not_positive++;
            return STATUS_OK;
        }
    }
    enum status status = means_of(data, first, cells, PART_A, &a);
    if (status == STATUS_OK)
        status = means_of(data, first, cells, PART_B, &b);
    if (status != STATUS_OK || a.count == 0 || b.count == 0) {
        free(a.value);
        free(b.value);
        return status;
    }
    struct comparison *new = &all->list[all->count++];
    *new = (struct comparison){.better = first->better,
                               .a = a.value,
                               .b = b.value,
                               .a_count = a.count,
                               .b_count = b.count};
    snprintf(new->cell, sizeof new->cell, "all cells, geometric means of %u", cells);
    memcpy(new->metric, first->metric, sizeof new->metric);
    memcpy(new->unit, first->unit, sizeof new->unit);
    return STATUS_OK;
}

static bool is_first(const struct compare_data *data, const struct comparison *c)
{
    for (const struct comparison *earlier = data->list; earlier < c; earlier++)
        if (same_metric(earlier, c))
            return false;
    return true;
}

enum status compare_together(struct compare_data *data)
{
    struct compare_data all = {.list = malloc((data->count + 1) * sizeof *all.list),
                               .only_a = data->only_a,
                               .only_b = data->only_b};
    enum status status = all.list == NULL ? STATUS_NO_MEMORY : STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < data->count; i++)
        if (is_first(data, &data->list[i]))
            status = add_metric(data, &data->list[i], &all);
    if (status == STATUS_OK && all.count == 0) {
        log_error(
            "--together: no metric has a geometric mean: values of 0, or no run in all cells; "
            "choose others with --metric");
        status = STATUS_NOT_FOUND;
    }
    if (status != STATUS_OK) {
        compare_data_free(&all);
        return status;
    }
    compare_data_free(data);
    *data = all;
    return STATUS_OK;
}
