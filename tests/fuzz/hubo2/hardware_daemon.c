// The whole Hardware daemon: frames from both buses and references from Control together. Whatever
// comes, it goes on, asks no more than a bus can carry, and publishes finite numbers.
#include "daemon.h"

int hardware_main(int argc, char **argv);
#define main hardware_main
#include "targets/hubo2/hardware/hardware.c"
#undef main

#define FRAMES_PER_CYCLE_MAX 250 // both buses; 100 Hz at 1 Mbit/s carry about 2 x 80
#define RECEIVED_PER_DRAIN 40

static struct hardware pristine, hardware;
static struct state_message said;
static unsigned sent, received;

// A reference that answers the last state, each joint a little beside where it is.
static size_t daemon_message(const char *channel, void *message, size_t capacity_B)
{
    struct reference_message *reference = message;
    (void)capacity_B;
    fuzz_check(strcmp(channel, "reference") == 0);
    const uint8_t what = fuzz_u8(&daemon_input);
    *reference = (struct reference_message){.state_cycle = said.cycle,
                                            .time = instant_add(said.time, duration_ms(2)),
                                            .active = what & 1 ? UINT64_MAX : what,
                                            .joint_count = said.joint_count};
    for (unsigned j = 0; j < said.joint_count; j++)
        reference->reference_rad[j] = said.joint[j].position_rad + 0.001 * (what >> 4);
    return sizeof *reference;
}

static void daemon_said(const char *channel, const void *frame, size_t size_B)
{
    fuzz_check(strcmp(channel, "state") == 0 && size_B == sizeof said);
    memcpy(&said, frame, sizeof said);
    for (unsigned j = 0; j < said.joint_count; j++) {
        const struct joint_reading *joint = &said.joint[j];
        fuzz_check(isfinite(joint->position_rad) && isfinite(joint->velocity_rad_s));
        fuzz_check(isfinite(joint->reference_rad) && isfinite(said.health[j].current_A));
        fuzz_check(isfinite(said.health[j].temperature_C));
    }
    for (unsigned i = 0; i < ROBOT_FORCE_TORQUE_MAX; i++)
        fuzz_check(isfinite(said.force_torque[i].force_z_N));
    fuzz_check(isfinite(said.imu.roll_rad) && isfinite(said.power.power_W));
}

// ---- the buses ---------------------------------------------------------------------------------

enum status __wrap_can_open(const char *bus, const char *node, struct can_port **port);
enum status __wrap_can_send(struct can_port *port, const struct can_frame *frame, instant now);
enum status __wrap_can_receive(struct can_port *port, struct can_stamped *frame);

enum status __wrap_can_open(const char *bus, const char *node, struct can_port **port)
{
    static char ports[HARDWARE_BUSES];
    (void)node;
    *port = (struct can_port *)&ports[bus[3] - '0'];
    return STATUS_OK;
}

enum status __wrap_can_listen(struct can_port *port, const struct can_filter *filter,
                              unsigned count, uint32_t error_mask);
void __wrap_can_health(const struct can_port *port, struct can_health *health);
unsigned __wrap_can_unsent(const struct can_port *port);
instant __wrap_can_time(const struct can_port *port);
void __wrap_can_withdraw(struct can_port *port);

enum status __wrap_can_listen(struct can_port *port, const struct can_filter *filter,
                              unsigned count, uint32_t error_mask)
{
    (void)port;
    fuzz_check(count > 0 && count <= CAN_FILTERS_MAX && error_mask == CAN_ERR_MASK);
    for (unsigned i = 0; i < count; i++)
        fuzz_check(filter[i].can_mask == (CAN_SFF_MASK | CAN_EFF_FLAG | CAN_RTR_FLAG));
    return STATUS_OK;
}

void __wrap_can_health(const struct can_port *port, struct can_health *health)
{
    (void)port;
    *health = (struct can_health){.lost = received, .unwanted = received};
}

