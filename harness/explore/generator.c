#include "harness/explore/generator.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/text.h"
#include "harness/files/fault/catalogue.h"
#include "harness/files/fault/fault_meet.h"
#include "harness/files/scenario_text.h"
#include "harness/files/target/process_config.h"

#define LOG_SPAN 10    // a range that spans more is drawn by its logarithm
#define INSTANT_S 1e-4 // instants are multiples
#define DIGITS 4       // of durations and parameters

struct drawing {
    const struct storm *storm;
    uint64_t seed;
    bool kept[STORM_ROWS_MAX];
    unsigned fault, attempt; // at hand
    struct scenario *scenario;
};

// ---- draws -------------------------------------------------------------------------------------

__attribute__((format(printf, 2, 3))) static double draw(const struct drawing *d,
                                                         const char *format, ...)
{
    char name[256];
    struct random_stream stream;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    random_start(&stream, d->seed, name);
    return random_uniform(&stream, 0, 1);
}

static double draw_of_fault(const struct drawing *d, const struct storm_row *row, const char *what)
{
    return draw(d, "storm/%u/%u/%s/%s", d->fault, d->attempt, row->name, what);
}

static double between(double share, double low, double high)
{
    const bool spans = low > 0 && high / low > LOG_SPAN;
    const double number =
        spans ? exp(log(low) + share * (log(high) - log(low))) : low + share * (high - low);
    return fmin(fmax(number_rounded(number, DIGITS), low), high);
}

static bool is_whole(const char *number)
{
    return number[strspn(number, "+-0123456789")] == '\0';
}

static void draw_parameter(const struct drawing *d, const struct storm_row *row,
                           const struct storm_parameter *parameter, struct fault_request *fault)
{
    char what[2 * NAME_MAX_LENGTH], number[32];
    snprintf(what, sizeof what, "parameter/%s", parameter->name);
    const double share = draw_of_fault(d, row, what);
    const char *value = parameter->value[(unsigned)(share * parameter->value_count)];
    if (parameter->ranges) {
        const bool whole = is_whole(parameter->value[0]) && is_whole(parameter->value[1]);
        const double drawn =
            whole ? floor(parameter->low + share * (parameter->high - parameter->low + 1))
                  : between(share, parameter->low, parameter->high);
        value = number_text(drawn, number);
    }
    text_copy(fault->parameter[fault->parameter_count], NAME_MAX_LENGTH, parameter->name);
    text_add(fault->parameter[fault->parameter_count++], NAME_MAX_LENGTH, "=%s", value);
}

// ---- one fault ---------------------------------------------------------------------------------

// Each row waits for a time that is the shorter the greater its weight, and the first one has it:
// so a row more changes only what it wins.
static const struct storm_row *draw_row(const struct drawing *d)
{
    const struct storm_row *first = NULL;
    double least = INFINITY;
    for (unsigned i = 0; i < d->storm->row_count; i++) {
        const struct storm_row *row = &d->storm->row[i];
        const double waits = -log(1 - draw_of_fault(d, row, "row")) / row->weight;
        if (d->kept[i] && waits < least) {
            least = waits;
            first = row;
        }
    }
    return first;
}

static struct fault_request draw_fault(const struct drawing *d, const struct storm_row *row)
{
    const struct storm *storm = d->storm;
    struct fault_request fault = {.restart_after_s = -1};
    const unsigned place = (unsigned)(draw_of_fault(d, row, "struck") * row->struck_count);
    text_copy(fault.kind, sizeof fault.kind, row->kind);
    text_copy(fault.component, sizeof fault.component, row->struck[place]);
    fault_complete(row->fault, &fault);
    fault.duration_s =
        between(draw_of_fault(d, row, "duration"), row->duration_s[0], row->duration_s[1]);
    if (row->restart_after_s[0] >= 0)
        fault.restart_after_s = between(draw_of_fault(d, row, "restart"), row->restart_after_s[0],
                                        row->restart_after_s[1]);
    for (unsigned i = 0; i < row->parameter_count; i++)
        draw_parameter(d, row, &row->parameter[i], &fault);
    const double latest_s = storm->scenario->duration_s - storm->calm_s -
                            fmax(fault.duration_s, fmax(fault.restart_after_s, 0));
    const double at_s = storm->after_s + draw_of_fault(d, row, "at") * (latest_s - storm->after_s);
    const double instant_s = floor(at_s / INSTANT_S) * INSTANT_S;
    fault.at.kind = TRIGGER_TIME;
    fault.at.time_min_s = fault.at.time_max_s = number_rounded(fmax(instant_s, storm->after_s), 12);
    return fault;
}

// ---- in each other's way -----------------------------------------------------------------------

static double ends_s(const struct scenario *scenario, const struct fault_request *fault)
{
    const struct fault_kind *kind = catalogue_find(scenario->catalogue, fault->kind);
    const bool restarts = fault->restart_after_s >= 0;
    if (kind == NULL || kind->undo == UNDO_NEVER || (kind->undo == UNDO_RESTART_ASKED && !restarts))
        return INFINITY;
    return fault->at.time_max_s + (restarts ? fault->restart_after_s : fault->duration_s);
}

