// Datagrams as a bridge takes them from the network. Whatever comes: what is put into a channel
// came whole, counts agree, and what the bridge sends is sound.
#include "tests/fuzz/fuzz.h"

#include "targets/bridge/bridge_session.h"

#define FRAME_B 3000 // three parts
#define DATAGRAMS_MAX 64

static struct bridge_session pristine;

static void start(void)
{
    struct channel *channel;
    static const char frame[] = "/dev/shm/ukemi-fuzz-bridge-ABCDEF";
    const char *cell = fuzz_cell();
    fuzz_check(channel_create(cell, "a", FRAME_B, 4) == STATUS_OK &&
               channel_create(cell, "b", FRAME_B, 4) == STATUS_OK);
    fuzz_check(channel_open("a", CHANNEL_WRITE, &channel) == STATUS_OK);
    fuzz_check(channel_put(channel, frame, sizeof frame, instant_ns(7)) == STATUS_OK);
    channel_close(channel);
    fuzz_check(bridge_add(&pristine, "a", CHANNEL_READ) == STATUS_OK &&
               bridge_add(&pristine, "b", CHANNEL_WRITE) == STATUS_OK);
}

static void check_sent(struct bridge_session *session, instant now)
{
    struct bridge_datagram datagram;
    size_t length_B;
    bridge_look(session, now);
    for (unsigned i = 0; (length_B = bridge_next(session, &datagram, now)) > 0; i++)
        fuzz_check(i < 8 && bridge_frame_sound(&datagram, length_B));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct bridge_session session;
    static struct bridge_datagram datagram;
    if (pristine.pull_count == 0)
        start();
    session = pristine;
    bridge_begin(&session, NULL, instant_ns(0));
    const struct bridge_message *message = &session.message;
    for (unsigned n = 0; n < DATAGRAMS_MAX && size > 2; n++) {
        // The first byte: whether the sum is made right, and how much comes. The second: how many
        // of its bytes are given; those after it repeat.
        const size_t given = data[1] < size - 2 ? data[1] : size - 2;
        uint8_t *bytes = (uint8_t *)&datagram;
        for (size_t i = 0; i < sizeof datagram && given > 0; i++)
            bytes[i] = data[2 + (i < given ? i : given - 1)];
        size_t length_B = (data[0] >> 1) * (size_t)12;
        if ((data[0] & 1) != 0 && datagram.head.part_B <= BRIDGE_PART_B)
            length_B = bridge_frame_seal(&datagram);
        const uint64_t delivered = message->delivered, number = message->number[0];
        bridge_take(&session, &datagram, length_B, instant_ns(1 + n));
        fuzz_check(message->delivered <= delivered + 1);
        fuzz_check(message->delivered == delivered || message->number[0] != number);
        fuzz_check(session.pull[0].parts < 4 && session.pull[0].size_B <= FRAME_B);
        check_sent(&session, instant_ns(1 + n));
        data += 2 + given;
        size -= 2 + given;
    }
    return 0;
}
