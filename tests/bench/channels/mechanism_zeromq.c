// ZeroMQ: PUB and SUB over a Unix socket.
#include "tests/bench/channels/mechanism.h"

#if __has_include(<zmq.h>)
#include <zmq.h>

#define ADDRESS "ipc:///dev/shm/zeromq"

struct end {
    void *socket;
    zmq_msg_t message;
};

static void check(int result, const char *what)
{
    if (result < 0)
        bench_fail("zeromq: %s: %s", what, zmq_strerror(zmq_errno()));
}

static struct end *open_end(int kind)
{
    struct end *end = bench_new(sizeof *end);
    void *context = zmq_ctx_new();
    end->socket = context == NULL ? NULL : zmq_socket(context, kind);
    if (end->socket == NULL)
        bench_fail("zeromq: no socket");
    check(zmq_msg_init(&end->message), "zmq_msg_init");
    return end;
}

static void *open_writer(unsigned readers)
{
    (void)readers;
    struct end *end = open_end(ZMQ_PUB);
    check(zmq_bind(end->socket, ADDRESS), "zmq_bind");
    return end;
}

static void *open_reader(unsigned reader)
{
    (void)reader;
    struct end *end = open_end(ZMQ_SUB);
    check(zmq_setsockopt(end->socket, ZMQ_SUBSCRIBE, "", 0), "zmq_setsockopt");
    check(zmq_connect(end->socket, ADDRESS), "zmq_connect");
    return end;
}

static void send_frame(void *writer, const void *frame, size_t size_B)
{
    const struct end *end = writer;
    check(zmq_send(end->socket, frame, size_B, 0), "zmq_send");
}

static const void *receive(void *reader, size_t *size_B)
{
    struct end *end = reader;
    check(zmq_msg_recv(&end->message, end->socket, 0), "zmq_msg_recv");
    *size_B = zmq_msg_size(&end->message);
    return zmq_msg_data(&end->message);
}

const struct mechanism mechanism_zeromq = PEER("ZeroMQ");
#else
const struct mechanism mechanism_zeromq = PEER_WITHOUT("ZeroMQ", "libzmq3-dev");
#endif
