// Hardware daemon: from replies on the buses to the readings of a state, each with its own time
// stamp and validity. Knows what was asked in a cycle, so that a late reply never passes for a new
// one.
//
// Pure and real-time safe.
#pragma once

#include <stdbool.h>

#include "can/can.h"
#include "targets/hubo2/hardware/hardware_senders.h"

// A board of which nothing was heard in so many cycles is dead.
#define BOARD_DEAD_CYCLES 10

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
    struct senders senders;
    struct joint_history joint[ROBOT_JOINTS_MAX];
    bool referenced[ROBOT_JOINTS_MAX];             // this daemon has sent a reference
    bool referenced_before[ROBOT_JOINTS_MAX];      // even before the last one
    double reference_before_rad[ROBOT_JOINTS_MAX]; // that one
    uint32_t kept_away[HARDWARE_BUSES]; // frames, as far as readings_kept_away has been told
    uint64_t heard;                     // bit b: board b replied in this cycle, late or not
    unsigned silent_cycles[DESCRIPTION_BOARDS_MAX]; // consecutive ones without a reply
};

// Begins with nothing known. As senders_start.
enum status readings_start(struct readings *readings,
                           const struct description *description) MUST_CHECK;

// Begins cycle number state.cycle + 1: nothing is valid yet.
void readings_begin(struct readings *readings, instant cycle_start);

// Notes that the references of a cycle are to be sent now, and none has been yet.
void readings_unreferenced(struct readings *readings);

// Notes that a reference was sent for a joint: as Control wished (active), or, because it shares a
// board with such a joint, where it is held.
void readings_referenced(struct readings *readings, unsigned joint, double reference_rad,
                         bool active);

// Notes that the reference last noted for a joint did not leave: the board holds the one before.
void readings_not_referenced(struct readings *readings, unsigned joint);

// Takes one received frame into the state. Late is a frame that came before this cycle began, that
// nobody asked for in it, or that may answer a request of an earlier one. If one request gets two
// replies, the second counts, and one is late; if they contradict each other, neither is believed.
// An identifier of another kind or that nobody has, a wrong length or an impossible value is
// rejected. What is late or rejected is counted, bus by bus.
enum reply_class readings_take(struct readings *readings, unsigned bus,
                               const struct can_stamped *reply);

// Notes that the filters of bus `bus` have kept `count` frames away from this process: nobody here
// replies with their identifiers, so they count as rejected for that.
void readings_kept_away(struct readings *readings, unsigned bus, uint32_t count);

// Ends the cycle: counts what was missed, says which boards are dead, and stamps the state.
void readings_finish(struct readings *readings, instant now);
