// Hardware daemon: who replies with which CAN identifier, and which replies are still to come.
//
// Replies bear no number, and come late when somebody else has the bus: then the reply to an
// earlier request would pass for the one to the last. So replies that are owed are counted, and who
// owes one of an earlier cycle is not asked for data again until it has come or is known to be
// lost. That is never told by time, for a bus can be held up for any; it is told by order:
// - A board replies in the order in which it was asked. When it replies to a later request, nothing
// older of it is on its way.
// - A sensor has one reply to send. While it waits, the bus hardly carries frames of higher
// identifiers.
//
// Pure and real-time safe; what is not in a sender's power (a board or a cable that lets frames
// pass each other) is not caught here.
#pragma once

#include <stdbool.h>

#include "protocol/hubo_frames.h"
#include "model/description.h"
#include "message/message.h"

#define HARDWARE_BUSES STATE_BUSES
#define CAN_IDS 2048
#define SENDERS_SENSORS 8
#define SENDERS_MAX (3 * DESCRIPTION_BOARDS_MAX + SENDERS_SENSORS)

enum source_kind {
    SOURCE_ENCODER,
    SOURCE_STATUS,
    SOURCE_CURRENT,
    SOURCE_FORCE_TORQUE,
    SOURCE_TILT,
    SOURCE_IMU,
    SOURCE_POWER
};

struct source { // who replies with one CAN identifier
    enum source_kind kind;
    unsigned index; // board; or place of the sensor in the state's array
    unsigned bus;
    uint32_t can_id;
    unsigned asked;          // requests of this cycle that have no reply yet
    unsigned owed;           // replies to requests of earlier cycles that may still come
    unsigned passed;         // frames of higher identifiers that its bus has carried in this cycle
    uint64_t oldest, newest; // numbers of the first and last of all these requests
    bool answered;           // in this cycle
    bool known; // what it owes; not when its first replies are missing: a predecessor of this
                // process may have asked, too
};

struct senders {
    unsigned count;
    struct source source[SENDERS_MAX];             // sensors, then three of each board
    uint8_t source_of_id[HARDWARE_BUSES][CAN_IDS]; // index + 1, 0: nobody
    uint64_t requests;                             // so far
};

enum reply_age {
    REPLY_OF_NOW,   // it answers a request of this cycle
    REPLY_ONE_MORE, // of an identifier that has answered in this cycle and owes nothing
    REPLY_OF_BEFORE // it may answer an earlier one, or none
};

// Learns from the description who may reply. INVALID (logged to standard error) if two sources of
// one bus share an identifier or a board is on a bus that does not exist.
enum status senders_start(struct senders *senders,
                          const struct description *description) MUST_CHECK;

// Who replies with this identifier, and whether anybody does; NULL: nobody.
struct source *senders_find(struct senders *senders, unsigned bus, uint32_t can_id);
bool senders_has(const struct senders *senders, unsigned bus, uint32_t can_id);

// Begins a cycle: what is missing of the last one is owed.
void senders_begin(struct senders *senders);

// Whether replies of earlier cycles with this identifier may still come, so that it must not be
// asked for data.
bool senders_overdue(const struct senders *senders, unsigned bus, uint32_t can_id);

// Whether a board is to be probed instead of being asked for its positions and its health: it owes
// positions, or so much else that nothing would tell if they were lost. What by: status or current,
// of which no old reply passes for a new one; as often as need be.
bool senders_in_question(const struct senders *senders, unsigned board);
enum source_kind senders_probe(const struct senders *senders, unsigned board);

// Notes that a request was sent whose reply bears this identifier.
void senders_expect(struct senders *senders, unsigned bus, uint32_t can_id);

// Notes a reply of this source; `in_time`: it was sent in this cycle.
enum reply_age senders_hear(struct senders *senders, struct source *source, bool in_time);
