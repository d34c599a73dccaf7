// A motion capture system that watches the robot's chest: 200 poses a second with noise, each told
// some time after it was taken. Real-time safe.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "message/message.h"

#define MOCAP_PERIOD_NS 5000000
#define MOCAP_LATENCY_MAX_S 2.0 // of which it holds the poses
#define MOCAP_HELD_MAX 512

struct mocap_config {
    bool present;
    double noise_m, noise_rad; // standard deviation of each coordinate, and of yaw
    double latency_s;          // from taking a pose to telling it
    uint64_t seed;
};

struct mocap {
    struct mocap_config config;
    struct random_stream stream;
    instant next; // to be taken
    uint64_t taken, told;
    struct mocap_message held[MOCAP_HELD_MAX];
};

void mocap_start(struct mocap *mocap, const struct mocap_config *config);
// The world is so at `t`: takes a pose if one is due.
void mocap_look(struct mocap *mocap, instant t, const double chest_m[3], double yaw_rad);
// The next pose that is told by `t`, with the instant of that; false: there is none.
bool mocap_tell(struct mocap *mocap, instant t, struct mocap_message *message);
