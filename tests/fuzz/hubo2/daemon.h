// A whole daemon on a fuzzer's bytes: its own code from channels and buses to channels and buses,
// with the clock, the channels and the CAN ports replaced at link time (FUZZ_WRAP in fuzz.mk).
//
// A target includes the daemon's source with `main` renamed, starts it once (daemon_start, which is
// outside of what an input changes), restores its state for every input, and lets it run until the
// bytes are used up: daemon_ended is then jumped to from the daemon's next wait. Every get of every
// channel takes its bytes: nothing, a sensible message, a disturbed one, one of another size, or an
// error. What is put is judged by the target (daemon_said). No daemon may sleep long without
// looking around: whoever does would be lost to one wrong time stamp.
#pragma once

#include "tests/fuzz/fuzz.h"

#include <setjmp.h>

#include "can/can.h"
#include "channel/channel.h"
#include "message/message.h"

#define DAEMON_CHANNELS_MAX 16
#define DAEMON_WAITS_MAX 400      // per input
#define DAEMON_TURNS_AT_NOW_MAX 3 // waits that end at once, without time passing
#ifndef DAEMON_SLEEP_MAX_NS       // longer than any daemon may do without looking
#define DAEMON_SLEEP_MAX_NS INT64_C(500000000)
#endif

// A channel's view, an open port and the clock: what the replaced functions hand out.
struct daemon_channel {
    char name[CHANNEL_NAME_MAX];
    enum channel_role role;
    uint64_t number;
    bool stuck; // holds a frame that cannot be got: a wait for news ends at once
    _Atomic uint64_t word;
};

static struct daemon_channel daemon_channel[DAEMON_CHANNELS_MAX];
static unsigned daemon_channels;
static struct fuzz_input daemon_input;
static instant daemon_now;
static unsigned daemon_waits, daemon_turns_at_now;
static bool daemon_running; // an input is being run
static jmp_buf daemon_ended;

// ---- what a target provides --------------------------------------------------------------------

// Fills the message that a sound peer would have on this channel now; returns its size.
static size_t daemon_message(const char *channel, void *message, size_t capacity_B);
// Judges what was put. `size_B` is what the daemon says.
static void daemon_said(const char *channel, const void *frame, size_t size_B);

// ---- for every input ---------------------------------------------------------------------------

// Call before `if (setjmp(daemon_ended) == 0)`.
static inline void daemon_begin(const uint8_t *data, size_t size)
{
    daemon_input = (struct fuzz_input){.data = data, .size = size};
    daemon_now = instant_ns(1000000000);
    daemon_waits = 0;
    daemon_running = true;
    daemon_turns_at_now = 0;
    for (unsigned i = 0; i < daemon_channels; i++) {
        daemon_channel[i].number = 0;
        daemon_channel[i].stuck = false;
    }
}

// A state of a robot that holds what it was told; `told` may be NULL.
static inline size_t daemon_state(struct state_message *state, unsigned joint_count,
                                  const struct reference_message *told)
{
    state->cycle++;
    state->cycle_start = instant_add(daemon_now, duration_ms(-6));
    state->period_us = 10000;
    state->time = daemon_now;
    state->joint_count = joint_count;
    for (unsigned j = 0; j < joint_count; j++) {
        struct joint_reading *joint = &state->joint[j];
        const bool active = told != NULL && told->active >> j & 1;
        if (active)
            joint->reference_rad = joint->position_rad = told->reference_rad[j];
        joint->reference_active = active;
        joint->valid = 1;
    }
    return sizeof *state;
}

// ---- channels ----------------------------------------------------------------------------------

enum status __wrap_channel_open(const char *name, enum channel_role role, struct channel **channel);
enum status __wrap_channel_get(struct channel *channel, void *buffer, size_t capacity_B,
                               enum channel_which which, struct channel_frame *info);
enum status __wrap_channel_put(struct channel *channel, const void *frame, size_t size_B,
                               instant now);
struct clk_watch __wrap_channel_watch(const struct channel *channel);
size_t __wrap_channel_frame_size_max_B(const struct channel *channel);
void __wrap_channel_close(struct channel *channel);

enum status __wrap_channel_open(const char *name, enum channel_role role, struct channel **channel)
{
    unsigned i = 0;
    while (i < daemon_channels &&
           (strcmp(daemon_channel[i].name, name) != 0 || daemon_channel[i].role != role))
        i++;
    fuzz_check(i < DAEMON_CHANNELS_MAX && strlen(name) < CHANNEL_NAME_MAX);
    if (i == daemon_channels)
        daemon_channels++;
    strcpy(daemon_channel[i].name, name);
    daemon_channel[i].role = role;
    *channel = (struct channel *)&daemon_channel[i];
    return STATUS_OK;
}

void __wrap_channel_close(struct channel *channel)
{
    (void)channel;
}

size_t __wrap_channel_frame_size_max_B(const struct channel *channel)
{
    (void)channel;
    return SIZE_MAX;
}

struct clk_watch __wrap_channel_watch(const struct channel *channel)
{
    const struct daemon_channel *known = (const struct daemon_channel *)channel;
    return (struct clk_watch){.word = &known->word, .id = 1};
}

