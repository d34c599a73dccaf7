#include "harness/formula/formula_track.h"

#include <math.h>
#include <stdlib.h>

#include "base/invariant.h"

bool track_add(struct track *track, struct step step)
{
    if (track->count > 0 && track->step[track->count - 1].from_ns == step.from_ns)
        track->count--;
    if (track->count == track->room) {
        const size_t room = track->room == 0 ? 64 : 2 * track->room;
        struct step *more = realloc(track->step, room * sizeof *more);
        if (more == NULL)
            return false;
        track->step = more;
        track->room = room;
    }
    track->step[track->count++] = step;
    return true;
}

void track_free(struct track *track)
{
    free(track->step);
    *track = (struct track){0};
}

// Number of the last step that begins at or before an instant, looked for from `near` on.
static size_t index_at(const struct track *track, size_t near, int64_t time_ns)
{
    while (near + 1 < track->count && track->step[near + 1].from_ns <= time_ns)
        near++;
    return near;
}

const struct step *track_at(const struct track *track, int64_t time_ns)
{
    expects(track->count > 0);
    return &track->step[index_at(track, 0, time_ns)];
}

static struct bound negative(struct bound bound)
{
    return (struct bound){-bound.value, bound.at_ns};
}

static struct bound lesser(struct bound a, struct bound b)
{
    return b.value < a.value ? b : a;
}

static struct bound greater(struct bound a, struct bound b)
{
    return b.value > a.value ? b : a;
}

void track_negate(struct track *track)
{
    for (size_t i = 0; i < track->count; i++) {
        struct step *step = &track->step[i];
        const struct bound low = step->low;
        step->low = negative(step->high);
        step->high = negative(low);
    }
}

// Steps of two tracks side by side: each instant at which one of them begins a step.
struct pair {
    const struct track *a, *b;
    size_t i, j;
};

static int64_t begin_of(const struct pair *pair)
{
    const int64_t a = pair->a->step[pair->i].from_ns, b = pair->b->step[pair->j].from_ns;
    return a > b ? a : b;
}

static bool next_pair(struct pair *pair)
{
    const bool more_a = pair->i + 1 < pair->a->count, more_b = pair->j + 1 < pair->b->count;
    if (!more_a && !more_b)
        return false;
    const int64_t a = more_a ? pair->a->step[pair->i + 1].from_ns : INT64_MAX;
    const int64_t b = more_b ? pair->b->step[pair->j + 1].from_ns : INT64_MAX;
    pair->i += more_a && a <= b;
    pair->j += more_b && b <= a;
    return true;
}

bool track_lesser(const struct track *a, const struct track *b, struct track *result)
{
    expects(a->count > 0 && b->count > 0); // every track begins before all times
    struct pair pair = {a, b, 0, 0};
    do {
        const struct step *x = &a->step[pair.i], *y = &b->step[pair.j];
        if (!track_add(result, (struct step){begin_of(&pair), lesser(x->low, y->low),
                                             lesser(x->high, y->high)}))
            return false;
    } while (next_pair(&pair));
    return true;
}

// `time_ns` - `earlier_ns`, and INT64_MIN stays what it is.
static int64_t before(int64_t time_ns, int64_t earlier_ns)
{
    return time_ns < INT64_MIN + earlier_ns ? INT64_MIN : time_ns - earlier_ns;
}

static int64_t after(int64_t time_ns, int64_t later_ns)
{
    return time_ns > INT64_MAX - later_ns ? INT64_MAX : time_ns + later_ns;
}

// The least bound of a window that moves on: numbers of steps whose bounds increase, the least
// first (Lemire, "Streaming maximum-minimum filter", 2006).
struct least {
    const struct track *track;
    bool high; // of the higher bounds
    size_t *queue, first, count, next;
};

static struct bound bound_of(const struct least *least, size_t index)
{
    const struct step *step = &least->track->step[index];
    return least->high ? step->high : step->low;
}

// Moves the window to the steps first..last; neither end ever goes back.
static struct bound slide(struct least *least, size_t first, size_t last)
{
    for (; least->next <= last; least->next++) {
        while (least->count > 0 &&
               bound_of(least, least->queue[least->first + least->count - 1]).value >
                   bound_of(least, least->next).value)
            least->count--;
        least->queue[least->first + least->count++] = least->next;
    }
    for (; least->queue[least->first] < first; least->count--)
        least->first++;
    invariant(least->count > 0); // the last step of the window is always a candidate
    return bound_of(least, least->queue[least->first]);
}

