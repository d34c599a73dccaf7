// What the project's own code (protocol/hubo_frames.h) reads from frames, to be compared with what
// a DBC's reader reads from them; see export.sh.
//
//   frame_decoder sample DESCRIPTION SEED   prints a log with every kind of frame the robot's buses
//                                           carry, filled with random bits
//   frame_decoder decode DESCRIPTION <LOG   prints "LINE MESSAGE.SIGNAL VALUE" for each value
//   frame_decoder bits DESCRIPTION <LOG     prints "INTERFACE FRAMES BITS": what each bus carried,
//                                           stuff bits and intermissions included (can/bits.h)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "can/bits.h"
#include "protocol/hubo_frames.h"
#include "model/description.h"

#define DEGREE (3.14159265358979323846 / 180)
#define SAMPLES 8 // of each kind of frame

static const struct {
    const char *name;
    unsigned number;
    bool tilt;
} sensors[] = {{"right_foot", HUBO_SENSOR_RIGHT_FOOT, true},
               {"left_foot", HUBO_SENSOR_LEFT_FOOT, true},
               {"right_hand", HUBO_SENSOR_RIGHT_HAND, false},
               {"left_hand", HUBO_SENSOR_LEFT_HAND, false}};
#define SENSORS (sizeof sensors / sizeof sensors[0])

// ---- a sample of everything ---------------------------------------------------------------------

static uint64_t random_state;

static unsigned random_byte(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(random_state >> 56);
}

static const uint8_t all_random[1]; // a head of no bytes

// The first bytes are given, the others random; those of fingers' PWM no more than 100 %.
static void sample(uint32_t can_id, unsigned length, const uint8_t *head, unsigned head_B)
{
    static unsigned frames;
    for (unsigned s = 0; s < SAMPLES; s++) {
        printf("(%010u.%06u) can0 %03X#", frames / 1000, frames % 1000, can_id);
        for (unsigned i = 0; i < length; i++) {
            unsigned byte = i < head_B ? head[i] : random_byte();
            if (can_id == HUBO_ID_COMMAND && i >= 3)
                byte = (byte & 0x80) | (byte & 0x7F) % 101;
            printf("%02X", byte);
        }
        putchar('\n');
        frames++;
    }
}

static void sample_requests(void)
{
    static const struct {
        uint8_t head[3];
        unsigned length, head_B;
    } requests[] = {
        {{0, HUBO_GET_STATUS}, 2, 2},
        {{4, HUBO_GET_ENCODER}, 3, 2},
        {{5, HUBO_GET_CURRENT}, 2, 2},
        {{6, HUBO_ZERO_ENCODER}, 3, 2},
        {{7, HUBO_DRIVER}, 3, 2},
        {{0x24, HUBO_PWM, 1}, 8, 3},
        {{8, HUBO_CONTROL_ON}, 3, 2},
        {{9, HUBO_CONTROL_OFF}, 3, 2},
        {{10, HUBO_HOME}, 3, 2},
        {{11, HUBO_LOWER_LIMIT}, 3, 2},
        {{0, HUBO_UPPER_LIMIT}, 3, 2},
        {{0x30, HUBO_NULL_SENSOR}, 3, 2},
        {{HUBO_BOARD_POWER, HUBO_GET_POWER}, 2, 2},
        {{1, HUBO_INITIALISE}, 3, 2},
    };
    static const uint8_t imu[] = {HUBO_SENSOR_IMU, HUBO_REQUEST_IMU};
    static const uint8_t tilt[] = {HUBO_SENSOR_LEFT_FOOT, HUBO_REQUEST_TILT};
    static const uint8_t force[] = {HUBO_SENSOR_LEFT_HAND, HUBO_REQUEST_FORCE_TORQUE};
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++)
        sample(HUBO_ID_COMMAND, requests[i].length, requests[i].head, requests[i].head_B);
    sample(HUBO_ID_SENSOR_REQUEST, 3, imu, 2);
    sample(HUBO_ID_SENSOR_REQUEST, 2, tilt, 2);
    sample(HUBO_ID_SENSOR_REQUEST, 2, force, 2);
}

