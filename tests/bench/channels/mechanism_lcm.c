// LCM: UDP multicast, in the world's own network.
#include "tests/bench/channels/mechanism.h"

#if __has_include(<lcm/lcm.h>)
#include <lcm/lcm.h>

#define PROVIDER "udpm://239.255.76.67:7667?ttl=0&recv_buf_size=2097152"
#define CHANNEL "BENCH"

struct end {
    lcm_t *lcm;
    size_t size_B; // of the frame below
    unsigned char frame[FRAME_SIZE_MAX_B];
};

static void take(const lcm_recv_buf_t *received, const char *channel, void *reader)
{
    (void)channel;
    struct end *end = reader;
    if (received->data_size > sizeof end->frame)
        bench_fail("lcm: a frame of %u B", received->data_size);
    end->size_B = received->data_size;
    // Its buffer is its own again after this call.
    __builtin_memcpy(end->frame, received->data, end->size_B);
}

static struct end *open_end(void)
{
    struct end *end = bench_new(sizeof *end);
    end->lcm = lcm_create(PROVIDER);
    if (end->lcm == NULL)
        bench_fail("lcm: cannot open " PROVIDER);
    return end;
}

static void *open_writer(unsigned readers)
{
    (void)readers;
    return open_end();
}

static void *open_reader(unsigned reader)
{
    (void)reader;
    struct end *end = open_end();
    if (lcm_subscribe(end->lcm, CHANNEL, take, end) == NULL)
        bench_fail("lcm: cannot subscribe");
    return end;
}

static void send_frame(void *writer, const void *frame, size_t size_B)
{
    const struct end *end = writer;
    if (lcm_publish(end->lcm, CHANNEL, frame, (unsigned)size_B) != 0)
        bench_fail("lcm: cannot publish");
}

static const void *receive(void *reader, size_t *size_B)
{
    struct end *end = reader;
    if (lcm_handle(end->lcm) != 0)
        bench_fail("lcm: cannot receive");
    *size_B = end->size_B;
    return end->frame;
}

const struct mechanism mechanism_lcm = PEER("LCM");
#else
const struct mechanism mechanism_lcm = PEER_WITHOUT("LCM", "liblcm-dev");
#endif
