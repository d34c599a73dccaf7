#include "walk/balance/capture_step.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "walk/zmp/preview.h"

#define SETTLED_S 0.06    // before it lands, a foot's place is settled
#define CLEARANCE_M 0.017 // of a foot on its way, beside the plan's lift
#define ON_ITS_WAY_M 0.05 // ... if its place is as far, or else less
#define EARLY_S 0.024     // it is there so long before it lands
#define LOST_M 0.5        // a pendulum as far from the plan as this has fallen
#define TILT_AHEAD_S 0.03
#define TILT_MAX_RAD 0.25
#define LIFT_SHARE 0.4 // of what is missing, each period
#define LIFT_M_S 1.4
#define SEEK_M_S 0.3   // a foot that should have landed goes down at this speed,
#define AWAITED_S 0.17 // for so long at most,
#define HELD_RATE 0.3  // and the plan waits for it
#define UPRIGHT_S 0.08 // faster, the leg's extension throws the robot up
#define RATE_SLEW_1_S 7.0
#define ZMP_GAIN 0.1
// By which the observer of the centre of mass is behind a gyroscope; of a robot that was pushed.
#define TURN_LAG_S 0.12
#define TURN_LAG_PUSHED_S 0.025
#define TURN_SHARE 2.0 // of it; more than 1, as whoever pushes has not let go yet
#define TREMOR_S 0.1   // so long a foot that landed, or a jerk, shakes the gyroscope
// A late push: felt with so little of the swing left. Its foot lands so long after it at the
// earliest; by then a push of 0.1 s is over.
#define LATE_S 0.2
#define HARD_M 0.05     // is felt at once: a weaker push needs no hurry
#define TOO_LATE_S 0.05 // the foot is as good as down
#define FIRST_S 0.015   // two measurements tell
#define SURE_M 0.003    // taken over of them: a push
#define HASTE_S 0.15
#define LANDED_S 0.25        // and has landed then
#define HURRY_RATE 0.25      // the plan waits at this rate
#define HURRY_SLEW 4.0       // times the usual
#define HURRY_M_S2 60.0      // of the foot, which may start sooner than it need,
#define HURRY_MOST_M_S2 80.0 // and at most
#define HURRY_GAIN 0.5
#define HURRY_ROOM_M 0.06   // across
#define HURRY_FELT_M 0.014  // taken over at each measurement, at most
#define HURRY_THRESHOLD 0.5 // times the usual
#define HURRY_GOES_ON 4.0   // measurements as the last one are expected to follow
#define HURRY_SETTLED_S 0.02
#define HURRY_FORWARD 0.3 // of the way along: a plan that waits would lead the foot too far ahead
#define QUINTIC_PEAK 5.77 // acceleration of a quintic from rest to rest, by way and time
// After a late push the pendulum is put right in the double support, too, when the foot stands.
#define STANDS_S 0.04
#define HEARD_S 0.5
#define CALM_S 2.4 // without an error that is taken over: the push is over

struct capture_step_config capture_step_defaults(double com_height_m, double period_s)
{
    return (struct capture_step_config){
        .period_s = period_s,
        .com_height_m = com_height_m,
        .room_m = {0.08, 0.045},
        .forward_m = {-0.3, 0.4},
        .outward_m = {0.145, 0.44},
        .speed_m_s = 2,
        .rate_min = 0.8,
        .rate_max = 1.9,
        .threshold_m = {0.08, 0.04},
        .gain = 0.43,
        .felt_max_m = 0.008,
        .delay_samples = 3,
    };
}

void capture_step_init(struct capture_step *capture, const struct capture_step_config *config)
{
    expects(config->period_s > 0 && config->com_height_m > 0);
    // The plan's own rate is allowed.
    expects(config->rate_min <= 1 && config->rate_max >= 1);
    *capture = (struct capture_step){.config = *config, .rate = 1, .left_s = INFINITY};
    if (capture->config.delay_samples > CAPTURE_STEP_DELAY_MAX)
        capture->config.delay_samples = CAPTURE_STEP_DELAY_MAX;
}

static double limit(double value, double least, double most)
{
    return fmax(least, fmin(most, value));
}

