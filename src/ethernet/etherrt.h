// Real-time Ethernet for the programs of a network's hosts: the library of "Distributed Control
// System of Humanoid Robots based on Real-time Ethernet" (sections III.B and V), with its names.
//
// A frame's payload is the application's, and nothing else; nothing is sent again. A host is a
// process of the target: the network in target.yaml (`networks:`) lists it under its process name.
// Nothing here allocates after EtherRTBind; every call is real-time safe but Socket, Bind, Close,
// art_enter and art_exit. All return 0, or -1 with errno. Of a socket, one thread may send while
// another receives. A process opens its sockets in the same order whenever it is started: in one
// thread, or once its threads have joined the clock.
//
// A host has one link on the hub, or is in a ring and has two. Which port a frame leaves by, and
// what is relayed, is the network's business (ethernet/relay.h).
#pragma once

#include <net/ethernet.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ETH_P_RT 0x88B5 // IEEE 802 "local experimental": the payload is the application's
#define ETHER_RT_PORT(port) (0x100 << (port)) // flag of a send: by this port only

struct clk;
typedef struct EtherRTSock EtherRTSock;

// What came with a frame.
struct EtherRTFrom {
    struct ether_addr source;
    unsigned host;    // its number in the network
    unsigned port;    // by which it came: 0 or 1
    size_t length_B;  // of the payload, also if the buffer took less
    int64_t time_ns;  // by this process's clock: its last bit came
    int64_t taken_ns; // of the trial: its sender handed it over
};

// type: SOCK_DGRAM. protocol: ETH_P_RT, or any EtherType for a protocol of its own.
EtherRTSock *EtherRTSocket(int type, int protocol);
// `name`: a network of the cell, "eth0"; the host is the one named as this process. Or
// "eth0:HOST". Else an interface of the kernel. ENODEV: no such network, host or interface.
int EtherRTBind(EtherRTSock *sock, const char *name);
// From now on frames go to, and come from, this address only.
int EtherRTConnect(EtherRTSock *sock, const struct ether_addr *address);
// The address of a host of the network that the socket is bound to, ENOENT; where that is an
// interface of the kernel: of such an interface.
int EtherRTAddress(const EtherRTSock *sock, const char *host, struct ether_addr *address);
// flags: 0, or ETHER_RT_PORT. EMSGSIZE; ENOBUFS: the queue is full; ENETDOWN: no link is up.
int EtherRTSend(EtherRTSock *sock, const void *buffer, size_t size_B, int flags);
int EtherRTSendTo(EtherRTSock *sock, const struct ether_addr *address, const void *buffer,
                  size_t size_B, int flags);
// The same; *number: under it EtherRTStamp says when the frame's last bit left this host. It is
// kept until 16 later ones have been sent so.
int EtherRTSendStamped(EtherRTSock *sock, const struct ether_addr *address, const void *buffer,
                       size_t size_B, int flags, uint32_t *number);
// By this process's clock, as the network or the kernel stamps it. EAGAIN: it has not left.
int EtherRTStamp(const EtherRTSock *sock, uint32_t number, int64_t *time_ns);
// Waits for a frame; MSG_DONTWAIT: EAGAIN at once if there is none. `from` may be NULL.
int EtherRTRecv(EtherRTSock *sock, void *buffer, size_t size_B, int flags);
int EtherRTRecvFrom(EtherRTSock *sock, void *buffer, size_t size_B, int flags,
                    struct EtherRTFrom *from);
// As Recv, until an instant of the trial: ETIMEDOUT.
int EtherRTRecvUntil(EtherRTSock *sock, void *buffer, size_t size_B, int64_t until_ns,
                     struct EtherRTFrom *from);
int EtherRTClose(EtherRTSock *sock);

// How late the network's owner, a process of the bench, came at most to what was due since an
// instant of the trial, no more than two cycles ago: in real time the machine may not let it run.
// 0 in virtual time. Who misses a frame learns by it whom to blame.
int64_t EtherRTHeldUp(const EtherRTSock *sock, int64_t since_ns);

// Relay mode: a frame for another host is sent on. Through mode: out of the other port, else back
// out of the same. As opened: relay on, and the network chooses the through mode (-1).
int EtherRTRelay(EtherRTSock *sock, int on);
int EtherRTThrough(EtherRTSock *sock, int on);

// A thread that has joined the clock by itself says so before its first call that waits or sends;
// otherwise art_enter, or the first call that needs it, joins: the process's first thread by
// clk_join, another by clk_join_thread under its own name (pthread_setname_np).
void EtherRTClock(struct clk *clk);

// ---- periodic tasks, as of ARTLinux -------------------------------------------------------------

#define ART_PRIO_MAX 90 // SCHED_FIFO
#define ART_TASK_PERIODIC 1

// The calling thread becomes periodic, at multiples of the period of the trial's time.
int art_enter(int priority, int type, unsigned long period_us);
int art_wait(void); // until the next period begins; returns how many were missed
int art_exit(void);

#ifdef __cplusplus
}
#endif
