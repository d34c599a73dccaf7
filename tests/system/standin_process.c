// A process for tests of the lab: publishes on a channel every 10 ms and behaves as told.
//
//   standin_process MODE CHANNEL [N]
//
// world: the simulated robot, standing. tick: every 10 ms. follow: on every frame of "reference".
// In cycle N: crash, hang (never gives its turn back), hold (not before it was stopped and
// continued), leave (ends well), chatter (a megabyte of log lines). refuse: ends before it joins
// the clock.
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "channel/channel.h"
#include "clock/clock.h"
#include "message/message.h"

static union {
    struct truth_message truth;
    struct reference_message reference;
    struct command_message command;
    struct balance_command_message balance;
} frame;

static volatile sig_atomic_t continued;

static void note_continued(int number)
{
    (void)number;
    continued = 1;
}

static size_t frame_size(const char *channel)
{
    if (strcmp(channel, "truth") == 0)
        return sizeof frame.truth;
    if (strcmp(channel, "reference") == 0)
        return sizeof frame.reference;
    return strcmp(channel, "leg-command") == 0 ? sizeof frame.command : sizeof frame.balance;
}

static void behave(const char *mode, struct clk *clk)
{
    if (strcmp(mode, "crash") == 0)
        abort();
    if (strcmp(mode, "leave") == 0) {
        clk_leave(clk);
        exit(0);
    }
    if (strcmp(mode, "chatter") == 0)
        for (int i = 0; i < 20000; i++)
            log_info("line %d of very many, so that no pipe would hold them", i);
    while (strcmp(mode, "hang") == 0 || (strcmp(mode, "hold") == 0 && !continued))
        continue;
}

static void wait_for_cycle(const char *mode, struct clk *clk, struct clk_period *period,
                           struct channel *input)
{
    if (strcmp(mode, "world") == 0) {
        clk_sleep_until(clk, instant_add(clk_now(clk), duration_ms(10))); // a follower: any grant
    } else if (input != NULL) {
        struct clk_watch watch = channel_watch(input);
        struct reference_message reference;
        instant deadline = instant_add(clk_now(clk), duration_ms(100));
        if (clk_wait(clk, &watch, 1, deadline) == STATUS_OK &&
            channel_get(input, &reference, sizeof reference, CHANNEL_NEWEST, NULL) == STATUS_EMPTY)
            log_error("woken for nothing");
    } else {
        (void)clk_period_wait(clk, period);
    }
}

int main(int argc, char **argv)
{
    struct channel *output, *input = NULL;
    struct clk *clk;
    if (argc < 3)
        return 2;
    log_program(argv[0]);
    const char *mode = argv[1];
    (void)signal(SIGCONT, note_continued);
    const long special = argc > 3 ? atol(argv[3]) : -1;
    if (strcmp(mode, "refuse") == 0) {
        log_error("I will not");
        return 5;
    }
    if (channel_open(argv[2], CHANNEL_WRITE, &output) != STATUS_OK)
        return 3;
    if (strcmp(mode, "follow") == 0 && channel_open("reference", CHANNEL_READ, &input) != STATUS_OK)
        return 3;
    if (clk_join(&clk) != STATUS_OK)
        return 3;
    struct clk_period period = clk_period_start(clk, instant_ns(0), duration_ms(10));
    for (long cycle = 0;; cycle++) {
        wait_for_cycle(mode, clk, &period, input);
        if (cycle == special) {
            log_info("now: %s", mode);
            behave(mode, clk);
        }
        if (strcmp(mode, "world") == 0)
            frame.truth = (struct truth_message){
                .time = clk_now(clk), .pelvis_m = {0, 0, 0.6}, .pelvis_quaternion = {1, 0, 0, 0}};
        if (channel_put(output, &frame, frame_size(argv[2]), clk_now(clk)) != STATUS_OK)
            log_error("cannot publish");
    }
}