bool generator_overlap(const struct scenario *scenario, unsigned one, unsigned other)
{
    const struct fault_request *a = &scenario->fault[one], *b = &scenario->fault[other];
    return a->at.time_min_s <= ends_s(scenario, b) && b->at.time_min_s <= ends_s(scenario, a);
}

static const struct process_config *process_of(const struct target *target, const char *component)
{
    for (unsigned i = 0; i < target->process_count; i++)
        if (strcmp(target->process[i].name, component) == 0 ||
            strcmp(target->process[i].component, component) == 0)
            return &target->process[i];
    return NULL;
}

static bool is_same_place(const struct target *target, const struct fault_request *a,
                          const struct fault_request *b)
{
    if (a->struck != b->struck)
        return false;
    if (a->struck == STRUCK_PROCESS)
        return process_of(target, a->component) == process_of(target, b->component);
    return strcmp(a->kind, b->kind) == 0 && strcmp(a->component, b->component) == 0;
}

// How many others act when fault `number` strikes.
static unsigned beside(const struct scenario *scenario, unsigned number)
{
    const double at_s = scenario->fault[number].at.time_min_s;
    unsigned count = 0;
    for (unsigned i = 0; i < scenario->fault_count; i++)
        count += i != number && scenario->fault[i].at.time_min_s <= at_s &&
                 ends_s(scenario, &scenario->fault[i]) >= at_s;
    return count;
}

// Whether the last fault may strike with the others.
static bool fits(const struct storm *storm, const struct scenario *scenario)
{
    const unsigned last = scenario->fault_count - 1;
    for (unsigned i = 0; i < last; i++)
        if ((is_same_place(storm->target, &scenario->fault[i], &scenario->fault[last]) &&
             generator_overlap(scenario, i, last)) ||
            faults_clash(scenario->catalogue, storm->target, scenario, i, last) != NULL ||
            faults_clash(scenario->catalogue, storm->target, scenario, last, i) != NULL)
            return false;
    for (unsigned i = 0; i <= last; i++)
        if (beside(scenario, i) >= storm->at_once)
            return false;
    return true;
}

// ---- the trial ---------------------------------------------------------------------------------

static void keep_rows(struct drawing *d)
{
    const unsigned count = d->storm->row_count;
    unsigned kept = 0, most = 0;
    double share[STORM_ROWS_MAX];
    for (unsigned i = 0; i < count; i++) {
        share[i] = draw(d, "storm/keep/%s", d->storm->row[i].name);
        d->kept[i] = share[i] >= 0.5;
        kept += d->kept[i];
        most = share[i] > share[most] ? i : most;
    }
    d->kept[most] |= kept == 0;
}

static void add_fault(struct drawing *d)
{
    struct scenario *scenario = d->scenario;
    const unsigned number = scenario->fault_count++;
    for (d->attempt = 0; d->attempt < GENERATOR_ATTEMPTS; d->attempt++) {
        scenario->fault[number] = draw_fault(d, draw_row(d));
        if (fits(d->storm, scenario))
            return;
    }
    scenario->fault_count--;
}

static int by_time(const void *one, const void *other)
{
    const struct fault_request *a = one, *b = other;
    if (a->at.time_min_s != b->at.time_min_s)
        return a->at.time_min_s < b->at.time_min_s ? -1 : 1;
    const int order = strcmp(a->kind, b->kind);
    return order != 0 ? order : strcmp(a->component, b->component);
}

struct scenario *generator_draw(const struct storm *storm, uint64_t seed)
{
    struct drawing d = {.storm = storm, .seed = seed, .scenario = malloc(sizeof *d.scenario)};
    if (d.scenario == NULL)
        return NULL;
    *d.scenario = *storm->scenario;
    d.scenario->own_catalogue = NULL;
    text_copy(d.scenario->name, sizeof d.scenario->name, storm->name);
    text_copy(d.scenario->claim, sizeof d.scenario->claim, storm->claim);
    keep_rows(&d);
    const double count =
        floor(storm->count[0] + draw(&d, "storm/count") * (storm->count[1] - storm->count[0] + 1));
    for (d.fault = 0; d.fault < (unsigned)count; d.fault++)
        add_fault(&d);
    qsort(d.scenario->fault, d.scenario->fault_count, sizeof d.scenario->fault[0], by_time);
    return d.scenario;
}

void generator_print(FILE *out, const struct storm *storm, const struct scenario *scenario,
                     uint64_t seed)
{
    char comment[2 * PATH_MAX_LENGTH];
    struct scenario *written = malloc(sizeof *written);
    if (written == NULL)
        return;
    *written = *storm->written;
    text_copy(written->name, sizeof written->name, scenario->name);
    text_copy(written->claim, sizeof written->claim, scenario->claim);
    snprintf(comment, sizeof comment,
             "Trial of the storm %s, which this seed drew. It is the trial's, too:\n"
             "ukemi run FILE --seed %llu",
             storm->name, (unsigned long long)seed);
    scenario_print(out, written, scenario, comment);
    free(written);
}
