// The floor's processes: that they measure, end, and leave nothing. How fast this machine is, is
// not asked.
#include "tests/unit/common/unit.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/machine/machine_floor.h"

static const struct machine_floor_request request = {
    .priority = 49, .period = {2000000}, .core = -1, .limit_ns = 60000000000};

static struct machine_floor *run_for(const struct machine_floor_request *r, useconds_t us)
{
    struct machine_floor *floor;
    ck_assert_int_eq(machine_floor_start(r, &floor), STATUS_OK);
    usleep(us);
    machine_floor_stop(floor);
    return floor;
}

START_TEST(every_part_is_measured_once_a_period)
{
    struct machine_floor *floor = run_for(&request, 300000);
    const struct floor_record *record = machine_floor_record(floor);
    ck_assert_uint_gt(record->samples, 0);
    ck_assert_uint_eq(record->part[FLOOR_WAKE].count, record->samples);
    ck_assert_uint_eq(record->part[FLOOR_WORK].count, record->samples);
    ck_assert_uint_gt(record->part[FLOOR_HOP].count, 0);
    ck_assert_uint_le(record->part[FLOOR_HOP].count, record->samples);
    ck_assert_int_gt(histogram_min(&record->part[FLOOR_WORK]), 0);
    machine_floor_free(floor);
}
END_TEST

START_TEST(periods_it_was_due_are_measured_or_counted_as_missed)
{
    struct machine_floor *floor = run_for(&request, 200000);
    const struct floor_record *record = machine_floor_record(floor);
    const struct floor_sample *last = &record->sample[record->samples - 1];
    const int64_t due = (last->due_ns - record->sample[0].due_ns) / request.period.ns + 1;
    const uint64_t accounted = record->samples + record->missed;
    // What the last sample itself missed may lie behind it.
    ck_assert_uint_ge(accounted, (uint64_t)due);
    machine_floor_free(floor);
}
END_TEST

START_TEST(wake_only_does_no_work_and_starts_no_samplers)
{
    struct machine_floor_request alone = request;
    alone.wake_only = true;
    struct machine_floor *floor = run_for(&alone, 50000);
    const struct floor_record *record = machine_floor_record(floor);
    ck_assert_uint_gt(record->part[FLOOR_WAKE].count, 0);
    ck_assert_uint_eq(record->part[FLOOR_WORK].count + record->part[FLOOR_HOP].count, 0);
    ck_assert_uint_eq(record->cores, 0);
    machine_floor_free(floor);
}
END_TEST

START_TEST(nothing_of_it_is_left_when_it_was_stopped)
{
    struct machine_floor *floor = run_for(&request, 1000);
    machine_floor_stop(floor); // again: no harm
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
    machine_floor_free(floor);
    machine_floor_free(NULL);
}
END_TEST

START_TEST(its_processes_end_by_themselves_at_their_limit)
{
    struct machine_floor_request brief = request;
    brief.limit_ns = 20000000;
    struct machine_floor *floor;
    ck_assert_int_eq(machine_floor_start(&brief, &floor), STATUS_OK);
    const struct floor_record *record = machine_floor_record(floor);
    int ended = 0, status;
    while (waitpid(-1, &status, 0) > 0) // blocks until the last has ended
        ended += WIFEXITED(status);
    ck_assert_int_ge(ended, 3); // loop, partner, a sampler for each core
    ck_assert_uint_gt(record->cores, 0);
    machine_floor_free(floor);
}
END_TEST

START_TEST(a_priority_or_period_that_cannot_be_is_refused)
{
    struct machine_floor *floor;
    struct machine_floor_request bad = request;
    bad.priority = 1;
    ck_assert_int_eq(machine_floor_start(&bad, &floor), STATUS_INVALID);
    bad = request;
    bad.period = DURATION_ZERO;
    ck_assert_int_eq(machine_floor_start(&bad, &floor), STATUS_INVALID);
    ck_assert_ptr_null(floor);
}
END_TEST

START_TEST(the_first_and_the_longest_stall_are_found)
{
    struct floor_record *record = calloc(1, sizeof *record);
    struct stall first, longest;
    record->cores = 3; // 1 is not for this process
    record->core[0].meant = record->core[2].meant = true;
    record->core[0].sampled = record->core[2].sampled = true;
    ck_assert(machine_floor_longest(record, 0, 3, &first, &longest));
    ck_assert_int_eq(longest.end_ns, 0);
    stall_list_add(&record->core[0].stalls, 10, 19);
    stall_list_add(&record->core[0].stalls, 30, 34);
    stall_list_add(&record->core[2].stalls, 22, 24);
    stall_list_add(&record->core[2].stalls, 25, 28);
    stall_list_add(&record->core[2].stalls, 50, 55);
    ck_assert(machine_floor_longest(record, 20, 3, &first, &longest));
    ck_assert_int_eq(first.begin_ns, 25);
    ck_assert_int_eq(longest.begin_ns, 50);
    ck_assert_int_eq(longest.end_ns, 55);
    record->core[2].sampled = false;
    ck_assert(!machine_floor_longest(record, 20, 3, &first, &longest));
    ck_assert_int_eq(first.begin_ns, 25);
    record->cores = 0;
    ck_assert(!machine_floor_longest(record, 0, 3, &first, &longest));
    free(record);
}
END_TEST

UNIT_MAIN("machine floor", the_first_and_the_longest_stall_are_found,
          every_part_is_measured_once_a_period,
          periods_it_was_due_are_measured_or_counted_as_missed,
          wake_only_does_no_work_and_starts_no_samplers, nothing_of_it_is_left_when_it_was_stopped,
          its_processes_end_by_themselves_at_their_limit,
          a_priority_or_period_that_cannot_be_is_refused)
