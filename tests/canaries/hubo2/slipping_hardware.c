// Canary: the Hardware daemon as the real one once was: it takes from the bus one frame per
// request, stamped when it is read, and never drains what came late. After a late reply every state
// is a cycle behind.
//
// Linked with the real daemon and --wrap of what tells it of frames.
#include "targets/hubo2/hardware/hardware_requests.h"

#define READ_AFTER_NS 1000000 // into the cycle: any instant between request and state will do

static struct can_port *port[HARDWARE_BUSES];
static unsigned ports, owed[HARDWARE_BUSES]; // replies still to be read in this cycle
static instant cycle_start;

enum status __real_can_open(const char *bus, const char *node, struct can_port **opened);
enum status __real_can_receive(struct can_port *from, struct can_stamped *frame);
void __real_readings_begin(struct readings *readings, instant start);
void __real_senders_expect(struct senders *senders, unsigned bus, uint32_t can_id);
enum status __wrap_can_open(const char *bus, const char *node, struct can_port **opened);
enum status __wrap_can_receive(struct can_port *from, struct can_stamped *frame);
void __wrap_readings_begin(struct readings *readings, instant start);
void __wrap_senders_expect(struct senders *senders, unsigned bus, uint32_t can_id);

enum status __wrap_can_open(const char *bus, const char *node, struct can_port **opened)
{
    const enum status status = __real_can_open(bus, node, opened);
    if (status == STATUS_OK && ports < HARDWARE_BUSES)
        port[ports++] = *opened;
    return status;
}

void __wrap_readings_begin(struct readings *readings, instant start)
{
    __real_readings_begin(readings, start);
    for (unsigned i = 0; i < readings->senders.count; i++)
        readings->senders.source[i].owed = 0; // nobody counts what is still to come
    cycle_start = start;
    for (unsigned bus = 0; bus < HARDWARE_BUSES; bus++)
        owed[bus] = 0; // so nothing is drained before the requests are out
}

void __wrap_senders_expect(struct senders *senders, unsigned bus, uint32_t can_id)
{
    __real_senders_expect(senders, bus, can_id);
    owed[bus]++;
}

enum status __wrap_can_receive(struct can_port *from, struct can_stamped *frame)
{
    const unsigned bus = ports == HARDWARE_BUSES && from == port[1];
    if (owed[bus] == 0)
        return STATUS_EMPTY;
    const enum status status = __real_can_receive(from, frame);
    if (status == STATUS_OK) {
        owed[bus]--;
        frame->time = instant_add(cycle_start, duration_ns(READ_AFTER_NS));
    }
    return status;
}
