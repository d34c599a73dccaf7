#include "targets/hrp3p/motion_corba.h"

#include <string.h>

#include "clock/clock.h"
#include "targets/hrp3p/node_corba.h"

#define CALL_NS 2000000 // the window of a cycle

static void send_references(struct motion_corba *corba, unsigned n, const double *reference_rad)
{
    struct command_frame frame;
    struct hrp3p_references wanted;
    exchange_command(corba->exchange, n, reference_rad, &frame);
    wanted.count = frame.head.count;
    for (unsigned i = 0; i < wanted.count; i++)
        wanted.item[i] =
            (struct hrp3p_reference){frame.joint[i].angle, frame.joint[i].p, frame.joint[i].d};
    (void)hrp3p_node_set_references(&corba->node[n], frame.head.cycle, frame.head.sum,
                                    &wanted); // what is lost shows in the states
}

void motion_corba_send(struct motion_corba *corba, const double *reference_rad)
{
    for (unsigned n = 0; n < NODES; n++) {
        if (reference_rad != NULL)
            send_references(corba, n, reference_rad);
        (void)hrp3p_node_read_state_send(&corba->node[n]);
    }
}

// As if the state had come in a frame.
static void take_state(struct motion_corba *corba, unsigned n, const struct hrp3p_state *state,
                       int64_t after_ns)
{
    struct answer_frame answer = {
        .head = {FRAME_ANSWER, (uint16_t)state->joint.count, state->cycle, state->sum},
        .used_cycle = state->used_cycle,
        .used_sum = state->used_sum,
        .used_age_us = state->used_age_us,
        .stale = state->stale,
        .doubled = state->doubled,
        .foreign = state->foreign,
        .unsound = state->unsound,
        .mode = (uint16_t)state->doing,
        .kept_us = state->kept_us,
        .late = state->late};
    for (unsigned i = 0; i < state->joint.count; i++) {
        answer.joint[i].angle = state->joint.item[i].angle;
        answer.joint[i].torque = state->joint.item[i].torque;
        answer.joint[i].temperature = state->joint.item[i].temperature;
    }
    memcpy(answer.sensor, state->sensor, sizeof answer.sensor);
    exchange_take(corba->exchange, &corba->exchange->node[n].address, &answer, sizeof answer,
                  after_ns);
}

void motion_corba_receive(struct motion_corba *corba, int64_t begin_ns)
{
    const struct giop_transport *transport = giop_orb_transport(corba->orb);
    const int64_t now_ns = clk_now(corba->clk).ns;
    for (unsigned n = 0; n < NODES; n++) {
        struct hrp3p_state state;
        if (hrp3p_node_read_state_await(&corba->node[n], now_ns, &state) == GIOP_DONE)
            take_state(corba, n, &state,
                       eriop_heard_ns(transport, corba->node[n].connection) - begin_ns);
    }
}

enum status motion_corba_open(struct motion_corba *corba, struct clk *clk,
                              struct exchange *exchange)
{
    struct giop_transport *transport;
    struct giop_orb *orb;
    corba->clk = clk;
    corba->exchange = exchange;
    exchange->prompt = true;
    enum status status =
        eriop_create(clk, NETWORK, CORBA_CHANNEL, NODES, CORBA_MESSAGE_MAX_B, &transport);
    if (status == STATUS_OK)
        status = giop_orb_create(transport, CORBA_MESSAGE_MAX_B, 0, &orb);
    for (unsigned n = 0; n < NODES && status == STATUS_OK; n++) {
        const char *name = exchange->description->board[n].name;
        struct ior_profile at;
        status = eriop_find(transport, name, CORBA_CHANNEL, &at);
        at.key_B = (uint32_t)strlen(name);
        memcpy(at.key, name, at.key_B);
        if (status == STATUS_OK)
            status = giop_object_open(&corba->node[n], orb, &at, CALL_NS);
    }
    if (status == STATUS_OK)
        corba->orb = orb;
    return status;
}
