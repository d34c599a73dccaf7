// Random problems and levels as a script of Octave that compares our solutions with its own; see
// tests/system/qp.sh.
#include <math.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>

#include "qp/hierarchy.h"

#define N 8
#define M 14
#define EXAMPLES 25

static uint64_t state = 1;

static double uniform(void) // -1 to 1
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) / 4503599627370496.0 - 1;
}

static void print(const char *name, const double *number, unsigned rows, unsigned columns)
{
    printf("%s = [", name);
    for (unsigned i = 0; i < rows; i++)
        for (unsigned j = 0; j < columns; j++)
            printf("%.17g%s", number[i * columns + j], j + 1 < columns ? " " : "; ");
    printf("];\n");
}

static bool print_program(struct qp *qp)
{
    double H[N * N], factor[N * N], g[N], A[M * N], lower[M], upper[M], x[N], root[N * N];
    signed char active[M] = {0};
    struct qp_result result;
    for (unsigned i = 0; i < N * N; i++)
        root[i] = uniform();
    for (unsigned i = 0; i < N; i++) {
        g[i] = 4 * uniform();
        for (unsigned j = 0; j < N; j++) {
            H[i * N + j] = i == j ? 0.1 : 0;
            for (unsigned k = 0; k < N; k++)
                H[i * N + j] += root[i * N + k] * root[j * N + k];
        }
    }
    for (unsigned i = 0; i < M; i++) {
        for (unsigned j = 0; j < N; j++)
            A[i * N + j] = uniform();
        lower[i] = -fabs(uniform());
        upper[i] = fabs(uniform());
    }
    struct qp_problem problem = {.unknowns = N,
                                 .rows = M,
                                 .factor = factor,
                                 .gradient = g,
                                 .row = A,
                                 .lower = lower,
                                 .upper = upper};
    if (!qp_factor(H, N, factor) || qp_solve(qp, &problem, active, x, NULL, &result) != QP_OPTIMAL)
        return false;
    print("H", H, N, N);
    print("g", g, N, 1);
    print("A", A, M, N);
    print("l", lower, M, 1);
    print("u", upper, M, 1);
    print("x", x, N, 1);
    puts("y = qp(zeros(size(g)), H, g, [], [], [], [], l, A, u); worst = max(worst, norm(x - y));");
    return true;
}

// Three levels without bounds: Octave eliminates by null().
static bool print_levels(struct hierarchy *hierarchy)
{
    double A[9 * N], b[9], low[N], high[N], x[N];
    struct hierarchy_level level[3];
    for (unsigned i = 0; i < 9 * N; i++)
        A[i] = uniform();
    for (unsigned i = 0; i < N; i++) // the second level contradicts the first
        A[3 * N + i] = A[i];
    for (unsigned i = 0; i < 9; i++)
        b[i] = uniform();
    for (unsigned i = 0; i < N; i++)
        high[i] = -(low[i] = -1e6);
    for (unsigned k = 0; k < 3; k++)
        level[k] = (struct hierarchy_level){3, A + 3 * k * N, b + 3 * k, b + 3 * k};
    if (hierarchy_solve(hierarchy, N, low, high, level, 3, 1e-9, x).status != QP_OPTIMAL)
        return false;
    print("A", A, 9, N);
    print("b", b, 9, 1);
    print("x", x, N, 1);
    puts("y = zeros(columns(A), 1); Z = eye(columns(A));\n"
         "for k = 1:3\n"
         "  B = A(3*k-2:3*k, :); c = b(3*k-2:3*k);\n"
         "  y = y + Z * (pinv(B * Z, 1e-9) * (c - B * y)); Z = Z * null(B * Z, 1e-9);\n"
         "  worst = max(worst, norm(B * x - B * y));\n"
         "end");
    return true;
}

int main(void)
{
    struct qp *qp;
    struct hierarchy *hierarchy;
    bool ok = true;
    if (qp_create(N, M, &qp) != STATUS_OK)
        return 3;
    if (hierarchy_create(N, 3, &hierarchy) != STATUS_OK) {
        qp_free(qp);
        return 3;
    }
    puts("worst = 0;");
    for (unsigned i = 0; ok && i < EXAMPLES; i++)
        ok = print_program(qp) && print_levels(hierarchy);
    puts("printf('worst %g\\n', worst); exit(worst > 1e-6);");
    hierarchy_free(hierarchy);
    qp_free(qp);
    return ok ? 0 : 1;
}
