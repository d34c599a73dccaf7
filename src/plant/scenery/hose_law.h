// A hose that is dragged over a floor, as a string: what it pulls with, in closed form. Pure;
// microseconds; SI units.
//
// From the hand the string hangs down over a length s and then lies on the floor. What lies there
// holds back with T = mu w (L - s), w the weight per metre; of a catenary that meets the floor
// level, s = sqrt(z^2 + 2 z T / w) with z the hand's height.
#pragma once

struct hose_law {
    double weight_N_m; // of a metre
    double length_m;
    double friction;
    double end_N;  // weight of what is at the hand's end: nozzle, coupling
    double tail_N; // that holds the tail back besides: a reel
};

struct hose_pull {
    double horizontal_N; // while it is dragged; at rest any less
    double vertical_N;   // downwards
    double hanging_m;    // s; all of it at most
    double span_m;       // horizontal distance from the hand to where it meets the floor
};

// What it pulls with when the hand that drags it is height_m (at least 0) above the floor.
struct hose_pull hose_law_pull(const struct hose_law *law, double height_m);

// The string over time: where it meets the floor, and the force on the hand.
struct hose_string {
    struct hose_law law;
    double stiffness_N_m; // of the string while it does not slide
    double floor_m[2];    // where it meets the floor
    double damping_Ns_m;  // against the hand's speed away from there
};

// Laid out behind the hand, along `direction` (a unit vector, from the hand), just slack.
void hose_string_lay(struct hose_string *string, const double hand_m[3], const double direction[2]);
// The force on the hand, in the world; the string slides after the hand as far as it must.
void hose_string_step(struct hose_string *string, const double hand_m[3],
                      const double hand_velocity_m_s[3], double force_N[3]);
