// Frames as hrp3p's nodes and its motion PC take them from the network. Whatever comes: references
// stay within the joints' limits, outputs within 12 bits, and nothing is counted twice.
#include "tests/fuzz/fuzz.h"

#include "targets/hrp3p/exchange.h"
#include "targets/hrp3p/node_link.h"

#define JOINTS 3
#define FRAMES_MAX 64

static const struct ether_addr pc = {{2, 0, 0, 0, 0, 1}};

static void check_joints(struct node_control *control)
{
    uint32_t counter[LINK_JOINTS] = {0}, output[LINK_JOINTS];
    node_tick(control, counter, output);
    for (unsigned i = 0; i < JOINTS; i++) {
        fuzz_check(fabs(control->joint[i].reference_rad) <= 1);
        fuzz_check(output[i] < 1u << LINK_DA_BITS);
    }
}

static void to_node(struct node_link *link, struct node_control *control, const uint8_t *frame,
                    size_t size)
{
    struct node_command command[LINK_JOINTS];
    if (node_link_take(link, &pc, frame, size, 7 * (int64_t)CYCLE_NS, JOINTS, command))
        node_take(control, command);
    check_joints(control);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct description description = {.board_count = NODES, .joint_count = 1};
    struct exchange exchange = {.description = &description};
    struct node_link link = {.pc = pc};
    struct node_control control = {.joint_count = JOINTS};
    const uint32_t counter[LINK_JOINTS] = {0};
    uint8_t frame[ETH_DATA_LEN];
    for (unsigned b = 0; b < NODES; b++)
        for (unsigned c = 0; c < LINK_JOINTS; c++)
            description.board[b].joint[c] = c < JOINTS ? 0 : -1;
    for (unsigned i = 0; i < JOINTS; i++)
        control.joint[i] = (struct node_joint){
            .ticks_per_rad = 1000, .torque_max_Nm = 10, .min_rad = -1, .max_rad = 1};
    node_begin(&control, counter);
    exchange.node[0].address = pc;
    exchange_begin(&exchange, 7);
    for (unsigned n = 0; n < FRAMES_MAX && size > 2; n++) {
        // The first byte: whether the sum is made right. The second: how long the frame is.
        const bool sealed = (data[0] & 1) != 0;
        const size_t length = data[1] < size - 2 ? data[1] : size - 2;
        memcpy(frame, data + 2, length);
        if (sealed && length >= sizeof(struct frame_head))
            frame_seal(frame, length);
        to_node(&link, &control, frame, length);
        exchange_take(&exchange, &pc, frame, length, 0);
        data += 2 + length;
        size -= 2 + length;
    }
    exchange_end(&exchange, 0);
    fuzz_check(exchange.message.answers <= 1);
    return 0;
}
