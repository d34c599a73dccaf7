// Operator of scenarios: asks the player for movements, one after the other. Words of an argument
// are joined by underscores: operator_play stand walk get_up_from_front
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "motion_request.h"
#include "motion_status.h"
#include "robot/participant.h"

#define BEGIN_NS 500000000 // the robot has come to rest
#define DONE 2
#define ALONG_NS 3600000000000

static void wait_done(struct clk *clk, struct channel *in, uint64_t sequence)
{
    struct motion_status_message status = {.time_ns = 0};
    while (status.sequence != sequence || status.state < DONE) {
        const struct clk_watch watch = channel_watch(in);
        (void)!clk_wait(clk, &watch, 1, instant_add(clk_now(clk), duration_ns(ALONG_NS)));
        (void)!channel_get(in, &status, sizeof status, CHANNEL_LAST, NULL);
    }
}

static void ask(struct clk *clk, struct channel *out, const char *name, uint64_t sequence)
{
    struct motion_request_message request = {.sequence = sequence, .action = 1};
    for (size_t i = 0; i < sizeof request.name - 1 && name[i] != '\0'; i++)
        request.name[i] = (char)(name[i] == '_' ? ' ' : name[i]);
    if (channel_put(out, &request, sizeof request, clk_now(clk)) != STATUS_OK)
        log_error("cannot ask for %s", name);
}

int main(int argc, char **argv)
{
    struct channel *in, *out;
    struct clk *clk;
    log_program("operator_play");
    if (participant_channel("motion-status", CHANNEL_READ, sizeof(struct motion_status_message),
                            &in) != STATUS_OK ||
        participant_channel("motion-request", CHANNEL_WRITE, sizeof(struct motion_request_message),
                            &out) != STATUS_OK ||
        participant_join(&clk) != STATUS_OK)
        return 3;
    clk_sleep_until(clk, instant_ns(BEGIN_NS));
    for (int i = 1; i < argc; i++) {
        ask(clk, out, argv[i], (uint64_t)i);
        wait_done(clk, in, (uint64_t)i);
    }
    for (;;)
        clk_sleep_until(clk, instant_add(clk_now(clk), duration_ns(ALONG_NS)));
}
