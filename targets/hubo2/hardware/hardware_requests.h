// Hardware daemon: what it puts on the buses in a cycle: references first, then the requests for
// everything the state reports. Real-time safe.
//
// Every cycle: all encoders, force-torque sensors, foot accelerometers, IMU. In turn, to save bus
// time: status and current of one board per bus and cycle; power every POWER_EVERY_CYCLES.
#pragma once

#include "targets/hubo2/hardware/hardware_readings.h"

#define POWER_EVERY_CYCLES 10

struct withdrawn { // by requests_look
    unsigned frames;
    uint64_t sent_before; // that the port had sent then
};

struct can_host { // the daemon's ports
    struct can_port *port[HARDWARE_BUSES];
    // Frames that were not taken for transmission, and references withheld.
    uint32_t refused[HARDWARE_BUSES];
    bool stuck[HARDWARE_BUSES];      // the last cycle's frames did not all leave
    unsigned queued[HARDWARE_BUSES]; // frames since the cycle began
    instant handed_over;             // when the last of them was
    unsigned
        reference_at[DESCRIPTION_BOARDS_MAX]; // a board's reference was so many-th of them; 0: none
    struct withdrawn withdrawn[HARDWARE_BUSES];
};

// At the start of a cycle: looks whether the buses have taken all that they were handed in the last
// one. What one has not taken is withdrawn: it would go out when the bus comes back, and move
// joints to where they were to be long ago; boards whose references were among it hold the ones
// before, and `readings` says so. As long as a bus is stuck, requests go out to see whether they
// leave, and no references.
void requests_begin(struct can_host *host, struct readings *readings);

// In the middle of a cycle: what a bus still holds is withdrawn if references are among it, and the
// bus counts as stuck. They would go out so late that their boards, at rest by then, had to catch
// up at once with those of the next cycle.
void requests_look(struct can_host *host, const struct readings *readings);

// Before the state of that cycle is published: `readings` says what boards hold whose references
// were withdrawn. One more than could be known then may have been sent: the frame that was on the
// wire.
void requests_settle(struct can_host *host, struct readings *readings);

// Queues the references of a checked message, but to buses that are stuck. A board gets a frame if
// at least one of its joints is active; its other joints are then told the position they hold.
// Notes in `readings` what was sent.
void requests_send_references(struct can_host *host, struct readings *readings,
                              const struct reference_message *reference, instant now);

// Queues all requests that are due in this cycle (readings->state.cycle), and notes that replies to
// them are expected. Who is overdue is not asked; a board that owes positions is probed instead.
void requests_send_polls(struct can_host *host, struct readings *readings, instant now);

// Switches drivers and control on where a status said they are off. For the start only: a board
// that drops out later has a reason.
void requests_send_enables(struct can_host *host, const struct readings *readings, instant now);
