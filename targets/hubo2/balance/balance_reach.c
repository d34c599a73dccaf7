#include "targets/hubo2/balance/balance_reach.h"

#include <math.h>
#include <string.h>

#include "model/spatial.h"

#define LENGTH_M 0.3 // makes distances comparable with angles: a link's length
#define DAMPING 0.1
#define ITERATIONS 4
#define ITERATION_MAX_RAD 0.1
#define PROBE_RAD 1e-6
#define AGREE_RAD 0.005    // nearer than this the closed form is the same answer
#define KNEE_BENT_RAD 0.03 // a straight knee has no derivative along the leg

// What is missing from the pose at `angle_rad` to the one wanted.
static void error_of(const struct leg *leg, const double angle_rad[LEG_JOINTS],
                     const double sole_m[3], const double sole_rotation[9], double error[6])
{
    double at[3], R[9], back[9], M[9];
    leg_forward(leg, angle_rad, at, R);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            back[3 * i + j] = R[3 * j + i];
    rotation_product(sole_rotation, back, M);
    for (int i = 0; i < 3; i++)
        error[i] = (sole_m[i] - at[i]) / LENGTH_M;
    error[3] = 0.5 * (M[7] - M[5]);
    error[4] = 0.5 * (M[2] - M[6]);
    error[5] = 0.5 * (M[3] - M[1]);
}

// Solves A x = b for a symmetric positive definite A, by elimination in place.
static void solve(double A[6][6], double b[6], double x[6])
{
    for (int k = 0; k < 6; k++)
        for (int i = k + 1; i < 6; i++) {
            double factor = A[i][k] / A[k][k];
            for (int j = k; j < 6; j++)
                A[i][j] -= factor * A[k][j];
            b[i] -= factor * b[k];
        }
    for (int i = 5; i >= 0; i--) {
        x[i] = b[i];
        for (int j = i + 1; j < 6; j++)
            x[i] -= A[i][j] * x[j];
        x[i] /= A[i][i];
    }
}

// One damped step: minimises |J x - error|^2 + DAMPING^2 |x|^2.
static void iterate(const struct leg *leg, const double sole_m[3], const double sole_rotation[9],
                    double angle_rad[LEG_JOINTS])
{
    double error[6], probed[6], J[6][LEG_JOINTS], A[6][6], b[6], x[6], largest = 0;
    error_of(leg, angle_rad, sole_m, sole_rotation, error);
    for (int j = 0; j < LEG_JOINTS; j++) {
        double probe[LEG_JOINTS];
        memcpy(probe, angle_rad, sizeof probe);
        probe[j] += PROBE_RAD;
        error_of(leg, probe, sole_m, sole_rotation, probed);
        for (int i = 0; i < 6; i++)
            J[i][j] = (error[i] - probed[i]) / PROBE_RAD;
    }
    for (int i = 0; i < 6; i++) {
        b[i] = 0;
        for (int k = 0; k < 6; k++)
            b[i] += J[k][i] * error[k];
        for (int j = 0; j < 6; j++) {
            A[i][j] = i == j ? DAMPING * DAMPING : 0;
            for (int k = 0; k < 6; k++)
                A[i][j] += J[k][i] * J[k][j];
        }
    }
    solve(A, b, x);
    for (int j = 0; j < LEG_JOINTS; j++)
        largest = fmax(largest, fabs(x[j]));
    double share = largest > ITERATION_MAX_RAD ? ITERATION_MAX_RAD / largest : 1;
    for (int j = 0; j < LEG_JOINTS; j++)
        angle_rad[j] = fmax(leg->min_rad[j], fmin(leg->max_rad[j], angle_rad[j] + share * x[j]));
}

static double difference(const double a[LEG_JOINTS], const double b[LEG_JOINTS])
{
    double largest = 0;
    for (int j = 0; j < LEG_JOINTS; j++)
        largest = fmax(largest, fabs(a[j] - b[j]));
    return largest;
}

double leg_follow(const struct leg *leg, const double sole_m[3], const double sole_rotation[9],
                  double step_max_rad, double angle_rad[LEG_JOINTS])
{
    static const double origin[3] = {0}, upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double wanted[LEG_JOINTS], closed[LEG_JOINTS], error[6];
    memcpy(wanted, angle_rad, sizeof wanted);
    wanted[LEG_KN] = fmax(wanted[LEG_KN], KNEE_BENT_RAD);
    for (int i = 0; i < ITERATIONS; i++)
        iterate(leg, sole_m, sole_rotation, wanted);
    if (leg_inverse(leg, origin, upright, sole_m, sole_rotation, closed) == STATUS_OK &&
        (difference(closed, wanted) < AGREE_RAD || difference(closed, angle_rad) < AGREE_RAD))
        memcpy(wanted, closed, sizeof wanted);
    double largest = difference(wanted, angle_rad);
    double share = largest > step_max_rad ? step_max_rad / largest : 1;
    for (int j = 0; j < LEG_JOINTS; j++)
        angle_rad[j] += share * (wanted[j] - angle_rad[j]);
    error_of(leg, angle_rad, sole_m, sole_rotation, error);
    return fmax(sqrt(vec_dot(error, error)), sqrt(vec_dot(error + 3, error + 3)));
}
