// The centre of mass in closed form, after Morisawa et al. (Humanoids 2006, ICRA 2007). The ZMP is
// a polynomial p(t) on each piece of the way: cubic from foot to foot, a line on a sole. There the
// pendulum, x'' = w2 (x - p), has the solution
//
//   x = p + p''/w2 + p''''/w4 + A cosh wt + B sinh wt.
//
// Place and velocity are continuous from piece to piece, are those that were in the beginning, and
// end at rest. Of these linear equations, those for x + x'/w, the part that grows, are solved from
// the end backwards, and those for the part that decays forwards; so nothing grows with the way's
// length. What the beginning has otherwise than a change of steps now asks for is the height of a
// bump of the ZMP, a polynomial of degree 4, on the present sole.
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "walk/generator/walkgen_private.h"

#define SHIFT_S 0.05 // at least, of the ZMP from foot to foot
#define SWAY_S 0.8   // of a bump where both feet carry
// The highest bump on a foot, along and across its sole.
static const double BUMP_MAX_M[2] = {0.06, 0.03};

static double omega_of(const struct walkgen *walkgen)
{
    return sqrt(GRAVITY_M_S2 / walkgen->gains.com_height_m);
}

// ---- polynomials --------------------------------------------------------------------------------

// The k-th derivative at a time since the piece began.
static double derivative(const double z[WALK_PIECE_TERMS], unsigned k, double t_s)
{
    double sum = 0;
    for (unsigned n = WALK_PIECE_TERMS; n-- > k;) {
        double factor = 1;
        for (unsigned i = 0; i < k; i++)
            factor *= n - i;
        sum = sum * t_s + factor * z[n];
    }
    return sum;
}

// x + x'/w of the solution without the part that grows: p + p'/w + p''/w2 + ...
static double steady(const double z[WALK_PIECE_TERMS], double omega, double t_s)
{
    double sum = 0;
    for (unsigned k = WALK_PIECE_TERMS; k-- > 0;)
        sum = sum / omega + derivative(z, k, t_s);
    return sum;
}

// x + x'/w as a piece begins, from what it is as it ends.
static double before(const struct walk_piece *piece, int axis, double omega, double end_m)
{
    const double *z = piece->zmp[axis], L = piece->length_s;
    return steady(z, omega, 0) + (end_m - steady(z, omega, L)) * exp(-omega * L);
}

// The centre of mass t_s after a piece began with `start`: position, velocity.
static void move(const struct walk_piece *piece, int axis, double omega, double t_s,
                 const double start[2], double com[3])
{
    const double *z = piece->zmp[axis], w2 = omega * omega;
    double q[2][2]; // of the polynomial part: position and velocity at the beginning, at t_s
    for (int i = 0; i < 2; i++) {
        const double at_s = i * t_s;
        q[i][0] =
            derivative(z, 0, at_s) + (derivative(z, 2, at_s) + derivative(z, 4, at_s) / w2) / w2;
        q[i][1] = derivative(z, 1, at_s) + derivative(z, 3, at_s) / w2;
    }
    const double A = start[0] - q[0][0], B = (start[1] - q[0][1]) / omega;
    const double c = cosh(omega * t_s), s = sinh(omega * t_s);
    com[0] = q[1][0] + A * c + B * s;
    com[1] = q[1][1] + omega * (A * s + B * c);
    com[2] = w2 * (com[0] - derivative(z, 0, t_s));
}

// ---- pieces -------------------------------------------------------------------------------------

static struct walk_piece *add(struct walk_analytic *way, unsigned samples, double period_s)
{
    invariant(way->count < sizeof way->piece / sizeof way->piece[0]);
    struct walk_piece *piece = &way->piece[way->count++];
    *piece = (struct walk_piece){.samples = samples, .length_s = samples * period_s};
    return piece;
}

static void add_shift(struct walk_analytic *way, unsigned samples, double period_s,
                      const double to_m[2])
{
    struct walk_piece *piece = add(way, samples, period_s);
    const double L = piece->length_s;
    for (int a = 0; a < 2; a++) {
        const double way_m = to_m[a] - way->at_m[a];
        piece->zmp[a][0] = way->at_m[a];
        piece->zmp[a][2] = 3 * way_m / (L * L);
        piece->zmp[a][3] = -2 * way_m / (L * L * L);
        way->at_m[a] = to_m[a];
    }
}

