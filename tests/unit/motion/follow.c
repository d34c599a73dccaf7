#include "tests/unit/motion/follow.h"

#include <math.h>

#include "tests/unit/common/unit.h"

double unavoidable_velocity(const struct motion_bounds *b, const struct motion_state *s)
{
    const double rest = isinf(b->jerk) ? 0 : s->acceleration * fabs(s->acceleration) / 2 / b->jerk;
    return fmax(fabs(s->velocity), fabs(s->velocity + rest));
}

void follow(const struct motion_bounds *b, const struct trajectory *t)
{
    struct motion_state now = t->start;
    const double most_v = fmax(b->velocity, unavoidable_velocity(b, &t->start)) * (1 + 1e-9);
    const double most_a = fmax(b->acceleration, fabs(t->start.acceleration)) * (1 + 1e-9);
    double time_s = 0, size = 1 + fabs(t->start.position) + fabs(t->end.position);
    for (unsigned i = 0; i < t->count; i++) {
        const struct extremal_piece *piece = &t->piece[i];
        const double dt = piece->duration_s, a = piece->acceleration, j = piece->jerk;
        ck_assert(dt > 0 && fabs(j) <= b->jerk * (1 + 1e-9) && fabs(a) <= most_a &&
                  fabs(a + j * dt) <= most_a);
        if (!isinf(b->jerk))
            ck_assert_double_eq_tol(a, now.acceleration, 1e-8 * (1 + most_a));
        const double turn = j != 0 ? -a / j : -1;
        if (turn > 0 && turn < dt)
            ck_assert_double_le(fabs(now.velocity + turn * a / 2), most_v);
        now.position += dt * (now.velocity + dt * (a / 2 + dt * j / 6));
        now.velocity += dt * (a + dt * j / 2);
        now.acceleration = a + dt * j;
        time_s += dt;
        size = fmax(size, fabs(now.position) + fabs(now.velocity) * t->duration_s);
        ck_assert_double_le(fabs(now.velocity), most_v + 1e-9);
    }
    ck_assert_double_eq_tol(time_s, t->duration_s, 1e-9 * (1 + t->duration_s));
    ck_assert_double_eq_tol(now.position, t->end.position, 1e-9 * size);
    ck_assert_double_eq_tol(now.velocity, t->end.velocity, 1e-9 * size);
    if (!isinf(b->jerk))
        ck_assert_double_eq_tol(now.acceleration, t->end.acceleration, 1e-8 * (1 + most_a));
}
