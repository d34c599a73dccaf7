// Interfaces of the kernel for a cell (vcan for CAN, veth for Ethernet), made by rtnetlink in the
// cell's own network namespace, with which they end.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

// What a trial's frames travel through.
enum link_choice {
    LINK_AUTO, // the kernel's interfaces where it has them (Ethernet: in real time), else embedded
    LINK_EMBEDDED,
    LINK_SOCKETCAN, // CAN, by the kernel
    LINK_VETH,      // Ethernet, by the kernel
};

// "auto", "embedded", or the word of `kernels`, which is LINK_SOCKETCAN or LINK_VETH; false:
// another word.
bool link_parse(const char *word, enum link_choice kernels, enum link_choice *choice);
const char *link_word(enum link_choice choice);

// Makes a virtual CAN interface that takes CAN FD frames, and takes it up. UNSUPPORTED (this kernel
// has none) or SYSTEM, `reason` says what was refused. Needs the right to administer the present
// network namespace.
enum status link_create_vcan(const char *name, char *reason, size_t size) MUST_CHECK;

// Lays a cable: two Ethernet interfaces that are up. `number` is the cable's, from 0. As above.
enum status link_create_cable(unsigned number, const char *one, const char *other, char *reason,
                              size_t size) MUST_CHECK;

// Whether cells of this user may have such interfaces here: makes one in a child's own namespace.
// If not, `why` says what is refused.
bool link_possible(enum link_choice kernels, char *why, size_t size);
