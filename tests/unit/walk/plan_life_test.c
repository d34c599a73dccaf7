// plan_life: what becomes of a plan by what balance says of it.
#include "tests/unit/common/unit.h"

#include <string.h>

#include "walk/steps/plan_life.h"

#define COUNT(rows) (sizeof(rows) / sizeof(rows)[0])

// By a letter: what a plan was, and what each event makes of it, in the order of the events: begun,
// executed, awaited, overdue, dropped.
static const char letters[] = "NOT"; // none, offered, taken
static const struct {
    char was;
    const char *becomes;
} table[] = {
    {'N', "ONNNN"},
    {'O', "OTONN"},
    {'T', "OTNNN"}, // what is no longer executed is over, however little time has passed
};

START_TEST(each_event_leads_to_its_life)
{
    ck_assert_uint_eq(COUNT(table), PLAN_LIFE_COUNT);
    for (size_t i = 0; i < COUNT(table); i++) {
        const enum plan_life was = (unsigned)(strchr(letters, table[i].was) - letters);
        ck_assert_uint_eq(strlen(table[i].becomes), PLAN_EVENT_COUNT);
        for (unsigned e = 0; e < PLAN_EVENT_COUNT; e++) {
            const char is = letters[plan_life_step(was, e)];
            ck_assert_msg(is == table[i].becomes[e], "%c, event %u: %c, not %c", table[i].was, e,
                          is, table[i].becomes[e]);
        }
    }
}
END_TEST

START_TEST(what_balance_says_is_an_event)
{
    static const struct {
        uint32_t phase;
        uint64_t plan_id, epoch;
        int64_t now_ms;
        enum plan_event event;
    } cases[] = {
        {BALANCE_PHASE_EXECUTING, 7, 3, 1010, PLAN_EXECUTED},
        {BALANCE_PHASE_EXECUTING, 7, 3, 9000, PLAN_EXECUTED}, // however late
        {BALANCE_PHASE_EXECUTING, 6, 3, 1249, PLAN_AWAITED},  // another one
        {BALANCE_PHASE_STANDING, 7, 3, 1249, PLAN_AWAITED},
        {BALANCE_PHASE_STANDING, 7, 3, 1250, PLAN_OVERDUE},
        {BALANCE_PHASE_EXECUTING, 7, 4, 1010, PLAN_DROPPED},
        {BALANCE_PHASE_STANDING, 7, 2, 1010, PLAN_DROPPED},
    };
    const struct plan_offer offer = {7, 3, instant_s(1)};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct balance_status_message status = {
            .phase = cases[i].phase, .plan_id = cases[i].plan_id, .epoch = cases[i].epoch};
        const instant now = instant_ns(cases[i].now_ms * 1000000);
        ck_assert_int_eq(plan_event_of(&offer, &status, now, duration_ms(250)), cases[i].event);
    }
}
END_TEST

UNIT_MAIN("plan_life", each_event_leads_to_its_life, what_balance_says_is_an_event)
