// Error confinement of one CAN controller: its error counters and what they make of it (ISO
// 11898-1, 12.1).
//
// Pure; real-time safe. Not modelled: the rules that need single bits of an error flag (a receiver
// that finds a dominant bit just after its own flag, more than seven dominant bits in a row).
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define CAN_WARNING_LIMIT 96u
#define CAN_PASSIVE_LIMIT 127u // above: error-passive
#define CAN_BUS_OFF_LIMIT 255u // transmit errors above: bus-off
#define CAN_RECOVERY_OCCURRENCES                                                                   \
    128u // of 11 recessive bits, until a bus-off controller takes part again
#define CAN_RECOVERY_BITS 11u

enum can_controller_state { CAN_ACTIVE, CAN_WARNING, CAN_PASSIVE, CAN_OFF };

struct can_controller {
    uint32_t transmit_errors, receive_errors;
    uint32_t recovery; // occurrences of 11 recessive bits still to come; 0: not bus-off
};

enum can_controller_state can_controller_state(const struct can_controller *controller);

// What happened to a frame, seen from its transmitter and from a receiver.
void can_controller_sent(struct can_controller *controller);
void can_controller_received(struct can_controller *controller);
// An error that the controller found in its own frame. `only_unacknowledged`: nobody acknowledged
// it, and nobody else sent an error flag; then an error-passive controller does not count
// (exception 1 of the standard), so that a lone controller never goes bus-off.
void can_controller_send_failed(struct can_controller *controller, bool only_unacknowledged);
void can_controller_receive_failed(struct can_controller *controller);

// `occurrences` more of 11 recessive bits have passed: a bus-off controller recovers after 128 of
// them, with both counters at 0. Returns whether it has just done so.
bool can_controller_recover(struct can_controller *controller, uint64_t occurrences);
