// References of ZMP, feet and waist, block by block: standing, a step, the end. After Kajita et
// al. (ICRA 2003) and the generator of Stasse et al. (2008), whose numbers these are.
#include <math.h>
#include <string.h>

#include "walk/generator/walkgen_private.h"

#define SMOOTHING_S 0.05
#define BARE_SHARE 0.3    // of a spline's time and way to its full height, without an obstacle
#define SMOOTHING_SHIFT 2 // samples by which the smoothing looks ahead

static double zmp_at(const struct walkgen *walkgen, int axis, int64_t sample)
{
    return walkgen->zmp_m[axis][(sample < 0 ? 0 : sample) & (WALK_AHEAD_MAX - 1)];
}

// Sample i of a block of `count` raw ones, smoothed: before the block what was smoothed counts,
// from the newest less SMOOTHING_SHIFT; behind it its last.
static void smooth(const struct walkgen *walkgen, unsigned i, unsigned count, double zmp_m[2])
{
    const struct walk_maker *maker = &walkgen->maker;
    zmp_m[0] = zmp_m[1] = 0;
    for (unsigned j = 0; j < maker->weights; j++) {
        const int at = (int)i - (int)j + SMOOTHING_SHIFT;
        for (int a = 0; a < 2; a++) {
            const double z = at < 0 ? zmp_at(walkgen, a, walkgen->made - 1 - SMOOTHING_SHIFT + at)
                                    : walkgen->raw_m[at < (int)count ? at : (int)count - 1][a];
            zmp_m[a] += maker->weight[j] * z;
        }
    }
}

// The ZMP of sample i of a block, and its centre of mass if the strategy finds both.
static void take_zmp(const struct walkgen *walkgen, unsigned i, unsigned count,
                     struct walk_reference *now, double zmp_m[2])
{
    const struct walk_zmp *zmp = walk_zmp(walkgen->request.settings.zmp);
    now->planned = zmp->solves;
    if (zmp->solves)
        walk_analytic_sample(walkgen, i, now->com, zmp_m);
    else if (zmp->smooth)
        smooth(walkgen, i, count, zmp_m);
    else
        memcpy(zmp_m, walkgen->raw_m[i], 2 * sizeof *zmp_m);
}

static double quintic(double s)
{
    return s <= 0 ? 0 : s >= 1 ? 1 : s * s * s * (10 + s * (6 * s - 15));
}

static double cubic(double s)
{
    return s * s * (3 - 2 * s);
}

// ---- a step -------------------------------------------------------------------------------------

static struct walk_foot foot_on(struct pose2d pose, double floor_m)
{
    return (struct walk_foot){.position_m = {pose.x_m, pose.y_m, floor_m}, .yaw_rad = pose.yaw_rad};
}

static struct walk_swing swing_of(const struct walkgen *walkgen, const struct walk_step *step,
                                  enum side side, struct walk_foot to)
{
    const struct walk_settings *settings = &walkgen->request.settings;
    struct walk_swing swing = {.from = walkgen->maker.foot[side],
                               .to = to,
                               .single_s = step->single_s,
                               .height_m = step->lift_m > 0 ? step->lift_m : settings->lift_m,
                               .omega_rad =
                                   step->over ? step->roll_rad : settings->omega_deg * M_PI / 180,
                               .share = {BARE_SHARE, 1 - BARE_SHARE}};
    walk_body_tips(&walkgen->body, swing.tip_m);
    const double way_m = hypot(to.position_m[0] - swing.from.position_m[0],
                               to.position_m[1] - swing.from.position_m[1]);
    const double *fifth = settings->distribution + (step->over == 2 ? 2 : 0);
    for (int i = 0; i < 2; i++) {
        swing.share[i] = step->over ? fifth[i] / 5 : swing.share[i];
        swing.along_m[i] = step->over ? step->along_m[i] : swing.share[i] * way_m;
    }
    return swing;
}

// What a step asks of a sample: all but the ZMP.
struct walk_stride {
    const struct walk_step *step;
    const struct walk_trajectory *trajectory;
    struct walk_swing swing;
    struct walk_block block;
    enum side swings;
    double waist_m[2], yaw_rad[2]; // from, to
    double floor_m;                // of the landing
};

