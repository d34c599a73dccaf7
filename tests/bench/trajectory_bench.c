// Least times of motions (motion/trajectory.h) on random problems of several classes, each checked,
// and how long finding them takes in processor time; beside a peer, if one is given:
//
//   trajectory_bench [--problems N] [PEER.so]
//
// Prints a line per figure (harness/bench/compare/figures.h). Exit status 1: a motion misses its
// end or its bounds, is longer than the peer's by 1e-6 s, or is not found.
#include <dlfcn.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "tests/bench/trajectory_peer.h"

#define JOINTS_MAX 28
#define LONGER_MAX_S 1e-6
#define TIMED_MAX 20000

// How problems are drawn: those of the peer's own tests (positions normal with 4, velocities and
// accelerations normal with 0.8, bounds uniform from 0.1 to 12 beyond the end's), or bounds
// log-uniform from 1e-3 to 1e3, starts and ends anywhere within them.
struct class
{
    const char *name;
    unsigned joints;
    bool wide, no_jerk, outside, at_rest;
    enum trajectory_goal goal;
    enum trajectory_synchronization synchronization;
};

static const struct class classes[] = {
    {"test range, 1 joint", 1, false, false, false, false, 0, 0},
    {"test range, 6 joints", 6, false, false, false, false, 0, 0},
    {"wide, 1 joint", 1, true, false, false, false, 0, 0},
    {"wide, 6 joints", 6, true, false, false, false, 0, 0},
    {"from outside, 1 joint", 1, true, false, true, false, 0, 0},
    {"no jerk limit, 1 joint", 1, false, true, false, false, 0, 0},
    {"no jerk limit, 6 joints", 6, false, true, false, false, 0, 0},
    {"to velocity, 6 joints", 6, false, false, false, false, TRAJECTORY_TO_VELOCITY, 0},
    {"in phase, 6 joints", 6, false, false, false, true, 0, TRAJECTORY_IN_PHASE},
};

// These are timed.
static const struct class timed[] = {
    {"1 joint", 1, false, false, false, false, 0, 0},
    {"7 joints", 7, false, false, false, false, 0, 0},
    {"19 joints", 19, false, false, false, false, 0, 0},
    {"28 joints", 28, false, false, false, false, 0, 0},
};

struct peer {
    bool (*take)(const struct trajectory_problem *problem);
    double (*solve)(void);
};

struct drawn {
    struct trajectory_problem problem;
    struct motion_bounds bounds[JOINTS_MAX];
    struct motion_state start[JOINTS_MAX], end[JOINTS_MAX];
};

