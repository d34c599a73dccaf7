// Operator of scenarios: runs a user's control program in Lua; see script.h and doc/bioloid.md.
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "joint_request.h"
#include "servo_state.h"
#include "targets/bioloid/script_run.h"

#define BEGIN_NS 500000000 // the robot has come to rest
#define EXIT_INPUT 2

static bool call(struct script_run *run, struct channel *in, struct clk *clk, enum script_call call)
{
    struct servo_state_message state;
    const enum status got = channel_get(in, &state, sizeof state, CHANNEL_NEWEST, NULL);
    if (got == STATUS_OK || got == STATUS_MISSED)
        script_run_see(run, &state);
    return script_run_call(run, call, clk_now(clk));
}

int main(int argc, char **argv)
{
    static struct script_run run;
    struct channel *state;
    struct clk *clk;
    log_program("operator_script");
    const bool checks = argc == 3 && strcmp(argv[1], "--check") == 0;
    if (argc != 2 && !checks) {
        fputs("usage: operator_script [--check] SCRIPT.lua\n"
              "The file lies in the folder $UKEMI_TARGET/scripts. --check: only reads it.\n",
              stderr);
        return EXIT_INPUT;
    }
    const enum status status = script_run_open(argv[argc - 1], &run.script);
    if (status != STATUS_OK)
        return status == STATUS_INVALID || status == STATUS_SYSTEM ? EXIT_INPUT : 3;
    if (checks)
        return 0;
    if (participant_channel("servo-state", CHANNEL_READ, sizeof(struct servo_state_message),
                            &state) != STATUS_OK ||
        participant_channel("joint-request", CHANNEL_WRITE, sizeof(struct joint_request_message),
                            &run.request) != STATUS_OK ||
        participant_join(&clk) != STATUS_OK)
        return 3;
    clk_sleep_until(clk, instant_ns(BEGIN_NS));
    bool good = call(&run, state, clk, SCRIPT_INITIALIZE);
    struct clk_period period =
        clk_period_start(clk, instant_ns(BEGIN_NS), duration_ns(SCRIPT_PERIOD_NS));
    while (good) {
        (void)clk_period_wait(clk, &period);
        good = call(&run, state, clk, SCRIPT_CONTROL);
    }
    return 1;
}
