// CAN interfaces of the kernel (vcan) for a cell, made by rtnetlink in the cell's own network
// namespace, with which they end.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

// What a trial's CAN frames travel through.
enum link_choice {
    LINK_AUTO, // SocketCAN where the kernel has it, else the embedded bus
    LINK_EMBEDDED,
    LINK_SOCKETCAN,
};

// "auto", "embedded" or "socketcan"; false: another word.
bool link_parse(const char *word, enum link_choice *choice);

// Makes a virtual CAN interface that takes CAN FD frames, and takes it up. UNSUPPORTED (this kernel
// has none) or SYSTEM, `reason` says what was refused. Needs the right to administer the present
// network namespace.
enum status link_create_vcan(const char *name, char *reason, size_t size) MUST_CHECK;

// Whether cells of this user may have CAN interfaces here: makes one in a child's own namespace. If
// not, `why` says what is refused.
bool link_possible(char *why, size_t size);