static double omega(const struct capture_step *capture)
{
    return sqrt(PREVIEW_GRAVITY_M_S2 / capture->config.com_height_m);
}

// ---- states -------------------------------------------------------------------------------------

// By event: ERROR, SURE_ERROR, LATE_ERROR, TIME, CALM. On plan a little is no push: noise, a stiff
// joint and the swing's jerk may add up to as much. That a push comes late is seen at its first
// measurements or not at all; what came late stays so until it is over.
static const enum capture_state table[CAPTURE_STATE_COUNT][CAPTURE_EVENT_COUNT] = {
    [CAPTURE_ON_PLAN] = {CAPTURE_HEARD, CAPTURE_FELT, CAPTURE_HASTES, CAPTURE_ON_PLAN,
                         CAPTURE_ON_PLAN},
    [CAPTURE_BESIDE] = {CAPTURE_FELT, CAPTURE_FELT, CAPTURE_HASTES, CAPTURE_BESIDE, CAPTURE_BESIDE},
    [CAPTURE_HEARD] = {CAPTURE_HEARD, CAPTURE_FELT, CAPTURE_HASTES, CAPTURE_ON_PLAN,
                       CAPTURE_ON_PLAN},
    [CAPTURE_FELT] = {CAPTURE_FELT, CAPTURE_FELT, CAPTURE_HASTES, CAPTURE_PUSHED, CAPTURE_BESIDE},
    [CAPTURE_PUSHED] = {CAPTURE_PUSHED, CAPTURE_PUSHED, CAPTURE_PUSHED, CAPTURE_PUSHED,
                        CAPTURE_BESIDE},
    [CAPTURE_HASTES] = {CAPTURE_HASTES, CAPTURE_HASTES, CAPTURE_HASTES, CAPTURE_LANDS,
                        CAPTURE_BESIDE},
    [CAPTURE_LANDS] = {CAPTURE_LANDS, CAPTURE_LANDS, CAPTURE_LANDS, CAPTURE_STANDS, CAPTURE_BESIDE},
    [CAPTURE_STANDS] = {CAPTURE_STANDS, CAPTURE_STANDS, CAPTURE_STANDS, CAPTURE_LATE,
                        CAPTURE_BESIDE},
    [CAPTURE_LATE] = {CAPTURE_LATE, CAPTURE_LATE, CAPTURE_LATE, CAPTURE_LATE, CAPTURE_BESIDE},
};

// Since the push was felt first.
static const double lasts_until_s[CAPTURE_STATE_COUNT] = {
    [CAPTURE_ON_PLAN] = INFINITY, [CAPTURE_BESIDE] = INFINITY, [CAPTURE_HEARD] = FIRST_S,
    [CAPTURE_FELT] = FIRST_S,     [CAPTURE_PUSHED] = INFINITY, [CAPTURE_HASTES] = HASTE_S,
    [CAPTURE_LANDS] = LANDED_S,   [CAPTURE_STANDS] = HEARD_S,  [CAPTURE_LATE] = INFINITY,
};

enum capture_state capture_state_step(enum capture_state state, enum capture_event event)
{
    invariant(state < CAPTURE_STATE_COUNT && event < CAPTURE_EVENT_COUNT);
    return table[state][event];
}

bool capture_state_is_pushed(enum capture_state state)
{
    return state >= CAPTURE_FELT;
}

static bool is_late(const struct capture_step *capture)
{
    return capture->state >= CAPTURE_HASTES;
}

static void happens(struct capture_step *capture, enum capture_event event)
{
    capture->state = capture_state_step(capture->state, event);
}

static void pass(struct capture_step *capture, double time_s)
{
    capture->since_s += time_s;
    capture->calm_s += time_s;
    while (capture->since_s >= lasts_until_s[capture->state])
        happens(capture, CAPTURE_TIME);
    if (capture->calm_s >= CALM_S)
        happens(capture, CAPTURE_CALM);
}

// ---- what is felt -------------------------------------------------------------------------------

static bool comes_late(const struct capture_step *capture, const double push_m[2])
{
    const double *outward = capture->outward;
    const double out_m = push_m[0] * outward[0] + push_m[1] * outward[1];
    const double along_m = push_m[0] * outward[1] - push_m[1] * outward[0];
    return capture->left_s > TOO_LATE_S && capture->left_s < LATE_S && out_m > fabs(along_m) &&
           out_m > HARD_M;
}

