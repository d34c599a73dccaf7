// What a port's link is, and what its sender does: pure steps (state, event) -> state, by tables.
// Private to src/ethernet; network.c finds out what happens.
#pragma once

#include <stdbool.h>

enum port_link {
    LINK_ABSENT,  // the network has no such port
    LINK_DOWN,    // no carrier: no cable, a cut one, or an end without power
    LINK_WORKS,   // frames come and go
    LINK_DEAF,    // no frames come, for longer than a healthy link would be silent
    LINK_UNHEARD, // the other end says that it hears nothing
    LINK_DEAD,    // both
    PORT_LINK_COUNT
};

enum link_event {
    LINK_CUT,          // the carrier is gone
    LINK_PLUGGED,      // there is one
    LINK_SILENT,       // nothing has come for too long
    LINK_HEARS,        // something has come lately
    LINK_SAID_UNHEARD, // by the other end
    LINK_SAID_HEARD,
    LINK_EVENT_COUNT
};

enum port_sender {
    SENDER_IDLE,
    SENDER_SENDS,
    SENDER_WASTES, // the cable was cut under the frame, or had no carrier: it arrives nowhere
    PORT_SENDER_COUNT
};

enum sender_event { SENDER_STARTS, SENDER_CUT, SENDER_ENDS, SENDER_EVENT_COUNT };

enum port_link port_link_step(enum port_link link, enum link_event event);
enum port_sender port_sender_step(enum port_sender sender, enum sender_event event);

static inline bool link_is_up(enum port_link link)
{
    return link > LINK_DOWN;
}

static inline bool link_hears(enum port_link link)
{
    return link == LINK_WORKS || link == LINK_UNHEARD;
}

static inline bool link_is_unheard(enum port_link link)
{
    return link == LINK_UNHEARD || link == LINK_DEAD;
}
