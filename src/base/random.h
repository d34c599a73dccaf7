// Seeded pseudo-random numbers (xoshiro256**, seeded by splitmix64; Blackman and Vigna 2018).
//
// A trial has one seed; every consumer takes a stream of its own by name, so that adding a consumer
// never changes the numbers another one sees. Pure, real-time safe, no global state.
#pragma once

#include <stdint.h>

struct random_stream {
    uint64_t state[4];
};

// Starts the stream `name` of `seed`. Same (seed, name) -> same numbers on every machine.
void random_start(struct random_stream *stream, uint64_t seed, const char *name);

// Next 64 random bits.
uint64_t random_bits(struct random_stream *stream);

// Uniform in [low, high).
double random_uniform(struct random_stream *stream, double low, double high);

// Normal with mean 0 and standard deviation 1 (Box-Muller, one value per call).
double random_normal(struct random_stream *stream);

// Bits that follow from a seed and a number alone (splitmix64): the number-th of a stream that
// nobody has to keep.
uint64_t random_at(uint64_t seed, uint64_t number);