// The foot hurries until it has landed.
static bool hurries(const struct capture_step *capture)
{
    return capture->state == CAPTURE_HASTES || capture->state == CAPTURE_LANDS;
}

static bool settles(const struct capture_step *capture)
{
    return is_late(capture) && capture->state != CAPTURE_LATE && capture->both_s > STANDS_S;
}

bool capture_step_hears(const struct capture_step *capture, uint32_t support)
{
    return support != SUPPORT_BOTH || settles(capture);
}

// Of what was taken over, and is not yet in the measurements.
static double pending_m(const struct capture_step *capture, int axis)
{
    double sum_m = 0;
    for (unsigned i = 0; i < capture->config.delay_samples; i++)
        sum_m += capture->felt_m[i][axis];
    return sum_m;
}

static void felt(struct capture_step *capture, bool late)
{
    const bool sure = hypot(pending_m(capture, 0), pending_m(capture, 1)) > SURE_M;
    const enum capture_event event =
        late ? CAPTURE_LATE_ERROR : (sure ? CAPTURE_SURE_ERROR : CAPTURE_ERROR);
    if (capture->state <= CAPTURE_BESIDE)
        capture->since_s = 0;
    capture->calm_s = 0;
    happens(capture, event);
    invariant(capture->state > CAPTURE_BESIDE);
}

void capture_step_feel(struct capture_step *capture, const double error_m[2])
{
    const struct capture_step_config *config = &capture->config;
    const bool known = capture_state_is_pushed(capture->state);
    const bool trembles = !known && (capture->single_s < TREMOR_S || capture->jerked_s > 0);
    double new_m[2];
    for (int a = 0; a < 2; a++)
        new_m[a] = error_m[a] + (trembles ? 0 : capture->lead_m[a]) - pending_m(capture, a);
    memmove(capture->felt_m + 1, capture->felt_m,
            (CAPTURE_STEP_DELAY_MAX - 1) * sizeof capture->felt_m[0]);
    const bool late = comes_late(capture, new_m);
    if (known && late)
        happens(capture, CAPTURE_LATE_ERROR);
    const double felt_max_m =
        is_late(capture) || (!known && late) ? HURRY_FELT_M : config->felt_max_m;
    const bool eager = capture->state == CAPTURE_HASTES || settles(capture);
    const double scale = eager ? HURRY_THRESHOLD : 1;
    const double gain = eager ? HURRY_GAIN : config->gain;
    const double size =
        hypot(new_m[0] / config->threshold_m[0], new_m[1] / config->threshold_m[1]) / scale;
    const double share = size > 1 ? gain * (size - 1) / size : 0;
    for (int a = 0; a < 2; a++) {
        capture->felt_m[0][a] = limit(share * new_m[a], -felt_max_m, felt_max_m);
        capture->com_m_s[a] += omega(capture) * capture->felt_m[0][a];
    }
    capture->pushes += share > 0;
    if (share > 0)
        felt(capture, late);
}

// ---- frames of a foot ---------------------------------------------------------------------------

static void turn(const double from[2], double yaw_rad, double to[2])
{
    const double c = cos(yaw_rad), s = sin(yaw_rad), x = from[0], y = from[1];
    to[0] = c * x - s * y;
    to[1] = s * x + c * y;
}

static enum side other(enum side side)
{
    return side == SIDE_LEFT ? SIDE_RIGHT : SIDE_LEFT;
}

// How much of what the ZMP stands on is the left foot's.
static double left_share(const struct segment_sample *sample)
{
    if (sample->support != SUPPORT_BOTH)
        return sample->support == SUPPORT_LEFT;
    const double *right = sample->foot_m[SIDE_RIGHT], *left = sample->foot_m[SIDE_LEFT];
    const double dx = left[0] - right[0], dy = left[1] - right[1];
    const double along = (sample->zmp_m[0] - right[0]) * dx + (sample->zmp_m[1] - right[1]) * dy;
    return limit(along / fmax(1e-4, dx * dx + dy * dy), 0, 1);
}