static void sample_all(const struct description *description)
{
    sample_requests();
    for (unsigned b = 0; b < description->board_count; b++) {
        const struct board_description *board = &description->board[b];
        const unsigned channels = board->channel_count;
        if (!board->finger)
            sample(board->reference_can_id, 6, all_random, 0);
        sample(board->encoder_can_id, channels <= 2 ? 8 : 6, all_random, 0);
        if (channels > 3)
            sample(board->encoder_can_id, 2 * (channels - 3), all_random, 0);
        sample(board->status_can_id, channels <= 2 ? 4 * channels : channels, all_random, 0);
        sample(board->current_can_id, channels <= 3 ? 4 : 6, all_random, 0);
    }
    for (size_t i = 0; i < SENSORS; i++) {
        sample(HUBO_ID_FORCE_TORQUE + sensors[i].number, 6, all_random, 0);
        if (sensors[i].tilt)
            sample(HUBO_ID_INERTIAL + sensors[i].number, 6, all_random, 0);
    }
    sample(HUBO_ID_INERTIAL + HUBO_SENSOR_IMU, 8, all_random, 0);
    sample(HUBO_ID_POWER, 6, all_random, 0);
}

// ---- decoding -----------------------------------------------------------------------------------

static unsigned line_number;

static void put(const char *message, const char *part, const char *signal, double value)
{
    printf("%u %s%s.%s %.17g\n", line_number, message, part, signal, value);
}

static void put_joint(const struct description *description, const struct board_description *board,
                      const char *part, unsigned channel, const char *quantity, double value)
{
    char signal[64];
    if (board->joint[channel] >= 0)
        snprintf(signal, sizeof signal, "%s%s", description->joint[board->joint[channel]].name,
                 quantity);
    else
        snprintf(signal, sizeof signal, "channel_%u%s", channel, quantity);
    put(board->name, part, signal, value);
}

static double in_rad(const struct description *description, const struct board_description *board,
                     unsigned channel, int32_t ticks)
{
    const int joint = board->joint[channel];
    return joint < 0 ? ticks : hubo_angle_rad(ticks, description->joint[joint].ticks_per_rad);
}

static bool decode_request(const struct can_frame *frame)
{
    int percent[HUBO_CHANNELS_MAX];
    const bool command = frame->can_id == HUBO_ID_COMMAND;
    const char *message = command ? "command" : "sensor_request";
    if (frame->can_dlc < 2)
        return false;
    put(message, "", command ? "board" : "sensor", frame->data[0]);
    put(message, "", command ? "command" : "request", frame->data[1]);
    if (frame->can_dlc > 2)
        put(message, "", "argument", frame->data[2]);
    if (!command || !hubo_decode_finger_reference(frame, percent))
        return frame->can_dlc <= 3;
    for (unsigned c = 0; c < HUBO_CHANNELS_MAX; c++) {
        char signal[32];
        snprintf(signal, sizeof signal, "finger_%u_pwm", c + 1);
        put(message, "", signal, percent[c]);
    }
    return true;
}

static bool decode_reference(const struct description *description,
                             const struct board_description *board, const struct can_frame *frame)
{
    int32_t ticks[HUBO_CHANNELS_MAX];
    if (!hubo_decode_reference(frame, board->channel_count, ticks))
        return false;
    for (unsigned c = 0; c < board->channel_count; c++)
        put_joint(description, board, "_reference", c, "", in_rad(description, board, c, ticks[c]));
    // A board with one channel gets its value twice; only the first copy is read here.
    if (board->channel_count == 1) {
        struct can_frame copy = *frame;
        memcpy(copy.data, frame->data + 3, 3);
        if (!hubo_decode_reference(&copy, 1, ticks))
            return false;
        put_joint(description, board, "_reference", 0, "_again",
                  in_rad(description, board, 0, ticks[0]));
    }
    return true;
}

