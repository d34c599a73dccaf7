// A made-up trial: a history written tick by tick, as the lab would record it, for tests of oracles
// and classifier.
//
// The robot stands on two soles of 0.2 m x 0.1 m at y = -0.1 m and +0.1 m; set points follow the
// speeds the test gives.
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/hubo_frames.h"
#include "harness/files/scenario.h"
#include "harness/judge/judge.h"
#include "harness/packs/packs.h"
#include "unit.h"

#define TICK_S 0.01
#define STEPS 5 // of the physics in a tick

struct made_up {
    struct history *history;
    struct scenario scenario;
    struct target target;
    struct description *description;
    struct truth_message truth; // of the present tick; tests change it at will
    struct bus_log_message log;
    double speed_rad_s[ROBOT_JOINTS_MAX]; // of the set points
    bool references;                      // reach the bus
    double bus_late_s;                    // the references of a cycle go out so late
    double bus_pause_s;                   // after the first reference of a cycle
    bool commanded;                       // the Control daemon publishes references,
    double late_s;                        // so late
    int cycles_before;                    // of the Hardware daemon that was there first
    int tick;
    uint64_t number[HISTORY_TOPICS_MAX];
};

static inline unsigned made_up_topic(struct made_up *m, const char *name)
{
    int topic = history_topic(m->history, name);
    unsigned new = (unsigned)topic;
    if (topic < 0)
        ck_assert_int_eq(history_add_topic(m->history, name, "", &new), STATUS_OK);
    return new;
}

static inline double made_up_time_s(const struct made_up *m)
{
    return m->tick * TICK_S;
}

static inline void publish_at(struct made_up *m, const char *name, double time_s, const void *data,
                              size_t size_B)
{
    unsigned topic = made_up_topic(m, name);
    ck_assert_int_eq(
        history_append(m->history, topic, ++m->number[topic], instant_s(time_s), data, size_B),
        STATUS_OK);
}

static inline void publish(struct made_up *m, const char *name, const void *data, size_t size_B)
{
    publish_at(m, name, made_up_time_s(m), data, size_B);
}

static inline void stand_up(struct made_up *m)
{
    struct truth_message *t = &m->truth;
    t->joint_count = m->description->joint_count;
    t->pelvis_m[2] = t->com_m[2] = 0.6;
    t->pelvis_quaternion[0] = 1;
    for (int side = 0; side < SIDE_COUNT; side++) {
        t->foot_m[side][1] = side == SIDE_LEFT ? 0.1 : -0.1;
        t->foot_quaternion[side][0] = 1;
        t->foot_force_N[side] = 200;
    }
    static const double x[4] = {0.1, 0.1, -0.1, -0.1}, y[4] = {0.05, -0.05, 0.05, -0.05};
    for (unsigned i = 0; i < 8; i++) {
        t->contact_m[i][0] = x[i % 4];
        t->contact_m[i][1] = y[i % 4] + (i < 4 ? 0.1 : -0.1);
    }
    t->contact_count = 8;
    for (unsigned j = 0; j < m->description->joint_count; j++) {
        const struct joint_description *joint = &m->description->joint[j];
        t->setpoint_rad[j] = fmax(joint->position_min_rad, fmin(joint->position_max_rad, 0)) +
                             (joint->position_max_rad <= 0   ? -0.5
                              : joint->position_min_rad >= 0 ? 0.5
                                                             : 0);
        t->position_rad[j] = t->setpoint_rad[j];
    }
}

static inline struct made_up *make_up(void)
{
    struct made_up *m = calloc(1, sizeof *m);
    ck_assert_ptr_nonnull(m);
    ck_assert_int_eq(history_create(&m->history), STATUS_OK);
    ck_assert_int_eq(description_load("targets/hubo2/hubo2.xml", &m->description), STATUS_OK);
    m->scenario =
        (struct scenario){.name = "made-up", .duration_s = 20, .watch_s = 3, .must_complete = true};
    m->references = m->commanded = true;
    strcpy(m->target.world, "simulator");
    static const char *const pack[] = {"can", "joints", "walking"};
    for (unsigned i = 0; i < sizeof pack / sizeof pack[0]; i++)
        strcpy(m->target.pack[m->target.pack_count++], pack[i]);
    stand_up(m);
    return m;
}

static inline void forget(struct made_up *m)
{
    history_free(m->history);
    description_free(m->description);
    free(m);
}