// ---- where the foot lands -----------------------------------------------------------------------

// A place of the landing foot, beside the plan's, brought to where a foot may land.
static void allow(const struct capture_step *capture, const struct capture_step_plan *plan,
                  const struct segment_sample *sample, double place_m[2])
{
    const struct capture_step_config *config = &capture->config;
    const enum side stands = other(plan->side);
    const double yaw_rad = sample->foot_yaw_rad[stands], out = plan->side == SIDE_LEFT ? 1 : -1;
    double from_m[2], local_m[2];
    for (int a = 0; a < 2; a++)
        from_m[a] =
            plan->foot_m[a] + place_m[a] - sample->foot_m[stands][a] - capture->foot_m[stands][a];
    turn(from_m, -yaw_rad, local_m);
    local_m[0] = limit(local_m[0], config->forward_m[0], config->forward_m[1]);
    local_m[1] = out * limit(out * local_m[1], config->outward_m[0], config->outward_m[1]);
    turn(local_m, yaw_rad, from_m);
    for (int a = 0; a < 2; a++)
        place_m[a] =
            from_m[a] + sample->foot_m[stands][a] + capture->foot_m[stands][a] - plan->foot_m[a];
}

// What the divergent component, beside the plan's, becomes until the foot lands, with the plan run
// through at a rate.
static void foresee(const struct capture_step *capture, const struct capture_step_plan *plan,
                    const struct segment_sample *sample, const double zmp_m[2], double rate,
                    double at_m[2])
{
    const double w = omega(capture);
    const double grown = exp(w * plan->left_s / rate), planned = exp(w * plan->left_s);
    const double carried = exp(w * plan->both_s / 2); // while the weight goes over
    const double more =
        capture->state == CAPTURE_HASTES && capture->since_s < HASTE_S / 2 ? HURRY_GOES_ON : 0;
    for (int a = 0; a < 2; a++) {
        const double now = sample->com_m[a] + sample->com_velocity_m_s[a] / w;
        const double then = plan->com_m[a] + plan->com_m_s[a] / w;
        const double apart =
            capture->com_m[a] + capture->com_m_s[a] / w - now + more * capture->felt_m[0][a];
        at_m[a] = zmp_m[a] + (apart - zmp_m[a]) * grown * carried;
        if (planned > 1.05 &&
            rate != 1) { // sooner or later than planned: about the mean ZMP of the plan
            const double about = (then - now * planned) / (1 - planned);
            at_m[a] += about + (now - about) * grown - then; // it is carried likewise
        }
    }
}

// How far the foot can go in a time, from rest to rest.
static double reach_m(const struct capture_step *capture, double time_s)
{
    const double far_m = capture->config.speed_m_s * time_s;
    return is_late(capture) ? fmin(far_m, HURRY_MOST_M_S2 / QUINTIC_PEAK * time_s * time_s) : far_m;
}

// Chooses the landing place and the rate: of those with which the foot comes nearest to where it
// should be the first, and thus the plan's own if that will do.
static void aim(struct capture_step *capture, const struct capture_step_plan *plan,
                const struct segment_sample *sample, const double zmp_m[2])
{
    expects(plan->lands && plan->side < SIDE_COUNT);
    static const double share[] = {0, 0.5, 1, -0.35, -0.7, -1}; // of the way to the extreme rates
    const struct capture_step_config *config = &capture->config;
    const double wait_s = capture->state == CAPTURE_HASTES ? HASTE_S - capture->since_s : 0;
    const double most = wait_s > 0 ? fmax(HURRY_RATE, plan->left_s / wait_s) : INFINITY;
    const double yaw_rad = sample->foot_yaw_rad[other(plan->side)];
    double best_m = INFINITY, rate = 1;
    for (size_t i = 0; i < sizeof share / sizeof share[0]; i++) {
        const double wanted = share[i] > 0 ? 1 + share[i] * (config->rate_max - 1)
                                           : 1 - share[i] * (config->rate_min - 1);
        const double tried = fmin(wanted, most);
        const double far_m = reach_m(capture, fmax(plan->left_s / tried - EARLY_S, 0));
        const double *from_m = capture->foot_m[plan->side];
        double place_m[2], allowed_m[2], missed_m[2];
        foresee(capture, plan, sample, zmp_m, tried, place_m);
        memcpy(allowed_m, place_m, sizeof allowed_m);
        if (hurries(capture)) {
            turn(allowed_m, -yaw_rad, allowed_m);
            allowed_m[0] *= HURRY_FORWARD;
            turn(allowed_m, yaw_rad, allowed_m);
        }
        allow(capture, plan, sample, allowed_m);
        for (int a = 0; a < 2; a++) {
            allowed_m[a] = limit(allowed_m[a], from_m[a] - far_m, from_m[a] + far_m);
            missed_m[a] = place_m[a] - allowed_m[a];
        }
        const double missed = hypot(missed_m[0], missed_m[1]);
        if (missed > best_m - 0.01)
            continue;
        best_m = missed;
        rate = tried;
        memcpy(capture->target_m, allowed_m, sizeof allowed_m);
    }
    const double slew = RATE_SLEW_1_S * config->period_s;
    const double down = is_late(capture) ? HURRY_SLEW * slew : slew;
    capture->rate = limit(rate, capture->rate - down, capture->rate + slew);
}

