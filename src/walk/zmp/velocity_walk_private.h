// The parts of velocity_walk: the state it keeps, and the program of one period.
#pragma once

#include "walk/zmp/velocity_walk.h"

#define N VELOCITY_WALK_SAMPLES
#define T VELOCITY_WALK_PERIOD_S
#define AXIS (N + 2) // unknowns of an axis: jerks, two footholds
#define UNKNOWNS (2 * AXIS)
#define UNKNOWNS_MAX (UNKNOWNS + 2) // with the yaws of both footholds
#define STEP_MAX 8
#define START 8 // periods of double support before the first swing
#define ROWS (2 * N + 2 * VELOCITY_WALK_FOOT_CORNERS + 8 + 2 * VELOCITY_WALK_OBSTACLES_MAX)

// How many steps are still to land: the support of each sample depends on it.
enum stage { STAGE_STANDING, STAGE_LAST, STAGE_LAST_BUT_ONE, STAGE_WALKING, STAGES };

#define PHASES (STEP_MAX + START + 1)

struct velocity_walk_private {
    struct velocity_walk_config config;
    struct qp *qp;
    unsigned unknowns;
    double velocity[3];
    enum stage stage;
    unsigned start;              // periods of the first double support still to come
    double pzx[N][3], pzu[N][N]; // ZMP
    double pvx[N][3], pvu[N][N]; // velocity
    double pcx[3], pcu[N];       // capture point at its end
    struct {
        bool made;
        double factor[AXIS * AXIS];
    } cache[STAGES][PHASES];
    // Of the period at hand.
    double share[N][2], known[2][N]; // the support's centre is known + share . footholds
    double half_width[N], yaw[N];
    int step[N]; // landings before a sample, whose last one's yaw it has
    double factor[UNKNOWNS_MAX * UNKNOWNS_MAX], gradient[UNKNOWNS_MAX], x[UNKNOWNS_MAX];
    double row[ROWS * UNKNOWNS_MAX], lower[ROWS], upper[ROWS], softness[ROWS];
    signed char active[ROWS];
    unsigned rows;
    int last_status;
};

static inline double outward(enum side foot)
{
    return foot == SIDE_LEFT ? 1 : -1;
}
static inline enum side other(enum side side)
{
    return side == SIDE_LEFT ? SIDE_RIGHT : SIDE_LEFT;
}

// The middle between the feet.
void velocity_walk_centre(const struct velocity_walk *walk, double middle[2]);

// Matrices of the prediction, once; they depend on the configuration.
void velocity_walk_predict(struct velocity_walk_private *p);

// Whether yaws are unknowns.
static inline bool velocity_walk_finds_yaws(const struct velocity_walk_private *p)
{
    return p->unknowns > UNKNOWNS;
}

// Writes the program of the next period: factor, gradient, rows. false if the weights make no
// convex one.
bool velocity_walk_write(struct velocity_walk *walk);
