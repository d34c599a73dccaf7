// Limits of every reference that reaches a motor board, recomputed from the frames on the bus.
//
// A board moves its set point to a new reference within one period T (that of the states, 10 ms at
// 100 Hz; scenarios of other rates tell the simulator, --interpolation-us), whenever it comes, and
// then holds. So a reference r after one at r' means the velocity (r - r') / T, also after a gap;
// and after a gap of more than 1.5 periods the set point has stood still, so the velocity before it
// was 0. After a shorter gap it stood still, too, if the host passed a cycle in between without
// references: one that was late, and the next on time (in real time; seen at 1.47 and 1.50
// periods). Who sends then may start from rest or go on. That a cycle has passed is seen on the
// bus: each asks every board for its encoders. Time stamps on the wire jitter by arbitration,
// references are sent on a grid of T: the spacing is the nearest whole number of periods. Frames
// carry whole encoder ticks, rounded to nearest: half a tick of error per reference, one tick / T
// in a velocity, two ticks / T^2 in an acceleration. No other tolerance is given. The first
// reference of a joint, and one after a gap, may also start from where the joint was measured,
// because a daemon that comes back does (seed 000, III-B): then the step counts from the nearer end
// of the range between set point and measurement, and the velocity after it is anything between
// that step's and the set point's.
#include "harness/packs/can/oracles.h"

#include <math.h>
#include <stdlib.h>

#include "protocol/hubo_frames.h"
#include "harness/packs/robot/facts.h"

#define ROUNDING 1e-6     // of floating-point arithmetic, relative
#define CYCLES_APART 0.25 // in periods: requests nearer to each other are of one cycle
#define MEASURED_PERIODS                                                                           \
    3 // a measured position is at most so old when a reference based on it is sent

struct track { // of one joint
    bool known;
    double time_s;
    double reference_rad;
    double velocity_low_rad_s, velocity_high_rad_s; // a range after a gap, see above
};

struct inquiry { // of one board, since its last reference
    double asked_s;
    unsigned cycles; // in which its encoders were asked for
};

struct worst {    // smallest margin of one kind of limit
    double share; // margin / bound, to compare joints
    double margin, value, bound, time_s;
    int joint;
    double broken_s; // NAN: it is not
};

struct scan {
    const struct analysis *analysis;
    struct track track[ROBOT_JOINTS_MAX];
    struct inquiry inquiry[DESCRIPTION_BOARDS_MAX];
    struct worst position, velocity, acceleration;
    unsigned long references;
};

static void note(struct worst *worst, double margin, double value, double bound, double time_s,
                 int joint)
{
    double share = margin / bound;
    note_broken(&worst->broken_s, margin, time_s);
    if (worst->joint >= 0 && share >= worst->share)
        return;
    *worst = (struct worst){share, margin, value, bound, time_s, joint, worst->broken_s};
}

// Range of a joint's measured positions shortly before `time_s`; false if there is no ground truth
// then.
static bool measured_range(const struct analysis *a, int joint, double time_s, double *low,
                           double *high)
{
    bool any = false;
    for (size_t i = truth_index(a, time_s - MEASURED_PERIODS * facts(a)->period_s);
         i < facts(a)->truth.count && truth_time_s(a, i) <= time_s; i++) {
        double position = truth_at(a, i)->position_rad[joint];
        *low = any ? fmin(*low, position) : position;
        *high = any ? fmax(*high, position) : position;
        any = true;
    }
    return any;
}

// The step the set point makes to this reference, with sign.
static double step_rad(const struct scan *scan, int joint, double time_s, double reference_rad,
                       bool resumed)
{
    const struct track *track = &scan->track[joint];
    if (!resumed)
        return reference_rad - track->reference_rad;
    double low = 0, high = 0;
    if (!measured_range(scan->analysis, joint, time_s, &low, &high))
        low = high = track->known ? track->reference_rad : reference_rad;
    if (track->known) {
        low = fmin(low, track->reference_rad);
        high = fmax(high, track->reference_rad);
    }
    return reference_rad < low    ? reference_rad - low
           : reference_rad > high ? reference_rad - high
                                  : 0;
}

// The velocity of the set point before a step of this velocity: where that is a range, the nearest.
static double velocity_before(const struct track *track, bool resumed, bool passed_over,
                              double velocity)
{
    if (resumed)
        return 0;
    const double low = track->velocity_low_rad_s, high = track->velocity_high_rad_s;
    return passed_over ? fmax(fmin(low, 0), fmin(fmax(high, 0), velocity))
                       : fmax(low, fmin(high, velocity));
}

