// Frames on the buses, as the Hardware daemon reads them. Whatever boards and line noise send, the
// state holds finite numbers.
#include "tests/fuzz/fuzz.h"

#include "targets/hubo2/hardware/hardware_readings.h"

static struct readings readings;

static void check_state(void)
{
    const struct state_message *state = &readings.state;
    for (unsigned j = 0; j < state->joint_count; j++) {
        const struct joint_reading *joint = &state->joint[j];
        fuzz_check(isfinite(joint->position_rad) && isfinite(joint->velocity_rad_s));
        fuzz_check(isfinite(joint->reference_rad) && isfinite(state->health[j].current_A));
    }
    for (unsigned i = 0; i < ROBOT_FORCE_TORQUE_MAX; i++)
        fuzz_check(isfinite(state->force_torque[i].force_z_N));
    fuzz_check(isfinite(state->imu.roll_rad) && isfinite(state->power.power_W));
}

// The request that a daemon would send to the source of `can_id`, and a frame in answer to it: an
// identifier that is known, any length, any data.
static void answer(struct fuzz_input *input, const struct description *description)
{
    const struct board_description *board =
        &description->board[fuzz_u8(input) % description->board_count];
    const uint32_t ids[] = {board->encoder_can_id,
                            board->status_can_id,
                            board->current_can_id,
                            HUBO_ID_FORCE_TORQUE + fuzz_u8(input) % 8,
                            HUBO_ID_INERTIAL + HUBO_SENSOR_IMU,
                            HUBO_ID_POWER};
    const uint8_t choice = fuzz_u8(input);
    struct can_stamped reply = {.frame.can_id = ids[choice % 6],
                                .frame.can_dlc = (uint8_t)(fuzz_u8(input) % 9)};
    const unsigned bus = choice % 6 < 3 ? board->bus : choice >> 4 & 1;
    if (choice & 0x80)
        senders_expect(&readings.senders, bus, reply.frame.can_id);
    reply.time = instant_add(readings.state.cycle_start, duration_us(fuzz_u8(input)));
    fuzz_take(input, reply.frame.data, reply.frame.can_dlc);
    (void)readings_take(&readings, bus, &reply);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct description *description;
    if (description == NULL)
        fuzz_check(description_load(FUZZ_DESCRIPTION, &description) == STATUS_OK);
    fuzz_check(readings_start(&readings, description) == STATUS_OK);
    struct fuzz_input input = {.data = data, .size = size};
    readings_begin(&readings, instant_ns(0));
    while (fuzz_more(&input)) {
        const uint8_t what = fuzz_u8(&input);
        struct can_stamped reply;
        if (what % 4 == 0) {
            readings_finish(&readings, instant_add(readings.state.cycle_start, duration_ms(6)));
            check_state();
            readings_begin(&readings,
                           instant_add(readings.state.cycle_start, duration_ms(10 * (what / 4))));
        } else if (what % 4 == 1) { // anything at all
            fuzz_take(&input, &reply, sizeof reply);
            reply.frame.can_dlc %= CAN_MAX_DLEN + 1; // the kernel's promise, and the embedded bus's
            (void)readings_take(&readings, what >> 2 & 1, &reply);
        } else {
            answer(&input, description);
        }
    }
    return 0;
}
