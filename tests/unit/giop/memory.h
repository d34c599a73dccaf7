// A transport in memory: two ends, one connection each, messages in order; what is sent can be lost
// or changed on its way. Its time stands still but for waits.
#pragma once

#include <stdlib.h>
#include <string.h>

#include "giop/transport.h"

#define MEMORY_QUEUE 32
#define MEMORY_MAX_B 4096

struct memory_end {
    struct giop_transport base;
    struct memory_end *other;
    int64_t *now_ns;
    unsigned to_lose;                       // of the next messages sent
    void (*change)(uint8_t *, size_t size); // ... or NULL
    uint8_t queue[MEMORY_QUEUE][MEMORY_MAX_B];
    size_t size_B[MEMORY_QUEUE];
    unsigned first, count;
};

static inline void memory_free(struct giop_transport *transport)
{
    (void)transport; // the test's
}

static inline int64_t memory_now_ns(const struct giop_transport *transport)
{
    return *((const struct memory_end *)transport)->now_ns;
}

static inline enum status memory_connect(struct giop_transport *transport,
                                         const struct ior_profile *profile, int64_t until_ns,
                                         unsigned *connection)
{
    (void)transport, (void)profile, (void)until_ns;
    *connection = 0;
    return STATUS_OK;
}

static inline enum status memory_send(struct giop_transport *transport, unsigned connection,
                                      const uint8_t *bytes, size_t size_B, int64_t until_ns)
{
    struct memory_end *end = (struct memory_end *)transport, *to = end->other;
    const unsigned place = (to->first + to->count) % MEMORY_QUEUE;
    (void)connection, (void)until_ns;
    if (end->to_lose > 0) {
        end->to_lose--;
        return STATUS_OK;
    }
    if (to->count == MEMORY_QUEUE || size_B > MEMORY_MAX_B)
        return STATUS_FULL;
    memcpy(to->queue[place], bytes, size_B);
    to->size_B[place] = size_B;
    to->count++;
    if (end->change != NULL)
        end->change(to->queue[place], size_B);
    return STATUS_OK;
}

static inline enum status memory_receive(struct giop_transport *transport, int64_t until_ns,
                                         unsigned *connection, const uint8_t **bytes,
                                         size_t *size_B)
{
    struct memory_end *end = (struct memory_end *)transport;
    if (end->count == 0) {
        *end->now_ns = until_ns > *end->now_ns ? until_ns : *end->now_ns;
        return STATUS_TIMEOUT;
    }
    *connection = 0;
    *bytes = end->queue[end->first];
    *size_B = end->size_B[end->first];
    end->first = (end->first + 1) % MEMORY_QUEUE;
    end->count--;
    return STATUS_OK;
}

static inline bool memory_close(struct giop_transport *transport, unsigned connection,
                                bool for_good)
{
    (void)transport, (void)connection;
    return !for_good; // frames only, as ERIOP
}

static inline void memory_profile(const struct giop_transport *transport,
                                  struct ior_profile *profile)
{
    (void)transport;
    *profile = (struct ior_profile){.tag = IOR_TAG_ERIOP, .minor = 2};
}

static inline bool memory_peer(const struct giop_transport *transport, unsigned connection,
                               uint8_t address[6])
{
    (void)transport, (void)connection;
    memset(address, 0, 6);
    return false;
}

static const struct giop_transport_operations memory_operations = {
    memory_free,    memory_now_ns, memory_connect, memory_send,
    memory_receive, memory_close,  memory_profile, memory_peer};

static inline void memory_pair(struct memory_end ends[2], int64_t *now_ns)
{
    for (unsigned i = 0; i < 2; i++) {
        memset(&ends[i], 0, sizeof ends[i]);
        ends[i].base = (struct giop_transport){&memory_operations, 1, MEMORY_MAX_B};
        ends[i].other = &ends[1 - i];
        ends[i].now_ns = now_ns;
    }
}
