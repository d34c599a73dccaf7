#include "harness/explore/shrink.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/text.h"
#include "harness/files/fault/catalogue.h"
#include "harness/files/fault/fault_meet.h"
#include "harness/files/fault/fault_watch.h"
#include "harness/files/scenario_text.h"

#define ROUNDS_MAX 8
#define STEPS_MAX 6 // of a number, in a round
#define MEMORY_MAX 4096
#define LEAST_S 1e-3 // of a duration
#define DURATION 0   // numbers of a fault: these two, then its parameters
#define RESTART 1
#define PARAMETERS 2

struct tried {
    uint64_t hash;
    bool fails;
};

struct shrinking {
    const struct shrink_request *request;
    struct scenario *now;
    unsigned runs, tried_count;
    struct tried tried[MEMORY_MAX];
    // A batch of candidates, the one that is wanted most first.
    unsigned count;
    struct scenario *batch[SHRINK_BATCH_MAX];
    enum status status;
};

// ---- candidates --------------------------------------------------------------------------------

static uint64_t hash_of(const struct scenario *scenario)
{
    char *text = NULL;
    size_t size_B = 0;
    FILE *out = open_memstream(&text, &size_B);
    if (out == NULL)
        return 0;
    for (unsigned i = 0; i < scenario->environment_count; i++)
        fprintf(out, "%s\n", scenario->environment[i]);
    fprintf(out, "%.17g\n", scenario->duration_s);
    for (unsigned i = 0; i < scenario->fault_count; i++) {
        const struct fault_request *fault = &scenario->fault[i];
        fprintf(out, "%s %s %d %.17g %s %.17g %.17g", fault->kind, fault->component,
                (int)fault->at.kind, fault->at.time_min_s, fault->at.when, fault->duration_s,
                fault->restart_after_s);
        for (unsigned p = 0; p < fault->parameter_count; p++)
            fprintf(out, " %s", fault->parameter[p]);
        fputc('\n', out);
    }
    (void)fclose(out); // memory
    const uint64_t hash = XXH3_64bits(text, size_B);
    free(text);
    return hash;
}

// Whether its file would be accepted.
static bool is_sound(const struct shrinking *s, const struct scenario *scenario)
{
    char why[256];
    const struct target *target = s->request->target;
    for (unsigned i = 0; i < scenario->fault_count; i++) {
        if (!fault_watched(scenario, i, why, sizeof why))
            return false;
        for (unsigned j = 0; j < scenario->fault_count; j++)
            if (i != j && faults_clash(scenario->catalogue, target, scenario, i, j) != NULL)
                return false;
    }
    for (unsigned i = 0; i < scenario->promise_count; i++) {
        const struct promise *promise = &scenario->promise[i];
        const double until_s = promise->after_s + promise->for_s + promise->looks_s;
        if ((!promise->of_target &&
             !promise_anchored(scenario, target, promise, why, sizeof why)) ||
            (promise->from == FROM_START && promise->program[0] == '\0' &&
             until_s > scenario->duration_s))
            return false;
    }
    return scenario->watch_s <= scenario->duration_s;
}

static const struct tried *find(const struct shrinking *s, uint64_t hash)
{
    for (unsigned i = 0; i < s->tried_count; i++)
        if (s->tried[i].hash == hash)
            return &s->tried[i];
    return NULL;
}

// A copy of what there is now, to be changed; NULL: no room or memory.
static struct scenario *propose(struct shrinking *s)
{
    if (s->count == SHRINK_BATCH_MAX)
        return NULL;
    struct scenario *candidate = malloc(sizeof *candidate);
    if (candidate == NULL) {
        s->status = STATUS_NO_MEMORY;
        return NULL;
    }
    *candidate = *s->now;
    s->batch[s->count++] = candidate;
    return candidate;
}

