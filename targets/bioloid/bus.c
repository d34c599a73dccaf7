// bus: the host of the servos' line; see doc/bioloid.md. Each period it sends the newest command to
// all servos at once, then asks some of them, one after the other, and
// publishes what they answered.
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "dynamixel/device.h"
#include "dynamixel/host.h"
#include "plant/servo.h"
#include "robot/participant.h"
#include "servo_command.h"
#include "servo_state.h"

#define NUMBERS (sizeof((struct servo_state_message *)NULL)->position_rad / sizeof(double))
#define PERIOD_DEFAULT_US 10000
#define PERIOD_MIN_US 2000
#define PERIOD_MAX_US 1000000
#define READS_DEFAULT 10
#define RETURN_DELAY_NS 500000 // from the factory
#define LOOKS_MAX 200          // of one request
#define LOOK_AGAIN_NS 50000    // a line that is behind has to be waited for
#define POSITION_MAX 1023
#define SLACK_RAD 0.05         // of where a servo can be
#define TRANSACTION_NS 4000000 // what is asked last in a period may take so long
#define TORQUE_MAX 1023
#define MIDDLE (POSITION_MAX / 2.0)
#define READ_B (DXL_TEMPERATURE + 1 - DXL_POSITION)

struct bus {
    struct dxl_port *port;
    struct dxl_host host;
    duration period;
    unsigned reads, next;    // servos asked in each period; the one asked last
    uint32_t present;        // servos that have answered a ping
    uint32_t torque;         // as sent last
    unsigned slope[NUMBERS]; // likewise
    instant heard[NUMBERS];  // when a servo's state was taken last
    struct servo_state_message state;
    struct channel *command, *out;
    struct clk *clk;
};

// Waits for what has become of the request.
static enum status await(struct bus *bus, enum status sent, struct dxl_packet *answer)
{
    if (sent != STATUS_OK)
        return sent;
    for (unsigned i = 0; i < LOOKS_MAX; i++) {
        const enum status status = dxl_host_look(&bus->host, answer);
        if (status != STATUS_EMPTY)
            return status;
        const instant soonest = instant_add(clk_now(bus->clk), duration_ns(LOOK_AGAIN_NS));
        const instant next = dxl_host_next(&bus->host);
        clk_sleep_until(bus->clk, instant_before(next, soonest) ? soonest : next);
    }
    return STATUS_TIMEOUT;
}

static void find_servos(struct bus *bus)
{
    static const uint8_t no_delay = 0;
    struct dxl_packet answer;
    for (unsigned id = 1; id < NUMBERS; id++)
        if (await(bus, dxl_host_ping(&bus->host, (uint8_t)id, clk_now(bus->clk)), &answer) ==
            STATUS_OK)
            bus->present |= 1u << id;
    const enum status sent = dxl_host_write(&bus->host, DXL_BROADCAST, DXL_RETURN_DELAY, &no_delay,
                                            1, clk_now(bus->clk));
    if (await(bus, sent, &answer) == STATUS_OK)
        bus->host.return_delay = duration_ns(0);
    log_info("%d servos answer", __builtin_popcount(bus->present));
}

// ---- commands -----------------------------------------------------------------------------------

static unsigned position_of(double angle_rad)
{
    return (unsigned)fmin(fmax(round(angle_rad / SERVO_STEP_RAD + MIDDLE), 0), POSITION_MAX);
}

static unsigned speed_of(double speed_rad_s)
{
    return speed_rad_s > 0
               ? (unsigned)fmin(fmax(round(speed_rad_s / SERVO_SPEED_STEP_RAD_S), 1), POSITION_MAX)
               : 0;
}

// What goes to each servo of `servos`, `count` bytes from register `first` on.
struct sync {
    uint32_t servos;
    enum dxl_register first;
    uint8_t count;
    uint8_t value[NUMBERS][4];
};

static void send(struct bus *bus, const struct sync *sync)
{
    uint8_t part[DXL_PARAMETERS_MAX];
    unsigned devices = 0, at = 0;
    struct dxl_packet answer;
    for (unsigned id = 1; id < NUMBERS; id++) {
        if ((sync->servos & 1u << id) == 0)
            continue;
        part[at++] = (uint8_t)id;
        memcpy(part + at, sync->value[id], sync->count);
        at += sync->count;
        devices++;
    }
    if (devices > 0)
        (void)await(bus,
                    dxl_host_sync_write(&bus->host, sync->first, sync->count, part, devices,
                                        clk_now(bus->clk)),
                    &answer);
}

