// A channel that holds a lock while it copies, as Ach does: what the kill driver must find wanting.
#pragma once

#include "tests/unit/channel/channel_subject.h"

extern const struct subject lock_channel_subject;
