// The claim of a square of a campaign whose file states none: what is promised of its trials, as
// far as the scenario and what strikes say it. A scenario's own claim is about its own faults.
#pragma once

struct scenario;
struct target;

// Puts it into the scenario's claim, made of its target's packs, its promises and its faults, which
// have been checked.
void square_claim(const struct target *target, struct scenario *scenario);
