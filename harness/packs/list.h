// The packs, in the order of their oracles' verdicts: what a target may name under `packs`. To add
// one: a folder beside this file with a struct pack pack_NAME, and a line here.
#pragma once

#define PACKS(X)                                                                                   \
    X(robot)                                                                                       \
    X(can)                                                                                         \
    X(joints)                                                                                      \
    X(walking)

// The quantities that the formula of a trigger may name besides channels: X(pack, name). To add
// one: a line here, and its value from the pack's watcher (pack.h).
#define PACK_QUANTITIES(X)                                                                         \
    X(walking, com_outside_m) /* of the centre of mass from the support polygon; inside: < 0 */    \
    X(walking, pelvis_height_m)                                                                    \
    X(walking, tilt_rad)                                                                           \
    X(walking, steps) /* done in the plan that is being executed */

// The pack that knows what phase of its cycle a target is in.
#define PACK_OF_PHASE "walking"

// The packs that have a page for the reports of their targets' campaigns with faults, in place of
// reports/campaign/: X(pack, folder of reports/).
#define PACK_PAGES(X) X("walking", "walking")

// The pack whose oracles judge whether a robot falls and does what it is asked for: `must_stand`
// and `must_complete` of scenarios.
#define PACK_OF_MOTION "walking"

// What the oracles of a pack say of every trial, for the claim of a square that states none:
// X(pack, whether it is about readings, which some faults make untrue, words).
#define PACK_CLAIMS(X)                                                                             \
    X("can", false, "references on the buses keep their limits")                                   \
    X("joints", false, "commands keep their nominal limits")                                       \
    X("joints", true, "readings are true")

#define PACK_NUMBER(name) PACK_##name,
enum { PACKS(PACK_NUMBER) PACK_COUNT };
#undef PACK_NUMBER
