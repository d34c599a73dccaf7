// What the lab says a trial's buses carried: loads, and who sent.
#include "tests/unit/common/synthetic.h"

#include "harness/packs/can/bus_load.h"

static void log_frame(struct made_up *m, unsigned bus, enum bus_log_sender sender, bool failed)
{
    m->log.frame[m->log.count++] =
        (struct bus_log_frame){.bus = bus, .sender = (uint16_t)sender, .failed = failed};
}

START_TEST(frames_of_neither_a_board_nor_the_host_are_a_strangers_unless_they_failed)
{
    struct made_up *m = make_up();
    m->references = false;
    struct bus_figures figures;
    one_tick(m);
    bus_figures(m->history, m->description, &figures);
    ck_assert(figures.known);
    ck_assert_uint_eq(figures.bus[0].strange + figures.bus[1].strange, 0);
    log_frame(m, 0, BUS_LOG_BOARD, false);
    log_frame(m, 0, BUS_LOG_HOST, false);
    log_frame(m, 1, BUS_LOG_STRANGER, false);
    log_frame(m, 1, BUS_LOG_STRANGER, true);
    one_tick(m);
    log_frame(m, 1, BUS_LOG_STRANGER, false);
    one_tick(m);
    bus_figures(m->history, m->description, &figures);
    ck_assert_uint_eq(figures.bus[0].strange, 0);
    ck_assert_uint_eq(figures.bus[1].strange, 2);
    forget(m);
}
END_TEST

START_TEST(the_load_is_the_busy_share_of_the_trial_and_of_its_fullest_second)
{
    struct made_up *m = make_up();
    struct bus_figures figures;
    while (m->tick < 300) { // half busy in the second second
        const bool second = m->tick >= 100 && m->tick < 200;
        m->log.account[0].busy_ns += second ? 5000000 : 0;
        m->log.account[0].frames += 3;
        one_tick(m);
    }
    bus_figures(m->history, m->description, &figures);
    ck_assert_double_eq_tol(figures.bus[0].mean, 0.5 / 3, 0.005);
    ck_assert_double_eq_tol(figures.bus[0].peak, 0.5, 0.006);
    ck_assert_uint_eq(figures.bus[0].frames, 900);
    ck_assert_double_eq(figures.bus[1].mean, 0);
    forget(m);
}
END_TEST

UNIT_MAIN("bus-load", frames_of_neither_a_board_nor_the_host_are_a_strangers_unless_they_failed,
          the_load_is_the_busy_share_of_the_trial_and_of_its_fullest_second)
