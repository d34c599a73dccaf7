// Private to src/shim/spin: breakpoints at loops that are known to spin. One thread of a process
// runs at a time, so that nobody runs past one that is lifted.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define SHIM_SITES_MAX 32

struct shim_site {
    uint8_t *place; // NULL: free
    uint8_t was;
    int protection; // of its memory
    unsigned steps; // of the loop
};

// NULL: there is no room, it is in a library that waits here itself, or its code cannot be changed.
struct shim_site *shim_site_new(uint8_t *place, unsigned steps);
struct shim_site *shim_site_at(const uint8_t *place); // NULL: none
void shim_site_plant(struct shim_site *site);
void shim_site_lift(struct shim_site *site);
void shim_site_forget(struct shim_site *site); // one that is lifted
// In so many it is known whether a thread spins there now.
unsigned shim_site_steps(const struct shim_site *site);
// The code of the C library, and of ours.
bool shim_site_is_ours(const uint8_t *place);
// So it is: once, before all others.
void shim_site_library(const void *from, uint64_t size_B);
