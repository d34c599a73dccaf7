// Clock synchronisation over a network of real-time Ethernet: peer delay of IEEE 1588-2008 (clause
// 11.4, two steps, over EtherType 0x88F7), by which a host also sets its clock to its peer's.
//
// A host asks its reference once a second, a few times in a row, and goes by the exchanges that
// took least time: what is held up on its way says little. Whoever is asked answers in the time
// that it has itself made of its reference's: so a chain of neighbours passes the time on (paper
// 004, Fig. 5 right). Where all ask one master, its frames cross the relays between (Fig. 5 left).
#pragma once

#include <net/ethernet.h>
#include <stdbool.h>
#include <stdint.h>

#include "ethernet/etherrt.h"
#include "ethernet/ptp_message.h"
#include "ethernet/servo.h"

#define ETH_P_PTP 0x88F7
#define PTP_BURST 6        // questions in a row; their stamps have room in a host's page
#define PTP_ANSWERS_MAX 12 // under way at once

struct ptp_sample { // of one exchange, or of a mean of some
    int64_t at_ns;  // local
    double offset_ns, delay_ns;
};

struct ptp_answer { // whose follow-up waits for a stamp
    bool waits;
    struct ether_addr to;
    unsigned port, ticks;
    uint32_t stamp;
    int64_t came_ns;              // local
    struct ptp_message follow_up; // its time: when the question came
};

struct ptp_question {
    bool left, answered, told; // its stamp is there, and the answer, and when that left
    uint32_t stamp;
    int64_t t1_ns, t2_ns, t3_ns, t4_ns; // t1, t4 local, t2, t3 the reference's
};

struct ptp_host {
    EtherRTSock *sock;
    uint8_t identity[PTP_IDENTITY_B];
    bool follows; // it has a reference
    bool keeps;   // and has learned its own rate
    bool on_link; // it asks whoever is at the other end, for the delay alone (ptp_clock.h)
    struct ether_addr reference;
    struct servo servo;
    int64_t next_ns; // local: when it asks again
    // The questions under way.
    int64_t asked_ns;  // local
    unsigned asked;    // how many
    uint16_t sequence; // of the last of them
    struct ptp_question question[PTP_BURST];
    struct ptp_answer answer[PTP_ANSWERS_MAX];
    // What came of it.
    uint64_t exchanges, lost;   // lost: without an answer, since the first that had one
    double offset_ns, delay_ns; // of the last burst: the mean of its fastest
};

// As `own` in a network of the cell, with a reference, or NULL: by its own clock. Hosts ask one
// after the other, in the order of the network. 0, or -1 with errno. Not real-time.
int ptp_open(struct ptp_host *host, const char *network, const char *own, const char *reference);
// At one end of a cable of the kernel's: it answers, and asks if it follows. As ptp_open.
int ptp_open_link(struct ptp_host *host, const char *interface, bool follows);
// Takes what has come and sends what is due, at a local time. To be called each millisecond or so.
// Real-time safe.
void ptp_poll(struct ptp_host *host, int64_t local_ns);
// Its two halves, for who takes other messages from the same socket.
void ptp_take(struct ptp_host *host, const struct ptp_message *message,
              const struct EtherRTFrom *from);
void ptp_work(struct ptp_host *host, int64_t local_ns);
// `stamp`: as of EtherRTSendStamped, or NULL. 0 or -1.
int ptp_send(struct ptp_host *host, const struct ether_addr *to, int flags,
             struct ptp_message *message, uint32_t *stamp);
// The mean of the faster half, so that noise of stamps is averaged, too; but of none that was
// clearly slower than the first. At least one; their order changes.
struct ptp_sample ptp_fastest(struct ptp_sample *sample, unsigned count);
// The time that it makes of its reference's, at a local one.
int64_t ptp_time_ns(const struct ptp_host *host, int64_t local_ns);
