// bus: the upper layer's end of the CM-5's serial line; see doc/bioloid.md. Each period it sends
// the newest command downwards, in the servos' units, and publishes what the CM-5 has told.
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/log.h"
#include "plant/motors/servo.h"
#include "robot/participant.h"
#include "servo_command.h"
#include "servo_state.h"
#include "targets/bioloid/cm5_frame.h"
#include "targets/bioloid/serial.h"

#define PERIOD_NS 5000000
#define POSITION_MAX 1023
#define MIDDLE (POSITION_MAX / 2.0)
#define SLACK_RAD 0.05 // of where a servo can be

struct bus {
    struct serial serial;
    instant heard[CM5_SERVOS]; // when a servo's state was taken last
    struct servo_state_message state;
    uint32_t refused; // answers that cannot be
    struct channel *command, *out;
    struct clk *clk;
};

// ---- commands -----------------------------------------------------------------------------------

static uint16_t position_of(double angle_rad)
{
    return (uint16_t)fmin(fmax(round(angle_rad / SERVO_STEP_RAD + MIDDLE), 0), POSITION_MAX);
}

static uint16_t speed_of(double speed_rad_s)
{
    return speed_rad_s > 0
               ? (uint16_t)fmin(fmax(round(speed_rad_s / SERVO_SPEED_STEP_RAD_S), 1), POSITION_MAX)
               : 0;
}

static struct cm5_command in_registers(const struct servo_command_message *command)
{
    struct cm5_command registers = {.servos = command->servos & ((1u << CM5_SERVOS) - 2),
                                    .torque = command->torque};
    for (unsigned i = 1; i < CM5_SERVOS; i++) {
        const unsigned slope = command->slope[i];
        registers.slope[i] = slope < UINT8_MAX ? (uint8_t)slope : 0;
        if (!isfinite(command->goal_rad[i]))
            continue;
        registers.moves |= 1u << i;
        registers.goal[i] = position_of(command->goal_rad[i]);
        registers.speed[i] = speed_of(command->speed_rad_s[i]);
    }
    return registers;
}

static void pass_on(struct bus *bus)
{
    struct servo_command_message command;
    uint8_t frame[CM5_FRAME_MAX_B];
    const enum status got =
        channel_get(bus->command, &command, sizeof command, CHANNEL_NEWEST, NULL);
    if (got != STATUS_OK && got != STATUS_MISSED)
        return;
    const struct cm5_command registers = in_registers(&command);
    serial_send(&bus->serial, frame, cm5_pack_command(&registers, frame), clk_now(bus->clk));
}

// ---- states -------------------------------------------------------------------------------------

static double with_sign(unsigned value)
{
    const double size = value & (DXL_CLOCKWISE - 1);
    return (value & DXL_CLOCKWISE) != 0 ? -size : size;
}

// Whether a servo can be there: a sum of eight bits lets one wrong answer of 256 pass.
static bool is_plausible(const struct bus *bus, unsigned id, unsigned position, instant when)
{
    const double angle_rad = (position - MIDDLE) * SERVO_STEP_RAD;
    const double since_s = duration_to_s(instant_sub(when, bus->heard[id]));
    const double way_rad = SERVO_NO_LOAD_RAD_S * since_s + SLACK_RAD;
    const bool first = bus->heard[id].ns == 0;
    return position <= POSITION_MAX &&
           (first || fabs(angle_rad - bus->state.position_rad[id]) < way_rad);
}

// Returns false: that cannot be.
static bool take_servo(struct bus *bus, unsigned id, const struct cm5_answers *answers,
                       instant when)
{
    struct servo_state_message *state = &bus->state;
    const uint8_t *const at = answers->read[id];
    if (!is_plausible(bus, id, dxl_word(at), when))
        return false;
    bus->heard[id] = when;
    state->error[id] = answers->error[id];
    state->servos |= 1u << id;
    state->position_rad[id] = (dxl_word(at) - MIDDLE) * SERVO_STEP_RAD;
    state->velocity_rad_s[id] = with_sign(dxl_word(at + 2)) * SERVO_SPEED_STEP_RAD_S;
    state->load[id] = with_sign(dxl_word(at + 4)) / POSITION_MAX;
    state->voltage_v[id] = at[6] * 0.1;
    state->temperature_c[id] = at[7];
    return true;
}

static void publish(struct bus *bus, const struct cm5_answers *answers, instant when)
{
    struct servo_state_message *state = &bus->state;
    state->servos = 0;
    for (unsigned id = 1; id < CM5_SERVOS; id++)
        if ((answers->servos & 1u << id) != 0)
            bus->refused += !take_servo(bus, id, answers, when);
    state->time_ns = when.ns;
    state->cycle = answers->cycle;
    state->missed = answers->missed + bus->refused;
    if (channel_put(bus->out, state, sizeof *state, clk_now(bus->clk)) != STATUS_OK)
        log_error("cannot publish the state");
}

static void take(struct bus *bus)
{
    struct serial_bytes_message frame;
    struct cm5_answers answers;
    while (serial_take(&bus->serial, clk_now(bus->clk), &frame))
        if (cm5_unpack_answers(frame.bytes, frame.count, &answers))
            publish(bus, &answers, instant_ns(frame.time_ns));
}

int main(int argc, char **argv)
{
    static struct bus bus;
    if (participant_begin(argc, argv) != STATUS_OK)
        return 2;
    if (serial_open(&bus.serial, "cm5-request", "cm5-answer") != STATUS_OK ||
        participant_channel("servo-command", CHANNEL_READ, sizeof(struct servo_command_message),
                            &bus.command) != STATUS_OK ||
        participant_channel("servo-state", CHANNEL_WRITE, sizeof(struct servo_state_message),
                            &bus.out) != STATUS_OK ||
        participant_join(&bus.clk) != STATUS_OK)
        return 3;
    serial_forget(&bus.serial);
    struct clk_period period = clk_period_start(bus.clk, clk_now(bus.clk), duration_ns(PERIOD_NS));
    for (;;) {
        pass_on(&bus);
        take(&bus);
        (void)clk_period_wait(bus.clk, &period);
    }
}