// On the quintic that is at rest in the target when the foot lands.
static void swing(struct capture_step *capture, enum side side, double left_s)
{
    expects(side == capture->swings);
    const double T = capture->config.period_s, most_s = fmax(left_s - EARLY_S, T);
    const double way_m = hypot(capture->target_m[0] - capture->foot_m[side][0],
                               capture->target_m[1] - capture->foot_m[side][1]);
    const double L = hurries(capture)
                         ? fmin(most_s, fmax(sqrt(QUINTIC_PEAK * way_m / HURRY_M_S2), 4 * T))
                         : most_s;
    const double u = fmin(1, T / L);
    for (int a = 0; a < 2; a++) {
        double *at = &capture->foot_m[side][a];
        const double far = capture->config.speed_m_s * most_s;
        const double to = *at + limit(capture->target_m[a] - *at, -far, far);
        const double p = *at - to, v = capture->swing_m_s[a] * L;
        const double c = capture->swing_m_s2[a] * L * L / 2;
        const double c3 = -10 * p - 6 * v - 3 * c, c4 = 15 * p + 8 * v + 3 * c,
                     c5 = -6 * p - 3 * v - c;
        *at = to + p + u * (v + u * (c + u * (c3 + u * (c4 + u * c5))));
        capture->swing_m_s[a] = (v + u * (2 * c + u * (3 * c3 + u * (4 * c4 + u * 5 * c5)))) / L;
        capture->swing_m_s2[a] = (2 * c + u * (6 * c3 + u * (12 * c4 + u * 20 * c5))) / (L * L);
    }
}

void capture_step_tilt(struct capture_step *capture, const double tilt_rad[2],
                       const double rate_rad_s[2], double period_s)
{
    const double height_m = capture->config.com_height_m;
    const double lag_s = capture_state_is_pushed(capture->state) ? TURN_LAG_PUSHED_S : TURN_LAG_S;
    const double turn_m_s[2] = {rate_rad_s[1] * height_m, -rate_rad_s[0] * height_m};
    for (int a = 0; a < 2; a++) {
        double *known_m_s = &capture->turn_m_s[a];
        capture->tilt_rad[a] =
            limit(tilt_rad[a] + TILT_AHEAD_S * rate_rad_s[a], -TILT_MAX_RAD, TILT_MAX_RAD);
        *known_m_s += (turn_m_s[a] - *known_m_s) * period_s / (lag_s + period_s);
        capture->lead_m[a] = TURN_SHARE * (turn_m_s[a] - *known_m_s) / omega(capture);
    }
}

void capture_step_jerk(struct capture_step *capture)
{
    capture->jerked_s = TREMOR_S;
}

void capture_step_touch(struct capture_step *capture, const bool touches[SIDE_COUNT])
{
    memcpy(capture->touches, touches, sizeof capture->touches);
}

