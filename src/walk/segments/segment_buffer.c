#include "walk/segments/segment_buffer.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"

// Bounds on what a trajectory may do between samples 10 ms apart. The fastest swing foot moves at
// about 1.5 m/s and accelerates at about 20 m/s2; twice that is a planner gone wrong.
#define SPEED_MAX_M_S 3.0
#define ACCELERATION_MAX_M_S2 60.0
#define YAW_SPEED_MAX_RAD_S 4.0
#define START_TOLERANCE_M 0.01
#define START_TOLERANCE_RAD 0.03
#define REST_SPEED_M_S 0.02      // at the end of a segment
#define REST_FOOT_HEIGHT_M 0.002 // both soles on one floor
#define REST_COM_DISTANCE_M 0.12 // centre of mass to the middle between the feet
#define REST_COM_ACROSS_SHARE                                                                      \
    0.35 // ... and across, as a share of the distance of the feet, + half a sole
#define REST_COM_ACROSS_M 0.05

void segment_buffer_clear(struct segment_buffer *buffer)
{
    buffer->plan_id = 0;
    buffer->segment_number = 0;
    buffer->request_id = 0;
    buffer->final = 0;
    buffer->first = 0;
    buffer->end = 0;
}

static size_t slot(int64_t index)
{
    return (size_t)(index % SEGMENT_SAMPLES_MAX);
}

const struct segment_sample *segment_buffer_at(const struct segment_buffer *buffer, int64_t index)
{
    invariant(buffer->first >= 0 && buffer->end - buffer->first <= SEGMENT_SAMPLES_MAX);
    if (buffer->plan_id == 0 || index < buffer->first || index >= buffer->end)
        return NULL;
    return &buffer->sample[slot(index)];
}

