#include "harness/view/envelope.h"

#include <math.h>

#include "base/json.h"

#define CODE_MAX 65534
#define CODE_NONE 65535

void envelope_start(struct envelope *e, int64_t end_ns)
{
    *e = (struct envelope){
        .end_ns = end_ns > 0 ? end_ns : 1, .least = INFINITY, .greatest = -INFINITY};
    for (unsigned i = 0; i < ENVELOPE_COLUMNS; i++) {
        e->low[i] = INFINITY;
        e->high[i] = -INFINITY;
    }
}

static unsigned column_of(const struct envelope *e, int64_t time_ns)
{
    const double share = (double)time_ns / (double)e->end_ns;
    const unsigned column = (unsigned)(share * ENVELOPE_COLUMNS);
    return column < ENVELOPE_COLUMNS ? column : ENVELOPE_COLUMNS - 1;
}

void envelope_hold(struct envelope *e, int64_t from_ns, int64_t to_ns, double value)
{
    from_ns = from_ns < 0 ? 0 : from_ns;
    to_ns = to_ns > e->end_ns ? e->end_ns : to_ns;
    if (to_ns < from_ns)
        return;
    if (!isfinite(value)) {
        e->not_finite++;
        return;
    }
    const unsigned last = column_of(e, to_ns);
    for (unsigned i = column_of(e, from_ns); i <= last; i++) {
        e->low[i] = fmin(e->low[i], value);
        e->high[i] = fmax(e->high[i], value);
    }
    e->least = fmin(e->least, value);
    e->greatest = fmax(e->greatest, value);
}

void envelope_sample(struct envelope *e, int64_t time_ns, double value)
{
    if (time_ns >= 0 && time_ns <= e->end_ns)
        envelope_hold(e, time_ns, time_ns, value);
}

bool envelope_is_constant(const struct envelope *e)
{
    return e->least >= e->greatest;
}

// Rounded so that the value is not beyond it.
static uint16_t code(const struct envelope *e, double value, bool upwards)
{
    const double place = (value - e->least) / (e->greatest - e->least) * CODE_MAX;
    const double whole = upwards ? ceil(place) : floor(place);
    return (uint16_t)fmin(fmax(whole, 0), CODE_MAX);
}

void envelope_write(const struct envelope *e, unsigned merged, FILE *out)
{
    uint16_t pair[2 * ENVELOPE_COLUMNS];
    const unsigned count = ENVELOPE_COLUMNS / merged;
    fprintf(out, "\"n\":%u,\"least\":", count);
    json_number(out, e->least);
    fputs(",\"greatest\":", out);
    json_number(out, e->greatest);
    if (e->not_finite > 0)
        fprintf(out, ",\"odd\":%llu", (unsigned long long)e->not_finite);
    if (envelope_is_constant(e))
        return;
    for (unsigned i = 0; i < count; i++) {
        double low = INFINITY, high = -INFINITY;
        for (unsigned j = i * merged; j < (i + 1) * merged; j++) {
            low = fmin(low, e->low[j]);
            high = fmax(high, e->high[j]);
        }
        const bool none = low > high;
        pair[2 * i] = none ? CODE_NONE : code(e, low, false);
        pair[2 * i + 1] = none ? CODE_NONE : code(e, high, true);
    }
    fputs(",\"data\":\"", out);
    json_base64(out, pair, 2 * count * sizeof pair[0]);
    fputc('"', out);
}
