#include "harness/bench/latency/latency.h"

const struct latency_stage latency_stages[LATENCY_STAGES] = {
    {"readings gathered", LATENCY_OLDEST_READING, LATENCY_STATE_PUBLISHED},
    {"balance wakes", LATENCY_STATE_PUBLISHED, LATENCY_BALANCE_TOOK},
    {"balance computes", LATENCY_BALANCE_TOOK, LATENCY_COMMAND_PUBLISHED},
    {"command waits for control", LATENCY_COMMAND_PUBLISHED, LATENCY_CONTROL_TOOK},
    {"control computes", LATENCY_CONTROL_TOOK, LATENCY_REFERENCE_PUBLISHED},
    {"reference waits for hardware", LATENCY_REFERENCE_PUBLISHED, LATENCY_HARDWARE_TOOK},
    {"frames reach the boards", LATENCY_HARDWARE_TOOK, LATENCY_FRAMES_ON_BUS},
    {"boards are read", LATENCY_FRAMES_ON_BUS, LATENCY_BOARDS_SAMPLED},
    {"state completed", LATENCY_BOARDS_SAMPLED, LATENCY_STATE_ACQUIRED},
    {"frames handed over", LATENCY_HARDWARE_TOOK, LATENCY_FRAMES_QUEUED},
    {"state to acquired", LATENCY_STATE_PUBLISHED, LATENCY_STATE_ACQUIRED},
    {"sensor to board", LATENCY_OLDEST_READING, LATENCY_FRAMES_ON_BUS},
    {"state to command", LATENCY_STATE_PUBLISHED, LATENCY_COMMAND_PUBLISHED},
};

bool latency_stage_of(const struct latency_chain *chain, const struct latency_stage *stage,
                      duration *took)
{
    const instant from = chain->at[stage->from], to = chain->at[stage->to];
    if (from.ns == INSTANT_NEVER.ns || to.ns == INSTANT_NEVER.ns)
        return false;
    *took = instant_sub(to, from);
    return true;
}

const char *latency_point_name(enum latency_point point)
{
    static const char *const name[LATENCY_POINTS] = {
        [LATENCY_OLDEST_READING] = "oldest reading",
        [LATENCY_STATE_PUBLISHED] = "state published",
        [LATENCY_BALANCE_TOOK] = "state at balance",
        [LATENCY_COMMAND_PUBLISHED] = "command published",
        [LATENCY_CONTROL_TOOK] = "command at control",
        [LATENCY_REFERENCE_PUBLISHED] = "reference published",
        [LATENCY_HARDWARE_TOOK] = "reference at hardware",
        [LATENCY_FRAMES_QUEUED] = "frames queued",
        [LATENCY_FRAMES_ON_BUS] = "frames at the boards",
        [LATENCY_BOARDS_SAMPLED] = "boards read",
        [LATENCY_STATE_ACQUIRED] = "state acquired",
    };
    return name[point];
}

const char *latency_deadline_name(enum latency_deadline deadline)
{
    static const char *const name[LATENCY_DEADLINES] = {"state", "command", "reference", "send"};
    return name[deadline];
}

const char *latency_deadline_process(enum latency_deadline deadline)
{
    static const char *const process[LATENCY_DEADLINES] = {"hardware", "balance", "control",
                                                           "hardware"};
    return process[deadline];
}
