// Frames on the buses, as the motor and sensor boards of the simulated robot read them. Whatever a
// Hardware daemon sends, set points are finite and replies are frames.
#include "tests/fuzz/fuzz.h"

#include "protocol/hubo_frames.h"
#include "plant/motors/boards.h"
#include "plant/sensors.h"

static struct description *description;
static struct physics *physics;
static struct motor pristine[ROBOT_JOINTS_MAX], motor[ROBOT_JOINTS_MAX];

static void check_reply(int sender, int senders, const struct can_frame *reply)
{
    fuzz_check(sender >= -1 && sender < senders);
    fuzz_check(sender < 0 || (reply->can_dlc <= CAN_MAX_DLEN && reply->can_id < 0x800));
}

// A command to a board, with a plausible head, or a reference.
static void address(struct fuzz_input *input, struct can_frame *frame)
{
    static const uint8_t command[] = {HUBO_GET_STATUS,
                                      HUBO_GET_ENCODER,
                                      HUBO_GET_CURRENT,
                                      HUBO_ZERO_ENCODER,
                                      HUBO_PWM,
                                      HUBO_CONTROL_ON,
                                      HUBO_CONTROL_OFF,
                                      HUBO_NULL_SENSOR,
                                      HUBO_GET_BOARD_INFO,
                                      HUBO_DRIVER,
                                      HUBO_CONTROL_MODE,
                                      HUBO_HOME,
                                      HUBO_COMPLEMENTARY,
                                      HUBO_LOWER_LIMIT,
                                      HUBO_UPPER_LIMIT,
                                      HUBO_POSITION_GAINS,
                                      HUBO_VELOCITY_LIMITS,
                                      HUBO_GAIN_OVERRIDE,
                                      HUBO_CURRENT_GAINS};
    const uint8_t what = fuzz_u8(input);
    const struct board_description *board =
        &description->board[fuzz_u8(input) % description->board_count];
    *frame = (struct can_frame){.can_dlc = (uint8_t)(fuzz_u8(input) % 9)};
    fuzz_take(input, frame->data, frame->can_dlc);
    if (what & 1) {
        frame->can_id = board->reference_can_id;
    } else {
        frame->can_id = what & 2 ? HUBO_ID_SENSOR_REQUEST : HUBO_ID_COMMAND;
        if (what & 4)
            frame->data[0] = (uint8_t)board->id;
        frame->data[1] = command[(what >> 3) % sizeof command];
    }
}

static void start(void)
{
    fuzz_check(description_load(FUZZ_DESCRIPTION, &description) == STATUS_OK);
    fuzz_check(physics_create(FUZZ_MODEL, description, NULL, NULL, NULL, NULL, pristine,
                              &physics) == STATUS_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (description == NULL)
        start();
    memcpy(motor, pristine, sizeof motor);
    struct boards *boards;
    struct sensors sensors;
    fuzz_check(boards_create(description, motor, &boards) == STATUS_OK);
    sensors_start(&sensors, 1, &sensor_noise_default);
    struct fuzz_input input = {.data = data, .size = size};
    instant now = {0};
    while (fuzz_more(&input)) {
        const uint8_t what = fuzz_u8(&input);
        now = instant_add(now, duration_us(100 * (what >> 2)));
        struct can_stamped frame = {.time = now};
        struct can_frame reply = {0};
        if (what & 1)
            address(&input, &frame.frame);
        else
            fuzz_take(&input, &frame.frame, sizeof frame.frame);
        frame.frame.can_dlc %= CAN_MAX_DLEN + 1;
        const unsigned bus = what >> 1 & 1;
        const int board = boards_addressee(boards, bus, &frame.frame);
        fuzz_check(board < (int)description->board_count);
        if (board >= 0 && boards_receive(boards, (unsigned)board, &frame, &reply))
            check_reply(board, (int)description->board_count, &reply);
        check_reply(sensors_receive(&sensors, bus, &frame.frame, physics, motor,
                                    description->joint_count, &reply),
                    SENSOR_BOARDS, &reply);
        boards_update(boards, now);
        for (unsigned j = 0; j < description->joint_count; j++)
            fuzz_check(isfinite(motor[j].setpoint_rad) && isfinite(motor[j].position_rad));
    }
    boards_free(boards);
    return 0;
}