// A foot yields to the ground's moment on its toe, less what has gone back of 1; its toe is bent at
// least as far.
static void bend_toe(struct walkgen *walkgen, enum side side, double moment_Nm, double back,
                     struct walk_reference *now)
{
    struct walk_maker *maker = &walkgen->maker;
    const struct walk_toe *toe = &walkgen->body.toe;
    const double period_s = walkgen->request.settings.period_s;
    maker->roll_rad[side] = walk_toe_yield(toe, maker->roll_rad[side], moment_Nm, period_s);
    const double roll_rad = (1 - back) * maker->roll_rad[side];
    maker->toe_rad[side] = walk_toe_relax(toe, maker->toe_rad[side], roll_rad, period_s);
    now->toe_rad[side] = maker->toe_rad[side];
    now->toe_moment_Nm[side] = (1 - back) * moment_Nm;
    walk_toe_roll(toe->hinge_m, roll_rad, &now->foot[side]);
}

// The toes of both feet in a step, of the one that swings as it goes back.
static void bend_toes(struct walkgen *walkgen, const struct walk_stride *stride,
                      const double zmp_m[2], double back, struct walk_reference *now)
{
    const struct walk_body *body = &walkgen->body;
    const struct walk_block *block = &stride->block;
    double first_m[2]; // where the ZMP comes to on the foot that carries
    walk_zmp(walkgen->request.settings.zmp)->reference(block, block->both, first_m);
    const double share = walk_toe_share(block->from_m, first_m, zmp_m);
    bend_toe(walkgen, stride->swings, walk_toe_moment(body, &block->before, share, block->from_m),
             back, now);
    bend_toe(walkgen, walkgen->maker.side, walk_toe_moment(body, &block->support, 1 - share, zmp_m),
             0, now);
}

// How sample i of a step is, less its ZMP and what toes do.
static void fill_step(const struct walkgen *walkgen, const struct walk_stride *stride, unsigned i,
                      struct walk_reference *now)
{
    const struct walk_maker *maker = &walkgen->maker;
    const struct walk_block *block = &stride->block;
    const double both = block->both > 0 ? fmin(1, (double)i / block->both) : 1;
    const double s = i >= block->both ? (double)(i + 1 - block->both) / block->single : 0;
    memcpy(now->foot, maker->foot, sizeof now->foot);
    now->phase = 0.5 * ((stride->swings == SIDE_LEFT) + (double)i / (block->both + block->single));
    now->floor_m = maker->floor_m[1] + both * (maker->floor_m[0] - maker->floor_m[1]);
    if (i < block->both)
        return;
    struct walk_foot *foot = &now->foot[stride->swings];
    now->support = maker->side == SIDE_RIGHT ? SUPPORT_RIGHT : SUPPORT_LEFT;
    now->over = stride->step->over > 0;
    stride->trajectory->swing(&stride->swing, s * stride->step->single_s, foot);
    walk_swing_roll(&stride->swing, s, foot);
    now->yaw_rad = stride->yaw_rad[0] + cubic(s) * (stride->yaw_rad[1] - stride->yaw_rad[0]);
    now->waist_m = stride->waist_m[0] + quintic(s) * (stride->waist_m[1] - stride->waist_m[0]);
    walk_upper_move(maker, &walkgen->request.settings, quintic(s), now);
}

static struct walk_stride stride_of(const struct walkgen *walkgen, const struct walk_step *step)
{
    const struct walk_maker *maker = &walkgen->maker;
    const struct walk_settings *settings = &walkgen->request.settings;
    const struct pose2d target = walk_step_pose(maker->support, step);
    const double floor_m = maker->floor_m[0] + step->z_m + walk_floor_m(settings, target.x_m) -
                           walk_floor_m(settings, maker->support.x_m);
    struct walk_foot landing = foot_on(target, floor_m);
    landing.pitch_rad = walk_floor_pitch_rad(settings, target.x_m);
    const enum side swings = maker->side == SIDE_RIGHT ? SIDE_LEFT : SIDE_RIGHT;
    struct walk_stride stride = {
        .step = step,
        .trajectory = step->over ? walk_trajectory_over() : walk_trajectory(settings->trajectory),
        .swing = swing_of(walkgen, step, swings, landing),
        .block = {.both = walk_samples(step->double_s, settings->period_s),
                  .single = walk_samples(step->single_s, settings->period_s),
                  .from_m = {zmp_at(walkgen, 0, walkgen->made - 1),
                             zmp_at(walkgen, 1, walkgen->made - 1)},
                  .support = maker->support,
                  .before = maker->before},
        .swings = swings,
        .waist_m = {maker->waist_m, step->waist_m + 0.5 * (maker->floor_m[0] + floor_m)},
        .yaw_rad = {maker->yaw_rad, target.yaw_rad + step->waist_yaw_rad},
        .floor_m = floor_m};
    walk_step_shift(settings, step, stride.block.shift_m);
    walk_toe_block(&walkgen->body.toe, settings, step->x_m, maker->stride_m, &stride.block);
    return stride;
}