// How much higher than planned the swinging sole is to be: by what the body's tilt brings it down,
// and free of the floor until it is over its place.
static double wanted_lift_m(const struct capture_step *capture, const struct segment_sample *sample,
                            enum side swings)
{
    const enum side stands = other(swings);
    const double *tilt_rad = capture->tilt_rad, *foot_m = capture->foot_m[swings];
    const double way_m = hypot(capture->target_m[0] - foot_m[0], capture->target_m[1] - foot_m[1]);
    double apart_m[2];
    for (int a = 0; a < 2; a++)
        apart_m[a] = sample->foot_m[swings][a] + foot_m[a] - sample->foot_m[stands][a] -
                     capture->foot_m[stands][a];
    turn(apart_m, -sample->pelvis_yaw_rad, apart_m);
    return -tilt_rad[0] * apart_m[1] + tilt_rad[1] * apart_m[0] +
           CLEARANCE_M * fmin(way_m / ON_ITS_WAY_M, 1);
}

// A body that tips over the sole that carries brings the other one down too soon: that is lifted as
// much. When it should have landed it is let down until it touches the floor. Then its leg becomes
// longer again, which puts the body upright.
static void keep_off(struct capture_step *capture, const struct segment_sample *sample, bool lifted)
{
    expects(capture->swings < SIDE_COUNT);
    const double T = capture->config.period_s;
    for (int side = 0; side < SIDE_COUNT; side++) {
        double *lift_m = &capture->lift_m[side];
        if (side == (int)capture->swings && lifted) {
            const double wanted_m = wanted_lift_m(capture, sample, capture->swings);
            *lift_m += limit(LIFT_SHARE * (wanted_m - *lift_m), -LIFT_M_S * T, LIFT_M_S * T);
        } else if (side == (int)capture->swings && capture->awaited_s > 0) {
            *lift_m -= SEEK_M_S * T;
        } else {
            *lift_m -= *lift_m * T / UPRIGHT_S;
        }
    }
}

static void land(struct capture_step *capture)
{
    memset(capture->swing_m_s, 0, sizeof capture->swing_m_s);
    memset(capture->swing_m_s2, 0, sizeof capture->swing_m_s2);
}

// ---- a period -----------------------------------------------------------------------------------

// ZMP beside the plan's: that of the footholds and what the error asks for, as far as it is within
// the soles that carry, or between them.
static void find_zmp(const struct capture_step *capture, const struct segment_sample *sample,
                     double zmp_m[2])
{
    const double w = omega(capture), left = left_share(sample);
    const enum side stands = left > 0.5 ? SIDE_LEFT : SIDE_RIGHT;
    const bool both = sample->support == SUPPORT_BOTH;
    double from_m[2], to_m[2], along = 0, length2 = 0, beside_m[2];
    for (int a = 0; a < 2; a++) {
        const double(*foot)[3] = sample->foot_m;
        const enum side first = both ? SIDE_RIGHT : stands, second = both ? SIDE_LEFT : stands;
        const double base_m =
            left * capture->foot_m[SIDE_LEFT][a] + (1 - left) * capture->foot_m[SIDE_RIGHT][a];
        const double error_m = capture->com_m[a] - sample->com_m[a] - base_m +
                               (capture->com_m_s[a] - sample->com_velocity_m_s[a]) / w;
        from_m[a] = foot[first][a] + capture->foot_m[first][a];
        to_m[a] = foot[second][a] + capture->foot_m[second][a] - from_m[a];
        zmp_m[a] = base_m + (1 + ZMP_GAIN) * error_m;
        along += (sample->zmp_m[a] + zmp_m[a] - from_m[a]) * to_m[a];
        length2 += to_m[a] * to_m[a];
    }
    along = length2 > 1e-6 ? limit(along / length2, 0, 1) : 0;
    for (int a = 0; a < 2; a++) {
        from_m[a] += along * to_m[a];
        beside_m[a] = sample->zmp_m[a] + zmp_m[a] - from_m[a];
    }
    turn(beside_m, -sample->foot_yaw_rad[stands], beside_m);
    const double across_m = is_late(capture) ? HURRY_ROOM_M : capture->config.room_m[1];
    beside_m[0] = limit(beside_m[0], -capture->config.room_m[0], capture->config.room_m[0]);
    beside_m[1] = limit(beside_m[1], -across_m, across_m);
    turn(beside_m, sample->foot_yaw_rad[stands], beside_m);
    for (int a = 0; a < 2; a++)
        zmp_m[a] = from_m[a] + beside_m[a] - sample->zmp_m[a];
}

