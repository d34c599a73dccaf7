// Lets any CORBA client reach the nodes: listens by IIOP, and passes each request on by ERIOP, body
// and all. The objects have the nodes' names: corbaloc::1.2@127.0.0.1:2809/n7. One request at a
// time; a node that is silent for 50 ms is the client's TIMEOUT. Real time only: on the virtual
// clock nobody can call, and it sleeps. Argument: the port.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "robot/participant.h"
#include "targets/hrp3p/frames.h"
#include "targets/hrp3p/node_corba.h"

#define CLIENTS 4
#define CALL_NS 50000000
#define WORK_NS INT64_C(100000000) // and then it looks again

static struct gate {
    char name[8];
    struct giop_object node;
} gate[NODES];

static enum giop_reply_status fail(enum giop_outcome outcome, struct cdr *results)
{
    return giop_raise(results, outcome == GIOP_TIMEOUT     ? GIOP_TIMED_OUT
                               : outcome == GIOP_MALFORMED ? GIOP_MARSHAL
                                                           : GIOP_COMM_FAILURE);
}

// Bodies of version 1.2 begin at a multiple of 8, here and there: they are the same bytes.
static enum giop_reply_status forward(void *servant, const struct giop_call *call,
                                      struct cdr *arguments, struct cdr *results)
{
    struct giop_object *node = &((struct gate *)servant)->node;
    struct cdr reply;
    if (call->request.head.minor != 2)
        return giop_raise(results, GIOP_NO_IMPLEMENT);
    node->big = !call->request.head.little;
    struct cdr *out = giop_call_begin(node, call->request.operation, call->request.expects_reply);
    cdr_put_bytes(out, arguments->bytes + arguments->at, cdr_left(arguments));
    const enum giop_outcome sent = giop_call_send(node);
    if (sent != GIOP_DONE || !call->request.expects_reply)
        return sent == GIOP_DONE ? GIOP_NO_EXCEPTION : fail(sent, results);
    const enum giop_outcome outcome = giop_call_await(node, giop_call_deadline_ns(node), &reply);
    if (outcome != GIOP_DONE && outcome != GIOP_RAISED && outcome != GIOP_SYSTEM)
        return fail(outcome, results);
    if (outcome != GIOP_DONE)
        cdr_put_string(results, node->exception);
    cdr_put_bytes(results, reply.bytes + reply.at, cdr_left(&reply));
    return outcome == GIOP_DONE     ? GIOP_NO_EXCEPTION
           : outcome == GIOP_RAISED ? GIOP_USER_EXCEPTION
                                    : GIOP_SYSTEM_EXCEPTION;
}

static enum status open_gates(struct clk *clk, struct giop_orb *server)
{
    struct giop_transport *transport;
    struct giop_orb *orb;
    enum status status =
        eriop_create(clk, NETWORK, CORBA_CHANNEL, NODES, CORBA_MESSAGE_MAX_B, &transport);
    if (status == STATUS_OK)
        status = giop_orb_create(transport, CORBA_MESSAGE_MAX_B, 0, &orb);
    for (unsigned n = 0; n < NODES && status == STATUS_OK; n++) {
        struct ior_profile at;
        snprintf(gate[n].name, sizeof gate[n].name, "n%u", n + 1);
        status = eriop_find(transport, gate[n].name, CORBA_CHANNEL, &at);
        at.key_B = (uint32_t)strlen(gate[n].name);
        memcpy(at.key, gate[n].name, at.key_B);
        if (status == STATUS_OK)
            status = giop_object_open(&gate[n].node, orb, &at, CALL_NS);
        if (status == STATUS_OK)
            status = giop_orb_serve(server, gate[n].name, HRP3P_NODE_TYPE, forward, &gate[n]);
    }
    return status;
}

int main(int argc, char **argv)
{
    struct giop_transport *transport;
    struct giop_orb *server;
    struct clk *clk;
    log_program(argv[0]);
    const long port = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
    if (port < 1 || port > UINT16_MAX) {
        fputs("usage: gateway PORT\n", stderr);
        return 2;
    }
    if (iiop_create("127.0.0.1", (uint16_t)port, CLIENTS, CORBA_MESSAGE_MAX_B, &transport) !=
            STATUS_OK ||
        giop_orb_create(transport, CORBA_MESSAGE_MAX_B, 0, &server) != STATUS_OK) {
        log_error("cannot listen on port %ld of 127.0.0.1; is it in use?", port);
        return 3;
    }
    if (participant_join(&clk) != STATUS_OK)
        return 3;
    const enum status status = open_gates(clk, server);
    if (status != STATUS_OK) {
        log_error(NETWORK ": %s; the network needs the nodes, and this host", status_text(status));
        return 3;
    }
    while (clk_mode(clk) == CLK_VIRTUAL)
        clk_sleep_until(clk, INSTANT_NEVER);
    for (;;)
        (void)giop_orb_work(server, 1, transport->operations->now_ns(transport) + WORK_NS);
}
