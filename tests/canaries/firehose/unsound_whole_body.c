// The whole body, broken in the way that its argument says: swapped has the posture above the
// centre of mass; toppling leans four times as far; overleaning by an eighth, whatever the limit;
// upright never leans; lasting never leans less than it once did, while it walks; sideways leans
// four times as far to the side; unquestioning takes every segment as it comes; mute never takes
// over; shouting speaks whoever else does; bouncing lifts a foot that has landed once more;
// reckless keeps its arms off nothing; gullible believes what the wrist says, whatever the sensor
// does; swaying lets the hand sway with the waist.
#include <math.h>
#include <string.h>

#include "robot/participant.h"
#include "targets/firehose/grip.h"
#include "targets/firehose/turns.h"
#include "task/stack.h"
#include "walk/segments/even_pace.h"
#include "walk/segments/segment_buffer.h"
#include "walk/steps/walking_task.h"

#define BOUNCE_SAMPLES 10
#define BOUNCE_M 0.012

static const char *way = "";

enum status __real_participant_begin(int argc, char **argv);
enum status __wrap_participant_begin(int argc, char **argv);
enum status __real_task_stack_add(struct task_stack *stack, const struct task *task);
enum status __wrap_task_stack_add(struct task_stack *stack, const struct task *task);
void __real_lean_step(struct lean *lean, const double target_m[2], double period_s);
void __wrap_lean_step(struct lean *lean, const double target_m[2], double period_s);
enum splice __real_segment_buffer_splice(struct segment_buffer *buffer,
                                         const struct segment_message *segment, uint64_t epoch,
                                         int64_t executing);
enum splice __wrap_segment_buffer_splice(struct segment_buffer *buffer,
                                         const struct segment_message *segment, uint64_t epoch,
                                         int64_t executing);
double __real_even_pace_ahead_m(const struct segment_buffer *buffer, int64_t index,
                                unsigned step_samples);
double __wrap_even_pace_ahead_m(const struct segment_buffer *buffer, int64_t index,
                                unsigned step_samples);
bool __real_turns_take(struct turns *turns, struct balance *balance,
                       const struct balance_status_message *last, const struct state_message *state,
                       instant now);
bool __wrap_turns_take(struct turns *turns, struct balance *balance,
                       const struct balance_status_message *last, const struct state_message *state,
                       instant now);
bool __real_grip_can_be(const struct grip_look *look, const double said_N[3],
                        const double before_N[3]);
bool __wrap_grip_can_be(const struct grip_look *look, const double said_N[3],
                        const double before_N[3]);

static bool is(const char *word)
{
    return strcmp(way, word) == 0;
}

enum status __wrap_participant_begin(int argc, char **argv)
{
    if (argc > 1)
        way = argv[1];
    return __real_participant_begin(1, argv);
}

enum status __wrap_task_stack_add(struct task_stack *stack, const struct task *task)
{
    if (is("reckless") && task->kind == TASK_DISTANCE)
        return STATUS_OK;
    const enum status added = __real_task_stack_add(stack, task);
    return added == STATUS_OK && is("swapped") && strcmp(task->name, "posture") == 0
               ? task_stack_swap(stack, "posture", "balance")
               : added;
}

void __wrap_lean_step(struct lean *lean, const double target_m[2], double period_s)
{
    static double most_m;
    const double ahead = is("toppling") ? 4 : is("overleaning") ? 1.125 : is("upright") ? 0 : 1;
    const double aside = is("sideways") ? 4 : ahead;
    double leant_m[2] = {ahead * target_m[0], aside * target_m[1]};
    most_m = fmax(most_m, leant_m[0]);
    if (is("lasting") && target_m[0] != 0)
        leant_m[0] = most_m;
    __real_lean_step(lean, leant_m, period_s);
}

bool __wrap_turns_take(struct turns *turns, struct balance *balance,
                       const struct balance_status_message *last, const struct state_message *state,
                       instant now)
{
    const bool along = __real_turns_take(turns, balance, last, state, now);
    if (is("mute") || is("shouting"))
        turns->speaks = is("shouting");
    return along;
}

// A foot that is to have landed rises and sinks within the time on both feet.
static const struct segment_message *bounced(const struct segment_message *segment)
{
    static struct segment_message own;
    static enum side landed;
    unsigned since = 0;
    own = *segment;
    for (uint32_t i = 0; i < own.count; i++) {
        struct segment_sample *sample = &own.sample[i];
        since = sample->support == SUPPORT_BOTH ? since + 1 : 0;
        if (sample->support != SUPPORT_BOTH)
            landed = sample->support == SUPPORT_LEFT ? SIDE_RIGHT : SIDE_LEFT;
        else if (i >= since && since <= BOUNCE_SAMPLES)
            sample->foot_m[landed][2] += BOUNCE_M * sin(M_PI * since / BOUNCE_SAMPLES);
    }
    return &own;
}

enum splice __wrap_segment_buffer_splice(struct segment_buffer *buffer,
                                         const struct segment_message *segment, uint64_t epoch,
                                         int64_t executing)
{
    if (is("bouncing"))
        segment = bounced(segment);
    if (!is("unquestioning"))
        return __real_segment_buffer_splice(buffer, segment, epoch, executing);
    for (uint32_t i = 0; i < segment->count; i++)
        buffer->sample[(size_t)(segment->first + i) % SEGMENT_SAMPLES_MAX] = segment->sample[i];
    buffer->end = segment->first + segment->count;
    buffer->segment_number = segment->segment_number;
    return SPLICE_TAKEN;
}

bool __wrap_grip_can_be(const struct grip_look *look, const double said_N[3],
                        const double before_N[3])
{
    return is("gullible") || __real_grip_can_be(look, said_N, before_N);
}

double __wrap_even_pace_ahead_m(const struct segment_buffer *buffer, int64_t index,
                                unsigned step_samples)
{
    return is("swaying") ? 0 : __real_even_pace_ahead_m(buffer, index, step_samples);
}
