// What crosses a network's cables, for a channel `wire` (wire.msg): messages of frames, each with
// as many of its first bytes as the target's message has room for.
#pragma once

#include "channel/channel.h"
#include "ethernet/frame.h"

struct wire_log;

// Opens the channel. `head_B`: of each frame; a multiple of 8. Errors as participant_channel;
// NO_MEMORY. Not real-time.
enum status wire_log_open(unsigned head_B, unsigned frames_max, struct wire_log **log) MUST_CHECK;
// An eth_listener. Real-time safe.
void wire_log_frame(void *log, unsigned cable, unsigned end, const struct eth_frame *frame);
// Those since the last time. As channel_put.
enum status wire_log_publish(struct wire_log *log, instant now) MUST_CHECK;
