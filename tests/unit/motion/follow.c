#include "tests/unit/motion/follow.h"

#include <math.h>

#include "tests/unit/common/unit.h"

double unavoidable_velocity(const struct motion_bounds *b, const struct motion_state *s)
{
    const double rest = isinf(b->jerk) ? 0 : s->acceleration * fabs(s->acceleration) / 2 / b->jerk;
    return fmax(fabs(s->velocity), fabs(s->velocity + rest));
}

// Whether the state is that, but for rounding; the acceleration if it does not jump.
static bool is_at(const struct motion_state *state, const struct motion_state *wanted, double size,
                  double acceleration)
{
    return fabs(state->position - wanted->position) <= 1e-9 * size &&
           fabs(state->velocity - wanted->velocity) <= 1e-9 * size &&
           fabs(state->acceleration - wanted->acceleration) <= 1e-8 * (1 + acceleration);
}

static void follow_pieces(const struct motion_bounds *b, const struct trajectory *t, double most_v,
                          double most_a)
{
    struct motion_state now = t->start, end = t->end;
    double time_s = 0, size = 1 + fabs(t->start.position) + fabs(t->end.position);
    for (unsigned i = 0; i < t->count; i++) {
        const struct extremal_piece *piece = &t->piece[i];
        const double dt = piece->duration_s, a = piece->acceleration, j = piece->jerk;
        const double turn = j != 0 ? -a / j : -1;
        const double peak = turn > 0 && turn < dt ? fabs(now.velocity + turn * a / 2) : 0;
        const double jump = isinf(b->jerk) ? 0 : fabs(a - now.acceleration);
        now.position += dt * (now.velocity + dt * (a / 2 + dt * j / 6));
        now.velocity += dt * (a + dt * j / 2);
        now.acceleration = a + dt * j;
        time_s += dt;
        size = fmax(size, fabs(now.position) + fabs(now.velocity) * t->duration_s);
        const bool kept = dt > 0 && fabs(j) <= b->jerk * (1 + 1e-9) && fabs(a) <= most_a &&
                          fabs(now.acceleration) <= most_a && peak <= most_v &&
                          fabs(now.velocity) <= most_v + 1e-9 && jump <= 1e-8 * (1 + most_a);
        if (!kept) // an assertion of each piece would take most of the time
            ck_abort_msg("piece %u: %g s from %g, jerk %g, leads to %g, %g", i, dt, a, j,
                         now.velocity, now.acceleration);
    }
    if (isinf(b->jerk))
        end.acceleration = now.acceleration;
    ck_assert(fabs(time_s - t->duration_s) <= 1e-9 * (1 + t->duration_s));
    ck_assert(is_at(&now, &end, size, most_a));
}

void follow(const struct motion_bounds *b, const struct trajectory *t)
{
    follow_pieces(b, t, fmax(b->velocity, unavoidable_velocity(b, &t->start)) * (1 + 1e-9),
                  fmax(b->acceleration, fabs(t->start.acceleration)) * (1 + 1e-9));
}

void follow_within(const struct motion_bounds *b, const struct trajectory *t)
{
    follow_pieces(b, t, b->velocity * (1 + 1e-9), b->acceleration * (1 + 1e-9));
}