static void make_step(struct walkgen *walkgen, const struct walk_step *step)
{
    struct walk_maker *maker = &walkgen->maker;
    const struct walk_zmp *zmp = walk_zmp(walkgen->request.settings.zmp);
    const struct walk_stride stride = stride_of(walkgen, step);
    const struct walk_block *block = &stride.block;
    const unsigned count = block->both + block->single;
    for (unsigned i = 0; i < count; i++)
        zmp->reference(block, i, walkgen->raw_m[i]);
    struct walk_reference now = walk_reference_standing(maker);
    now.step = ++maker->blocks;
    for (unsigned i = 0; i < count; i++) {
        double smoothed[2];
        fill_step(walkgen, &stride, i, &now);
        take_zmp(walkgen, i, count, &now, smoothed);
        if (walkgen->body.toe.there)
            bend_toes(walkgen, &stride, smoothed,
                      i < block->both ? 0 : quintic((double)(i + 1 - block->both) / block->single),
                      &now);
        walk_reference_append(walkgen, &now, smoothed);
    }
    maker->foot[stride.swings] = stride.swing.to;
    maker->roll_rad[stride.swings] = 0;
    maker->stride_m = step->x_m;
    maker->last = *step;
    maker->yaw_rad = stride.yaw_rad[1];
    maker->waist_m = stride.waist_m[1];
    maker->arm_gain = now.arm_gain;
    memcpy(maker->upper_rad, now.upper_rad, sizeof maker->upper_rad);
    maker->before = maker->support;
    maker->support = walk_step_pose(maker->support, step);
    maker->floor_m[1] = maker->floor_m[0];
    maker->floor_m[0] = stride.floor_m;
    maker->side = stride.swings;
}

// ---- beginning and end --------------------------------------------------------------------------

// The first element of a sequence is the foot that carries first, as seen from between the feet.
static void begin(struct walkgen *walkgen, const struct walk_step *first)
{
    struct walk_maker *maker = &walkgen->maker;
    const struct pose2d middle = walk_middle(maker);
    maker->side = first->y_m > 0 ? SIDE_LEFT : SIDE_RIGHT;
    const enum side other = maker->side == SIDE_LEFT ? SIDE_RIGHT : SIDE_LEFT;
    maker->before = walk_foot_pose(&maker->foot[other]);
    maker->support = walk_step_pose(middle, first);
    maker->floor_m[0] = maker->foot[maker->side].position_m[2];
    maker->floor_m[1] = maker->foot[other].position_m[2];
    maker->stride_m = 0;
    maker->last = *first;
    maker->last.y_m *= 2; // from foot to foot
    maker->closes = true;
    maker->walking = true;
}

// A foot that stands on its toe comes down.
static void rest_toes(struct walkgen *walkgen, const double from_m[2], const double zmp_m[2],
                      double back, struct walk_reference *now)
{
    const struct walk_maker *maker = &walkgen->maker;
    const double to_m[2] = {maker->support.x_m, maker->support.y_m};
    const double share = walk_toe_share(from_m, to_m, zmp_m);
    memcpy(now->foot, maker->foot, sizeof now->foot);
    bend_toe(walkgen, maker->side, 0, back, now);
    bend_toe(walkgen, maker->side == SIDE_RIGHT ? SIDE_LEFT : SIDE_RIGHT,
             walk_toe_moment(&walkgen->body, &maker->before, share, from_m), back, now);
}

