// What an interposer does with frames: every tampering in a channel's page, obeyed. No clock and no
// channel: frames and times in, frames out.
#pragma once

#include <stddef.h>

#include "base/time.h"
#include "channel/tamper.h"

// Frames that can wait at once; when one more is to, the one that has waited longest goes.
#define FRAMES_WAITING_MAX 1024

struct tampering_work; // opaque; owned by the caller

// Takes a frame that is to be delivered now.
typedef void tampering_sink(void *context, const void *frame, size_t size_B);

// `page` outlives the work. NO_MEMORY.
enum status tampering_begin(struct tamper_page *page, size_t frame_size_max_B, tampering_sink *sink,
                            void *context, struct tampering_work **work) MUST_CHECK;

// Looks at the page: what has been put in acts from now on, what was taken out acts no more. The
// frames that it kept back are still on their way.
void tampering_obey(struct tampering_work *work, instant now);

// A frame that the writer has put: at most frame_size_max_B of them.
void tampering_take(struct tampering_work *work, const void *frame, size_t size_B, instant now);

// Delivers what is due. When it is to be called next: INSTANT_NEVER if nothing is.
void tampering_pass(struct tampering_work *work, instant now);
instant tampering_due(const struct tampering_work *work);
