// A chain of three links made by hand: a state, the command that answers it, and the answer seen.
#pragma once

#include "harness/chain/chain_figures.h"
#include "harness/machine/machine_floor.h"

enum { STATE, COMMAND, ACQUIRED };

static const struct chain_config three_links = {
    .name = "loop",
    .link_count = 3,
    .last = ACQUIRED,
    .bound = {.p = 99.9, .periods = 2},
    .link = {{.name = "state", .writer = "legs", .numbered = true},
             {.name = "command", .writer = "head", .number = {[LINK_TAKEN] = {.given = true}}},
             {.name = "acquired", .writer = "legs", .parent = COMMAND, .shows = "command"}}};