static void add_line(struct walk_analytic *way, unsigned samples, double period_s,
                     const double to_m[2])
{
    struct walk_piece *piece = add(way, samples, period_s);
    for (int a = 0; a < 2; a++) {
        piece->zmp[a][0] = way->at_m[a];
        piece->zmp[a][1] = (to_m[a] - way->at_m[a]) / piece->length_s;
        way->at_m[a] = to_m[a];
    }
}

static void ahead_of(const struct pose2d *foot, double ahead_m, double point_m[2])
{
    point_m[0] = foot->x_m + cos(foot->yaw_rad) * ahead_m;
    point_m[1] = foot->y_m + sin(foot->yaw_rad) * ahead_m;
}

static unsigned at_least(unsigned samples, double period_s)
{
    const unsigned least = walk_samples(SHIFT_S, period_s);
    return samples > least ? samples : least;
}

// A step: the ZMP goes to the foot that carries, and along its sole.
static void add_step(struct walk_analytic *way, unsigned both, unsigned single, double period_s,
                     const struct pose2d *support, const double shift_m[2])
{
    double first_m[2], last_m[2];
    const unsigned most = (both + single) / 2, wanted = at_least(both, period_s);
    const unsigned shift = wanted < both + single ? wanted : both > most ? both : most;
    ahead_of(support, shift_m[0], first_m);
    ahead_of(support, shift_m[1], last_m);
    add_shift(way, shift, period_s, first_m);
    add_line(way, both + single - shift, period_s, last_m);
}

static void add_end(struct walk_analytic *way, unsigned shift, double period_s,
                    const double middle_m[2])
{
    add_shift(way, at_least(shift, period_s), period_s, middle_m);
    add_line(way, walk_samples(SWAY_S, period_s), period_s, middle_m);
}

// ---- ways ---------------------------------------------------------------------------------------

static void begin(const struct walkgen *walkgen, struct walk_analytic *way)
{
    const struct walk_reference *last = walk_reference_at(walkgen, walkgen->made - 1);
    way->count = 0;
    for (int a = 0; a < 2; a++) {
        const double zmp_m = *walk_zmp_from(walkgen, a, walkgen->made - 1);
        way->at_m[a] = zmp_m;
        way->start[0][a][0] = last->planned ? last->com[a][0] : zmp_m;
        way->start[0][a][1] = last->planned ? last->com[a][1] : 0;
    }
}

// What follows a step, as far as it is known: those that wait; if steps do not end, two on the
// spot; then rest.
static void add_what_follows(const struct walkgen *walkgen, const struct walk_step *step,
                             struct walk_analytic *way)
{
    const struct walk_request *request = &walkgen->request;
    const struct walk_settings *settings = &request->settings;
    const double T = settings->period_s;
    const unsigned first = walkgen->maker.spots, waiting = request->held ? 0 : request->count;
    const unsigned count = first + waiting + (request->sequencing ? 2 : 0);
    struct pose2d before = walkgen->maker.support, support = walk_step_pose(before, step);
    bool left = walkgen->maker.side == SIDE_RIGHT; // the foot that has landed
    for (unsigned i = 0; i < count && i < WALK_STEPS_SEEN; i++) {
        const bool waits = i >= first && i < first + waiting;
        const struct walk_step next =
            waits ? request->step[(request->first + i - first) % WALK_STEPS_MAX]
                  : walk_request_spot(request, !left);
        double shift_m[2];
        walk_step_shift(settings, &next, shift_m);
        add_step(way, walk_samples(next.double_s, T), walk_samples(next.single_s, T), T, &support,
                 shift_m);
        before = support;
        support = walk_step_pose(support, &next);
        left = !left;
    }
    const double middle_m[2] = {0.5 * (before.x_m + support.x_m), 0.5 * (before.y_m + support.y_m)};
    add_end(way, walk_samples(settings->double_s / 2, T), T, middle_m);
}