static void send_goals(struct bus *bus, const struct servo_command_message *command)
{
    struct sync sync = {.first = DXL_GOAL, .count = 4};
    const uint32_t goals = command->servos & command->torque & bus->present; // they switch it on
    for (unsigned i = 1; i < NUMBERS; i++) {
        if ((goals & 1u << i) == 0 || !isfinite(command->goal_rad[i]))
            continue;
        sync.servos |= 1u << i;
        dxl_put_word(sync.value[i], position_of(command->goal_rad[i]));
        dxl_put_word(sync.value[i] + 2, speed_of(command->speed_rad_s[i]));
    }
    send(bus, &sync);
}

// A servo that has shut itself down gives no torque until its limit is written again.
static void send_limits(struct bus *bus, uint32_t servos)
{
    struct sync sync = {.servos = servos, .first = DXL_TORQUE_LIMIT, .count = 2};
    for (unsigned i = 1; i < NUMBERS; i++)
        dxl_put_word(sync.value[i], TORQUE_MAX);
    send(bus, &sync);
}

// Only when they have changed.
static void send_torque(struct bus *bus, const struct servo_command_message *command)
{
    struct sync sync = {.first = DXL_TORQUE_ON, .count = 1};
    sync.servos = (command->torque ^ bus->torque) & command->servos & bus->present;
    for (unsigned i = 1; i < NUMBERS; i++)
        sync.value[i][0] = (command->torque & 1u << i) != 0;
    send_limits(bus, sync.servos & command->torque);
    send(bus, &sync);
    bus->torque ^= sync.servos;
}

static void send_slopes(struct bus *bus, const struct servo_command_message *command)
{
    struct sync sync = {.first = DXL_CW_SLOPE, .count = 2};
    for (unsigned i = 1; i < NUMBERS; i++) {
        const unsigned slope = command->slope[i];
        if ((command->servos & bus->present & 1u << i) == 0 || slope == 0 ||
            slope > UINT8_MAX - 1 || slope == bus->slope[i])
            continue;
        sync.servos |= 1u << i;
        sync.value[i][0] = sync.value[i][1] = (uint8_t)slope;
        bus->slope[i] = slope;
    }
    send(bus, &sync);
}

static void pass_on(struct bus *bus)
{
    struct servo_command_message command;
    const enum status got =
        channel_get(bus->command, &command, sizeof command, CHANNEL_NEWEST, NULL);
    if (got != STATUS_OK && got != STATUS_MISSED)
        return;
    send_goals(bus, &command);
    send_slopes(bus, &command);
    send_torque(bus, &command);
}

// ---- states -------------------------------------------------------------------------------------

static double with_sign(unsigned value)
{
    const double size = value & (DXL_CLOCKWISE - 1);
    return (value & DXL_CLOCKWISE) != 0 ? -size : size;
}

// Whether a servo can be there: a sum of eight bits lets one wrong answer of 256 pass.
static bool is_plausible(const struct bus *bus, unsigned id, unsigned position, instant now)
{
    const double angle_rad = (position - MIDDLE) * SERVO_STEP_RAD;
    const double since_s = duration_to_s(instant_sub(now, bus->heard[id]));
    const double way_rad = SERVO_NO_LOAD_RAD_S * since_s + SLACK_RAD;
    const bool first = bus->heard[id].ns == 0;
    return position <= POSITION_MAX &&
           (first || fabs(angle_rad - bus->state.position_rad[id]) < way_rad);
}