// The next instant, after `time_ns`, at which a window's end meets a step; false: there is none.
static bool next_edge(const struct track *a, const size_t *index, const int64_t *offset_ns,
                      int64_t *time_ns)
{
    bool more = false;
    int64_t next = INT64_MAX;
    for (int end = 0; end < 2; end++)
        if (index[end] + 1 < a->count) {
            const int64_t edge = before(a->step[index[end] + 1].from_ns, offset_ns[end]);
            next = edge < next ? edge : next;
            more = true;
        }
    *time_ns = next;
    return more;
}

bool track_always(const struct track *a, int64_t from_ns, int64_t to_ns, struct track *result)
{
    expects(a->count > 0 && from_ns >= 0 && from_ns <= to_ns);
    size_t *memory = malloc(2 * a->count * sizeof *memory);
    struct least low = {.track = a, .queue = memory},
                 high = {.track = a, .high = true, .queue = memory + a->count};
    const int64_t offset_ns[2] = {from_ns, to_ns};
    size_t index[2] = {0, 0};
    bool fine = memory != NULL;
    int64_t time_ns = INT64_MIN;
    for (bool more = fine; more && fine; more = next_edge(a, index, offset_ns, &time_ns)) {
        for (int end = 0; end < 2 && time_ns > INT64_MIN; end++)
            index[end] = index_at(a, index[end], after(time_ns, offset_ns[end]));
        fine = track_add(result, (struct step){time_ns, slide(&low, index[0], index[1]),
                                               slide(&high, index[0], index[1])});
    }
    free(memory);
    return fine;
}

static void reverse(struct track *track)
{
    for (size_t i = 0, j = track->count; i + 1 < j--; i++) {
        const struct step step = track->step[i];
        track->step[i] = track->step[j];
        track->step[j] = step;
    }
    ensures(track->count < 2 || track->step[0].from_ns < track->step[1].from_ns);
}

static const struct step unknown = {0, {-INFINITY, INT64_MIN}, {INFINITY, INT64_MIN}};

bool track_always_to_end(const struct track *a, int64_t end_ns, struct track *result)
{
    struct step rest = unknown;
    rest.from_ns = after(end_ns, 1);
    if (!track_add(result, rest))
        return false;
    rest.low = rest.high = (struct bound){INFINITY, end_ns};
    for (size_t i = a->count; i-- > 0;) {
        if (a->step[i].from_ns > end_ns)
            continue;
        rest = (struct step){a->step[i].from_ns, lesser(a->step[i].low, rest.low),
                             lesser(a->step[i].high, rest.high)};
        if (!track_add(result, rest))
            return false;
    }
    reverse(result);
    return true;
}

static struct bound until_now(struct bound a, struct bound b, struct bound later)
{
    return lesser(a, greater(b, later));
}

bool track_until(const struct track *a, const struct track *b, int64_t end_ns, struct track *result)
{
    struct step rest = unknown;
    struct track both = {0}; // every instant at which anything changes
    bool fine = track_lesser(a, b, &both);
    if (end_ns != INT64_MAX) {
        rest.low = rest.high = (struct bound){-INFINITY, end_ns};
        const struct step after_end = {after(end_ns, 1), unknown.low, unknown.high};
        fine = fine && track_add(result, after_end);
    }
    size_t i = a->count - 1, j = b->count - 1;
    for (size_t n = fine ? both.count : 0; fine && n-- > 0;) {
        const int64_t from_ns = both.step[n].from_ns;
        if (from_ns > end_ns)
            continue;
        while (a->step[i].from_ns > from_ns)
            i--;
        while (b->step[j].from_ns > from_ns)
            j--;
        rest = (struct step){from_ns, until_now(a->step[i].low, b->step[j].low, rest.low),
                             until_now(a->step[i].high, b->step[j].high, rest.high)};
        fine = track_add(result, rest);
    }
    track_free(&both);
    reverse(result);
    return fine;
}