static bool decode_encoder(const struct description *description,
                           const struct board_description *board, const struct can_frame *frame)
{
    int32_t ticks[HUBO_CHANNELS_MAX];
    unsigned first, count;
    if (!hubo_decode_encoder(frame, board->channel_count, ticks, &first, &count))
        return false;
    for (unsigned c = first; c < first + count; c++)
        put_joint(description, board, "_encoder", c, "_position",
                  in_rad(description, board, c, ticks[c]));
    return true;
}

static bool decode_status(const struct description *description,
                          const struct board_description *board, const struct can_frame *frame)
{
    static const char *const errors1[] = {"_jam",           "_pwm_saturated", "_big_error",
                                          "_encoder_error", "_driver_fault",  "_motor_fail_0",
                                          "_motor_fail_1",  "_reserved_error"};
    static const char *const errors2[] = {"_position_min", "_position_max", "_velocity_error",
                                          "_acceleration_error", "_temperature_error"};
    struct hubo_status status[HUBO_CHANNELS_MAX];
    if (!hubo_decode_status(frame, board->channel_count, status))
        return false;
    for (unsigned c = 0; c < board->channel_count; c++) {
        const struct hubo_status *s = &status[c];
        put_joint(description, board, "_status", c, "_driver_on", s->driver_on);
        put_joint(description, board, "_status", c, "_control_on", s->control_on);
        put_joint(description, board, "_status", c, "_mode", s->mode);
        put_joint(description, board, "_status", c, "_limit_switch", s->limit_switch);
        const bool brief = board->channel_count > 2;
        for (unsigned i = 0; i < (brief ? 4 : 8); i++)
            put_joint(description, board, "_status", c, errors1[i], s->errors1 >> i & 1);
        if (brief)
            continue;
        put_joint(description, board, "_status", c, "_home", s->home);
        for (unsigned i = 0; i < 5; i++)
            put_joint(description, board, "_status", c, errors2[i], s->errors2 >> i & 1);
        put_joint(description, board, "_status", c, "_reserved_errors", s->errors2 >> 5);
    }
    return true;
}

static bool decode_current(const struct description *description,
                           const struct board_description *board, const struct can_frame *frame)
{
    double current_A[HUBO_CHANNELS_MAX], temperature_C;
    if (!hubo_decode_current(frame, board->channel_count, current_A, &temperature_C))
        return false;
    for (unsigned c = 0; c < board->channel_count; c++)
        put_joint(description, board, "_current", c, "_current", current_A[c]);
    if (board->channel_count <= 3)
        put(board->name, "_current", "board_temperature", temperature_C);
    return true;
}

static bool decode_board(const struct description *description, const struct can_frame *frame)
{
    for (unsigned b = 0; b < description->board_count; b++) {
        const struct board_description *board = &description->board[b];
        if (!board->finger && frame->can_id == board->reference_can_id)
            return decode_reference(description, board, frame);
        if (frame->can_id == board->encoder_can_id)
            return decode_encoder(description, board, frame);
        if (frame->can_id == board->status_can_id)
            return decode_status(description, board, frame);
        if (frame->can_id == board->current_can_id)
            return decode_current(description, board, frame);
    }
    return false;
}