static inline int joint_named(const struct made_up *m, const char *name)
{
    int joint = description_joint(m->description, name);
    ck_assert_int_ge(joint, 0);
    return joint;
}

// Puts the references of all motor boards on the bus, as the Hardware daemon would at the start of
// the cycle.
static inline void log_references(struct made_up *m)
{
    for (unsigned b = 0; b < m->description->board_count; b++) {
        const struct board_description *board = &m->description->board[b];
        if (board->finger)
            continue;
        int32_t ticks[HUBO_CHANNELS_MAX] = {0};
        for (unsigned c = 0; c < board->channel_count; c++)
            if (board->joint[c] >= 0)
                ticks[c] = hubo_ticks(m->truth.setpoint_rad[board->joint[c]],
                                      m->description->joint[board->joint[c]].ticks_per_rad);
        struct can_frame frame;
        hubo_reference(&frame, board->reference_can_id, board->channel_count, ticks);
        struct bus_log_frame *logged = &m->log.frame[m->log.count++];
        const double pause_s = b > 0 ? m->bus_pause_s : 0;
        *logged = (struct bus_log_frame){
            .time = instant_s(made_up_time_s(m) - 0.008 + 0.0001 * b + m->bus_late_s + pause_s),
            .bus = board->bus,
            .can_id = frame.can_id,
            .length = frame.can_dlc,
            .sender = BUS_LOG_HOST};
        memcpy(logged->data, frame.data, sizeof logged->data);
    }
}

static inline void publish_reference(struct made_up *m)
{
    const double time_s = made_up_time_s(m) + m->late_s;
    struct reference_message reference = {.time = instant_s(time_s),
                                          .state_cycle = (uint64_t)(m->tick - m->cycles_before),
                                          .active = (1ull << m->description->joint_count) - 1,
                                          .joint_count = m->description->joint_count};
    memcpy(reference.reference_rad, m->truth.setpoint_rad, sizeof reference.reference_rad);
    publish_at(m, "reference", time_s, &reference, sizeof reference);
}

// One tick of 10 ms: set points move, references, bus log and ground truth are recorded.
static inline void one_tick(struct made_up *m)
{
    m->tick++;
    m->truth.step_count = STEPS;
    m->truth.physics_steps += STEPS;
    for (unsigned j = 0; j < m->description->joint_count; j++) {
        for (unsigned k = 0; k < STEPS; k++)
            m->truth.step_position_rad[k][j] =
                (float)(m->truth.setpoint_rad[j] + m->speed_rad_s[j] * TICK_S * (k + 1) / STEPS);
        m->truth.setpoint_rad[j] += m->speed_rad_s[j] * TICK_S;
        m->truth.position_rad[j] = m->truth.setpoint_rad[j];
    }
    m->truth.time = m->log.time = instant_s(made_up_time_s(m));
    if (m->commanded)
        publish_reference(m);
    if (m->references)
        log_references(m);
    publish(m, "bus-log", &m->log,
            offsetof(struct bus_log_message, frame) + m->log.count * sizeof m->log.frame[0]);
    m->log.count = 0;
    publish(m, "truth", &m->truth, sizeof m->truth);
}

static inline void until(struct made_up *m, double time_s)
{
    while (made_up_time_s(m) < time_s - TICK_S / 2)
        one_tick(m);
}

// Arms or legs swing to and fro: 0.3 rad/s at most, within 1 rad/s2.
static inline void swing(struct made_up *m, bool arms, bool legs)
{
    double speed = 0.3 * sin(2 * M_PI * 0.5 * made_up_time_s(m));
    m->speed_rad_s[joint_named(m, "RSP")] = m->speed_rad_s[joint_named(m, "LSP")] =
        arms ? speed : 0;
    m->speed_rad_s[joint_named(m, "RHP")] = m->speed_rad_s[joint_named(m, "LKN")] =
        legs ? speed : 0;
}

static inline void swing_until(struct made_up *m, double time_s, bool arms, bool legs)
{
    while (made_up_time_s(m) < time_s - TICK_S / 2) {
        swing(m, arms, legs);
        one_tick(m);
    }
}

static inline void process_happens(struct made_up *m, const char *name, const char *component,
                                   unsigned kind, int value, unsigned generation)
{
    struct process_event event = {.time = instant_s(made_up_time_s(m)),
                                  .kind = kind,
                                  .value = value,
                                  .pid = 7,
                                  .generation = generation};
    snprintf(event.process, sizeof event.process, "%s", name);
    snprintf(event.component, sizeof event.component, "%s", component);
    publish(m, TOPIC_PROCESS, &event, sizeof event);
}

