// For a daemon that is linked with --wrap=channel_put: what it calls when it puts a frame, and what
// really puts it.
#pragma once

#include "channel/channel.h"

enum status __real_channel_put(struct channel *channel, const void *frame, size_t size_B,
                               instant now);
enum status __wrap_channel_put(struct channel *channel, const void *frame, size_t size_B,
                               instant now);
