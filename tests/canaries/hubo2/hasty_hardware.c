// Canary: the Hardware daemon as it was until replies that are owed were counted: who owes one is
// asked again after a pause of one cycle.
//
// Linked with the real daemon and --wrap=senders_begin.
#include "targets/hubo2/hardware/hardware_senders.h"

void __real_senders_begin(struct senders *senders);
void __wrap_senders_begin(struct senders *senders);

void __wrap_senders_begin(struct senders *senders)
{
    for (unsigned i = 0; i < senders->count; i++)
        senders->source[i].owed = 0; // of cycles before the last one
    __real_senders_begin(senders);
}
