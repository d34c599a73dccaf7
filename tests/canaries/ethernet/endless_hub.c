// A network whose hub and relays do not mark which way a frame has gone: nothing ends its way.
#include "ethernet/frame.h"

void __wrap_eth_mark(struct eth_frame *frame, unsigned turns, unsigned passes);

void __wrap_eth_mark(struct eth_frame *frame, unsigned turns, unsigned passes)
{
    (void)frame, (void)turns, (void)passes;
}
