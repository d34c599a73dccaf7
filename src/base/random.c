#include "base/random.h"

#include <math.h>

#include "base/invariant.h"

static uint64_t splitmix64(uint64_t *x)
{
    uint64_t z = (*x += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

static uint64_t rotate_left(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

void random_start(struct random_stream *stream, uint64_t seed, const char *name)
{
    uint64_t x = seed ^ 0xcbf29ce484222325U;
    for (const char *c = name; *c != '\0'; c++) // FNV-1a over the name
        x = (x ^ (uint64_t)(unsigned char)*c) * 0x100000001b3U;
    for (int i = 0; i < 4; i++)
        stream->state[i] = splitmix64(&x);
}

uint64_t random_bits(struct random_stream *stream)
{
    uint64_t *s = stream->state;
    invariant((s[0] | s[1] | s[2] | s[3]) != 0); // it was begun: zeros would stay zeros
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

double random_uniform(struct random_stream *stream, double low, double high)
{
    return low + (high - low) * (double)(random_bits(stream) >> 11) * 0x1p-53;
}

double random_normal(struct random_stream *stream)
{
    double u1 = 1.0 - random_uniform(stream, 0.0, 1.0); // (0, 1]
    double u2 = random_uniform(stream, 0.0, 1.0);
    return sqrt(-2.0 * log(u1)) * cos(2.0 * M_PI * u2);
}

uint64_t random_at(uint64_t seed, uint64_t number)
{
    uint64_t z = seed + (number + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}
