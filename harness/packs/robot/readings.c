#include "harness/packs/robot/readings.h"

instant oldest_reading(const struct description *description, const struct state_message *state)
{
    instant oldest = INSTANT_NEVER;
    for (unsigned j = 0; j < description->joint_count; j++)
        if (state->joint[j].valid)
            oldest = instant_min(oldest, state->joint[j].time);
    return oldest;
}

uint64_t reference_boards(const struct description *description,
                          const struct reference_message *reference)
{
    uint64_t boards = 0;
    for (unsigned b = 0; b < description->board_count; b++)
        for (unsigned c = 0; c < description->board[b].channel_count; c++) {
            const int j = description->board[b].joint[c];
            if (j >= 0 && !description->board[b].finger && reference->active >> j & 1)
                boards |= UINT64_C(1) << b;
        }
    return boards;
}

instant reference_read(const struct description *description, const struct state_message *state,
                       const struct reference_message *reference, uint64_t boards, instant since)
{
    instant last = since;
    for (unsigned j = 0; j < description->joint_count; j++) {
        if (!(reference->active >> j & 1) || !(boards >> description->joint[j].board & 1))
            continue;
        if (!instant_before(since, state->joint[j].time))
            return INSTANT_NEVER;
        if (instant_before(last, state->joint[j].time))
            last = state->joint[j].time;
    }
    return last;
}
