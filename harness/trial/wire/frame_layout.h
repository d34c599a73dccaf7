// What the numbers of a channel's frames are, for whoever tampers with all of them. Pure.
#pragma once

#include "channel/tamper.h"

// `fields`: message text. Left alone are the count of a sequence, arrays of more than
// TAMPER_NUMBERS_MAX numbers, and what goes beyond so many in all.
void frame_layout(const char *fields, struct tamper_layout *layout);

// How many of its numbers are of this kind, those of a sequence once.
unsigned frame_layout_count(const struct tamper_layout *layout, enum tamper_number_kind kind);
