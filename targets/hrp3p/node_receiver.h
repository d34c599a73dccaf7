// A node's second thread (Fig. 13 of the paper): blocks until a frame comes, and hands it on to the
// first, which never waits for it.
#pragma once

#include <stdatomic.h>

#include "ethernet/etherrt.h"
#include "targets/hrp3p/frames.h"

#define RECEIVER_THREAD "receiver" // in target.yaml
#define RECEIVER_FRAMES 64         // a power of two

struct received_frame {
    struct command_frame frame;
    struct EtherRTFrom from;
    int64_t time_ns; // by the node's clock: it was received
};

struct node_receiver {
    EtherRTSock *sock; // the caller's, who only sends by it from now on; NULL: there is no thread
    _Atomic unsigned put, taken;
    struct received_frame frame[RECEIVER_FRAMES];
};

// Starts the thread, which joins the clock; before the process does. 0, or -1 with errno.
int node_receiver_start(struct node_receiver *receiver, EtherRTSock *sock);
// The oldest frame that has not been taken. False: there is none. Real-time safe.
bool node_receiver_take(struct node_receiver *receiver, struct received_frame *received);
