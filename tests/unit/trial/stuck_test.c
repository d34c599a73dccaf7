// stuck: who waits in a circle, and who only waits.
#include "tests/unit/common/unit.h"

#include "harness/trial/supervise/stuck.h"

#define NOBODY .owner = -1

START_TEST(two_that_wait_for_each_other_are_stuck)
{
    struct stuck_task task[] = {{.pid = 1, .waits = true, .owner = 1},
                                {.pid = 2, .waits = true, .owner = 0},
                                {.pid = 3, .waits = true, .owner = 0},
                                {.pid = 4, .waits = true, NOBODY}};
    stuck_find(task, 4);
    ck_assert(task[0].stuck && task[1].stuck);
    ck_assert(task[2].stuck);  // for one who waits in a circle
    ck_assert(!task[3].stuck); // as a server does
}
END_TEST

START_TEST(who_waits_for_one_that_can_go_on_is_not)
{
    struct stuck_task task[] = {{.pid = 1, .waits = true, .owner = 1},
                                {.pid = 2, .waits = true, .owner = 2},
                                {.pid = 3, .waits = false, NOBODY}};
    stuck_find(task, 3);
    ck_assert(!task[0].stuck && !task[1].stuck && !task[2].stuck);
}
END_TEST

START_TEST(a_lock_of_one_that_is_gone_never_comes)
{
    struct stuck_task task[] = {{.pid = 1, .waits = true, .for_gone = true, NOBODY},
                                {.pid = 2, .waits = true, .for_gone = false, NOBODY}};
    stuck_find(task, 2);
    ck_assert(task[0].stuck && !task[1].stuck);
}
END_TEST

// A thread that goes on could end the child.
START_TEST(a_child_is_stuck_when_all_of_its_threads_are)
{
    struct stuck_task task[] = {{.pid = 1, .waits = true, .child = 2, NOBODY},
                                {.pid = 2, .waits = true, .owner = 0},
                                {.pid = 2, .waits = false, NOBODY}};
    stuck_find(task, 2);
    ck_assert(task[0].stuck && task[1].stuck);
    stuck_find(task, 3);
    ck_assert(!task[0].stuck && !task[1].stuck);
}
END_TEST

START_TEST(a_child_that_nobody_knows_is_none)
{
    struct stuck_task task[] = {{.pid = 1, .waits = true, .child = 7, NOBODY}};
    stuck_find(task, 1);
    ck_assert(!task[0].stuck);
}
END_TEST

UNIT_MAIN("stuck", two_that_wait_for_each_other_are_stuck, who_waits_for_one_that_can_go_on_is_not,
          a_lock_of_one_that_is_gone_never_comes, a_child_is_stuck_when_all_of_its_threads_are,
          a_child_that_nobody_knows_is_none)
