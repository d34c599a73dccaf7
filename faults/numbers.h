// All numbers of a frame at once, as a channel's page lays them out. Pure. Numbers beyond the end
// of the frame are none of it.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "channel/tamper.h"

// Its real numbers say `value`. False: they did.
bool numbers_set(const struct tamper_layout *layout, unsigned char *frame, size_t size_B,
                 double value);

// Its numbers are zero, but for stamps. False: they were.
bool numbers_zero(const struct tamper_layout *layout, unsigned char *frame, size_t size_B);

// Its stamps are those of the frame `fresh`; both have size_B bytes.
void numbers_refresh(const struct tamper_layout *layout, unsigned char *frame,
                     const unsigned char *fresh, size_t size_B);
