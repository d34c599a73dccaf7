#include "harness/store/benchmark/change_points.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "harness/store/benchmark/statistics.h"

#define FIRST_ALPHA (10 * CHANGE_ALPHA)

struct series {
    const double *value;
    double relevant;
    struct change_point *point;
    size_t count, n;
};

// ---- two stretches ----------------------------------------------------------------------------

static double mean_of(const double *value, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += value[i];
    return sum / (double)n;
}

static double squares_of(const double *value, size_t n, double mean)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (value[i] - mean) * (value[i] - mean);
    return sum;
}

// Student's t with the pooled variance; without any variance a difference is certain. With two
// values nothing says how much they differ by themselves.
static void compare(const double *value, size_t left, size_t right, struct change_point *point)
{
    point->before = mean_of(value, left);
    point->after = mean_of(value + left, right);
    point->p = 1;
    const double difference = point->after - point->before;
    if (left + right < 3 || difference == 0)
        return;
    const double squares =
        squares_of(value, left, point->before) + squares_of(value + left, right, point->after);
    const double degrees = (double)(left + right - 2);
    const double spread = sqrt(squares / degrees * (1 / (double)left + 1 / (double)right));
    point->p = spread == 0 ? 0 : student_two_sided(difference / spread, (unsigned)degrees);
}

// A change beside the mean before; of a mean of 0 any is large.
static double magnitude(const struct change_point *point)
{
    const double change = fabs(point->after - point->before);
    return point->before == 0 ? (change == 0 ? 0 : INFINITY) : change / fabs(point->before);
}

// ---- where the sides differ most ----------------------------------------------------------------

static double distances(const double *value, size_t from, size_t to, size_t other, size_t end)
{
    double sum = 0;
    for (size_t i = from; i < to; i++)
        for (size_t j = other; j < end; j++)
            sum += fabs(value[i] - value[j]);
    return sum;
}

// The scaled energy distance of the sides of `cut` (ibid., equations 5 and 7): twice the mean
// distance across less those within. Of a side of one value there is none within.
static double energy(const double *value, size_t from, size_t cut, size_t to)
{
    const double left = (double)(cut - from), right = (double)(to - cut);
    const double across = 2 * distances(value, from, cut, cut, to) / (left * right);
    const double within_left =
        left > 1 ? distances(value, from, cut, from, cut) / (left * (left - 1)) : 0;
    const double within_right =
        right > 1 ? distances(value, cut, to, cut, to) / (right * (right - 1)) : 0;
    return left * right / (left + right) * (across - within_left - within_right);
}

static size_t best_cut(const double *value, size_t from, size_t to)
{
    size_t best = from + 1;
    double most = -INFINITY;
    for (size_t cut = from + 1; cut < to; cut++) {
        const double own = energy(value, from, cut, to);
        if (own > most) {
            most = own;
            best = cut;
        }
    }
    return best;
}

// ---- the points ---------------------------------------------------------------------------------

static void insert(struct series *s, struct change_point point)
{
    size_t place = s->count;
    for (; place > 0 && s->point[place - 1].index > point.index; place--)
        s->point[place] = s->point[place - 1];
    s->point[place] = point;
    s->count++;
}

// The stretches to be cut are those between the points that there are.
static bool split_once(struct series *s)
{
    for (size_t i = 0; i <= s->count; i++) {
        const size_t from = i == 0 ? 0 : s->point[i - 1].index,
                     to = i == s->count ? s->n : s->point[i].index;
        if (to - from < 3)
            continue;
        struct change_point point = {.index = best_cut(s->value, from, to)};
        compare(s->value + from, point.index - from, to - point.index, &point);
        if (point.p >= FIRST_ALPHA)
            continue;
        insert(s, point);
        return true;
    }
    return false;
}

static void compare_anew(struct series *s, size_t i)
{
    const size_t from = i == 0 ? 0 : s->point[i - 1].index,
                 to = i + 1 == s->count ? s->n : s->point[i + 1].index;
    compare(s->value + from, s->point[i].index - from, to - s->point[i].index, &s->point[i]);
}

// The one that is to go: the least significant, or the smallest; `count`: none.
static size_t weakest(const struct series *s)
{
    size_t weak = 0, small = 0;
    for (size_t i = 1; i < s->count; i++) {
        weak = s->point[i].p > s->point[weak].p ? i : weak;
        small = magnitude(&s->point[i]) < magnitude(&s->point[small]) ? i : small;
    }
    if (s->count > 0 && s->point[weak].p >= CHANGE_ALPHA)
        return weak;
    return s->count > 0 && magnitude(&s->point[small]) < s->relevant ? small : s->count;
}

static void merge(struct series *s)
{
    for (size_t i; (i = weakest(s)) < s->count;) {
        memmove(&s->point[i], &s->point[i + 1], (s->count - i - 1) * sizeof *s->point);
        s->count--;
        for (size_t k = i > 0 ? i - 1 : 0; k <= i && k < s->count; k++)
            compare_anew(s, k);
    }
}

enum status change_points(const double *value, size_t n, double relevant,
                          struct change_point *point, size_t *count)
{
    struct series s = {.value = value, .relevant = relevant, .point = point, .n = n};
    *count = 0;
    if (n > CHANGE_VALUES_MAX)
        return STATUS_INVALID;
    while (split_once(&s))
        ;
    for (size_t i = 0; i < s.count; i++)
        compare_anew(&s, i);
    merge(&s);
    *count = s.count;
    return STATUS_OK;
}
