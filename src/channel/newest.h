// How far a channel has come, without getting anything.
#pragma once

#include "channel/channel.h"

// Number of the newest frame; 0: none. As its writers say: nothing is checked.
uint64_t channel_newest(const struct channel *channel);
