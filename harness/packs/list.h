// The packs, in the order of their oracles' verdicts: what a target may name under `packs`. To add
// one: a folder beside this file with a struct pack pack_NAME, and a line here.
#pragma once

#define PACKS(X)                                                                                   \
    X(robot)                                                                                       \
    X(can)                                                                                         \
    X(joints)                                                                                      \
    X(walking)

#define PACK_NUMBER(name) PACK_##name,
enum { PACKS(PACK_NUMBER) PACK_COUNT };
#undef PACK_NUMBER
