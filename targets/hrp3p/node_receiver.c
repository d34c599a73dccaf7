#include "targets/hrp3p/node_receiver.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "robot/participant.h"

// A frame that finds no room is lost, as on the wire.
static void hand_on(struct node_receiver *receiver, const struct received_frame *received)
{
    const unsigned put = atomic_load_explicit(&receiver->put, memory_order_relaxed);
    if (put - atomic_load_explicit(&receiver->taken, memory_order_acquire) == RECEIVER_FRAMES)
        return;
    receiver->frame[put % RECEIVER_FRAMES] = *received;
    atomic_store_explicit(&receiver->put, put + 1, memory_order_release);
}

static void *receive(void *argument)
{
    struct node_receiver *receiver = argument;
    struct received_frame received;
    struct clk *clk;
    if (participant_join_thread(RECEIVER_THREAD, &clk) != STATUS_OK)
        exit(3);
    EtherRTClock(clk);
    for (;;) { // for as long as the node lives
        if (EtherRTRecvFrom(receiver->sock, &received.frame, sizeof received.frame, 0,
                            &received.from) != 0)
            exit(3);
        received.time_ns = clk_now(clk).ns;
        hand_on(receiver, &received);
    }
}

int node_receiver_start(struct node_receiver *receiver, EtherRTSock *sock)
{
    pthread_t thread;
    receiver->sock = sock;
    errno = pthread_create(&thread, NULL, receive, receiver);
    return errno == 0 ? 0 : -1;
}

bool node_receiver_take(struct node_receiver *receiver, struct received_frame *received)
{
    const unsigned taken = atomic_load_explicit(&receiver->taken, memory_order_relaxed);
    if (taken == atomic_load_explicit(&receiver->put, memory_order_acquire))
        return false;
    *received = receiver->frame[taken % RECEIVER_FRAMES];
    atomic_store_explicit(&receiver->taken, taken + 1, memory_order_release);
    return true;
}
