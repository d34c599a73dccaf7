// Faults of a process's clock: what it reads, and waits by, is wrong. The lab compares, by itself,
// the stamps of what the process says with its own time. And of its turns, which take longer: it
// looks how far apart the frames of the process are.
//
//   clock apply|effect|undo|settled KIND process=NAME tag=N [key=value...]
//
// The parameters are those of faults/clock.yaml.
#include <inttypes.h>
#include <stdio.h>

#include "clock/skew.h"
#include "faults/fault_main.h"

#define NS_PER_S 1e9
#define PPB_PER_PPM 1e3
#define TOLD "its clock is told to go wrong"

static enum fault_exit fail(const char *process, enum status status)
{
    fprintf(stderr, "process=%s: %s\n", process, status_text(status));
    return FAULT_FAILED;
}

static enum fault_exit begin(const struct fault_asked *asked, struct clk_skew skew,
                             const char *evidence)
{
    const char *process = fault_text(asked, "process");
    skew.tag = asked->tag;
    const enum status status = clk_skew_begin(asked->cell, process, &skew);
    if (status != STATUS_OK)
        return fail(process, status);
    fault_prove(true, 0, "%s", evidence);
    return FAULT_DONE;
}

static enum fault_exit apply(const struct fault_asked *asked)
{
    const struct clk_skew skew = {
        .step_ns = (int64_t)(fault_number_or(asked, "step_s", 0) * NS_PER_S),
        .rate_ppb = (int64_t)(fault_number_or(asked, "rate_ppm", 0) * PPB_PER_PPM)};
    return begin(asked, skew, TOLD);
}

static enum fault_exit apply_freeze(const struct fault_asked *asked)
{
    return begin(asked, (struct clk_skew){.rate_ppb = CLK_STANDS_STILL_PPB}, TOLD);
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

// ---- turns --------------------------------------------------------------------------------------

static enum fault_exit apply_overrun(const struct fault_asked *asked)
{
    const struct clk_skew skew = {.busy_ns = (int64_t)(fault_number(asked, "busy_s") * NS_PER_S),
                                  .turns = (uint64_t)fault_number(asked, "turns")};
    return begin(asked, skew, "it is told to compute before it waits");
}

static enum fault_exit effect_overrun(const struct fault_asked *asked)
{
    const char *process = fault_text(asked, "process");
    struct clk_skew_turns turns;
    const enum status status = clk_skew_turns(asked->cell, process, asked->tag, &turns);
    if (status != STATUS_OK)
        return fail(process, status);
    fault_prove(turns.now > 0, 0, "%" PRIu64 " turns took longer", turns.now);
    return FAULT_DONE;
}

static enum fault_exit undo_overrun(const struct fault_asked *asked)
{
    const enum status status = clk_skew_end(asked->cell, fault_text(asked, "process"), asked->tag);
    fault_prove(status == STATUS_OK, 0,
                status == STATUS_OK ? "its turns are its own again"
                                    : "its turns did not take longer by this fault");
    return FAULT_DONE;
}

static enum fault_exit settled_overrun(const struct fault_asked *asked)
{
    const char *process = fault_text(asked, "process");
    struct clk_skew_turns turns;
    const enum status status = clk_skew_turns(asked->cell, process, asked->tag, &turns);
    if (status != STATUS_OK)
        return fail(process, status);
    return fault_prove_settled(turns.ended, turns.at_end, turns.now);
}

static const struct fault_entry entries[] = {
    {"clock-step", apply, undo, effect, effect, NULL},
    {"clock-drift", apply, undo, effect, effect, NULL},
    {"clock-freeze", apply_freeze, undo, effect, effect, NULL},
    {"overrun", apply_overrun, undo_overrun, effect_overrun, settled_overrun, NULL},
    {0},
};

int main(int argc, char **argv)
{
    return fault_main(argc, argv, FAULT_NEEDS_CELL, entries);
}
