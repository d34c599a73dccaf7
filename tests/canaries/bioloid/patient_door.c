// A network door that hears whoever sends datagrams for as long as he sends.
#include <sys/socket.h>

#include "targets/bioloid/door_peers.h"

void __real_door_take(struct door_peers *peers, door_hear *hear, void *context);
void __wrap_door_take(struct door_peers *peers, door_hear *hear, void *context);

void __wrap_door_take(struct door_peers *peers, door_hear *hear, void *context)
{
    char line[DOOR_LINE_MAX];
    for (ssize_t size; (size = recv(peers->udp, line, sizeof line - 1, MSG_DONTWAIT)) >= 0;) {
        line[size] = '\0';
        peers->datagram = (struct door_peer){.file = -1, .address = {.sin_family = AF_INET}};
        hear(context, &peers->datagram, line);
    }
    __real_door_take(peers, hear, context);
}
