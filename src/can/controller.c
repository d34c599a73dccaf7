#include "can/controller.h"

#include "base/invariant.h"

#define TRANSMIT_ERROR_STEP 8u
#define RECEIVE_ERRORS_AFTER_SUCCESS                                                               \
    119u // of a receiver that was error-passive: 119 to 127 by the standard

enum can_controller_state can_controller_state(const struct can_controller *controller)
{
    const uint32_t worst = controller->transmit_errors > controller->receive_errors
                               ? controller->transmit_errors
                               : controller->receive_errors;
    if (controller->recovery > 0)
        return CAN_OFF;
    return worst > CAN_PASSIVE_LIMIT    ? CAN_PASSIVE
           : worst >= CAN_WARNING_LIMIT ? CAN_WARNING
                                        : CAN_ACTIVE;
}

void can_controller_sent(struct can_controller *controller)
{
    if (controller->transmit_errors > 0)
        controller->transmit_errors--;
}

void can_controller_received(struct can_controller *controller)
{
    if (controller->receive_errors > CAN_PASSIVE_LIMIT)
        controller->receive_errors = RECEIVE_ERRORS_AFTER_SUCCESS;
    else if (controller->receive_errors > 0)
        controller->receive_errors--;
}

void can_controller_send_failed(struct can_controller *controller, bool only_unacknowledged)
{
    if (only_unacknowledged && can_controller_state(controller) == CAN_PASSIVE)
        return;
    controller->transmit_errors += TRANSMIT_ERROR_STEP;
    if (controller->transmit_errors > CAN_BUS_OFF_LIMIT)
        controller->recovery = CAN_RECOVERY_OCCURRENCES;
    ensures((controller->recovery > 0) == (controller->transmit_errors > CAN_BUS_OFF_LIMIT));
}

void can_controller_receive_failed(struct can_controller *controller)
{
    if (controller->receive_errors <=
        CAN_PASSIVE_LIMIT) // beyond, counting on would say nothing more
        controller->receive_errors++;
}

bool can_controller_recover(struct can_controller *controller, uint64_t occurrences)
{
    if (controller->recovery == 0)
        return false;
    if (occurrences < controller->recovery) {
        controller->recovery -= (uint32_t)occurrences;
        return false;
    }
    *controller = (struct can_controller){0};
    return true;
}
