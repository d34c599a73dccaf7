// The paths to which a bare cell's programs may write, where the kernel has Landlock.
#pragma once

#include <stdbool.h>

// In the init, for itself and all that it starts, for good: they read and execute what they could
// before, and write only below `folder`, to the machine's folders for scrap (/dev/shm, /tmp) and to
// devices without a state. Where the kernel can, they signal nobody else, and reach no abstract
// socket of others. False: this kernel has no such thing, or it is refused.
bool cell_fence(const char *folder);