static bool decode_sensor(const struct can_frame *frame)
{
    double v[4];
    for (size_t i = 0; i < SENSORS; i++) {
        if (frame->can_id == HUBO_ID_FORCE_TORQUE + sensors[i].number) {
            if (!hubo_decode_force_torque(frame, &v[0], &v[1], &v[2]))
                return false;
            put(sensors[i].name, "_force_torque", "moment_x", v[0]);
            put(sensors[i].name, "_force_torque", "moment_y", v[1]);
            put(sensors[i].name, "_force_torque", "force_z", v[2]);
            return true;
        }
        if (sensors[i].tilt && frame->can_id == HUBO_ID_INERTIAL + sensors[i].number) {
            if (!hubo_decode_tilt(frame, &v[0], &v[1], &v[2]))
                return false;
            put(sensors[i].name, "_tilt", "angle_x", v[0] / DEGREE);
            put(sensors[i].name, "_tilt", "angle_y", v[1] / DEGREE);
            put(sensors[i].name, "_tilt", "acceleration_z", v[2]);
            return true;
        }
    }
    if (frame->can_id == HUBO_ID_INERTIAL + HUBO_SENSOR_IMU) {
        static const char *const signals[] = {"roll", "pitch", "roll_rate", "pitch_rate"};
        if (!hubo_decode_imu(frame, &v[0], &v[1], &v[2], &v[3]))
            return false;
        for (unsigned i = 0; i < 4; i++)
            put("imu", "", signals[i], v[i] / DEGREE);
        return true;
    }
    if (frame->can_id != HUBO_ID_POWER || !hubo_decode_power(frame, &v[0], &v[1], &v[2]))
        return false;
    put("power", "", "voltage", v[0]);
    put("power", "", "current", v[1]);
    put("power", "", "power", v[2]);
    return true;
}

static bool decode(const struct description *description, const struct can_frame *frame)
{
    if (frame->can_id == HUBO_ID_COMMAND || frame->can_id == HUBO_ID_SENSOR_REQUEST)
        return decode_request(frame);
    return decode_board(description, frame) || decode_sensor(frame);
}

// ---- logs ---------------------------------------------------------------------------------------

// False: no line of a log.
static bool read_line(const char *line, char interface[16], struct can_frame *frame)
{
    unsigned id, byte;
    char data[32] = "";
    if (sscanf(line, "(%*[0-9.]) %15s %8x#%16[0-9A-F]", interface, &id, data) < 2)
        return false;
    *frame = (struct can_frame){.can_id = id, .can_dlc = (uint8_t)(strlen(data) / 2)};
    for (unsigned i = 0; i < frame->can_dlc; i++)
        if (sscanf(data + 2 * i, "%2x", &byte) == 1)
            frame->data[i] = (uint8_t)byte;
    return true;
}

// Returns how many frames of the log nobody here could read.
static unsigned decode_log(const struct description *description)
{
    unsigned unread = 0;
    char line[128], interface[16];
    while (fgets(line, sizeof line, stdin) != NULL) {
        struct can_frame frame;
        line_number++;
        if (read_line(line, interface, &frame) &&
            (frame.can_id & CAN_ERR_FLAG || decode(description, &frame)))
            continue;
        fprintf(stderr, "not read: %s", line);
        unread++;
    }
    return unread;
}

static unsigned count_bits(void)
{
    unsigned long frames[2] = {0}, bits[2] = {0};
    unsigned unread = 0;
    char line[128], interface[16];
    while (fgets(line, sizeof line, stdin) != NULL) {
        struct can_frame frame;
        if (!read_line(line, interface, &frame)) {
            unread++;
        } else if (!(frame.can_id & CAN_ERR_FLAG)) {
            const bool second = strcmp(interface, "can1") == 0;
            frames[second]++;
            bits[second] += can_frame_bits(&frame) + CAN_INTERFRAME_BITS;
        }
    }
    for (unsigned bus = 0; bus < 2; bus++)
        if (frames[bus] > 0)
            printf("can%u %lu %lu\n", bus, frames[bus], bits[bus]);
    return unread;
}

int main(int argc, char **argv)
{
    struct description *description;
    if (argc < 3 || description_load(argv[2], &description) != STATUS_OK)
        return 2;
    if (strcmp(argv[1], "sample") == 0 && argc == 4) {
        random_state = strtoull(argv[3], NULL, 10);
        sample_all(description);
        return 0;
    }
    if (strcmp(argv[1], "bits") == 0)
        return count_bits() == 0 ? 0 : 1;
    return decode_log(description) == 0 ? 0 : 1;
}
