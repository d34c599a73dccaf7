// Histories on disk (MCAP). All records are read before the hash can tell that they are wrong.
#include "tests/fuzz/fuzz.h"

#include "harness/history/history.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct history *history;
    if (history_read(fuzz_file(data, size), &history) != STATUS_OK)
        return 0;
    for (size_t i = 0; i < history_length(history); i++)
        fuzz_check(history_event(history, i)->topic < history_topic_count(history));
    history_free(history);
    return 0;
}
