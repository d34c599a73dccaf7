// Which numbers of a message say when it was made, or which one it is. Message text has no word for
// that: it is a whole number, and a word of its name is one of those below. Pure.
#pragma once

#include "harness/history/message_text.h"

// "time", "stamp", "seq", "sequence", "cycle", "number", "sample", "tick", "epoch", "sec",
// "nanosec", "ns" as a word of the last part of the path: "state_cycle", "header.stamp.sec".
bool message_is_stamp(const char *path, const struct message_field *field);
