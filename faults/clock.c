// Faults of a process's clock: what it reads, and waits by, is wrong. The lab compares, by itself,
// the stamps of what the process says with its own time.
//
//   clock apply|effect|undo|settled KIND process=NAME tag=N [key=value...]
//
// The parameters are those of faults/clock.yaml.
#include <stdio.h>

#include "clock/skew.h"
#include "faults/fault_main.h"

#define NS_PER_S 1e9
#define PPB_PER_PPM 1e3

static enum fault_exit begin(const struct fault_asked *asked, int64_t rate_ppb)
{
    const struct clk_skew skew = {.step_ns =
                                      (int64_t)(fault_number_or(asked, "step_s", 0) * NS_PER_S),
                                  .rate_ppb = rate_ppb,
                                  .tag = asked->tag};
    const char *process = fault_text(asked, "process");
    const enum status status = clk_skew_begin(asked->cell, process, &skew);
    if (status != STATUS_OK) {
        fprintf(stderr, "process=%s: %s\n", process, status_text(status));
        return FAULT_FAILED;
    }
    fault_prove(true, 0, "its clock is told to go wrong");
    return FAULT_DONE;
}

static enum fault_exit apply(const struct fault_asked *asked)
{
    return begin(asked, (int64_t)(fault_number_or(asked, "rate_ppm", 0) * PPB_PER_PPM));
}

static enum fault_exit apply_freeze(const struct fault_asked *asked)
{
    return begin(asked, CLK_STANDS_STILL_PPB);
}

// Only the lab can see this.
static enum fault_exit effect(const struct fault_asked *asked)
{
    (void)asked;
    fault_prove(true, 0, "the lab looks at its stamps");
    return FAULT_DONE;
}

static enum fault_exit undo(const struct fault_asked *asked)
{
    const enum status status = clk_skew_end(asked->cell, fault_text(asked, "process"), asked->tag);
    fault_prove(status == STATUS_OK, 0,
                status == STATUS_OK ? "its clock is right again"
                                    : "it was not wrong by this fault");
    return FAULT_DONE;
}

static const struct fault_entry entries[] = {
    {"clock-step", apply, undo, effect, effect, NULL},
    {"clock-drift", apply, undo, effect, effect, NULL},
    {"clock-freeze", apply_freeze, undo, effect, effect, NULL},
    {0},
};

int main(int argc, char **argv)
{
    return fault_main(argc, argv, FAULT_NEEDS_CELL, entries);
}
