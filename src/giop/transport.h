// What carries GIOP's messages: a table of functions, so that a new transport is one new file (the
// paper's Open Communication Interface). IIOP is over TCP, ERIOP over raw Ethernet.
//
// A transport has a fixed number of connections, each with the room for one message, made when it
// is created: later nothing is allocated. It belongs to one thread.
#pragma once

#include "base/status.h"
#include "giop/ior.h"
#include "giop/message.h"

struct giop_transport;

struct giop_transport_operations {
    void (*free)(struct giop_transport *transport);
    // Of the clock that its deadlines are of.
    int64_t (*now_ns)(const struct giop_transport *transport);
    // A connection to where the profile says. INVALID: not this transport's profile; TIMEOUT; FULL:
    // all connections are in use; DEAD: nobody is there.
    enum status (*connect)(struct giop_transport *transport, const struct ior_profile *profile,
                           int64_t until_ns, unsigned *connection);
    // Sends a message, or a piece of one. TIMEOUT: the connection is closed. DEAD.
    enum status (*send)(struct giop_transport *transport, unsigned connection, const uint8_t *bytes,
                        size_t size_B, int64_t until_ns);
    // The next message of any connection: a head and what it counts, valid until the next call.
    // TIMEOUT. DEAD: *connection is closed. CORRUPT: the caller has to close it.
    enum status (*receive)(struct giop_transport *transport, int64_t until_ns, unsigned *connection,
                           const uint8_t **bytes, size_t *size_B);
    // A connection that this end asked for keeps its number until it is closed for good.
    // True: it goes on all the same, as there is nothing between its ends but frames.
    bool (*close)(struct giop_transport *transport, unsigned connection, bool for_good);
    // Where the own objects are: all of a profile but the key.
    void (*profile)(const struct giop_transport *transport, struct ior_profile *profile);
    // The Ethernet address of who is at the other end; false: there is none.
    bool (*peer)(const struct giop_transport *transport, unsigned connection, uint8_t address[6]);
};

// The first member of each kind.
struct giop_transport {
    const struct giop_transport_operations *operations;
    unsigned connection_count;
    size_t message_max_B; // of one message or piece
};

// TCP. `host` is numeric; port 0: any. NULL: only connects, listens nowhere. SYSTEM with errno,
// NO_MEMORY. Its deadlines are of CLOCK_MONOTONIC: not for virtual time.
enum status iiop_create(const char *host, uint16_t port, unsigned connections, size_t message_max_B,
                        struct giop_transport **transport) MUST_CHECK;

#define ERIOP_ETHERTYPE 0x88B6 // IEEE 802 "local experimental"
#define ERIOP_CHANNELS 128u
#define ERIOP_SEGMENTS_MAX 64u // of a message

struct eriop_counts {
    uint64_t strange; // segments that are not sound, or that nobody waits for
    uint64_t torn;    // messages of which a segment was lost
    uint64_t refused; // for want of a connection
};

struct clk;
// Raw Ethernet by src/ethernet, and the caller's clock. `network` as of EtherRTBind. `channel`,
// below ERIOP_CHANNELS, tells the servers of a host apart. SYSTEM with errno, NO_MEMORY. Losses are
// not fixed: the message is lost.
enum status eriop_create(struct clk *clk, const char *network, uint8_t channel,
                         unsigned connections, size_t message_max_B,
                         struct giop_transport **transport) MUST_CHECK;
// The profile of another host of the network, but for the key. NOT_FOUND.
enum status eriop_find(const struct giop_transport *transport, const char *host, uint8_t channel,
                       struct ior_profile *profile) MUST_CHECK;
// When a connection's last frame had come, of the trial.
int64_t eriop_heard_ns(const struct giop_transport *transport, unsigned connection);
struct eriop_counts eriop_counts(const struct giop_transport *transport);
