#include "harness/explore/signature.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "harness/files/target/target.h"

// By its instant, those without one last; then by name, as the database sorts them.
static bool comes_first(const struct oracle_verdict *a, const struct oracle_verdict *b)
{
    const double one_s = isnan(a->broken_s) ? INFINITY : a->broken_s;
    const double other_s = isnan(b->broken_s) ? INFINITY : b->broken_s;
    return one_s != other_s ? one_s < other_s : strcmp(a->oracle, b->oracle) < 0;
}

static const struct oracle_verdict *decisive(const struct judgement *judgement)
{
    const struct oracle_verdict *first = NULL;
    for (unsigned i = 0; i < judgement->count; i++)
        if (judgement->oracle[i].verdict == VERDICT_FAIL &&
            (first == NULL || comes_first(&judgement->oracle[i], first)))
            first = &judgement->oracle[i];
    return first;
}

static const char *party_of(const struct trial_record *record, const struct target *target,
                            const char *detail)
{
    for (unsigned i = 0; i < record->process_event_count; i++) {
        const char *process = record->process_event[i].process;
        const size_t length = strlen(process);
        if (strncmp(detail, process, length) == 0 && detail[length] == ' ')
            return process;
    }
    return target->name;
}

static double undone_s(const struct trial_record *record, unsigned index)
{
    for (unsigned i = 0; i < record->fault_event_count; i++)
        if (record->fault_event[i].index == index && record->fault_event[i].kind == FAULT_UNDONE)
            return instant_to_s(record->fault_event[i].time);
    return INFINITY;
}

// The name after `after` in the order of the alphabet of those that acted; NULL: there is none.
static const char *next_acting(const struct trial_record *record, double broken_s,
                               const char *after)
{
    const char *next = NULL;
    for (unsigned i = 0; i < record->fault_event_count; i++) {
        const struct fault_event *event = &record->fault_event[i];
        if (event->kind == FAULT_APPLIED && instant_to_s(event->time) <= broken_s &&
            undone_s(record, event->index) >= broken_s && strcmp(event->fault, after) > 0 &&
            (next == NULL || strcmp(event->fault, next) < 0))
            next = event->fault;
    }
    return next;
}

static void find_acting(const struct trial_record *record, struct signature *signature)
{
    const double broken_s = isnan(signature->broken_s) ? INFINITY : signature->broken_s;
    for (const char *kind = next_acting(record, broken_s, ""); kind != NULL;
         kind = next_acting(record, broken_s, kind))
        text_add(signature->acting, ACTING_MAX, "%s%s", signature->acting[0] != '\0' ? "+" : "",
                 kind);
    if (signature->acting[0] == '\0')
        text_copy(signature->acting, ACTING_MAX, "calm");
}

bool signature_of(const struct trial_record *record, const struct target *target,
                  struct signature *signature)
{
    const struct oracle_verdict *oracle = decisive(&record->judgement);
    *signature = (struct signature){0};
    if (record->judgement.verdict != VERDICT_FAIL || oracle == NULL)
        return false;
    signature->broken_s = oracle->broken_s;
    signature->margin = oracle->margin;
    text_copy(signature->oracle, sizeof signature->oracle, oracle->oracle);
    text_copy(signature->detail, sizeof signature->detail, oracle->detail);
    text_copy(signature->unit, sizeof signature->unit, oracle->unit);
    text_copy(signature->party, sizeof signature->party, party_of(record, target, oracle->detail));
    find_acting(record, signature);
    return true;
}

static bool acted(const char *acting, const char *kind, size_t length)
{
    for (const char *word = acting; *word != '\0'; word += strspn(word, "+")) {
        const size_t this = strcspn(word, "+");
        if (this == length && strncmp(word, kind, length) == 0)
            return true;
        word += this;
    }
    return false;
}

bool signature_kept(const struct signature *first, const struct signature *smaller)
{
    if (strcmp(first->oracle, smaller->oracle) != 0 || strcmp(first->party, smaller->party) != 0)
        return false;
    for (const char *kind = smaller->acting; *kind != '\0'; kind += strspn(kind, "+")) {
        const size_t length = strcspn(kind, "+");
        if (!acted(first->acting, kind, length))
            return false;
        kind += length;
    }
    return true;
}