// passed_over: a cycle without references lies between this one and the last.
static void take_reference(struct scan *scan, int joint, double time_s, int32_t ticks,
                           bool passed_over)
{
    const struct joint_description *limits = &scan->analysis->description->joint[joint];
    struct track *track = &scan->track[joint];
    double tick_rad = 1 / fabs(limits->ticks_per_rad), T = facts(scan->analysis)->period_s;
    double reference_rad = hubo_angle_rad(ticks, limits->ticks_per_rad);
    bool resumed = !track->known || time_s - track->time_s > 1.5 * T;
    double velocity = step_rad(scan, joint, time_s, reference_rad, resumed) / T;
    double acceleration = (velocity - velocity_before(track, resumed, passed_over, velocity)) / T;

    double inside_rad =
        fmin(reference_rad - limits->position_min_rad, limits->position_max_rad - reference_rad);
    double range_rad = limits->position_max_rad - limits->position_min_rad;
    note(&scan->position, inside_rad + 0.5 * tick_rad + ROUNDING * range_rad, reference_rad,
         range_rad, time_s, joint);
    double bound = limits->velocity_max_rad_s;
    note(&scan->velocity, bound * (1 + ROUNDING) + tick_rad / T - fabs(velocity), fabs(velocity),
         bound, time_s, joint);
    bound = limits->acceleration_max_rad_s2;
    note(&scan->acceleration, bound * (1 + ROUNDING) + 2 * tick_rad / (T * T) - fabs(acceleration),
         fabs(acceleration), bound, time_s, joint);

    double held = track->known ? (reference_rad - track->reference_rad) / T : velocity;
    *track =
        (struct track){true, time_s, reference_rad, fmin(held, velocity), fmax(held, velocity)};
    scan->references++;
}

static void take_request(struct scan *scan, const struct bus_log_frame *logged)
{
    const struct description *description = scan->analysis->description;
    const double time_s = instant_to_s(logged->time);
    for (unsigned b = 0; b < description->board_count; b++) {
        struct inquiry *inquiry = &scan->inquiry[b];
        if (description->board[b].bus != logged->bus || description->board[b].id != logged->data[0])
            continue;
        if (inquiry->cycles == 0 ||
            time_s - inquiry->asked_s > CYCLES_APART * facts(scan->analysis)->period_s)
            inquiry->cycles++;
        inquiry->asked_s = time_s;
    }
}

static void take_frame(struct scan *scan, const struct bus_log_frame *logged)
{
    const struct description *description = scan->analysis->description;
    const struct board_description *board =
        description_reference_board(description, logged->bus, logged->can_id);
    if (board == NULL) {
        if (logged->can_id == HUBO_ID_COMMAND && logged->data[1] == HUBO_GET_ENCODER)
            take_request(scan, logged);
        return;
    }
    struct can_frame frame = {.can_id = logged->can_id, .can_dlc = (uint8_t)logged->length};
    for (int i = 0; i < 8; i++)
        frame.data[i] = logged->data[i];
    int32_t ticks[HUBO_CHANNELS_MAX];
    if (!hubo_decode_reference(&frame, board->channel_count, ticks))
        return;
    struct inquiry *inquiry = &scan->inquiry[board - description->board];
    const bool passed_over = inquiry->cycles > 1; // one is that of the last reference
    inquiry->cycles = 0;
    for (unsigned c = 0; c < board->channel_count; c++)
        if (board->joint[c] >= 0)
            take_reference(scan, board->joint[c], instant_to_s(logged->time), ticks[c],
                           passed_over);
}

bool references_study(const struct analysis *a, void **found)
{
    struct scan *scan = *found = calloc(1, sizeof *scan);
    if (scan == NULL)
        return false;
    scan->analysis = a;
    scan->position = scan->velocity = scan->acceleration =
        (struct worst){.joint = -1, .broken_s = NAN};
    for (size_t i = 0; i < a->bus_log.count; i++) {
        const struct event *event = a->bus_log.event[i];
        const struct bus_log_message *log = event->data;
        for (size_t f = 0; f < bus_log_frames(event); f++)
            if (log->frame[f].sender == BUS_LOG_HOST && !log->frame[f].failed)
                take_frame(scan, &log->frame[f]);
    }
    return true;
}

static const struct scan *scanned(const struct analysis *a)
{
    return a->found[PACK_can];
}

static void tell(const struct analysis *a, struct oracle_verdict *verdict,
                 const struct worst *worst, const char *unit)
{
    if (worst->joint < 0) {
        verdict_silent(a, verdict, "reference",
                       "nothing to judge: no reference of the host reached a motor board");
        return;
    }
    verdict_margin(verdict, worst->margin, unit,
                   "%lu references; closest is %s at %.3f s: %.4g %s, %s %.4g %s",
                   scanned(a)->references, a->description->joint[worst->joint].name, worst->time_s,
                   worst->value, unit, unit[3] == '\0' ? "range" : "bound", worst->bound, unit);
    verdict_broken_at(verdict, worst->broken_s);
}

void oracle_position_limit(const struct analysis *a, struct oracle_verdict *verdict)
{
    tell(a, verdict, &scanned(a)->position, "rad");
}

void oracle_velocity_limit(const struct analysis *a, struct oracle_verdict *verdict)
{
    tell(a, verdict, &scanned(a)->velocity, "rad/s");
}

void oracle_acceleration_limit(const struct analysis *a, struct oracle_verdict *verdict)
{
    tell(a, verdict, &scanned(a)->acceleration, "rad/s2");
}