static double now_us(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static double log_uniform(struct random_stream *stream)
{
    return pow(10, random_uniform(stream, -3, 3));
}

static double within(struct random_stream *stream, double bound)
{
    return random_uniform(stream, -bound, bound);
}

static void draw_wide(struct random_stream *stream, bool outside, struct motion_bounds *b,
                      struct motion_state *start, struct motion_state *end)
{
    const double far = outside ? 3 : 1;
    *b = (struct motion_bounds){log_uniform(stream), log_uniform(stream), log_uniform(stream)};
    *start = (struct motion_state){4 * random_normal(stream), within(stream, far * b->velocity),
                                   within(stream, far * b->acceleration)};
    *end = (struct motion_state){4 * random_normal(stream), within(stream, b->velocity),
                                 within(stream, b->acceleration)};
}

static void draw_narrow(struct random_stream *stream, bool at_rest, struct motion_bounds *b,
                        struct motion_state *start, struct motion_state *end)
{
    const double moving = at_rest ? 0 : 0.8;
    *start = (struct motion_state){4 * random_normal(stream), moving * random_normal(stream),
                                   moving * random_normal(stream)};
    *end = (struct motion_state){4 * random_normal(stream), moving * random_normal(stream),
                                 moving * random_normal(stream)};
    *b = (struct motion_bounds){fabs(end->velocity) + random_uniform(stream, 0.1, 12),
                                fabs(end->acceleration) + random_uniform(stream, 0.1, 12),
                                random_uniform(stream, 0.1, 12)};
}

static void draw(struct random_stream *stream, const struct class *class, struct drawn *d)
{
    for (unsigned i = 0; i < class->joints; i++) {
        struct motion_bounds *b = &d->bounds[i];
        struct motion_state *start = &d->start[i], *end = &d->end[i];
        if (class->wide)
            draw_wide(stream, class->outside, b, start, end);
        else
            draw_narrow(stream, class->at_rest, b, start, end);
        if (class->no_jerk) {
            b->jerk = INFINITY;
            start->acceleration = end->acceleration = 0;
        }
        if (class->goal == TRAJECTORY_TO_VELOCITY) // which peers do not bound then
            b->velocity = INFINITY;
        if (class->synchronization == TRAJECTORY_IN_PHASE) // nor move straight, if unlike
            *b = d->bounds[0];
        // The end can be reached within the bound of velocity.
        const double most = sqrt(2 * b->jerk * (b->velocity - fabs(end->velocity))) * (1 - 1e-9);
        if (fabs(end->acceleration) > most)
            end->acceleration = copysign(most, end->acceleration);
    }
    d->problem = (struct trajectory_problem){.count = class->joints,
                                             .bounds = d->bounds,
                                             .start = d->start,
                                             .end = d->end,
                                             .goal = class->goal,
                                             .synchronization = class->synchronization};
}

struct tally {
    unsigned unsolved, peer_unsolved, only_ours, longer, shorter;
    double longest_s;   // beyond the peer's
    double end, bounds; // worst relative errors
};

// Follows the pieces, which have jerks or jumps of acceleration.
static void check(const struct motion_bounds *b, const struct trajectory *t, struct tally *tally)
{
    struct motion_state s = t->start;
    const double rest = isinf(b->jerk) ? 0 : s.acceleration * fabs(s.acceleration) / 2 / b->jerk;
    const double most_v = fmax(b->velocity, fmax(fabs(s.velocity), fabs(s.velocity + rest)));
    const double most_a = fmax(b->acceleration, fabs(s.acceleration));
    double size = fabs(s.position) + fabs(t->end.position), peak = 0;
    for (unsigned i = 0; i < t->count; i++) {
        const double dt = t->piece[i].duration_s, a = t->piece[i].acceleration;
        const double j = t->piece[i].jerk, turn_s = j != 0 ? -a / j : 0;
        if (turn_s > 0 && turn_s < dt)
            peak = fmax(peak, fabs(s.velocity + turn_s * a / 2) / most_v);
        s.position += dt * (s.velocity + dt * (a / 2 + dt * j / 6));
        s.velocity += dt * (a + dt * j / 2);
        size = fmax(size, fabs(s.position) + fabs(s.velocity) * t->duration_s);
        peak = fmax(peak, fmax(fabs(s.velocity) / most_v, fabs(a) / most_a));
        peak = fmax(peak, fmax(fabs(a + j * dt) / most_a, isinf(b->jerk) ? 0 : fabs(j) / b->jerk));
    }
    tally->bounds = fmax(tally->bounds, peak - 1);
    tally->end = fmax(tally->end, fabs(s.position - t->end.position) / size);
    // Velocities are as exact as times: to a rounding of the duration.
    const double speed = fabs(t->end.velocity) + fmin(most_a, 1e300) * t->duration_s;
    if (speed > 0)
        tally->end = fmax(tally->end, fabs(s.velocity - t->end.velocity) / speed);
}

static void count(const struct drawn *d, const struct peer *peer, struct tally *tally)
{
    static struct trajectory trajectory[JOINTS_MAX];
    unsigned culprit;
    const bool solved = trajectory_plan(&d->problem, trajectory, &culprit) == TRAJECTORY_OK;
    tally->unsolved += !solved;
    for (unsigned i = 0; solved && i < d->problem.count; i++)
        check(&d->bounds[i], &trajectory[i], tally);
    if (peer->take == NULL || !peer->take(&d->problem))
        return;
    const double peer_s = peer->solve();
    tally->peer_unsolved += isnan(peer_s);
    tally->only_ours += isnan(peer_s) && solved;
    if (isnan(peer_s) || !solved)
        return;
    const double longer_s = trajectory[0].duration_s - peer_s;
    tally->longer += longer_s > LONGER_MAX_S;
    tally->shorter += longer_s < -LONGER_MAX_S;
    tally->longest_s = fmax(tally->longest_s, longer_s);
}

static bool compare(const struct class *class, unsigned problems, const struct peer *peer)
{
    static struct drawn drawn;
    struct random_stream stream;
    struct tally tally = {.longest_s = -INFINITY};
    random_start(&stream, 1, class->name);
    for (unsigned i = 0; i < problems; i++) {
        draw(&stream, class, &drawn);
        count(&drawn, peer, &tally);
    }
    printf("%s\tunsolved\tproblems\tless\t%u\n", class->name, tally.unsolved);
    printf("%s\terror of the end\trelative\tless\t%.2g\n", class->name, tally.end);
    printf("%s\tbeyond the bounds\trelative\tless\t%.2g\n", class->name, fmax(tally.bounds, 0));
    if (peer->take != NULL) {
        printf("%s\tpeer unsolved\tproblems\t\t%u\n", class->name, tally.peer_unsolved);
        printf("%s\tof these solved\tproblems\tmore\t%u\n", class->name, tally.only_ours);
        printf("%s\tlonger than peer\tproblems\tless\t%u\n", class->name, tally.longer);
        printf("%s\tshorter than peer\tproblems\tmore\t%u\n", class->name, tally.shorter);
        printf("%s\tlongest beyond peer\ts\tless\t%.2g\n", class->name, tally.longest_s);
    }
    fflush(stdout);
    return tally.unsolved == 0 && tally.longer == 0 && tally.end <= 1e-9 && tally.bounds <= 1e-12;
}

// ---- time ---------------------------------------------------------------------------------------

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_times(const char *cell, const char *who, double *us, unsigned count)
{
    qsort(us, count, sizeof *us, by_size);
    printf("%s\t%sp50\tus\tless\t%.2f\n", cell, who, us[count / 2]);
    printf("%s\t%sp99.9\tus\tless\t%.2f\n", cell, who, us[count * 999 / 1000]);
}

// A problem's time is the least of three: interrupts and other processes' caches are no property of
// the problem.
#define TURNS 3

static void plan(void *context)
{
    static struct trajectory trajectory[JOINTS_MAX];
    const struct drawn *drawn = context;
    unsigned culprit;
    (void)trajectory_plan(&drawn->problem, trajectory, &culprit);
}

static void let_peer_plan(void *context)
{
    const struct peer *peer = context;
    (void)peer->solve();
}

static double least_us(void (*solve)(void *), void *context)
{
    double least = INFINITY;
    for (unsigned i = 0; i < TURNS; i++) {
        const double begin_us = now_us();
        solve(context);
        least = fmin(least, now_us() - begin_us);
    }
    return least;
}

// In turns, so that what disturbs one disturbs the other.
static void measure(const struct class *class, unsigned problems, const struct peer *peer)
{
    static struct drawn drawn;
    static double us[TIMED_MAX], peer_us[TIMED_MAX];
    struct random_stream stream;
    const unsigned count = problems < TIMED_MAX ? problems : TIMED_MAX;
    struct peer their = *peer;
    random_start(&stream, 2, class->name);
    for (unsigned i = 0; i < count; i++) {
        draw(&stream, class, &drawn);
        us[i] = least_us(plan, &drawn);
        peer_us[i] =
            peer->take != NULL && peer->take(&drawn.problem) ? least_us(let_peer_plan, &their) : 0;
    }
    print_times(class->name, "", us, count);
    if (peer->take != NULL)
        print_times(class->name, "peer ", peer_us, count);
    fflush(stdout);
}

static bool open_peer(const char *path, struct peer *peer)
{
    void *const library = dlopen(path, RTLD_NOW);
    if (library != NULL) {
        *(void **)&peer->take = dlsym(library, "peer_take");
        *(void **)&peer->solve = dlsym(library, "peer_solve");
    }
    if (peer->take == NULL || peer->solve == NULL)
        fprintf(stderr, "trajectory_bench: %s\n", dlerror());
    return peer->take != NULL && peer->solve != NULL;
}

int main(int argc, char **argv)
{
    static const struct option known[] = {{"problems", required_argument, NULL, 'n'}, {0}};
    unsigned problems = 100000;
    struct peer peer = {0};
    bool sound = true;
    for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;) {
        const unsigned long number = option == 'n' ? strtoul(optarg, NULL, 10) : 0;
        if (number < 1 || number > 10000000) {
            fputs("usage: trajectory_bench [--problems 1..10000000] [PEER.so]\n", stderr);
            return 2;
        }
        problems = (unsigned)number;
    }
    if (optind < argc && !open_peer(argv[optind], &peer))
        return 2;
    if (peer.take == NULL)
        puts("# SKIP comparison: no peer (ruckig is not installed)");
    for (size_t i = 0; i < sizeof timed / sizeof timed[0]; i++)
        measure(&timed[i], problems, &peer);
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        sound &= compare(&classes[i], problems, &peer);
    return sound ? 0 : 1;
}
