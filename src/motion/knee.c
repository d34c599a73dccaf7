#include "motion/knee.h"

#include <math.h>

// A problem with its clock at 0: T, and the line that the knee lies on.
struct line {
    double T, s, h, d; // d = w2 - w1
};

static struct line line_of(const struct knee_problem *p)
{
    const double T = p->t2_s - p->t1_s, d = p->w2 - p->w1;
    return (struct line){T, d / T, 2 * (p->q2 - p->q1) / T - p->w1 - p->w2, d};
}

// The knee at a share of the time, 0 to 1.
static struct knee knee_at(const struct knee_problem *p, const struct line *line, double share)
{
    const double tau1 = share * line->T, tau2 = (1 - share) * line->T;
    const double rise1 = line->h + line->d * share, rise2 = line->d * (1 - share) - line->h;
    return (struct knee){.tm_s = p->t1_s + tau1,
                         .wm = p->w1 + rise1,
                         .a1 = tau1 > 0 ? rise1 / tau1 : 0,
                         .a2 = tau2 > 0 ? rise2 / tau2 : 0};
}

// (10), (11) without their 0 / 0 and without differences of nearly equal numbers: both pieces have
// the acceleration A = (|h| + r) / T, r = sqrt(d^2 + h^2), and the first lasts (sgn(h) d + |h| + r)
// / (2 (|h| + r)) of the time. h = 0: one piece, and any knee on it.
static double share_of_acceleration_min(const struct line *line)
{
    const double h = fabs(line->h), r = hypot(line->d, line->h);
    const double d = line->h < 0 ? -line->d : line->d;
    if (h == 0)
        return 0.5;
    const double sum = d < 0 ? h * h / (r - d) : d + r; // d + r
    return (sum + h) / (2 * (h + r));
}

// (12), whose printed form is for h > 0. `mirrored`: the greatest acceleration comes last.
static bool share_of_velocity_min(const struct line *line, double a_max, bool mirrored,
                                  double *share)
{
    const double a = line->h < 0 ? -a_max : a_max;
    const double rest = mirrored ? a + line->s : a - line->s;
    if (line->h == 0) { // on the line from the start
        *share = mirrored ? 1 : 0;
        return fabs(line->s) <= a_max;
    }
    if (!isfinite(a_max) || rest * a <= 0)
        return false;
    const double part = line->h / rest / line->T;
    *share = mirrored ? 1 - part : part;
    return part <= 1;
}

// The integral of |P| is least for any w_m between w_1 and w_2: of these the one nearest to
// A_min's.
static double share_of_absolute_min(const struct line *line)
{
    const double first = -line->h / line->d, last = 1 - line->h / line->d;
    return fmin(fmax(share_of_acceleration_min(line), first), last);
}

// (16) is w_m = w_2. Beyond the ends of the time, (12) or its mirror come nearest to the least.
static bool share_of_energy_min(const struct line *line, double a_max, enum knee_energy energy,
                                double *share)
{
    *share = 0.5;
    if (energy == KNEE_ELECTRICAL)
        return true;
    *share = share_of_acceleration_min(line); // it is one of the best
    if (energy == KNEE_WORK || line->d == 0)
        return true;
    const double of_paper = 1 - line->h / line->d;
    if (energy == KNEE_PAPER && of_paper >= 0 && of_paper <= 1) {
        *share = of_paper;
        return true;
    }
    if (energy == KNEE_ABSOLUTE && fabs(line->h) <= fabs(line->d)) {
        *share = share_of_absolute_min(line);
        return true;
    }
    return share_of_velocity_min(line, a_max, line->h * line->d < 0, share);
}

const char *knee_refusal_text(enum knee_refusal refusal)
{
    static const char *const texts[] = {
        [KNEE_OK] = "it can be done",
        [KNEE_NOT_FINITE] = "the numbers must be finite, and the greatest acceleration positive",
        [KNEE_NO_TIME] = "the end must come after the start",
        [KNEE_TOO_WEAK] = "the greatest acceleration is too small; allow more, or more time",
    };
    return texts[refusal];
}

static bool numbers_are_sound(const struct knee_problem *p)
{
    return isfinite(p->t1_s) && isfinite(p->t2_s) && isfinite(p->q1) && isfinite(p->q2) &&
           isfinite(p->w1) && isfinite(p->w2) && p->acceleration_max > 0;
}

enum knee_refusal knee_plan(const struct knee_problem *problem, enum knee_method method,
                            enum knee_energy energy, struct knee *knee)
{
    const double a_max = problem->acceleration_max;
    if (!numbers_are_sound(problem))
        return KNEE_NOT_FINITE;
    if (!(problem->t1_s < problem->t2_s))
        return KNEE_NO_TIME;
    const struct line line = line_of(problem);
    if (!isfinite(line.s) || !isfinite(line.h))
        return KNEE_NOT_FINITE;
    double share = 0;
    bool possible = true;
    if (method == KNEE_ACCELERATION_MIN)
        share = share_of_acceleration_min(&line);
    else if (method == KNEE_VELOCITY_MIN)
        possible = share_of_velocity_min(&line, a_max, false, &share);
    else
        possible = share_of_energy_min(&line, a_max, energy, &share);
    if (!possible && !isfinite(a_max))
        return KNEE_NOT_FINITE;
    const struct knee chosen = knee_at(problem, &line, share);
    const double rounding = 1 + 1e-12; // a_max itself may come out of (12) a bit above
    if (!possible || fabs(chosen.a1) > a_max * rounding || fabs(chosen.a2) > a_max * rounding)
        return KNEE_TOO_WEAK;
    *knee = chosen;
    return KNEE_OK;
}

// From the nearer end, so that both ends are exact.
void knee_state(const struct knee_problem *problem, const struct knee *knee, double t_s, double *q,
                double *w)
{
    const bool first = t_s < knee->tm_s;
    const double t = t_s - (first ? problem->t1_s : problem->t2_s);
    const double a = first ? knee->a1 : knee->a2, w0 = first ? problem->w1 : problem->w2;
    *q = (first ? problem->q1 : problem->q2) + w0 * t + 0.5 * a * t * t;
    *w = w0 + a * t;
}

// ---- energies -----------------------------------------------------------------------------------

// Integral of |a w| from velocity `from` to `to`.
static double absolute_work(double from, double to)
{
    const double change = 0.5 * fabs(to * to - from * from);
    return from * to < 0 ? 0.5 * (from * from + to * to) : change;
}

double knee_cost(const struct knee_problem *problem, const struct knee *knee,
                 enum knee_energy energy)
{
    const double w1 = problem->w1, w2 = problem->w2, wm = knee->wm;
    const double tau1 = knee->tm_s - problem->t1_s, tau2 = problem->t2_s - knee->tm_s;
    switch (energy) {
    case KNEE_PAPER:
        return 0.5 * (w2 * w2 - w1 * w1) + (wm - w2) * (wm - w2);
    case KNEE_WORK:
        return 0.5 * (w2 * w2 - w1 * w1);
    case KNEE_ABSOLUTE:
        return absolute_work(w1, wm) + absolute_work(wm, w2);
    default:
        return knee->a1 * knee->a1 * tau1 + knee->a2 * knee->a2 * tau2;
    }
}
