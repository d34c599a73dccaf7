// What chains of a robot's stack need to know of its boards (harness/chain/chain.h).
#pragma once

#include "harness/chain/chain.h"

extern const struct chain_robot robot_of_chains;
