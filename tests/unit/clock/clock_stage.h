// A stage for what happens to a victim at any instant: survivors of several priorities and a
// follower, channels between them, and episodes of 24 ms of virtual time in which the victim is
// hurt and restarted. Whatever the instant, the trace of an episode must be that of one in which
// the victim hurts itself, cleanly, in the same turn.
#pragma once

#include "channel/channel.h"
#include "clock_hand.h"
#include "tests/unit/common/clock_lab.h"

// Milliseconds from the beginning of an episode.
#define STAGE_TURN_MS 4     // the victim's turn in which the window begins
#define STAGE_DEADLINE_MS 6 // of its wait in the window
#define STAGE_RETURN_MS 12  // it is restarted, or continued
#define STAGE_KILL_MS 18    // and killed again
#define STAGE_END_MS 24     // multiple of all the survivors' periods
#define STAGE_FRAME 4711U   // what the victim publishes

// What the victim is stepped through.
enum window {
    WINDOW_JOIN,  // clk_join, to the return from its first grant
    WINDOW_SLEEP, // clk_sleep_until and back
    WINDOW_TELL,  // channel_put with a reader waiting, then clk_wait on another channel and back
    WINDOW_LEAVE, // clk_leave
};

// What the victim does to itself in an undisturbed episode.
enum self_deed { SELF_NOTHING, SELF_KILL, SELF_STOP };

static struct stage {
    struct lab lab;
    struct member *victim;
    struct channel *news; // the lab's view
    enum window window;
    bool follower;
    bool watched; // by the hand
    enum self_deed self;
    uint32_t place_count; // steps of the window, from counting
    uint32_t asleep_at;   // the step in which it sleeps
    uint64_t frames;      // the news' head when the episode began
    bool told;            // it had changed when the victim was hurt
} stage;

// ---- the victim ----

static inline void stage_mark(void)
{
    if (stage.watched)
        hand_mark();
}

static inline void stage_before(void)
{
    if (!stage.watched)
        return;
    hand_await();
    if (stage.window == WINDOW_JOIN)
        hand_mark();
}

static inline void hurt_myself(void)
{
    if (stage.self != SELF_NOTHING)
        raise(stage.self == SELF_KILL ? SIGKILL : SIGSTOP);
}

static inline instant stage_instant(int64_t ms)
{
    return instant_ns(shared->base_ns + ms * 1000000);
}

static inline void go_through_window(struct clk *clk, struct channel *news, struct channel *silence)
{
    struct clk_watch watch = channel_watch(silence);
    const uint32_t frame[16] = {STAGE_FRAME};
    // A follower's deadline counts for nothing; one that has passed would end its wait all the
    // same.
    const instant deadline = stage.follower ? INSTANT_NEVER : stage_instant(STAGE_DEADLINE_MS);
    if (stage.window != WINDOW_JOIN)
        stage_mark();
    hurt_myself();
    if (stage.window == WINDOW_SLEEP) {
        clk_sleep_until(clk, deadline);
    } else if (stage.window == WINDOW_TELL) {
        (void)!channel_put(news, frame, sizeof frame, clk_now(clk));
        (void)!clk_wait(clk, &watch, 1, deadline);
    } else if (stage.window == WINDOW_LEAVE) {
        clk_leave(clk);
        stage_mark();
        _exit(0);
    }
    if (stage.window != WINDOW_JOIN)
        stage_mark();
}

static inline void play_victim(struct clk *clk)
{
    struct channel *news = NULL, *silence = NULL;
    if (stage.window == WINDOW_JOIN)
        stage_mark();
    if (channel_open("news", CHANNEL_WRITE, &news) != STATUS_OK ||
        channel_open("silence", CHANNEL_READ, &silence) != STATUS_OK)
        _exit(1);
    while (instant_before(clk_now(clk), stage_instant(STAGE_TURN_MS))) // a follower wakes earlier
        clk_sleep_until(clk, stage_instant(STAGE_TURN_MS));
    note(clk, "acts");
    go_through_window(clk, news, silence);
    for (;;) {
        note(clk, "runs");
        clk_sleep_until(clk, instant_add(clk_now(clk), duration_ms(2)));
    }
}

// ---- the survivors ----

static inline instant next_multiple_ms(const struct clk *clk, int64_t ms)
{
    return instant_ns((clk_now(clk).ns / (ms * 1000000) + 1) * ms * 1000000);
}

static inline void survive(struct clk *clk, int64_t period_ms)
{
    for (;;) {
        note(clk, "runs");
        clk_sleep_until(clk, next_multiple_ms(clk, period_ms));
    }
}

static inline void survive_2_ms(struct clk *clk)
{
    survive(clk, 2);
}
static inline void survive_3_ms(struct clk *clk)
{
    survive(clk, 3);
}
static inline void survive_4_ms(struct clk *clk)
{
    survive(clk, 4);
}

