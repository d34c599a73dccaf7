// A node of hrp3p that looks at no sum, and follows whatever says that it is a command.
#include "targets/hrp3p/frames.h"

bool __wrap_frame_sound(const void *frame, size_t length_B, enum frame_kind kind);

bool __wrap_frame_sound(const void *frame, size_t length_B, enum frame_kind kind)
{
    (void)frame, (void)kind;
    return length_B == sizeof(struct command_frame);
}