static void take(struct bus *bus, unsigned id, const struct dxl_packet *answer)
{
    struct servo_state_message *state = &bus->state;
    const uint8_t *const at = answer->parameter;
    const instant now = clk_now(bus->clk);
    if (answer->count != READ_B || !is_plausible(bus, id, dxl_word(at), now))
        return;
    bus->heard[id] = now;
    state->error[id] = answer->code;
    state->servos |= 1u << id;
    state->position_rad[id] = (dxl_word(at) - MIDDLE) * SERVO_STEP_RAD;
    state->velocity_rad_s[id] = with_sign(dxl_word(at + 2)) * SERVO_SPEED_STEP_RAD_S;
    state->load[id] = with_sign(dxl_word(at + 4)) / POSITION_MAX;
    state->voltage_v[id] = at[6] * 0.1;
    state->temperature_c[id] = at[7];
}

static void ask(struct bus *bus, unsigned id)
{
    struct dxl_packet answer;
    const enum status sent =
        dxl_host_read(&bus->host, (uint8_t)id, DXL_POSITION, READ_B, clk_now(bus->clk));
    if (await(bus, sent, &answer) == STATUS_OK)
        take(bus, id, &answer);
    bus->state.missed += (bus->state.servos & 1u << id) == 0;
}

// The next servos, one after the other, while the period lasts.
static void ask_some(struct bus *bus, instant end)
{
    const instant last = instant_add(end, duration_ns(-TRANSACTION_NS));
    unsigned asked = 0;
    bus->state.servos = 0;
    for (unsigned i = 1; i < NUMBERS && asked < bus->reads; i++) {
        if (!instant_before(clk_now(bus->clk), last))
            break;
        bus->next = bus->next % (NUMBERS - 1) + 1;
        if ((bus->present & 1u << bus->next) == 0)
            continue;
        ask(bus, bus->next);
        asked++;
    }
    const instant now = clk_now(bus->clk);
    bus->state.time_ns = now.ns;
    bus->state.cycle++;
    if (channel_put(bus->out, &bus->state, sizeof bus->state, now) != STATUS_OK)
        log_error("cannot publish the state");
}

static bool read_number(const char *option, const char *text, long least, long most, long *number)
{
    char *end;
    errno = 0;
    *number = strtol(text, &end, 10);
    if (errno == 0 && end != text && *end == '\0' && *number >= least && *number <= most)
        return true;
    log_error("--%s %s: is not a number from %ld to %ld; correct it", option, text, least, most);
    return false;
}

static bool read_options(int argc, char **argv, struct bus *bus)
{
    static const struct option known[] = {
        {"period-us", required_argument, NULL, 'p'}, {"reads", required_argument, NULL, 'r'}, {0}};
    long us = PERIOD_DEFAULT_US, reads = READS_DEFAULT;
    bool good = true;
    for (int option; good && (option = getopt_long(argc, argv, "", known, NULL)) != -1;)
        good = (option == 'p' &&
                read_number("period-us", optarg, PERIOD_MIN_US, PERIOD_MAX_US, &us)) ||
               (option == 'r' && read_number("reads", optarg, 1, NUMBERS - 1, &reads));
    bus->period = duration_us(us);
    bus->reads = (unsigned)reads;
    if (good && optind == argc)
        return true;
    fputs("usage: bus [--period-us N] [--reads N]\n"
          "Microseconds from 2000, default 10000; servos that are asked in each period, default "
          "10.\n",
          stderr);
    return false;
}

int main(int argc, char **argv)
{
    static struct bus bus;
    log_program("bus");
    if (!read_options(argc, argv, &bus))
        return 2;
    if (dxl_port_open("servos", "bus", &bus.port) != STATUS_OK) {
        log_error("line servos: cannot be opened; is it among the buses of target.yaml?");
        return 3;
    }
    dxl_host_start(&bus.host, bus.port, duration_ns(RETURN_DELAY_NS));
    if (participant_channel("servo-command", CHANNEL_READ, sizeof(struct servo_command_message),
                            &bus.command) != STATUS_OK ||
        participant_channel("servo-state", CHANNEL_WRITE, sizeof(struct servo_state_message),
                            &bus.out) != STATUS_OK ||
        participant_join(&bus.clk) != STATUS_OK)
        return 3;
    find_servos(&bus);
    struct clk_period period = clk_period_start(bus.clk, clk_now(bus.clk), bus.period);
    for (;;) {
        const instant end = instant_add(clk_now(bus.clk), bus.period);
        pass_on(&bus);
        ask_some(&bus, end);
        (void)clk_period_wait(bus.clk, &period);
    }
}