// Until when the plan waits for a foot that should have landed.
static void await(struct capture_step *capture, const struct capture_step_plan *plan, bool swings)
{
    if (swings) {
        capture->swings = plan->side;
        capture->awaited_s = AWAITED_S;
    } else if (capture->touches[capture->swings]) {
        capture->awaited_s = 0;
    } else {
        capture->awaited_s -= capture->config.period_s;
    }
}

// The sample is as it should be. What was heard of a push is kept until it is one.
static bool stays_on_plan(struct capture_step *capture, const struct segment_sample *sample)
{
    if (capture->state == CAPTURE_HEARD)
        pass(capture, capture->config.period_s);
    if (capture->state == CAPTURE_ON_PLAN)
        memset(capture->felt_m, 0, sizeof capture->felt_m);
    else if (capture->state != CAPTURE_HEARD)
        return false;
    for (int a = 0; a < 2; a++) {
        capture->com_m[a] = sample->com_m[a];
        capture->com_m_s[a] = sample->com_velocity_m_s[a] + omega(capture) * capture->felt_m[0][a];
    }
    return true;
}

void capture_step_apply(struct capture_step *capture, const struct capture_step_plan *plan,
                        struct segment_sample *sample)
{
    const double T = capture->config.period_s, w = omega(capture);
    double zmp_m[2];
    for (int a = 0; a < 2; a++)
        sample->com_velocity_m_s[a] *= capture->rate;
    const bool swings = plan->lands && sample->support != SUPPORT_BOTH;
    capture->left_s = swings ? plan->left_s : INFINITY;
    const double yaw_rad = sample->foot_yaw_rad[other(plan->side)];
    const double sign = plan->side == SIDE_LEFT ? 1 : -1;
    capture->outward[0] = -sign * sin(yaw_rad);
    capture->outward[1] = sign * cos(yaw_rad);
    capture->single_s = sample->support == SUPPORT_BOTH ? 0 : capture->single_s + T;
    capture->jerked_s -= fmin(T, capture->jerked_s);
    if (stays_on_plan(capture, sample))
        return;
    if (sample->support != capture->support)
        land(capture);
    capture->support = sample->support;
    find_zmp(capture, sample, zmp_m);
    await(capture, plan, swings);
    pass(capture, T);
    capture->both_s =
        sample->support == SUPPORT_BOTH && capture->awaited_s <= 0 ? capture->both_s + T : 0;
    if (swings && plan->left_s > (is_late(capture) ? HURRY_SETTLED_S : SETTLED_S))
        aim(capture, plan, sample, zmp_m);
    else if (!swings && capture->awaited_s > 0)
        capture->rate = HELD_RATE;
    else
        capture->rate =
            limit(1, capture->rate - RATE_SLEW_1_S * T, capture->rate + RATE_SLEW_1_S * T);
    if (swings)
        swing(capture, plan->side, plan->left_s / capture->rate);
    keep_off(capture, sample, swings);
    for (int side = 0; side < SIDE_COUNT; side++)
        sample->foot_m[side][2] += capture->lift_m[side];
    for (int a = 0; a < 2; a++) {
        const double apart_m = limit(capture->com_m[a] - sample->com_m[a], -LOST_M, LOST_M);
        const double m_s2 = plan->com_m_s2[a] + w * w * (apart_m - zmp_m[a]);
        capture->com_m_s[a] += T * m_s2;
        capture->com_m[a] = sample->com_m[a] + apart_m;
        sample->pelvis_m[a] += apart_m;
        sample->zmp_m[a] += zmp_m[a];
        for (int side = 0; side < SIDE_COUNT; side++)
            sample->foot_m[side][a] += capture->foot_m[side][a];
        sample->com_m[a] = capture->com_m[a];
        sample->com_velocity_m_s[a] = capture->com_m_s[a];
        capture->com_m[a] += T * capture->com_m_s[a]; // at the next period
    }
}