bool segment_sample_finite(const struct segment_sample *sample)
{
    double sum = sample->pelvis_yaw_rad + sample->phase + sample->zmp_m[0] + sample->zmp_m[1] +
                 sample->com_velocity_m_s[0] + sample->com_velocity_m_s[1];
    for (int i = 0; i < 3; i++)
        sum += sample->pelvis_m[i] + sample->com_m[i];
    for (int side = 0; side < SIDE_COUNT; side++) {
        sum += sample->foot_yaw_rad[side];
        for (int i = 0; i < 3; i++)
            sum += sample->foot_m[side][i];
    }
    return isfinite(sum);
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static bool step_bounded(const struct segment_sample *a, const struct segment_sample *b)
{
    const double travel = SPEED_MAX_M_S * SEGMENT_PERIOD_S;
    const double turn = YAW_SPEED_MAX_RAD_S * SEGMENT_PERIOD_S;
    if (distance(a->pelvis_m, b->pelvis_m) > travel ||
        fabs(a->pelvis_yaw_rad - b->pelvis_yaw_rad) > turn)
        return false;
    for (int side = 0; side < SIDE_COUNT; side++)
        if (distance(a->foot_m[side], b->foot_m[side]) > travel ||
            fabs(a->foot_yaw_rad[side] - b->foot_yaw_rad[side]) > turn)
            return false;
    return true;
}

// Second difference of a point over three consecutive samples, against the acceleration bound.
static bool bend_bounded(const double a[3], const double b[3], const double c[3])
{
    const double bound = ACCELERATION_MAX_M_S2 * SEGMENT_PERIOD_S * SEGMENT_PERIOD_S;
    for (int i = 0; i < 3; i++)
        if (fabs(a[i] - 2 * b[i] + c[i]) > bound)
            return false;
    return true;
}

static bool joins(const struct segment_sample *a, const struct segment_sample *b,
                  const struct segment_sample *c)
{
    if (!segment_sample_finite(c) || !step_bounded(b, c))
        return false;
    if (a == NULL)
        return true;
    return bend_bounded(a->pelvis_m, b->pelvis_m, c->pelvis_m) &&
           bend_bounded(a->foot_m[SIDE_RIGHT], b->foot_m[SIDE_RIGHT], c->foot_m[SIDE_RIGHT]) &&
           bend_bounded(a->foot_m[SIDE_LEFT], b->foot_m[SIDE_LEFT], c->foot_m[SIDE_LEFT]);
}

bool segment_ends_stable(const struct segment_sample *before_last,
                         const struct segment_sample *last)
{
    const double rest = REST_SPEED_M_S * SEGMENT_PERIOD_S;
    if (last->support != SUPPORT_BOTH || distance(before_last->pelvis_m, last->pelvis_m) > rest ||
        hypot(last->com_velocity_m_s[0], last->com_velocity_m_s[1]) > REST_SPEED_M_S)
        return false;
    for (int side = 0; side < SIDE_COUNT; side++)
        if (distance(before_last->foot_m[side], last->foot_m[side]) > rest)
            return false;
    const double *right = last->foot_m[SIDE_RIGHT], *left = last->foot_m[SIDE_LEFT];
    if (fabs(right[2] - left[2]) > REST_FOOT_HEIGHT_M)
        return false;
    double between[2] = {left[0] - right[0], left[1] - right[1]};
    double com[2] = {last->com_m[0] - 0.5 * (left[0] + right[0]),
                     last->com_m[1] - 0.5 * (left[1] + right[1])};
    double feet = hypot(between[0], between[1]);
    if (feet < 1e-6)
        return false;
    double across = (com[0] * between[0] + com[1] * between[1]) / feet;
    double along = (com[0] * between[1] - com[1] * between[0]) / feet;
    return fabs(across) < REST_COM_ACROSS_SHARE * feet + REST_COM_ACROSS_M &&
           fabs(along) < REST_COM_DISTANCE_M;
}

static enum splice check_inside(const struct segment_message *segment)
{
    if (segment->count < 2 || segment->count > SEGMENT_SAMPLES_MAX)
        return SPLICE_EMPTY;
    if (!segment_sample_finite(&segment->sample[0]))
        return SPLICE_JUMP;
    for (uint32_t i = 1; i < segment->count; i++) {
        const struct segment_sample *before = i >= 2 ? &segment->sample[i - 2] : NULL;
        if (!joins(before, &segment->sample[i - 1], &segment->sample[i]))
            return SPLICE_JUMP;
    }
    const struct segment_sample *last = &segment->sample[segment->count - 1];
    return segment_ends_stable(last - 1, last) ? SPLICE_TAKEN : SPLICE_END;
}

static void take(struct segment_buffer *buffer, const struct segment_message *segment)
{
    expects(segment->count <= SEGMENT_SAMPLES_MAX && segment->first >= buffer->first);
    for (uint32_t i = 0; i < segment->count; i++)
        buffer->sample[slot(segment->first + i)] = segment->sample[i];
    buffer->end = segment->first + segment->count;
    if (buffer->end - buffer->first > SEGMENT_SAMPLES_MAX)
        buffer->first = buffer->end - SEGMENT_SAMPLES_MAX;
    buffer->segment_number = segment->segment_number;
    buffer->final = segment->final;
}

static bool stands_at(const struct segment_sample *stand, const struct segment_sample *sample)
{
    if (distance(stand->pelvis_m, sample->pelvis_m) > START_TOLERANCE_M ||
        fabs(remainder(stand->pelvis_yaw_rad - sample->pelvis_yaw_rad, 2 * M_PI)) >
            START_TOLERANCE_RAD)
        return false;
    for (int side = 0; side < SIDE_COUNT; side++)
        if (distance(stand->foot_m[side], sample->foot_m[side]) > START_TOLERANCE_M ||
            fabs(remainder(stand->foot_yaw_rad[side] - sample->foot_yaw_rad[side], 2 * M_PI)) >
                START_TOLERANCE_RAD)
            return false;
    return true;
}

enum splice segment_buffer_begin(struct segment_buffer *buffer,
                                 const struct segment_message *segment, uint64_t epoch,
                                 const struct segment_sample *stand)
{
    if (segment->epoch != epoch)
        return SPLICE_EPOCH;
    if (segment->plan_id == 0 || segment->first != 0)
        return SPLICE_PLAN;
    enum splice inside = check_inside(segment);
    if (inside != SPLICE_TAKEN)
        return inside;
    if (!stands_at(stand, &segment->sample[0]))
        return SPLICE_START;
    segment_buffer_clear(buffer);
    buffer->plan_id = segment->plan_id;
    buffer->request_id = segment->request_id;
    buffer->gait = segment->gait;
    take(buffer, segment);
    return SPLICE_TAKEN;
}

enum splice segment_buffer_splice(struct segment_buffer *buffer,
                                  const struct segment_message *segment, uint64_t epoch,
                                  int64_t executing)
{
    if (segment->epoch != epoch)
        return SPLICE_EPOCH;
    if (buffer->plan_id == 0 || segment->plan_id != buffer->plan_id)
        return SPLICE_PLAN;
    if (segment->segment_number <= buffer->segment_number)
        return SPLICE_NUMBER;
    if (segment->first <= executing)
        return SPLICE_LATE;
    if (segment->first > buffer->end || segment->first - buffer->first < 1)
        return SPLICE_GAP;
    if (segment->first + segment->count - executing > SEGMENT_SAMPLES_MAX - 2)
        return SPLICE_EMPTY;
    enum splice inside = check_inside(segment);
    if (inside != SPLICE_TAKEN)
        return inside;
    const struct segment_sample *before = segment_buffer_at(buffer, segment->first - 2);
    const struct segment_sample *last = segment_buffer_at(buffer, segment->first - 1);
    if (last == NULL || !joins(before, last, &segment->sample[0]) ||
        !joins(last, &segment->sample[0], &segment->sample[1]))
        return SPLICE_JUMP;
    take(buffer, segment);
    return SPLICE_TAKEN;
}

enum splice segment_buffer_resume(struct segment_buffer *buffer,
                                  const struct segment_message *segment)
{
    if (segment->plan_id == 0 || segment->first < 0 || segment->first > PLAN_SAMPLES_MAX)
        return SPLICE_PLAN;
    const enum splice inside = check_inside(segment);
    if (inside != SPLICE_TAKEN)
        return inside;
    const bool goes_on = segment->plan_id == buffer->plan_id && segment->first <= buffer->end &&
                         segment->first > buffer->first;
    if (!goes_on) {
        segment_buffer_clear(buffer);
        buffer->first = segment->first;
    }
    buffer->plan_id = segment->plan_id;
    buffer->request_id = segment->request_id;
    buffer->gait = segment->gait;
    take(buffer, segment);
    return SPLICE_TAKEN;
}

const char *splice_text(enum splice splice)
{
    static const char *const text[] = {
#define SPLICE_TEXT(name, words) words,
        SPLICE_TABLE(SPLICE_TEXT)
#undef SPLICE_TEXT
    };
    return (unsigned)splice < SPLICE_COUNT ? text[splice] : "?";
}
