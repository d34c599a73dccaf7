// Pictures of a body in a state, drawn by MuJoCo without a screen: EGL, of Mesa in software if the
// machine has nothing better. Not real-time. One at a time in a process.
//
// The camera follows the body from its right front; the world's floor is a checkerboard.
#pragma once

#include <stdint.h>

#include "plant/body.h"

struct picture; // opaque; owned by the caller from picture_create to picture_free

// UNSUPPORTED, reported: this machine has no EGL, or it draws no OpenGL. NO_MEMORY. The body is the
// caller's, and outlives the picture; what its model says of colours and light changes.
enum status picture_create(struct body *body, unsigned width, unsigned height,
                           struct picture **picture) MUST_CHECK;
void picture_free(struct picture *picture); // NULL is allowed

// Of state[0 .. robots - 1]. Rows of red, green, blue from the top, the picture's own; until the
// next call. `title` stands in the upper left corner, `note` in the lower one; "": nothing.
const uint8_t *picture_draw(struct picture *picture, const struct body_state *state,
                            unsigned robots, const char *title, const char *note);
