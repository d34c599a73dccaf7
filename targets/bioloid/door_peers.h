// The peers of the network door: lines of text over TCP and UDP. Nobody is waited for, and nobody
// gets more than his share of a period: a peer may vanish, flood, or send rubbish.
#pragma once

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "targets/bioloid/door_line.h"

#define DOOR_PEERS_MAX 8
#define DOOR_LINES_MAX 4      // of a connection in a period
#define DOOR_DATAGRAMS_MAX 16 // of all in a period; more are lost, up to
#define DOOR_LOST_MAX 512     // so many: what nobody takes would come too late
#define DOOR_REPLY_MAX 1024

struct door_peer {
    bool used;
    int file;                   // a connection's; -1: by datagrams
    struct sockaddr_in address; // of datagrams
    bool skips;                 // the rest of a line that is too long
    double rate_hz;             // of its stream; 0: it has none
    int64_t next_ns, until_ns;  // of its stream; datagrams: unless it asks again
};

struct door_peers {
    int tcp, udp;
    struct door_peer peer[DOOR_PEERS_MAX];
    struct door_peer datagram; // who sent the one that is read now
    uint64_t turned_away, unread, lost;
};

// Listens on a port of 127.0.0.1, for both. SYSTEM. Not real-time.
enum status door_listen(struct door_peers *peers, unsigned port) MUST_CHECK;

// Takes what has come: `hear` is called for each line, and answers by door_say.
typedef void door_hear(void *context, struct door_peer *peer, const char *line);
void door_take(struct door_peers *peers, door_hear *hear, void *context);
// A line to a peer. Who has no room for it misses it; a connection that has room for a part of it
// only is closed.
void door_say(struct door_peers *peers, struct door_peer *peer, const char *line);
// Gives the peer of this line a stream; FULL: there is no place for one more.
enum status door_stream(struct door_peers *peers, struct door_peer *peer, double rate_hz,
                        int64_t now_ns) MUST_CHECK;
// Whether the peer's next line of state is due.
bool door_is_due(struct door_peers *peers, struct door_peer *peer, int64_t now_ns);
unsigned door_count(const struct door_peers *peers);