static inline void read_news(struct clk *clk)
{
    struct channel *news = NULL;
    if (channel_open("news", CHANNEL_READ, &news) != STATUS_OK)
        _exit(1);
    for (;;) {
        struct clk_watch watch = channel_watch(news);
        uint32_t frame[16] = {0};
        if (clk_wait(clk, &watch, 1, next_multiple_ms(clk, 4)) == STATUS_TIMEOUT)
            note(clk, "reads nothing");
        else if (channel_get(news, frame, sizeof frame, CHANNEL_NEWEST, NULL) == STATUS_OK)
            note(clk, "reads %u", frame[0]);
        else
            note(clk, "finds nothing");
    }
}

static inline void turn_world(struct clk *clk)
{
    for (;;) {
        note(clk, "moves");
        clk_sleep_until(clk, INSTANT_NEVER);
    }
}

// ---- the stage ----

static inline void stage_channel(const char *name, struct channel **channel)
{
    uint32_t id;
    require(channel_create(stage.lab.cell, name, 64, 8));
    require(channel_open_in(stage.lab.cell, name, CHANNEL_WRITE, channel));
    require(clk_coordinator_watch(stage.lab.coordinator, channel_head(*channel), &id));
    channel_set_watch(*channel, id);
}

static inline void stage_open(enum window window, bool follower)
{
    struct channel *silence;
    stage = (struct stage){.window = window, .follower = follower};
    hand_start();
    open_lab(&stage.lab, CLK_VIRTUAL);
    stage_channel("news", &stage.news);
    stage_channel("silence", &silence);
    start(&stage.lab, add(&stage.lab, "world", 1, true, turn_world));
    start(&stage.lab, add(&stage.lab, "high", 9, false, survive_2_ms));
    start(&stage.lab, add(&stage.lab, "reader", 8, false, read_news));
    start(&stage.lab, add(&stage.lab, "equal", 7, false, survive_4_ms));
    stage.victim = add(&stage.lab, "victim", 7, follower, play_victim);
    stage.victim->before = stage_before;
    start(&stage.lab, add(&stage.lab, "low", 1, false, survive_3_ms));
    run_to_ms(&stage.lab, STAGE_END_MS);
}

static inline void stage_close(void)
{
    char path[96];
    hand_end();
    for (unsigned i = 0; i < stage.lab.member_count; i++) // they hold the channels
        if (stage.lab.member[i].pid != 0)
            strike(&stage.lab, &stage.lab.member[i], SIGKILL);
    snprintf(path, sizeof path, "%s/channels/news", stage.lab.cell);
    unlink(path);
    snprintf(path, sizeof path, "%s/channels/silence", stage.lab.cell);
    unlink(path);
    snprintf(path, sizeof path, "%s/channels", stage.lab.cell);
    rmdir(path);
    close_lab(&stage.lab);
}

static inline void stage_run_to(int64_t ms)
{
    unsigned culprit = 99;
    require(clk_coordinator_run_until(stage.lab.coordinator, stage_instant(ms), &culprit));
}

static inline void stage_begin(void)
{
    shared->base_ns = clk_coordinator_now(stage.lab.coordinator).ns;
    shared->length = 0;
    shared->trace[0] = '\0';
    stage.frames = *channel_head(stage.news);
    atomic_store(&hand->state, HAND_IDLE);
}

static inline enum clk_participant_state victim_state(void)
{
    return clk_coordinator_state(stage.lab.coordinator, stage.victim->number);
}

// The lab notices what the hand has done to the victim, if its poll hook has not yet.
static inline void notice_deed(enum hand_deed deed)
{
    const int64_t give_up_ns = hand_now_ns() + (int64_t)HAND_PATIENCE_MS * 1000000;
    while (deed == HAND_KILL ? stage.victim->pid != 0 : victim_state() != CLK_STOPPED) {
        look_at(&stage.lab, stage.victim, WNOHANG | WUNTRACED | WCONTINUED);
        ck_assert_msg(hand_now_ns() < give_up_ns, "no %s seen after %u instructions",
                      deed == HAND_KILL ? "death" : "stop", hand->steps);
        if (deed == HAND_STOP && victim_state() == CLK_ABSENT)
            return; // stopped before it took part, or when it had left
    }
}

// From STAGE_RETURN_MS on: restarted or continued, killed, and the episode ends.
static inline void stage_finish(bool restart)
{
    stage.watched = false;
    stage.self = SELF_NOTHING;
    if (restart)
        start(&stage.lab, stage.victim);
    stage_run_to(STAGE_KILL_MS);
    look_at(&stage.lab, stage.victim, WNOHANG | WUNTRACED | WCONTINUED);
    if (stage.victim->pid != 0)
        strike(&stage.lab, stage.victim, SIGKILL);
    stage_run_to(STAGE_END_MS);
}
