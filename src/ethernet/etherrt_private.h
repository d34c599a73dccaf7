// What a kind of network provides to sockets: a new kind is one new file with such a table.
// Private to src/ethernet.
#pragma once

#include "clock/clock.h"
#include "ethernet/etherrt.h"
#include "ethernet/frame.h"
#include "ethernet/page.h"

struct EtherRTSock;

struct etherrt_operations {
    void (*close)(struct EtherRTSock *sock);
    // 0, or -1 with errno. `frame` is whole but for its source's address.
    int (*send)(struct EtherRTSock *sock, struct eth_frame *frame);
    // Takes the oldest frame: false if there is none.
    bool (*receive)(struct EtherRTSock *sock, struct eth_frame *frame);
    // Waits for one until then; what clk_wait says.
    enum status (*wait)(struct EtherRTSock *sock, instant until);
    int (*address)(const struct EtherRTSock *sock, const char *host, uint8_t address[6]);
    void (*connect)(struct EtherRTSock *sock, const uint8_t address[6]);
    int (*mode)(struct EtherRTSock *sock, bool relay, int on);
    const struct eth_page *(*page)(const struct EtherRTSock *sock); // NULL: of no network
    // When a frame left, by the trial's time; false: it has not.
    bool (*stamp)(const struct EtherRTSock *sock, uint32_t number, int64_t *time_ns);
};

struct EtherRTSock {
    const struct etherrt_operations *operations; // NULL: not bound
    uint16_t protocol;
    bool connected;
    bool asks_time; // who receives wants to know when frames came
    uint8_t peer[6];
    void *medium; // of the kind
};

extern _Thread_local struct clk *etherrt_own_clock; // of this thread; NULL: it has joined none
struct clk *etherrt_clock(void);                    // joins if nobody has; NULL: it cannot

int etherrt_find_host(const struct eth_page *page, const char *name); // -1: there is none
// Of the network itself: 0, or -1 with errno.
int etherrt_page_address(const struct eth_page *page, const char *host, uint8_t address[6]);
int etherrt_page_mode(struct eth_page *page, unsigned host, bool relay, int on);

// Binds to host `host` of a network of the cell, or to an interface of the kernel. 0 or -1.
int etherrt_bind_page(struct EtherRTSock *sock, const char *cell, const char *network,
                      const char *host);
// Takes the page over, whatever comes of it.
int etherrt_bind_veth(struct EtherRTSock *sock, struct eth_page *page, unsigned host);
int etherrt_bind_packet(struct EtherRTSock *sock, const char *interface);
