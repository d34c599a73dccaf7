#include "ethernet/port_link.h"

#include "base/invariant.h"

// What comes through a cable that has no carrier any more is of before: it changes nothing. A link
// that comes up begins as one that works, and is found out if it does not.
static const enum port_link links[PORT_LINK_COUNT][LINK_EVENT_COUNT] = {
    [LINK_ABSENT] = {LINK_ABSENT, LINK_ABSENT, LINK_ABSENT, LINK_ABSENT, LINK_ABSENT, LINK_ABSENT},
    [LINK_DOWN] = {[LINK_CUT] = LINK_DOWN,
                   [LINK_PLUGGED] = LINK_WORKS,
                   [LINK_SILENT] = LINK_DOWN,
                   [LINK_HEARS] = LINK_DOWN,
                   [LINK_SAID_UNHEARD] = LINK_DOWN,
                   [LINK_SAID_HEARD] = LINK_DOWN},
    [LINK_WORKS] = {[LINK_CUT] = LINK_DOWN,
                    [LINK_PLUGGED] = LINK_WORKS,
                    [LINK_SILENT] = LINK_DEAF,
                    [LINK_HEARS] = LINK_WORKS,
                    [LINK_SAID_UNHEARD] = LINK_UNHEARD,
                    [LINK_SAID_HEARD] = LINK_WORKS},
    [LINK_DEAF] = {[LINK_CUT] = LINK_DOWN,
                   [LINK_PLUGGED] = LINK_DEAF,
                   [LINK_SILENT] = LINK_DEAF,
                   [LINK_HEARS] = LINK_WORKS,
                   [LINK_SAID_UNHEARD] = LINK_DEAD,
                   [LINK_SAID_HEARD] = LINK_DEAF},
    [LINK_UNHEARD] = {[LINK_CUT] = LINK_DOWN,
                      [LINK_PLUGGED] = LINK_UNHEARD,
                      [LINK_SILENT] = LINK_DEAD,
                      [LINK_HEARS] = LINK_UNHEARD,
                      [LINK_SAID_UNHEARD] = LINK_UNHEARD,
                      [LINK_SAID_HEARD] = LINK_WORKS},
    [LINK_DEAD] = {[LINK_CUT] = LINK_DOWN,
                   [LINK_PLUGGED] = LINK_DEAD,
                   [LINK_SILENT] = LINK_DEAD,
                   [LINK_HEARS] = LINK_UNHEARD,
                   [LINK_SAID_UNHEARD] = LINK_DEAD,
                   [LINK_SAID_HEARD] = LINK_DEAF},
};

static const enum port_sender senders[PORT_SENDER_COUNT][SENDER_EVENT_COUNT] = {
    [SENDER_IDLE] = {SENDER_SENDS, SENDER_IDLE, SENDER_IDLE},
    [SENDER_SENDS] = {SENDER_SENDS, SENDER_WASTES, SENDER_IDLE},
    [SENDER_WASTES] = {SENDER_WASTES, SENDER_WASTES, SENDER_IDLE},
};

enum port_link port_link_step(enum port_link link, enum link_event event)
{
    invariant(link < PORT_LINK_COUNT && event < LINK_EVENT_COUNT);
    return links[link][event];
}

enum port_sender port_sender_step(enum port_sender sender, enum sender_event event)
{
    invariant(sender < PORT_SENDER_COUNT && event < SENDER_EVENT_COUNT);
    return senders[sender][event];
}