// The ZMP goes to the middle between the feet, and stays while the window empties.
static void make_end(struct walkgen *walkgen)
{
    struct walk_maker *maker = &walkgen->maker;
    const struct walk_settings *settings = &walkgen->request.settings;
    const unsigned shift = walk_samples(settings->double_s / 2, settings->period_s);
    const unsigned both = shift < 1 ? 1 : shift < WALK_BLOCK_MAX ? shift : WALK_BLOCK_MAX;
    const unsigned count = both + 3 * walkgen->window;
    const double from_m[2] = {zmp_at(walkgen, 0, walkgen->made - 1),
                              zmp_at(walkgen, 1, walkgen->made - 1)};
    const struct pose2d middle = walk_middle(maker);
    const double to_m[2] = {middle.x_m, middle.y_m};
    for (unsigned i = 0; i < count; i++)
        for (int a = 0; a < 2; a++)
            walkgen->raw_m[i][a] =
                i < both ? from_m[a] + (i + 1) * ((to_m[a] - from_m[a]) / both) : to_m[a];
    if (walk_zmp(settings->zmp)->solves)
        walk_analytic_end(walkgen, both, to_m);
    struct walk_reference now = walk_reference_standing(maker);
    for (unsigned i = 0; i < count; i++) {
        double zmp_m[2];
        take_zmp(walkgen, i, count, &now, zmp_m);
        if (walkgen->body.toe.there)
            rest_toes(walkgen, from_m, zmp_m, quintic((double)(i + 1) / (2 * walkgen->window)),
                      &now);
        walk_reference_append(walkgen, &now, zmp_m);
    }
    memset(maker->roll_rad, 0, sizeof maker->roll_rad);
    maker->walking = false;
    walkgen->request.open = false;
    walkgen->end = walkgen->made;
}

// Samples at rest where the last one left the ZMP.
static void stand(struct walkgen *walkgen, unsigned count)
{
    struct walk_reference now = walk_reference_standing(&walkgen->maker);
    const double zmp_m[2] = {zmp_at(walkgen, 0, walkgen->made - 1),
                             zmp_at(walkgen, 1, walkgen->made - 1)};
    now.planned = walk_zmp(walkgen->request.settings.zmp)->solves;
    for (int a = 0; a < 2; a++)
        now.com[a][0] = zmp_m[a];
    for (unsigned i = 0; i < count; i++)
        walk_reference_append(walkgen, &now, zmp_m);
}

// What a centre of mass in closed form takes to come behind a step.
static void expect_next(struct walkgen *walkgen)
{
    struct walk_maker *maker = &walkgen->maker;
    const struct walk_request *request = &walkgen->request;
    const bool waits = request->count > 0 && !request->held;
    const struct walk_step spot = walk_request_spot(request, false);
    const struct walk_step *next =
        waits && maker->spots == 0 ? &request->step[request->first] : &spot;
    maker->closes = !waits && !request->sequencing && maker->spots == 0;
    maker->next_single_s = next->single_s;
    maker->next_double_s = next->double_s;
}

static void sway(struct walkgen *walkgen, const struct walk_step *step)
{
    const unsigned count = walk_analytic_sway(walkgen, step);
    struct walk_reference now = walk_reference_standing(&walkgen->maker);
    for (unsigned i = 0; i < count; i++) {
        double zmp_m[2];
        take_zmp(walkgen, i, count, &now, zmp_m);
        walk_reference_append(walkgen, &now, zmp_m);
    }
}

static struct walk_step spot_of(const struct walkgen *walkgen)
{
    return walk_request_spot(&walkgen->request, walkgen->maker.side == SIDE_RIGHT);
}

// Solves for a step of a centre of mass in closed form, from rest with a sway before it. One that
// comes too late goes back on the stack; two steps on the spot come first, the first of them as
// long as was thought.
static void solve_step(struct walkgen *walkgen, struct walk_step *step)
{
    struct walk_maker *maker = &walkgen->maker;
    struct walk_request *request = &walkgen->request;
    const bool room = request->count < WALK_STEPS_MAX && maker->spots == 0 && !maker->closes;
    if (maker->closes)
        sway(walkgen, step);
    struct walk_stride stride = stride_of(walkgen, step);
    if (!walk_analytic_step(walkgen, step, &stride.block) && room) {
        request->first = (request->first + WALK_STEPS_MAX - 1) % WALK_STEPS_MAX;
        request->step[request->first] = *step;
        request->count++;
        maker->spots = 1;
        *step = spot_of(walkgen);
        step->single_s = maker->next_single_s;
        step->double_s = maker->next_double_s;
        stride = stride_of(walkgen, step);
        (void)walk_analytic_step(walkgen, step, &stride.block);
    }
    expect_next(walkgen);
}

