// Canary: the Hardware daemon, except that it never trusts a bus again that was stuck once: after a
// cut the robot stands where it is for ever.
//
// Linked with the real daemon and --wrap=requests_begin.
#include "targets/hubo2/hardware/hardware_requests.h"

void __real_requests_begin(struct can_host *host, struct readings *readings);
void __wrap_requests_begin(struct can_host *host, struct readings *readings);

void __wrap_requests_begin(struct can_host *host, struct readings *readings)
{
    static bool stuck[HARDWARE_BUSES];
    for (unsigned bus = 0; bus < HARDWARE_BUSES; bus++) // found by requests_look
        stuck[bus] |= host->stuck[bus];
    __real_requests_begin(host, readings);
    for (unsigned bus = 0; bus < HARDWARE_BUSES; bus++) {
        stuck[bus] |= host->stuck[bus];
        if (stuck[bus])
            host->stuck[bus] = true;
    }
}
