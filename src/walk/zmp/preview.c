#include "walk/zmp/preview.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"

#define N 4 // incremental system: ZMP error, and the differences of the three cart states

// The incremental system z' = A z + b delta-jerk.
struct incremental {
    double A[N][N], b[N];
    double q, r;
};

static void build(double zc, double T, double q, double r, struct incremental *s)
{
    double A[3][3] = {{1, T, T * T / 2}, {0, 1, T}, {0, 0, 1}};
    double b[3] = {T * T * T / 6, T * T / 2, T}, c[3] = {1, 0, -zc / PREVIEW_GRAVITY_M_S2};
    memset(s, 0, sizeof *s);
    s->A[0][0] = 1.0;
    for (int j = 0; j < 3; j++) {
        s->b[0] += c[j] * b[j];
        s->b[j + 1] = b[j];
        for (int i = 0; i < 3; i++) {
            s->A[0][j + 1] += c[i] * A[i][j];
            s->A[i + 1][j + 1] = A[i][j];
        }
    }
    s->q = q;
    s->r = r;
}

// Feedback gain k = (r + b'Pb)^-1 b'PA of a cost matrix P.
static double feedback(const struct incremental *s, double P[N][N], double k[N])
{
    double Pb[N] = {0}, weight = s->r;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            Pb[i] += P[i][j] * s->b[j];
    for (int i = 0; i < N; i++)
        weight += s->b[i] * Pb[i];
    for (int j = 0; j < N; j++) {
        k[j] = 0.0;
        for (int i = 0; i < N; i++)
            k[j] += Pb[i] * s->A[i][j] / weight;
    }
    return weight;
}

// One step of the Riccati recursion in Joseph's form (keeps P symmetric and positive); returns the
// relative change of P.
static double riccati_step(const struct incremental *s, double P[N][N], double closed[N][N])
{
    double k[N], PC[N][N] = {{0}}, change = 0.0, size = 0.0;
    feedback(s, P, k);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            closed[i][j] = s->A[i][j] - s->b[i] * k[j];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int m = 0; m < N; m++)
                PC[i][j] += P[i][m] * closed[m][j];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double value = s->r * k[i] * k[j] + (i == 0 && j == 0 ? s->q : 0.0);
            for (int m = 0; m < N; m++)
                value += closed[m][i] * PC[m][j];
            change = fmax(change, fabs(value - P[i][j]));
            size = fmax(size, fabs(value));
            P[i][j] = value;
        }
    return change / size;
}

enum status preview_compute(double com_height_m, double period_s, unsigned count, double q,
                            double r, struct preview_gains *gains)
{
    if (!(com_height_m > 0.0 && period_s > 0.0 && q > 0.0 && r > 0.0) || count == 0 ||
        count > PREVIEW_SAMPLES_MAX)
        return STATUS_INVALID;
    struct incremental s;
    build(com_height_m, period_s, q, r, &s);
    double P[N][N] = {{q}}, closed[N][N], k[N];
    // Converges with the square of the closed loop's slowest pole: some hundred steps at 5 ms; the
    // bound is generous.
    for (int i = 0; i < 20000; i++)
        if (riccati_step(&s, P, closed) < 1e-13)
            break;
    double weight = feedback(&s, P, k);
    invariant(weight > 0); // P is positive, or the gains would push the cart away
    gains->period_s = period_s;
    gains->com_height_m = com_height_m;
    gains->count = count;
    gains->integral = k[0];
    // k = (integral gain, gains on the differences of the states), as A's first column is (1 0 0 0)
    memcpy(gains->state, k + 1, sizeof gains->state);
    double x[N];
    for (int i = 0; i < N; i++) {
        x[i] = 0.0;
        for (int j = 0; j < N; j++)
            x[i] += closed[j][i] * P[j][0];
    }
    gains->reference[0] = k[0];
    for (unsigned l = 1; l < count; l++) {
        double next[N] = {0};
        gains->reference[l] = 0.0;
        for (int i = 0; i < N; i++) {
            gains->reference[l] += s.b[i] * x[i] / weight;
            for (int j = 0; j < N; j++)
                next[i] += closed[j][i] * x[j];
        }
        memcpy(x, next, sizeof x);
    }
    return STATUS_OK;
}

double preview_zmp(const struct preview_gains *gains, const struct preview_state *state)
{
    return state->com[0] - gains->com_height_m / PREVIEW_GRAVITY_M_S2 * state->com[2];
}

static void advance(double T, double jerk, double x[3])
{
    x[0] += T * (x[1] + T * (x[2] / 2 + T / 6 * jerk));
    x[1] += T * (x[2] + T / 2 * jerk);
    x[2] += T * jerk;
}

void preview_step(const struct preview_gains *gains, const double *reference,
                  struct preview_state *state)
{
    expects(gains->count > 0 && gains->count <= PREVIEW_SAMPLES_MAX);
    double *x = state->com, far = reference[gains->count];
    state->error_sum += preview_zmp(gains, state) - reference[0];
    // Positions count from the reference's far end, so the part of the infinite horizon beyond the
    // window adds nothing.
    double jerk = -gains->integral * state->error_sum - gains->state[0] * (x[0] - far) -
                  gains->state[1] * x[1] - gains->state[2] * x[2];
    for (unsigned l = 0; l < gains->count; l++)
        jerk += gains->reference[l] * (reference[l + 1] - far);
    advance(gains->period_s, jerk, x);
}

// The jerk of the published law but for its sum of errors.
static double plain_jerk(const struct preview_gains *gains, const double *reference,
                         const double *x)
{
    double sum[4] = {0}; // four sums: the processor adds them side by side
    unsigned l = 0;
    for (; l + 4 <= gains->count; l += 4)
        for (unsigned i = 0; i < 4; i++)
            sum[i] += gains->reference[l + i] * reference[l + i + 1];
    for (; l < gains->count; l++)
        sum[0] += gains->reference[l] * reference[l + 1];
    return sum[0] + sum[1] + sum[2] + sum[3] - gains->state[0] * x[0] - gains->state[1] * x[1] -
           gains->state[2] * x[2];
}

void preview_take_over(const struct preview_gains *gains, const double *reference,
                       struct preview_state *state)
{
    expects(gains->integral > 0);
    state->error_sum = plain_jerk(gains, reference, state->com) / gains->integral -
                       (preview_zmp(gains, state) - reference[0]);
}

void preview_step_plain(const struct preview_gains *gains, const double *reference,
                        struct preview_state *state)
{
    state->error_sum += preview_zmp(gains, state) - reference[0];
    const double jerk =
        plain_jerk(gains, reference, state->com) - gains->integral * state->error_sum;
    advance(gains->period_s, jerk, state->com);
}
