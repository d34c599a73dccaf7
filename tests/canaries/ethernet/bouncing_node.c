// A node of hrp3p whose relay sends every frame back to where it came from.
#include "ethernet/etherrt.h"

int __real_EtherRTBind(EtherRTSock *sock, const char *name);
int __wrap_EtherRTBind(EtherRTSock *sock, const char *name);

int __wrap_EtherRTBind(EtherRTSock *sock, const char *name)
{
    const int bound = __real_EtherRTBind(sock, name);
    return bound == 0 ? EtherRTThrough(sock, 0) : bound;
}
