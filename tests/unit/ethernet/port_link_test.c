// port_link: what each event makes of a port's link and of its sender.
#include "tests/unit/common/unit.h"

#include <string.h>

#include "ethernet/port_link.h"

// By letters: absent, down, Works, deaf (no frames come), unheard, both.
static const char links[] = "adWDUB";
static const struct {
    char from;
    const char *to; // cut, plugged, silent, hears, said unheard, said heard
} link_rows[] = {
    {'a', "aaaaaa"}, {'d', "dWdddd"}, {'W', "dWDWUW"},
    {'D', "dDDWBD"}, {'U', "dUBUUW"}, {'B', "dBBUBD"},
};

START_TEST(each_event_of_a_link_leads_to_its_state)
{
    ck_assert_uint_eq(sizeof link_rows / sizeof link_rows[0], PORT_LINK_COUNT);
    for (unsigned i = 0; i < PORT_LINK_COUNT; i++)
        for (unsigned event = 0; event < LINK_EVENT_COUNT; event++) {
            const enum port_link from = (unsigned)(strchr(links, link_rows[i].from) - links);
            const char to = links[port_link_step(from, event)];
            ck_assert_msg(to == link_rows[i].to[event], "%c, event %u: %c", link_rows[i].from,
                          event, to);
        }
}
END_TEST

START_TEST(each_state_of_a_link_says_what_works)
{
    static const struct {
        enum port_link link;
        bool up, hears, unheard;
    } rows[] = {{LINK_ABSENT, false, false, false}, {LINK_DOWN, false, false, false},
                {LINK_WORKS, true, true, false},    {LINK_DEAF, true, false, false},
                {LINK_UNHEARD, true, true, true},   {LINK_DEAD, true, false, true}};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert_int_eq(link_is_up(rows[i].link), rows[i].up);
        ck_assert_int_eq(link_hears(rows[i].link), rows[i].hears);
        ck_assert_int_eq(link_is_unheard(rows[i].link), rows[i].unheard);
    }
}
END_TEST

// By letters: idle, sends, wastes.
START_TEST(each_event_of_a_sender_leads_to_its_state)
{
    static const char senders[] = "isw";
    static const char *const to[PORT_SENDER_COUNT] = {"sii", "swi", "wwi"}; // starts, cut, ends
    for (unsigned from = 0; from < PORT_SENDER_COUNT; from++)
        for (unsigned event = 0; event < SENDER_EVENT_COUNT; event++)
            ck_assert_int_eq(senders[port_sender_step(from, event)], to[from][event]);
}
END_TEST

UNIT_MAIN("port_link", each_event_of_a_link_leads_to_its_state,
          each_state_of_a_link_says_what_works, each_event_of_a_sender_leads_to_its_state)
