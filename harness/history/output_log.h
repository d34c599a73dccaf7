// What processes printed as standard log messages, /rosout, for viewers.
#pragma once

#include "harness/history/derived.h"

extern const struct derived_topic output_log;
