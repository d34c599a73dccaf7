// Hardware daemon: from replies on the buses to the readings of a state, each with its own time
// stamp and validity. Knows what was asked in a cycle, so that a late reply never passes for a new
// one.
//
// Pure and real-time safe.
#pragma once

#include <stdbool.h>

#include "can/can.h"
#include "can/hubo_frames.h"
#include "model/description.h"

#define HARDWARE_BUSES STATE_BUSES
// A board of which nothing was heard in so many cycles is dead.
#define BOARD_DEAD_CYCLES 10
#define CAN_IDS 2048
#define READINGS_SOURCES_MAX (3 * DESCRIPTION_BOARDS_MAX + 16)

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
    unsigned asked; // requests of this cycle that have no reply yet
    bool answered;  // in this cycle
    bool overdue;   // a request of the last cycle has had no reply
};

struct joint_history { // of one encoder, up to the last cycle
    double position_rad;
    instant time;
    bool known;
    bool doubted;  // its last reading was rejected as a jump: a second one that says so is believed
    bool rejected; // a reading of this cycle was rejected as a jump
    bool disputed; // replies of this cycle contradict each other
};

enum reply_class {
    REPLY_TAKEN,
    REPLY_LATE,
    REPLY_WRONG_KIND,
    REPLY_WRONG_ID,
    REPLY_WRONG_LENGTH,
    REPLY_WRONG_VALUE,
    REPLY_ERROR_FRAME
};

struct readings {
    const struct description *description;
    struct state_message state;
    unsigned source_count;
    struct source source[READINGS_SOURCES_MAX];
    uint8_t source_of_id[HARDWARE_BUSES][CAN_IDS]; // index + 1, 0: nobody
    struct joint_history joint[ROBOT_JOINTS_MAX];
    bool referenced[ROBOT_JOINTS_MAX];             // this daemon has sent a reference
    bool referenced_before[ROBOT_JOINTS_MAX];      // even before the last one
    double reference_before_rad[ROBOT_JOINTS_MAX]; // that one
    uint32_t kept_away[HARDWARE_BUSES]; // frames, as far as readings_kept_away has been told
    uint64_t heard;                     // bit b: board b replied in this cycle, late or not
    unsigned silent_cycles[DESCRIPTION_BOARDS_MAX]; // consecutive ones without a reply
};

// Learns from the description who may reply. INVALID (said on standard error) if two sources of one
// bus share an identifier or a board is on a bus that does not exist.
enum status readings_start(struct readings *readings,
                           const struct description *description) MUST_CHECK;

// Begins cycle number state.cycle + 1: nothing is valid yet. Who owes a reply from the last cycle is overdue.
void readings_begin(struct readings *readings, instant cycle_start);

// Whether this identifier's reply to the last cycle's request is still missing. Replies bear no number, so if it was asked again now,
// the missing reply, coming late, would pass for the new one, and every state would be a cycle behind. Whoever is overdue is
// not asked for one cycle: what comes then is late beyond doubt.
bool readings_overdue(const struct readings *readings, unsigned bus, uint32_t can_id);

// Notes that a request was sent whose reply bears this identifier.
void readings_expect(struct readings *readings, unsigned bus, uint32_t can_id);

// Notes that the references of a cycle are to be sent now, and none has been yet.
void readings_unreferenced(struct readings *readings);

// Notes that a reference was sent for a joint: as Control wished (active), or, because it shares a
// board with such a joint, where it is held.
void readings_referenced(struct readings *readings, unsigned joint, double reference_rad,
                         bool active);

// Notes that the reference last noted for a joint did not leave: the board holds the one before.
void readings_not_referenced(struct readings *readings, unsigned joint);

// Takes one received frame into the state. Late is a frame that came before this cycle began or
// that nobody asked for in it. If one request gets two replies, the first was a late one and the
// second counts; if they contradict each other, neither is believed. An identifier of another kind or that nobody
// has, a wrong length or an impossible value is rejected. What is late or rejected is counted, bus by bus.
enum reply_class readings_take(struct readings *readings, unsigned bus,
                               const struct can_stamped *reply);

// Notes that the filters of bus `bus` have kept `count` frames away from this process: nobody here replies with their identifiers,
// so they count as rejected for that.
void readings_kept_away(struct readings *readings, unsigned bus, uint32_t count);

// Ends the cycle: counts what was missed, says which boards are dead, and stamps the state.
void readings_finish(struct readings *readings, instant now);
