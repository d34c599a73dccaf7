#include "harness/judge/tracks.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "harness/files/target/target.h"
#include "harness/history/fault_facts.h"
#include "harness/judge/pack.h"
#include "harness/judge/signal_trace.h"

#define BEFORE_FAULT_S 2.5
#define AFTER_FAULT_S 5.0
#define ROWS_MAX 5000 // of a file that is anybody's, and may say any time

static double end_s(const struct history *history)
{
    return instant_to_s(instant_ns(history_end_ns(history)));
}

struct tracks_frame tracks_frame(const struct history *history)
{
    const int faults = history_topic(history, TOPIC_FAULT);
    struct tracks_frame frame = {.to_s = end_s(history), .fault_s = NAN, .repair_s = NAN};
    for (size_t i = 0; i < history_length(history); i++) {
        const struct event *event = history_event(history, i);
        if (event->topic != faults)
            continue;
        const struct fault_event *fault = event->data;
        frame.fault_s = instant_to_s(fault->time);
        snprintf(frame.fault, sizeof frame.fault, "%s", fault->fault);
        frame.from_s = fmax(0, frame.fault_s - BEFORE_FAULT_S);
        frame.to_s = fmin(frame.to_s, frame.fault_s + AFTER_FAULT_S);
        frame.repair_s = fmin(fault_over_s(history, fault), frame.to_s);
        break;
    }
    return frame;
}

void tracks_put(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, "\t%.5g", value);
    else
        fputs("\tNaN", out);
}

// ---- the target's own quantities ----------------------------------------------------------------

struct column { // a quantity over time
    const char *name;
    struct formula_step *step;
    size_t count, next; // the step in force is the one before `next`
};

// Its value at an instant, asked in the order of time.
static double column_at(struct column *column, int64_t time_ns)
{
    while (column->next < column->count && column->step[column->next].from_ns <= time_ns)
        column->next++;
    return column->next == 0 ? NAN : formula_step_value(&column->step[column->next - 1]);
}

// Whether it has a value within the frame.
static bool column_is_known(const struct column *column, const struct tracks_frame *frame)
{
    const int64_t from_ns = llround(frame->from_s * 1e9), to_ns = llround(frame->to_s * 1e9);
    for (size_t i = 0; i < column->count && column->step[i].from_ns <= to_ns; i++) {
        const bool over = i + 1 < column->count && column->step[i + 1].from_ns <= from_ns;
        if (!over && isfinite(formula_step_value(&column->step[i])))
            return true;
    }
    return false;
}

static void put_rows(struct column *column, unsigned count, const struct tracks_frame *frame,
                     FILE *out)
{
    const double length_s = fmax(0, frame->to_s - frame->from_s),
                 period_s = fmax(TRACKS_PERIOD_S, length_s / ROWS_MAX);
    const unsigned rows = (unsigned)floor(length_s / period_s + 1e-9) + 1;
    fputs("time_s", out);
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "\t%s", column[i].name);
    fputc('\n', out);
    for (unsigned row = 0; row < rows; row++) {
        const double time_s = frame->from_s + row * period_s;
        fprintf(out, "%.3f", time_s);
        for (unsigned i = 0; i < count; i++)
            tracks_put(out, column_at(&column[i], llround(time_s * 1e9)));
        fputc('\n', out);
    }
}

// Those that have a value within the frame; all are the caller's to free, also after an error.
static enum status read_columns(const struct target *target, const struct history *history,
                                const struct tracks_frame *frame, struct column *column,
                                unsigned *count)
{
    enum status status = STATUS_OK;
    *count = 0;
    for (unsigned i = 0; status == STATUS_OK && i < target->quantity_count; i++) {
        struct column *one = &column[*count];
        *one = (struct column){.name = target->quantity[i].name};
        status = signal_trace_quantity(target, i, history, llround(frame->to_s * 1e9), &one->step,
                                       &one->count);
        if (column_is_known(one, frame))
            ++*count;
        else
            free(one->step);
    }
    return status;
}

static enum status write_quantities(const struct target *target, const struct history *history,
                                    const struct tracks_frame *frame, FILE *out)
{
    struct column *column = calloc(target->quantity_count + 1, sizeof *column);
    if (column == NULL)
        return STATUS_NO_MEMORY;
    unsigned count;
    enum status status = read_columns(target, history, frame, column, &count);
    if (status == STATUS_OK && count == 0)
        status = STATUS_NOT_FOUND;
    if (status == STATUS_OK)
        put_rows(column, count, frame, out);
    for (unsigned i = 0; i < count; i++)
        free(column[i].step);
    free(column);
    return status == STATUS_OK && ferror(out) ? STATUS_SYSTEM : status;
}

// ---- terms that are asked for -------------------------------------------------------------------

static enum status read_terms(const struct target *target, const struct history *history,
                              char *const *term, unsigned count, const struct tracks_frame *frame,
                              struct column *column, unsigned *wrong)
{
    char text[FORMULA_TEXT_MAX];
    enum status status = STATUS_OK;
    for (*wrong = 0; status == STATUS_OK && *wrong < count; ++*wrong) {
        struct column *one = &column[*wrong];
        one->name = term[*wrong];
        // A difference to 0 is the term itself.
        if (snprintf(text, sizeof text, "(%s) > 0", one->name) >= (int)sizeof text)
            return STATUS_INVALID;
        status = signal_trace_follow(target, text, history, llround(frame->to_s * 1e9), &one->step,
                                     &one->count);
        if (status == STATUS_OK && !column_is_known(one, frame))
            return STATUS_INVALID;
    }
    return status;
}

enum status tracks_write_terms(const struct target *target, const struct history *history,
                               char *const *term, unsigned count, unsigned *wrong, FILE *out)
{
    const struct tracks_frame frame = {.to_s = end_s(history)};
    struct column *column = calloc(count + 1, sizeof *column);
    if (column == NULL)
        return STATUS_NO_MEMORY;
    const enum status status = read_terms(target, history, term, count, &frame, column, wrong);
    if (status == STATUS_OK)
        put_rows(column, count, &frame, out);
    for (unsigned i = 0; i < count; i++)
        free(column[i].step);
    free(column);
    return status == STATUS_OK && ferror(out) ? STATUS_SYSTEM : status;
}

// ---- who draws ----------------------------------------------------------------------------------

enum status tracks_write_packs(const struct pack *const *packs, const struct target *target,
                               const struct description *description, const struct history *history,
                               const struct tracks_frame *frame, FILE *out)
{
    for (const struct pack *const *pack = packs; *pack != NULL; pack++)
        if ((*pack)->tracks != NULL && pack_in_force(packs, *pack, target))
            return (*pack)->tracks(history, description, frame, out);
    return STATUS_NOT_FOUND;
}

// Behind what the packs draw, as a block of a name.
static enum status append_quantities(const struct target *target, const struct history *history,
                                     const struct tracks_frame *frame, FILE *out)
{
    if (target->quantity_count == 0)
        return STATUS_OK;
    fputs("\n\n# " TRACKS_QUANTITIES "\n", out);
    const enum status status = write_quantities(target, history, frame, out);
    return status == STATUS_NOT_FOUND ? STATUS_OK : status;
}

enum status tracks_write(const struct pack *const *packs, const struct target *target,
                         const struct description *description, const struct history *history,
                         const struct tracks_frame *frame, FILE *out)
{
    const enum status status = tracks_write_packs(packs, target, description, history, frame, out);
    if (status == STATUS_OK)
        return append_quantities(target, history, frame, out);
    return status == STATUS_NOT_FOUND ? write_quantities(target, history, frame, out) : status;
}