// Asks for those of the batch of which nothing is known yet.
static void ask_unknown(struct shrinking *s)
{
    struct scenario *unknown[SHRINK_BATCH_MAX];
    uint64_t hash[SHRINK_BATCH_MAX];
    bool fails[SHRINK_BATCH_MAX] = {false};
    unsigned count = 0;
    for (unsigned i = 0; i < s->count; i++) {
        const uint64_t own = hash_of(s->batch[i]);
        bool known = find(s, own) != NULL || !is_sound(s, s->batch[i]);
        for (unsigned j = 0; j < count; j++)
            known |= hash[j] == own;
        if (known || s->runs + count >= s->request->runs_max ||
            s->tried_count + count == MEMORY_MAX)
            continue;
        hash[count] = own;
        unknown[count++] = s->batch[i];
    }
    if (count == 0 || s->status != STATUS_OK)
        return;
    s->status = s->request->ask(s->request->context, unknown, count, fails);
    s->runs += count;
    for (unsigned i = 0; i < count; i++)
        s->tried[s->tried_count++] = (struct tried){hash[i], fails[i]};
}

// Takes the first of the batch that fails alike, and is another. Whether there was one.
static bool take_first(struct shrinking *s)
{
    const uint64_t now = hash_of(s->now);
    bool taken = false;
    ask_unknown(s);
    for (unsigned i = 0; i < s->count; i++) {
        const uint64_t hash = hash_of(s->batch[i]);
        const struct tried *tried = hash == now ? NULL : find(s, hash);
        if (!taken && s->status == STATUS_OK && tried != NULL && tried->fails) {
            free(s->now);
            s->now = s->batch[i];
            taken = true;
        } else
            free(s->batch[i]);
    }
    s->count = 0;
    return taken;
}

// ---- fewer faults ------------------------------------------------------------------------------

// Those of the faults whose bit is set.
static void keep_faults(struct scenario *scenario, unsigned bits)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < scenario->fault_count; i++)
        if ((bits >> i & 1) != 0)
            scenario->fault[kept++] = scenario->fault[i];
    scenario->fault_count = kept;
}

static void propose_faults(struct shrinking *s, unsigned bits)
{
    struct scenario *candidate = propose(s);
    if (candidate != NULL)
        keep_faults(candidate, bits);
}

// None, each alone, then halves, then all but one, as long as that helps.
static bool drop_faults(struct shrinking *s)
{
    const unsigned before = s->now->fault_count, all = (1U << before) - 1;
    const unsigned half = (1U << before / 2) - 1;
    if (before == 0)
        return false;
    propose_faults(s, 0);
    for (unsigned i = 0; i < before && before > 1; i++)
        propose_faults(s, 1U << i);
    if (take_first(s))
        return true;
    if (before > 3) {
        propose_faults(s, half);
        propose_faults(s, all & ~half);
        if (take_first(s))
            return true;
    }
    for (unsigned i = 0; i < before && before > 2; i++)
        propose_faults(s, all & ~(1U << i));
    return take_first(s);
}

// ---- weaker ones -------------------------------------------------------------------------------

static const struct fault_parameter *
parameter_of(const struct scenario *scenario, const struct fault_request *fault, unsigned number)
{
    const struct fault_kind *kind = catalogue_find(scenario->catalogue, fault->kind);
    const size_t length = strcspn(fault->parameter[number], "=");
    for (unsigned i = 0; kind != NULL && i < kind->parameter_count; i++)
        if (strlen(kind->parameter[i].name) == length &&
            strncmp(kind->parameter[i].name, fault->parameter[number], length) == 0)
            return &kind->parameter[i];
    return NULL;
}

static bool is_number(const struct fault_parameter *parameter)
{
    return parameter != NULL && !parameter->text && !parameter->field &&
           parameter->names == NAMES_NOTHING && parameter->choice_count == 0;
}

unsigned shrink_numbers(const struct scenario *scenario, unsigned fault)
{
    return PARAMETERS + scenario->fault[fault].parameter_count;
}