unsigned __wrap_can_unsent(const struct can_port *port)
{
    (void)port;
    return fuzz_more(&daemon_input) && daemon_input.data[daemon_input.at] == 0xfe;
}

instant __wrap_can_time(const struct can_port *port)
{
    (void)port;
    return daemon_now;
}

void __wrap_can_withdraw(struct can_port *port)
{
    (void)port;
}

static unsigned bus_of(const struct can_port *port)
{
    return port == hardware.host.port[1];
}

enum status __wrap_can_send(struct can_port *port, const struct can_frame *frame, instant now)
{
    (void)now, (void)port;
    fuzz_check(frame->can_dlc <= CAN_MAX_DLEN && frame->can_id < CAN_IDS);
    fuzz_check(sent < FRAMES_PER_CYCLE_MAX);
    sent++;
    return fuzz_more(&daemon_input) && daemon_input.data[daemon_input.at] == 0xff
               ? (enum status)(daemon_input.at++, STATUS_FULL)
               : STATUS_OK;
}

// What may come from a bus: an answer of a source that is known, or anything.
enum status __wrap_can_receive(struct can_port *port, struct can_stamped *frame)
{
    const struct description *description = hardware.readings.description;
    if (!fuzz_more(&daemon_input) || received++ % RECEIVED_PER_DRAIN == RECEIVED_PER_DRAIN - 1)
        return STATUS_EMPTY;
    const uint8_t what = fuzz_u8(&daemon_input);
    if (what < 0x40)
        return STATUS_EMPTY;
    *frame = (struct can_stamped){.time = instant_add(daemon_now, duration_us(-10 * (what & 15)))};
    if (what < 0x60) {
        fuzz_take(&daemon_input, &frame->frame, sizeof frame->frame);
        frame->frame.can_dlc %= CAN_MAX_DLEN + 1; // the kernel's promise, and the embedded bus's
        return STATUS_OK;
    }
    const uint8_t who = fuzz_u8(&daemon_input);
    unsigned b = who % description->board_count;
    while (description->board[b].bus != bus_of(port))
        b = (b + 1) % description->board_count;
    const struct board_description *board = &description->board[b];
    const uint32_t ids[] = {board->encoder_can_id,          board->encoder_can_id,
                            board->status_can_id,           board->current_can_id,
                            HUBO_ID_FORCE_TORQUE + who % 4, HUBO_ID_INERTIAL + HUBO_SENSOR_IMU,
                            HUBO_ID_INERTIAL + who % 4,     HUBO_ID_POWER};
    frame->frame.can_id = ids[what & 7];
    frame->frame.can_dlc = what & 0x80 ? 8 : (uint8_t)(fuzz_u8(&daemon_input) % 9);
    const uint8_t small = fuzz_u8(&daemon_input);
    if (small & 1)
        fuzz_take(&daemon_input, frame->frame.data, frame->frame.can_dlc);
    else // plausible: small numbers
        frame->frame.data[0] = frame->frame.data[4] = small;
    return STATUS_OK;
}

// ---- the target --------------------------------------------------------------------------------

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (pristine.clk == NULL) {
        fuzz_check(setenv("UKEMI_TARGET", FUZZ_FOLDER, 1) == 0);
        pristine.plan = &cycle_plans[0];
        pristine.period = duration_ms(10);
        fuzz_check(start(&pristine) == STATUS_OK);
    }
    daemon_begin(data, size);
    hardware = pristine;
    if (size & 1)
        hardware.plan = cycle_plan_of(hardware.period, CYCLE_ONE_PERIOD);
    said = (struct state_message){0};
    received = 0;
    if (setjmp(daemon_ended) == 0)
        for (;;) {
            sent = 0;
            run_cycle(&hardware);
            clk_sleep_until(hardware.clk, instant_add(daemon_now, duration_ms(4)));
            daemon_pass();
        }
    return 0;
}
