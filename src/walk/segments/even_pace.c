#include "walk/segments/even_pace.h"

#include <math.h>
#include <stddef.h>

static const struct segment_sample *nearest(const struct segment_buffer *buffer, int64_t index)
{
    const int64_t from_first = index < buffer->first ? buffer->first : index;
    return segment_buffer_at(buffer, from_first < buffer->end ? from_first : buffer->end - 1);
}

double even_pace_ahead_m(const struct segment_buffer *buffer, int64_t index, unsigned step_samples)
{
    const struct segment_sample *now = nearest(buffer, index);
    if (now == NULL || step_samples < 2)
        return 0;
    const double c = cos(now->pelvis_yaw_rad), s = sin(now->pelvis_yaw_rad);
    const int64_t half = step_samples / 2;
    double sum_m = 0;
    for (int64_t i = -half; i <= half; i++) {
        const struct segment_sample *then = nearest(buffer, index + i);
        const double share = i == -half || i == half ? 0.5 : 1; // the trapezoidal rule
        sum_m += share * (c * (now->pelvis_m[0] - then->pelvis_m[0]) +
                          s * (now->pelvis_m[1] - then->pelvis_m[1]));
    }
    return sum_m / (2.0 * (double)half);
}