bool shrink_number(const struct scenario *scenario, unsigned fault, unsigned number, double *value,
                   double *harmless)
{
    const struct fault_request *request = &scenario->fault[fault];
    *harmless = LEAST_S;
    if (number == DURATION || number == RESTART) {
        *value = number == DURATION ? request->duration_s : request->restart_after_s;
        return *value > *harmless;
    }
    const struct fault_parameter *parameter = parameter_of(scenario, request, number - PARAMETERS);
    if (!is_number(parameter))
        return false;
    *value = strtod(strchr(request->parameter[number - PARAMETERS], '=') + 1, NULL);
    *harmless = fmin(fmax(0, parameter->min), parameter->max);
    return *value != *harmless;
}

void shrink_set_number(struct scenario *scenario, unsigned fault, unsigned number, double value)
{
    struct fault_request *request = &scenario->fault[fault];
    char digits[32];
    if (number == DURATION)
        request->duration_s = value;
    else if (number == RESTART)
        request->restart_after_s = value;
    else {
        char *text = request->parameter[number - PARAMETERS];
        *(strchr(text, '=') + 1) = '\0';
        text_add(text, NAME_MAX_LENGTH, "%s", number_text(value, digits));
    }
}

// Whole numbers stay whole.
static double nearer(const struct scenario *scenario, unsigned fault, unsigned number, double value,
                     double harmless, double share)
{
    const double between = number_rounded(harmless + share * (value - harmless), 2);
    bool whole = false;
    if (number >= PARAMETERS) {
        const char *text = strchr(scenario->fault[fault].parameter[number - PARAMETERS], '=') + 1;
        const struct fault_parameter *parameter =
            parameter_of(scenario, &scenario->fault[fault], number - PARAMETERS);
        whole = strchr(text, '.') == NULL && strchr(text, 'e') == NULL &&
                strchr(parameter->fallback, '.') == NULL && floor(value) == value &&
                fabs(parameter->max) > 1;
    }
    return whole ? trunc(between) : between;
}

// Whether a file may say so: some numbers may not be 0.
static bool may_be(const struct scenario *scenario, unsigned fault, unsigned number, double value)
{
    return value != 0 || number < PARAMETERS ||
           !parameter_of(scenario, &scenario->fault[fault], number - PARAMETERS)->nonzero;
}

static bool weaken(struct shrinking *s, unsigned fault, unsigned number)
{
    static const double shares[] = {0, 0.0625, 0.25, 0.5};
    double value, harmless;
    bool any = false;
    for (unsigned step = 0;
         step < STEPS_MAX && shrink_number(s->now, fault, number, &value, &harmless); step++) {
        for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
            struct scenario *candidate = propose(s);
            const double to = nearer(s->now, fault, number, value, harmless, shares[i]);
            if (candidate != NULL && to != value && may_be(s->now, fault, number, to))
                shrink_set_number(candidate, fault, number, to);
        }
        const double before = value;
        if (!take_first(s) || !shrink_number(s->now, fault, number, &value, &harmless) ||
            value == before)
            break;
        any = true;
    }
    // The number itself, with fewer digits.
    for (unsigned digits = 1; digits <= 2; digits++) {
        struct scenario *candidate =
            shrink_number(s->now, fault, number, &value, &harmless) ? propose(s) : NULL;
        if (candidate != NULL && number_rounded(value, digits) > 0)
            shrink_set_number(candidate, fault, number, number_rounded(value, digits));
    }
    (void)take_first(s);
    return any;
}

static bool weaken_all(struct shrinking *s)
{
    bool any = false;
    for (unsigned i = 0; i < s->now->fault_count; i++)
        for (unsigned n = 0; n < shrink_numbers(s->now, i); n++)
            any |= weaken(s, i, n);
    return any;
}

// ---- rounder instants, a shorter trial, a plainer world
// -------------------------------------------

