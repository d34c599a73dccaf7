// Faults that somebody else carries out: the program asks, by a page (src/channel/tamper.h), and
// tells what was counted there. Whether it is true the lab finds out by itself.
#pragma once

#include "channel/tamper.h"
#include "faults/fault_main.h"

struct asking { // the `own` of an entry
    enum tampering_kind kind;
    // Name of the page.
    const char *(*page)(const struct fault_asked *asked);
    // Fills in what all kinds of the family have not got in common. False: it has reported why not.
    bool (*describe)(const struct fault_asked *asked, struct tampering *what);
};

#define ASKING_ENTRY(name, kind, page, describe)                                                   \
    {                                                                                              \
        name, asking_apply, asking_undo, asking_effect, asking_settled, &(const struct asking)     \
        {                                                                                          \
            kind, page, describe                                                                   \
        }                                                                                          \
    }

fault_act asking_apply, asking_effect, asking_undo, asking_settled;

// To be returned by main.
int asking_main(int argc, char **argv, const struct fault_entry *entries);