// Solves for the height of a bump on the block's second piece. Behind the way it rests.
static void solve(const struct walkgen *walkgen, struct walk_analytic *way, double height_m[2])
{
    const double omega = omega_of(walkgen);
    struct walk_piece *on = &way->piece[1];
    const double L = on->length_s, share = 16 / (L * L);
    const double unit[WALK_PIECE_TERMS] = {0, 0, share, -2 * share / L, share / (L * L)};
    const double gain = (steady(unit, omega, 0) - steady(unit, omega, L) * exp(-omega * L)) *
                        exp(-omega * way->piece[0].length_s);
    for (int a = 0; a < 2; a++) {
        const double *start = way->start[0][a];
        double needed_m = way->at_m[a], com[3];
        for (unsigned i = way->count; i-- > 0;)
            needed_m = before(&way->piece[i], a, omega, needed_m);
        height_m[a] = (start[0] + start[1] / omega - needed_m) / gain;
        for (unsigned n = 0; n < WALK_PIECE_TERMS; n++)
            on->zmp[a][n] += height_m[a] * unit[n];
        move(&way->piece[0], a, omega, way->piece[0].length_s, start, com);
        memcpy(way->start[1][a], com, sizeof way->start[1][a]);
    }
}

bool walk_analytic_step(struct walkgen *walkgen, const struct walk_step *step,
                        const struct walk_block *block)
{
    struct walk_analytic *way = &walkgen->analytic;
    const double c = cos(block->support.yaw_rad), s = sin(block->support.yaw_rad);
    double bump_m[2];
    begin(walkgen, way);
    add_step(way, block->both, block->single, walkgen->request.settings.period_s, &block->support,
             block->shift_m);
    add_what_follows(walkgen, step, way);
    solve(walkgen, way, bump_m);
    return fabs(c * bump_m[0] + s * bump_m[1]) < BUMP_MAX_M[0] &&
           fabs(c * bump_m[1] - s * bump_m[0]) < BUMP_MAX_M[1];
}

void walk_analytic_end(struct walkgen *walkgen, unsigned shift, const double middle_m[2])
{
    struct walk_analytic *way = &walkgen->analytic;
    begin(walkgen, way);
    add_end(way, shift, walkgen->request.settings.period_s, middle_m);
    double bump_m[2];
    solve(walkgen, way, bump_m);
}

unsigned walk_analytic_sway(struct walkgen *walkgen, const struct walk_step *step)
{
    const struct walk_maker *maker = &walkgen->maker;
    const struct pose2d middle = walk_middle(maker);
    const double middle_m[2] = {middle.x_m, middle.y_m}, T = walkgen->request.settings.period_s;
    struct walk_analytic *way = &walkgen->analytic;
    double shift_m[2];
    walk_step_shift(&walkgen->request.settings, step, shift_m);
    begin(walkgen, way);
    add_end(way, 0, T, middle_m);
    add_step(way, walk_samples(step->double_s, T), walk_samples(step->single_s, T), T,
             &maker->support, shift_m);
    add_what_follows(walkgen, step, way);
    double bump_m[2];
    solve(walkgen, way, bump_m);
    return way->piece[0].samples + way->piece[1].samples;
}

void walk_analytic_sample(const struct walkgen *walkgen, unsigned i, double com[2][3],
                          double zmp_m[2])
{
    const struct walk_analytic *way = &walkgen->analytic;
    const double T = walkgen->request.settings.period_s, omega = omega_of(walkgen);
    const unsigned first = way->piece[0].samples, second = way->piece[1].samples;
    const unsigned k = i < first ? 0 : 1;
    const double t_s = (i + 1 - (k == 0 ? 0 : first)) * T;
    const bool rests = i >= first + second;
    for (int a = 0; a < 2; a++) {
        const struct walk_piece *piece = &way->piece[k];
        move(piece, a, omega, rests ? piece->length_s : t_s, way->start[k][a], com[a]);
        zmp_m[a] = derivative(piece->zmp[a], 0, rests ? piece->length_s : t_s);
        if (rests) { // what is left decays
            const double left_m = com[a][0] - zmp_m[a];
            const double decay = exp(-omega * (t_s - piece->length_s));
            com[a][0] = zmp_m[a] + left_m * decay;
            com[a][1] = -omega * left_m * decay;
            com[a][2] = omega * omega * left_m * decay;
        }
    }
}
