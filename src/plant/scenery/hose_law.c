#include "plant/scenery/hose_law.h"

#include <math.h>

#define ROUNDS 60 // T and s depend on each other; the map contracts, at worst slowly

static double catenary_span_m(double horizontal_N, double weight_N_m, double height_m)
{
    const double a = horizontal_N / weight_N_m; // its radius of curvature on the floor
    return a > 1e-9 ? a * acosh(1 + height_m / a) : 0;
}

struct hose_pull hose_law_pull(const struct hose_law *law, double height_m)
{
    const double w = law->weight_N_m;
    double low_N = law->tail_N, high_N = law->tail_N + law->friction * w * law->length_m;
    for (int i = 0; i < ROUNDS; i++) { // T (s(T)) falls with T: bisection
        const double t_N = 0.5 * (low_N + high_N);
        const double s_m = sqrt(height_m * height_m + 2 * height_m * t_N / w);
        const double held_N = law->tail_N + law->friction * w * fmax(law->length_m - s_m, 0);
        if (held_N > t_N)
            low_N = t_N;
        else
            high_N = t_N;
    }
    const double t_N = 0.5 * (low_N + high_N);
    const double s_m = fmin(sqrt(height_m * height_m + 2 * height_m * t_N / w), law->length_m);
    return (struct hose_pull){.horizontal_N = t_N,
                              .vertical_N = w * s_m + law->end_N,
                              .hanging_m = s_m,
                              .span_m = catenary_span_m(t_N, w, height_m)};
}

void hose_string_lay(struct hose_string *string, const double hand_m[3], const double direction[2])
{
    const struct hose_pull pull = hose_law_pull(&string->law, hand_m[2]);
    for (int i = 0; i < 2; i++)
        string->floor_m[i] = hand_m[i] + direction[i] * pull.span_m * 0.5;
}

void hose_string_step(struct hose_string *string, const double hand_m[3],
                      const double hand_velocity_m_s[3], double force_N[3])
{
    const struct hose_pull pull = hose_law_pull(&string->law, fmax(hand_m[2], 0));
    const double away_m[2] = {hand_m[0] - string->floor_m[0], hand_m[1] - string->floor_m[1]};
    const double distance_m = hypot(away_m[0], away_m[1]);
    force_N[0] = force_N[1] = 0;
    force_N[2] = -pull.vertical_N;
    if (distance_m < 1e-6)
        return;
    // The catenary is as stretched as its span when it slides; below that, a spring.
    const double unit[2] = {away_m[0] / distance_m, away_m[1] / distance_m};
    const double slack_m = pull.span_m - pull.horizontal_N / string->stiffness_N_m;
    const double speed_m_s = unit[0] * hand_velocity_m_s[0] + unit[1] * hand_velocity_m_s[1];
    const double spring_N =
        string->stiffness_N_m * (distance_m - slack_m) + string->damping_Ns_m * speed_m_s;
    const double held_N = fmin(fmax(spring_N, 0), pull.horizontal_N);
    for (int i = 0; i < 2; i++) {
        force_N[i] = -held_N * unit[i];
        if (distance_m > pull.span_m) // it slides after the hand
            string->floor_m[i] += unit[i] * (distance_m - pull.span_m);
    }
}
