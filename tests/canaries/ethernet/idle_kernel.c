// The network of the target ethernet by a kernel that agrees to everything and does nothing: cables
// stay plugged in, and nobody gets into their middle.
#include "ethernet/veth.h"

int __wrap_eth_veth_plug(int kernel, unsigned index, bool plugged);
int __wrap_eth_veth_by_hand(int kernel, unsigned index, unsigned host_index, bool by_hand);

int __wrap_eth_veth_plug(int kernel, unsigned index, bool plugged)
{
    (void)kernel, (void)index, (void)plugged;
    return 0;
}

int __wrap_eth_veth_by_hand(int kernel, unsigned index, unsigned host_index, bool by_hand)
{
    (void)kernel, (void)index, (void)host_index, (void)by_hand;
    return 0;
}