enum status __wrap_channel_get(struct channel *channel, void *buffer, size_t capacity_B,
                               enum channel_which which, struct channel_frame *info)
{
    static union {
        struct segment_message largest;
        uint8_t byte[sizeof(struct segment_message) + 64];
    } message;
    struct daemon_channel *known = (struct daemon_channel *)channel;
    (void)which;
    fuzz_check(known->role == CHANNEL_READ);
    if (!daemon_running || !fuzz_more(&daemon_input))
        return STATUS_EMPTY;
    const uint8_t what = fuzz_u8(&daemon_input);
    known->stuck = what == 0xfc;
    if ((what & 3) == 0)
        return known->stuck ? STATUS_CORRUPT : STATUS_EMPTY;
    size_t size_B = daemon_message(known->name, &message, sizeof message);
    fuzz_check(size_B >= 8 && size_B <= sizeof message);
    if (what & 4)
        fuzz_disturb(&daemon_input, &message, size_B);
    if ((what & 0x18) == 0x18) // of another size
        size_B = fuzz_u16(&daemon_input) % (size_B + 64);
    known->number += 1 + (what >> 7);
    known->stuck = size_B > capacity_B;
    if (known->stuck)
        return STATUS_TOO_LARGE;
    memcpy(buffer, &message, size_B);
    if (info != NULL)
        *info = (struct channel_frame){
            .number = known->number, .missed = what >> 7, .time = daemon_now, .size_B = size_B};
    return what >> 7 ? STATUS_MISSED : STATUS_OK;
}

enum status __wrap_channel_put(struct channel *channel, const void *frame, size_t size_B,
                               instant now)
{
    const struct daemon_channel *known = (const struct daemon_channel *)channel;
    fuzz_check(known->role == CHANNEL_WRITE && frame != NULL && size_B > 0);
    (void)now;
    daemon_said(known->name, frame, size_B);
    return daemon_running && fuzz_more(&daemon_input) && fuzz_u8(&daemon_input) == 0xff
               ? STATUS_FULL
               : STATUS_OK;
}

// ---- the clock ---------------------------------------------------------------------------------

enum status __wrap_clk_join(struct clk **clk);
void __wrap_clk_leave(struct clk *clk);
enum status __wrap_clk_realtime(int priority);
instant __wrap_clk_now(const struct clk *clk);
void __wrap_clk_sleep_until(struct clk *clk, instant t);
enum status __wrap_clk_wait(struct clk *clk, const struct clk_watch *watches, size_t n,
                            instant deadline);

enum status __wrap_clk_join(struct clk **clk)
{
    *clk = (struct clk *)&daemon_now;
    return STATUS_OK;
}

void __wrap_clk_leave(struct clk *clk)
{
    (void)clk;
}

enum status __wrap_clk_realtime(int priority)
{
    (void)priority;
    return STATUS_OK;
}

instant __wrap_clk_now(const struct clk *clk)
{
    (void)clk;
    return daemon_now;
}

static inline void daemon_wait(instant deadline)
{
    fuzz_check(instant_sub(deadline, daemon_now).ns <= DAEMON_SLEEP_MAX_NS);
    if (!fuzz_more(&daemon_input) || ++daemon_waits > DAEMON_WAITS_MAX) {
        daemon_running = false;
        longjmp(daemon_ended, 1);
    }
}

void __wrap_clk_sleep_until(struct clk *clk, instant t)
{
    (void)clk;
    if (!instant_before(daemon_now, t))
        return;
    daemon_wait(t);
    daemon_turns_at_now = 0;
    daemon_now = instant_max(daemon_now, t);
}

enum status __wrap_clk_wait(struct clk *clk, const struct clk_watch *watches, size_t n,
                            instant deadline)
{
    (void)clk;
    fuzz_check(n <= CLK_WATCHES_MAX);
    daemon_wait(deadline);
    for (unsigned c = 0; c < daemon_channels; c++)
        for (size_t i = 0; i < n; i++)
            if (watches[i].word == &daemon_channel[c].word && daemon_channel[c].stuck) {
                fuzz_check(++daemon_turns_at_now < DAEMON_TURNS_AT_NOW_MAX);
                return STATUS_OK;
            }
    const uint8_t what = fuzz_u8(&daemon_input);
    if (n == 0 || what == 0) {
        daemon_now = instant_max(daemon_now, deadline);
        return STATUS_TIMEOUT;
    }
    if (what == 1)
        return STATUS_SYSTEM;
    // Mostly in step with a Hardware daemon of 100 Hz.
    const int64_t step_ns = what < 0x40 ? what * INT64_C(200000) : INT64_C(10000000);
    daemon_now = instant_max(daemon_now,
                             instant_min(deadline, instant_add(daemon_now, duration_ns(step_ns))));
    return STATUS_OK;
}

// A late process: the target may let time pass between two cycles.
static inline void daemon_pass(void)
{
    if (fuzz_u8(&daemon_input) == 0xfe)
        daemon_now = instant_add(daemon_now, duration_ms(fuzz_u8(&daemon_input)));
}
