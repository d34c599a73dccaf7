// The samples balance holds of the plan it runs, and the rules by which a segment is spliced into
// them.
//
// A segment is taken whole or refused whole. It is taken only if it fits what is being executed
// (epoch, plan), begins in the future, joins without a jump of position or velocity, has no jump
// inside, and ends at rest on both feet with the centre of mass over them: so whatever the buffer
// holds always ends in a stable configuration (the paper, section III-B5). Pure; real-time safe
// (bounded by SEGMENT_SAMPLES_MAX); the structure is owned by the caller.
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "message/message.h"

#define SEGMENT_PERIOD_S 0.01
#define PLAN_SAMPLES_MAX (INT64_C(1) << 40) // no plan lasts so long

// X(name, text): what became of a segment.
#define SPLICE_TABLE(X)                                                                            \
    X(TAKEN, "taken")                                                                              \
    X(EMPTY, "has no samples, or more than fit")                                                   \
    X(EPOCH, "made for another epoch")                                                             \
    X(PLAN, "belongs to another plan")                                                             \
    X(NUMBER, "older than a segment already taken")                                                \
    X(LATE, "begins in the past")                                                                  \
    X(GAP, "begins after the end of what is held")                                                 \
    X(START, "does not begin where the robot stands")                                              \
    X(JUMP, "jumps in position or velocity")                                                       \
    X(END, "does not end at rest on both feet")

enum splice {
#define SPLICE_ENUM(name, text) SPLICE_##name,
    SPLICE_TABLE(SPLICE_ENUM)
#undef SPLICE_ENUM
        SPLICE_COUNT
};

struct segment_buffer {
    uint64_t plan_id;        // 0: empty
    uint64_t segment_number; // last one taken
    uint64_t request_id;
    uint32_t gait;
    uint32_t final;
    int64_t first;                                     // oldest plan sample held
    int64_t end;                                       // one past the last plan sample held
    struct segment_sample sample[SEGMENT_SAMPLES_MAX]; // ring, by plan index
};

void segment_buffer_clear(struct segment_buffer *buffer);

// The sample of plan index `index`; NULL if it is not held.
const struct segment_sample *segment_buffer_at(const struct segment_buffer *buffer, int64_t index);

// A new plan (segment 1, first = 0): `stand` is the sample that describes the robot as it stands
// now.
enum splice segment_buffer_begin(struct segment_buffer *buffer,
                                 const struct segment_message *segment, uint64_t epoch,
                                 const struct segment_sample *stand) MUST_CHECK;

// A further segment of the plan held, while sample `executing` is being executed.
enum splice segment_buffer_splice(struct segment_buffer *buffer,
                                  const struct segment_message *segment, uint64_t epoch,
                                  int64_t executing) MUST_CHECK;

// A segment of a plan that somebody else executes: the buffer holds this one's samples, and what
// it held of the same plan before them.
enum splice segment_buffer_resume(struct segment_buffer *buffer,
                                  const struct segment_message *segment) MUST_CHECK;

// Whether a sample is finite, and whether the last two samples of a trajectory are a stable end.
bool segment_sample_finite(const struct segment_sample *sample);
bool segment_ends_stable(const struct segment_sample *before_last,
                         const struct segment_sample *last);

const char *splice_text(enum splice splice);