static void make_next(struct walkgen *walkgen, struct walk_step step)
{
    if (walk_zmp(walkgen->request.settings.zmp)->solves)
        solve_step(walkgen, &step);
    make_step(walkgen, &step);
}

// A step on the spot, which another one may still replace.
static void make_spot(struct walkgen *walkgen)
{
    const struct walk_step step = spot_of(walkgen);
    walk_reference_mark(walkgen, &step);
    walkgen->request.left = step.y_m > 0;
    walkgen->request.last = step;
    walkgen->counts.dry++;
    make_next(walkgen, step);
}

static void make_block(struct walkgen *walkgen)
{
    const bool solves = walk_zmp(walkgen->request.settings.zmp)->solves;
    struct walk_maker *maker = &walkgen->maker;
    struct walk_step step;
    if (maker->spots > 0) {
        maker->spots--;
        make_next(walkgen, spot_of(walkgen));
    } else if (walk_request_take(&walkgen->request, &step)) {
        if (walkgen->request.changing)
            walk_reference_mark(walkgen, &step);
        else
            walkgen->marks = 0;
        make_next(walkgen, step);
    } else if (walkgen->request.sequencing || (solves && !maker->closes)) {
        make_spot(walkgen); // in closed form, a step more, as the one before was made for one
    } else {
        if (walkgen->request.changing)
            walk_reference_mark(walkgen, NULL);
        make_end(walkgen);
    }
}

static void make_one(struct walkgen *walkgen)
{
    const struct walk_zmp *zmp = walk_zmp(walkgen->request.settings.zmp);
    struct walk_step step;
    if (zmp->drives)
        walk_driven_make(walkgen);
    else if (walk_reference_at(walkgen, walkgen->made - 1)->planned && !zmp->solves)
        stand(walkgen, walkgen->window); // preview control must have seen what comes
    else if (walkgen->maker.walking)
        make_block(walkgen);
    else if (walk_request_take(&walkgen->request, &step))
        begin(walkgen, &step);
    else
        stand(walkgen, 1);
}

void walk_references_make(struct walkgen *walkgen, int64_t count)
{
    while (walkgen->made < count)
        make_one(walkgen);
}

void walk_references_begin(struct walkgen *walkgen)
{
    struct walk_maker *maker = &walkgen->maker;
    memset(maker, 0, sizeof *maker);
    memcpy(maker->foot, walkgen->start.reference.foot, sizeof maker->foot);
    const unsigned n = (unsigned)floor(SMOOTHING_S / walkgen->request.settings.period_s + 1e-9);
    maker->weights = n + 1;
    double sum = 0;
    for (unsigned j = 0; j <= n; j++)
        sum += maker->weight[j] = pow(sin(M_PI * j / n), 2);
    for (unsigned j = 0; j <= n; j++)
        maker->weight[j] /= sum;
    walkgen->made = 0;
    walkgen->end = 0;
    walkgen->marks = 0;
    struct walk_reference now = walk_reference_standing(maker);
    const struct walk_zmp *zmp = walk_zmp(walkgen->request.settings.zmp);
    const bool known = zmp->drives || zmp->solves; // its centre of mass
    const unsigned count =
        walkgen->standing > 0 ? walkgen->standing : (known ? 1 : 2) * walkgen->window;
    const double rise_m = walkgen->request.settings.com_height_m - walkgen->body.com_height_m;
    for (unsigned i = 0; i < count; i++) { // the second preview sees the rise coming
        const double share = fmax(0, fmin(1, 2.0 * i / count - 0.5));
        now.waist_m = -rise_m * (1 - quintic(share));
        walk_reference_append(walkgen, &now, walkgen->start.com_m);
    }
}