static void round_instants(struct shrinking *s)
{
    static const double grids[] = {1, 0.1, 0.01, 0.001};
    for (unsigned i = 0; i < s->now->fault_count; i++) {
        const struct trigger *at = &s->now->fault[i].at;
        for (size_t g = 0; g < sizeof grids / sizeof grids[0] && at->kind == TRIGGER_TIME; g++) {
            const double rounded_s =
                number_rounded(round(at->time_min_s / grids[g]) * grids[g], 12);
            struct scenario *candidate = propose(s);
            if (candidate != NULL)
                candidate->fault[i].at.time_min_s = candidate->fault[i].at.time_max_s = rounded_s;
        }
        (void)take_first(s);
    }
}

static void end_soon(struct shrinking *s)
{
    static const double after_s[] = {0.1, 0.5, 1, 2, 4};
    for (size_t i = 0; i < sizeof after_s / sizeof after_s[0]; i++) {
        const double end_s =
            number_rounded(ceil(10 * (s->request->decided_s + after_s[i])) / 10, 12);
        struct scenario *candidate = end_s < s->now->duration_s ? propose(s) : NULL;
        if (candidate == NULL)
            continue;
        candidate->duration_s = end_s;
        candidate->watch_s = fmin(candidate->watch_s, end_s);
    }
    (void)take_first(s);
}

static void drop_environment(struct shrinking *s)
{
    for (unsigned i = 0; i < s->now->environment_count;) {
        struct scenario *candidate = propose(s);
        if (candidate == NULL)
            return;
        for (unsigned j = i + 1; j < candidate->environment_count; j++)
            text_copy(candidate->environment[j - 1], NAME_MAX_LENGTH, candidate->environment[j]);
        candidate->environment_count--;
        if (!take_first(s))
            i++;
    }
}

// ---- the whole ---------------------------------------------------------------------------------

// Whether without any fault, and with any number halved, it does not fail alike. What is refused
// as a file counts as not failing.
static bool is_minimal(struct shrinking *s, unsigned *numbers)
{
    const unsigned count = s->now->fault_count;
    bool minimal = true;
    *numbers = 0;
    for (unsigned i = 0; i < count && minimal; i++) {
        propose_faults(s, ((1U << count) - 1) & ~(1U << i));
        minimal = !take_first(s);
        for (unsigned n = 0; minimal && n < shrink_numbers(s->now, i); n++) {
            double value, harmless;
            if (!shrink_number(s->now, i, n, &value, &harmless))
                continue;
            const double half = nearer(s->now, i, n, value, harmless, 0.5);
            struct scenario *candidate = half != value ? propose(s) : NULL;
            if (candidate == NULL)
                continue;
            shrink_set_number(candidate, i, n, half);
            ++*numbers;
            minimal = !take_first(s);
        }
    }
    return minimal && s->status == STATUS_OK && s->runs < s->request->runs_max;
}

enum status shrink(const struct shrink_request *request, struct shrink_result *result)
{
    struct shrinking *s = calloc(1, sizeof *s);
    *result = (struct shrink_result){.faults_before = request->scenario->fault_count};
    if (s == NULL)
        return STATUS_NO_MEMORY;
    s->request = request;
    s->now = malloc(sizeof *s->now);
    s->status = s->now == NULL ? STATUS_NO_MEMORY : STATUS_OK;
    if (s->now != NULL) {
        *s->now = *request->scenario;
        s->now->own_catalogue = NULL;
        s->tried[s->tried_count++] = (struct tried){hash_of(s->now), true};
        if (isfinite(request->decided_s)) // first, since it makes all the others cheaper
            end_soon(s);
    }
    for (unsigned round = 0; s->status == STATUS_OK && round < ROUNDS_MAX; round++) {
        bool helped = false;
        while (s->status == STATUS_OK && drop_faults(s))
            helped = true;
        helped |= weaken_all(s);
        round_instants(s);
        if (isfinite(request->decided_s))
            end_soon(s); // what held it up may be gone
        drop_environment(s);
        result->minimal = !helped && is_minimal(s, &result->numbers);
        if (result->minimal || s->runs >= request->runs_max)
            break;
    }
    const enum status status = s->status;
    result->runs = s->runs;
    if (status == STATUS_OK)
        result->scenario = s->now;
    else
        free(s->now);
    free(s);
    return status;
}
