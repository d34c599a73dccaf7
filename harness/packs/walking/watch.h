// The walking pack's part of harness/packs/watch.h.
#pragma once

#include "harness/judge/pack.h"

extern const struct watcher walking_watcher;
