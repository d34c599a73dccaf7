// Histories of the fuzzer's bytes, for the targets that read histories: sensible messages of a
// trial, of any of its topics, one after the other, some of them disturbed, cut short, or published
// at any time.
#pragma once

#include "tests/fuzz/fuzz.h"

#include "harness/history/history.h"

struct happenings {
    const char *const *topic; // names; a history's topics have these numbers
    unsigned topics;
    int64_t step_ns[4]; // how much later a message may be than the last
    unsigned events_max;
    void *message; // what `fill` fills
    // Fills a sensible message of this topic; returns its size.
    size_t (*fill)(unsigned topic, instant now, uint8_t what);
};

static inline void happen_once(struct history *history, const struct happenings *h,
                               struct fuzz_input *input, uint64_t number, instant *now)
{
    const uint8_t head = fuzz_u8(input), what = fuzz_u8(input);
    const unsigned topic = (head & 15u) % h->topics;
    *now = instant_add(*now, duration_ns(h->step_ns[head >> 6]));
    instant published = *now;
    size_t size_B = h->fill(topic, *now, what);
    if (head & 16)
        fuzz_disturb(input, h->message, size_B);
    if (head & 32) {
        const uint8_t odd = fuzz_u8(input);
        if (odd & 1)
            size_B = fuzz_u16(input) % (size_B + 1);
        if (odd & 2)
            fuzz_take(input, &published, sizeof published);
    }
    fuzz_check(history_append(history, topic, number, published, h->message, size_B) == STATUS_OK);
}

// The caller's to free.
static inline struct history *happenings_history(const struct happenings *h,
                                                 struct fuzz_input *input)
{
    struct history *history;
    fuzz_check(history_create(&history) == STATUS_OK);
    for (unsigned i = 0; i < h->topics; i++) {
        unsigned topic;
        fuzz_check(history_add_topic(history, h->topic[i], "", &topic) == STATUS_OK);
    }
    instant now = {0};
    for (uint64_t n = 1; fuzz_more(input) && n < h->events_max; n++)
        happen_once(history, h, input, n, &now);
    return history;
}