static inline void fault_happens(struct made_up *m, unsigned index, unsigned kind, bool proven)
{
    struct fault_event event = {
        .time = instant_s(made_up_time_s(m)), .index = index, .kind = kind, .proven = proven};
    snprintf(event.fault, sizeof event.fault, "%s", m->scenario.fault[index].kind);
    snprintf(event.component, sizeof event.component, "%s", m->scenario.fault[index].component);
    snprintf(event.evidence, sizeof event.evidence, "made up");
    publish(m, TOPIC_FAULT, &event, sizeof event);
}

static inline void request_kill(struct made_up *m, const char *component, double restart_after_s)
{
    struct fault_request *fault = &m->scenario.fault[m->scenario.fault_count++];
    *fault = (struct fault_request){
        .kind = "kill", .halts = HALTS_ENDED, .restart_after_s = restart_after_s};
    snprintf(fault->component, sizeof fault->component, "%s", component);
}

static inline void killed(struct made_up *m, const char *name, const char *component)
{
    process_happens(m, name, component, PROCESS_KILLED, 9, 0);
    fault_happens(m, 0, FAULT_APPLIED, true);
}

static inline void restarted(struct made_up *m, const char *name, const char *component)
{
    process_happens(m, name, component, PROCESS_STARTED, 0, 1);
    process_happens(m, name, component, PROCESS_READY, 0, 1);
    fault_happens(m, 0, FAULT_UNDONE, true);
}

static inline void lie_down(struct made_up *m)
{
    m->truth.pelvis_m[2] = 0.1;
}

// The operator's program has more processes than it may.
static inline void exceeds_a_limit(struct made_up *m)
{
    struct limit_event event = {.time = instant_s(made_up_time_s(m)), .used = 61, .allowed = 32};
    strcpy(event.process, "operator");
    strcpy(event.words, "processes: operator (pid 9): 61 processes, at most 32");
    publish(m, TOPIC_LIMIT, &event, sizeof event);
}

// After 5 s; back after 4 s, if at all; until 14 s.
static inline struct made_up *standing_robot_whose_planner_is_killed(bool restarts)
{
    struct made_up *m = make_up();
    request_kill(m, "Planner", 4);
    until(m, 5);
    killed(m, "planner", "Planner");
    until(m, 9);
    if (restarts)
        restarted(m, "planner", "Planner");
    until(m, 14);
    return m;
}

static inline struct judgement *judged(struct made_up *m)
{
    static struct judgement judgement;
    judge(&(struct judged){m->history, &m->scenario, &m->target, m->description, all_packs, NULL,
                           NULL},
          NULL, &judgement);
    return &judgement;
}

static inline const struct observation *observed(struct made_up *m, const char *name)
{
    const struct observation *observation = judgement_observed(judged(m), name);
    ck_assert_msg(observation != NULL, "%s was not observed", name);
    return observation;
}

static inline const struct oracle_verdict *oracle_of(const struct judgement *judgement,
                                                     const char *name)
{
    for (unsigned i = 0; i < judgement->count; i++)
        if (strcmp(judgement->oracle[i].oracle, name) == 0)
            return &judgement->oracle[i];
    ck_abort_msg("there is no oracle %s", name);
    return NULL;
}

#define expect_verdict(made, name, expected)                                                       \
    do {                                                                                           \
        const struct oracle_verdict *v_ = oracle_of(judged(made), name);                           \
        ck_assert_msg(v_->verdict == (expected), "%s is %s: %s (margin %g %s)", name,              \
                      verdict_name(v_->verdict), v_->detail, v_->margin, v_->unit);                \
    } while (0)

// Nothing fails; an oracle that has nothing to judge says so.
#define expect_all_pass(made)                                                                      \
    do {                                                                                           \
        const struct judgement *j_ = judged(made);                                                 \
        for (unsigned i_ = 0; i_ < j_->count; i_++)                                                \
            ck_assert_msg(j_->oracle[i_].verdict == VERDICT_PASS ||                                \
                              j_->oracle[i_].verdict == VERDICT_SKIP,                              \
                          "%s is %s: %s", j_->oracle[i_].oracle,                                   \
                          verdict_name(j_->oracle[i_].verdict), j_->oracle[i_].detail);            \
        ck_assert_int_eq(j_->verdict, VERDICT_PASS);                                               \
    } while (0)
