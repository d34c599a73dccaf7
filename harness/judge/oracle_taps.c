// Did the taps understand all that they were sent?
#include "harness/judge/oracles.h"

#include <stdlib.h>

void oracle_taps(const struct analysis *a, struct oracle_verdict *verdict)
{
    struct series bad = {0};
    uint64_t count = 0;
    if (!series_collect(a->history, TOPIC_TAP, sizeof(struct tap_event), &bad)) {
        verdict_no_memory(verdict);
        return;
    }
    const struct tap_event *first = bad.count == 0 ? NULL : series_at(&bad, 0)->data;
    for (size_t i = 0; i < bad.count; i++)
        count += ((const struct tap_event *)series_at(&bad, i)->data)->messages;
    if (first == NULL)
        verdict_count(verdict, 0, VERDICT_FAIL, "messages", "every tap understood all messages");
    else
        verdict_count(verdict, count > UINT32_MAX ? UINT32_MAX : (unsigned)count, VERDICT_FAIL,
                      "messages", "%llu not understood, first by tap %.47s at %.3f s: %.95s",
                      (unsigned long long)count, first->tap, instant_to_s(first->time),
                      first->words);
    free(bad.event);
}
