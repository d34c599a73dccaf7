#include "harness/packs/can/dbc.h"

#include <math.h>
#include <stdlib.h>

#include "protocol/hubo_frames.h"

#define NAME_MAX_B                                                                                 \
    24 // of a joint or a channel; with its suffix a symbol of a DBC has at most 32 characters
#define FINGER_PWM_MAX 100
#define NO_MULTIPLEXER (-1)

static const struct {
    const char *name;
    unsigned number, bus;
    bool foot; // has a tilt sensor beside its force-torque sensor
} force_torque_sensors[] = {
    {"right_foot", HUBO_SENSOR_RIGHT_FOOT, 0, true},
    {"left_foot", HUBO_SENSOR_LEFT_FOOT, 0, true},
    {"right_hand", HUBO_SENSOR_RIGHT_HAND, 1, false},
    {"left_hand", HUBO_SENSOR_LEFT_HAND, 1, false},
};
#define FORCE_TORQUE_SENSORS (sizeof force_torque_sensors / sizeof force_torque_sensors[0])

static const struct {
    enum hubo_command command;
    const char *name;
    const char *argument; // name of the signal in the third byte, NULL: none
} commands[] = {
    {HUBO_GET_BOARD_INFO, "get_board_info", NULL},
    {HUBO_GET_STATUS, "get_status", NULL},
    {HUBO_GET_ENCODER, "get_encoder", "encoder_choice"},
    {HUBO_GET_CURRENT, "get_current", NULL},
    {HUBO_ZERO_ENCODER, "zero_encoder", "zero_encoder_argument"},
    {HUBO_DRIVER, "driver", "driver_on"},
    {HUBO_PWM, "pwm", "pwm_on"},
    {HUBO_CONTROL_ON, "control_on", "control_on_argument"},
    {HUBO_CONTROL_OFF, "control_off", "control_off_argument"},
    {HUBO_CONTROL_MODE, "control_mode", "control_mode_argument"},
    {HUBO_HOME, "home", "home_channel"},
    {HUBO_COMPLEMENTARY, "complementary", "complementary_on"},
    {HUBO_GET_PARAMETERS, "get_parameters", "parameters_kind"},
    {HUBO_VELOCITY_LIMITS, "velocity_limits", "velocity_limits_argument"},
    {HUBO_LOWER_LIMIT, "lower_limit", "lower_limit_flags"},
    {HUBO_UPPER_LIMIT, "upper_limit", "upper_limit_flags"},
    {HUBO_GAIN_OVERRIDE, "gain_override", "gain_override_percent"},
    {HUBO_NULL_SENSOR, "null_sensor", "null_sensor_argument"},
    {HUBO_GET_POWER, "get_power", NULL},
    {HUBO_INITIALISE, "initialise", "initialise_argument"},
};
#define COMMANDS (sizeof commands / sizeof commands[0])

struct dbc {
    const struct description *description;
    const char *const *bus;
    FILE *out;
};

// ---- lines --------------------------------------------------------------------------------------

// The shortest text that reads back as the same number.
static void print_number(FILE *out, double value)
{
    char text[40];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    fputs(text, out);
}

static void message(const struct dbc *dbc, uint32_t can_id, unsigned length, const char *sender,
                    const char *format, const char *board)
{
    fprintf(dbc->out, "\nBO_ %u ", can_id);
    fprintf(dbc->out, format, board);
    fprintf(dbc->out, ": %u %s\n", length, sender);
}

struct signal {
    const char *name;   // of a joint, a channel or a sensor, "": none
    const char *suffix; // the name's end
    unsigned start_bit, bits;
    bool is_signed;
    double factor, min, max;
    const char *unit;
    int multiplexed; // its multiplexer's value, or NO_MULTIPLEXER
};

static void signal_line(const struct dbc *dbc, const struct signal *s, const char *receiver)
{
    fprintf(dbc->out, " SG_ %s%s%s ", s->name,
            s->name[0] != '\0' && s->suffix[0] != '\0' ? "_" : "", s->suffix);
    if (s->multiplexed != NO_MULTIPLEXER)
        fprintf(dbc->out, "m%d ", s->multiplexed);
    fprintf(dbc->out, ": %u|%u@1%c (", s->start_bit, s->bits, s->is_signed ? '-' : '+');
    print_number(dbc->out, s->factor);
    fputs(",0) [", dbc->out);
    print_number(dbc->out, s->min);
    putc('|', dbc->out);
    print_number(dbc->out, s->max);
    fprintf(dbc->out, "] \"%s\" %s\n", s->unit, receiver);
}

// A field of which every value is possible.
static void field(const struct dbc *dbc, const char *name, const char *suffix, unsigned start_bit,
                  unsigned bits, bool is_signed, double factor, const char *unit)
{
    const double steps = ldexp(1, (int)bits);
    const struct signal s = {.name = name,
                             .suffix = suffix,
                             .start_bit = start_bit,
                             .bits = bits,
                             .is_signed = is_signed,
                             .factor = factor,
                             .min = is_signed ? -steps / 2 * factor : 0,
                             .max = (is_signed ? steps / 2 - 1 : steps - 1) * factor,
                             .unit = unit,
                             .multiplexed = NO_MULTIPLEXER};
    signal_line(dbc, &s, "Host");
}

static void channel_name(const struct dbc *dbc, const struct board_description *board,
                         unsigned channel, char name[NAME_MAX_B])
{
    const int joint = board->joint[channel];
    if (joint >= 0)
        snprintf(name, NAME_MAX_B, "%s", dbc->description->joint[joint].name);
    else
        snprintf(name, NAME_MAX_B, "channel_%u", channel);
}

// ---- host -> boards -----------------------------------------------------------------------------

// Sign and magnitude of one channel: 24 or 16 bits.
static void reference_signals(const struct dbc *dbc, const struct board_description *board,
                              unsigned channel, unsigned start_bit, unsigned bits, bool again)
{
    char name[NAME_MAX_B];
    channel_name(dbc, board, channel, name);
    const int joint = board->joint[channel];
    struct signal s = {.name = name,
                       .suffix = again ? "again_magnitude" : "magnitude",
                       .start_bit = start_bit,
                       .bits = bits - 1,
                       .factor = 1,
                       .max = ldexp(1, (int)bits - 1) - 1,
                       .unit = "count",
                       .multiplexed = NO_MULTIPLEXER};
    if (joint >= 0) {
        const struct joint_description *j = &dbc->description->joint[joint];
        const double limit_rad = fmax(fabs(j->position_min_rad), fabs(j->position_max_rad));
        s.factor = 1 / j->ticks_per_rad;
        s.max = fmin(s.max, rint(limit_rad * j->ticks_per_rad)) * s.factor;
        s.unit = "rad";
    }
    signal_line(dbc, &s, board->name);
    s = (struct signal){.name = name,
                        .suffix = again ? "again_sign" : "sign",
                        .start_bit = start_bit + bits - 1,
                        .bits = 1,
                        .factor = 1,
                        .max = 1,
                        .unit = "",
                        .multiplexed = NO_MULTIPLEXER};
    signal_line(dbc, &s, board->name);
}

static void reference_message(const struct dbc *dbc, const struct board_description *board)
{
    message(dbc, board->reference_can_id, 6, "Host", "%s_reference", board->name);
    if (board->channel_count == 3) {
        for (unsigned c = 0; c < 3; c++)
            reference_signals(dbc, board, c, 16 * c, 16, false);
        return;
    }
    reference_signals(dbc, board, 0, 0, 24, false);
    reference_signals(dbc, board, board->channel_count == 2, 24, 24, board->channel_count == 1);
}

static void request_field(const struct dbc *dbc, const char *name, const char *suffix, int command,
                          unsigned start_bit, unsigned bits, double max, const char *unit)
{
    const struct signal s = {.name = name,
                             .suffix = suffix,
                             .start_bit = start_bit,
                             .bits = bits,
                             .factor = 1,
                             .max = max,
                             .unit = unit,
                             .multiplexed = command};
    signal_line(dbc, &s, "Vector__XXX");
}

static void command_message(const struct dbc *dbc)
{
    message(dbc, HUBO_ID_COMMAND, 8, "Host", "%s", "command");
    request_field(dbc, "board", "", NO_MULTIPLEXER, 0, 8, 255, "");
    fputs(" SG_ command M : 8|8@1+ (1,0) [0|255] \"\" Vector__XXX\n", dbc->out);
    for (size_t i = 0; i < COMMANDS; i++)
        if (commands[i].argument != NULL)
            request_field(dbc, commands[i].argument, "", (int)commands[i].command, 16, 8, 255, "");
    for (unsigned c = 0; c < HUBO_CHANNELS_MAX; c++) {
        char name[NAME_MAX_B];
        snprintf(name, sizeof name, "finger_%u", c + 1);
        request_field(dbc, name, "pwm_magnitude", HUBO_PWM, 24 + 8 * c, 7, FINGER_PWM_MAX, "%");
        request_field(dbc, name, "pwm_sign", HUBO_PWM, 31 + 8 * c, 1, 1, "");
    }
}

static void sensor_request_message(const struct dbc *dbc)
{
    message(dbc, HUBO_ID_SENSOR_REQUEST, 3, "Host", "%s", "sensor_request");
    request_field(dbc, "sensor", "", NO_MULTIPLEXER, 0, 8, 255, "");
    fputs(" SG_ request M : 8|8@1+ (1,0) [0|255] \"\" Vector__XXX\n", dbc->out);
    request_field(dbc, "imu_request_argument", "", HUBO_REQUEST_IMU, 16, 8, 255, "");
}

// ---- boards -> host -----------------------------------------------------------------------------

static double rad_per_count(const struct dbc *dbc, const struct board_description *board,
                            unsigned channel)
{
    const int joint = board->joint[channel];
    return joint < 0 ? 1 : 1 / dbc->description->joint[joint].ticks_per_rad;
}

static void encoder_message(const struct dbc *dbc, const struct board_description *board)
{
    const unsigned channels = board->channel_count, wide = channels <= 2 ? 32 : 16;
    const unsigned fields = channels > 3 ? 3 : channels;
    message(dbc, board->encoder_can_id, channels <= 2 ? 8 : fields * wide / 8, board->name,
            "%s_encoder", board->name);
    for (unsigned c = 0; c < fields; c++) {
        char name[NAME_MAX_B], other[NAME_MAX_B], both[2 * NAME_MAX_B + 4];
        channel_name(dbc, board, c, name);
        double factor = rad_per_count(dbc, board, c);
        const char *unit = board->joint[c] < 0 ? "count" : "rad";
        snprintf(both, sizeof both, "%s", name);
        if (c + 3 < channels) { // the second reply carries another channel here
            channel_name(dbc, board, c + 3, other);
            snprintf(both, sizeof both, "%s_or_%s", name, other);
            if (factor != rad_per_count(dbc, board, c + 3))
                factor = 1, unit = "count";
        }
        field(dbc, both, "position", wide * c, wide, true, factor, unit);
    }
}

// Parts of a motor's status. A board with more than two channels has one byte a motor: the first
// four errors are where others have the home flag.
struct status_part {
    const char *name;
    unsigned bit, bits;
};

static void status_message(const struct dbc *dbc, const struct board_description *board)
{
    static const struct status_part whole[] = {
        {"driver_on", 0, 1},
        {"control_on", 1, 1},
        {"mode", 2, 1},
        {"limit_switch", 3, 1},
        {"home", 4, 4},
        {"jam", 8, 1},
        {"pwm_saturated", 9, 1},
        {"big_error", 10, 1},
        {"encoder_error", 11, 1},
        {"driver_fault", 12, 1},
        {"motor_fail_0", 13, 1},
        {"motor_fail_1", 14, 1},
        {"reserved_error", 15, 1},
        {"position_min", 16, 1},
        {"position_max", 17, 1},
        {"velocity_error", 18, 1},
        {"acceleration_error", 19, 1},
        {"temperature_error", 20, 1},
        {"reserved_errors", 21, 3},
    };
    static const struct status_part brief[] = {
        {"driver_on", 0, 1}, {"control_on", 1, 1},    {"mode", 2, 1},      {"limit_switch", 3, 1},
        {"jam", 4, 1},       {"pwm_saturated", 5, 1}, {"big_error", 6, 1}, {"encoder_error", 7, 1},
    };
    const bool is_brief = board->channel_count > 2;
    const struct status_part *parts = is_brief ? brief : whole;
    const size_t count = is_brief ? sizeof brief / sizeof brief[0] : sizeof whole / sizeof whole[0];
    const unsigned stride_B = is_brief ? 1 : 4;
    message(dbc, board->status_can_id, stride_B * board->channel_count, board->name, "%s_status",
            board->name);
    for (unsigned c = 0; c < board->channel_count; c++) {
        char name[NAME_MAX_B];
        channel_name(dbc, board, c, name);
        for (size_t p = 0; p < count; p++)
            field(dbc, name, parts[p].name, 8 * stride_B * c + parts[p].bit, parts[p].bits, false,
                  1, "");
    }
}

static void current_message(const struct dbc *dbc, const struct board_description *board)
{
    static const unsigned of_three[] = {0, 1, 3}, of_five[] = {0, 1, 2, 4, 5};
    const unsigned channels = board->channel_count;
    message(dbc, board->current_can_id, channels <= 3 ? 4 : 6, board->name, "%s_current",
            board->name);
    for (unsigned c = 0; c < channels; c++) {
        char name[NAME_MAX_B];
        channel_name(dbc, board, c, name);
        if (channels > 2) {
            field(dbc, name, "current", 8 * (channels == 3 ? of_three : of_five)[c], 8, false,
                  channels == 3 ? 0.004 : 0.001, "A");
            continue;
        }
        field(dbc, name, "current_high", 8 * c, 8, false, 0.04, "A");
        field(dbc, name, "current_low", 24 + 2 * c, 2, false, 0.01, "A");
    }
    if (channels <= 3)
        field(dbc, "board", "temperature", 16, 8, false, 1, "degC");
}

// ---- sensors -> host ----------------------------------------------------------------------------

static void sensor_messages(const struct dbc *dbc)
{
    for (size_t i = 0; i < FORCE_TORQUE_SENSORS; i++) {
        const char *name = force_torque_sensors[i].name;
        const unsigned number = force_torque_sensors[i].number;
        message(dbc, HUBO_ID_FORCE_TORQUE + number, 6, name, "%s_force_torque", name);
        field(dbc, "moment_x", "", 0, 16, true, 0.01, "Nm");
        field(dbc, "moment_y", "", 16, 16, true, 0.01, "Nm");
        field(dbc, "force_z", "", 32, 16, true, 0.1, "N");
        if (!force_torque_sensors[i].foot)
            continue;
        message(dbc, HUBO_ID_INERTIAL + number, 6, name, "%s_tilt", name);
        field(dbc, "angle_x", "", 0, 16, true, 0.01, "deg");
        field(dbc, "angle_y", "", 16, 16, true, 0.01, "deg");
        field(dbc, "acceleration_z", "", 32, 16, true, 1 / 750.0, "g");
    }
    message(dbc, HUBO_ID_INERTIAL + HUBO_SENSOR_IMU, 8, "imu", "%s", "imu");
    field(dbc, "roll", "", 0, 16, true, 0.01, "deg");
    field(dbc, "pitch", "", 16, 16, true, 0.01, "deg");
    field(dbc, "roll_rate", "", 32, 16, true, 0.01, "deg/s");
    field(dbc, "pitch_rate", "", 48, 16, true, 0.01, "deg/s");
    message(dbc, HUBO_ID_POWER, 6, "power", "%s", "power");
    field(dbc, "voltage", "", 0, 16, true, 0.01, "V");
    field(dbc, "current", "", 16, 16, true, 0.01, "A");
    field(dbc, "power", "", 32, 16, true, 0.1, "W");
}

// ---- comments and names of values ---------------------------------------------------------------

static void comment_on_boards(const struct dbc *dbc)
{
    FILE *out = dbc->out;
    for (unsigned b = 0; b < dbc->description->board_count; b++) {
        const struct board_description *board = &dbc->description->board[b];
        fprintf(out, "CM_ BU_ %s \"Board 0x%02X on %s, %u channel%s.\";\n", board->name, board->id,
                dbc->bus[board->bus % BUS_LOG_BUSES], board->channel_count,
                board->channel_count == 1 ? "" : "s");
        if (!board->finger)
            fprintf(out,
                    "CM_ BO_ %u \"Position references. %d-bit sign and magnitude each, which a DBC "
                    "has no type for: the value is NAME_magnitude, negative if NAME_sign is 1.%s\";"
                    "\n",
                    board->reference_can_id, board->channel_count == 3 ? 16 : 24,
                    board->channel_count == 1 ? " A board with one channel gets its value twice."
                                              : "");
        if (board->channel_count > 3)
            fprintf(out,
                    "CM_ BO_ %u \"Two replies, told apart by their length: of 6 bytes with the "
                    "first three channels, of %u bytes with the others.\";\n",
                    board->encoder_can_id, 2 * (board->channel_count - 3));
        if (board->channel_count <= 2)
            fprintf(out,
                    "CM_ BO_ %u \"10 bits of 10 mA in two places: the current is NAME_current_high "
                    "+ NAME_current_low.\";\n",
                    board->current_can_id);
    }
}

static void comments(const struct dbc *dbc)
{
    FILE *out = dbc->out;
    fprintf(out,
            "\nCM_ \"Robot %s. Frames may be shorter than their message: what lies beyond their "
            "end is not in them. Ranges: of a reference, its joint's limits; of what is measured, "
            "what its field can carry.\";\n",
            dbc->description->name);
    comment_on_boards(dbc);
    for (size_t i = 0; i < FORCE_TORQUE_SENSORS; i++)
        fprintf(out, "CM_ BU_ %s \"Sensor %u on %s. Positive force: the ground pushes up.\";\n",
                force_torque_sensors[i].name, force_torque_sensors[i].number,
                dbc->bus[force_torque_sensors[i].bus]);
    fprintf(out, "CM_ BU_ imu \"Sensor %u on %s.\";\nCM_ BU_ power \"Board 0x%02X on %s.\";\n",
            HUBO_SENSOR_IMU, dbc->bus[0], HUBO_BOARD_POWER, dbc->bus[1]);
    fprintf(
        out,
        "CM_ BO_ %u \"On both buses. 2 bytes if the command has no argument, 3 with one, 8 with "
        "references of fingers: PWM, sign and magnitude.\";\n"
        "CM_ BO_ %u \"On both buses. 2 bytes, 3 for the IMU.\";\n",
        HUBO_ID_COMMAND, HUBO_ID_SENSOR_REQUEST);
}

static void value_names(const struct dbc *dbc)
{
    FILE *out = dbc->out;
    fprintf(out, "\nVAL_ %u board", HUBO_ID_COMMAND);
    for (unsigned b = 0; b < dbc->description->board_count; b++)
        fprintf(out, " %u \"%s\"", dbc->description->board[b].id, dbc->description->board[b].name);
    fprintf(out, " %u \"power\" ;\nVAL_ %u command", HUBO_BOARD_POWER, HUBO_ID_COMMAND);
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(out, " %u \"%s\"", (unsigned)commands[i].command, commands[i].name);
    fprintf(out, " ;\nVAL_ %u sensor", HUBO_ID_SENSOR_REQUEST);
    for (size_t i = 0; i < FORCE_TORQUE_SENSORS; i++)
        fprintf(out, " %u \"%s\"", force_torque_sensors[i].number, force_torque_sensors[i].name);
    fprintf(out, " %u \"imu\" ;\nVAL_ %u request %u \"imu\" %u \"force_torque\" %u \"tilt\" ;\n",
            HUBO_SENSOR_IMU, HUBO_ID_SENSOR_REQUEST, (unsigned)HUBO_REQUEST_IMU,
            (unsigned)HUBO_REQUEST_FORCE_TORQUE, (unsigned)HUBO_REQUEST_TILT);
    for (unsigned b = 0; b < dbc->description->board_count; b++) {
        const struct board_description *board = &dbc->description->board[b];
        for (unsigned c = 0; c < board->channel_count; c++) {
            char name[NAME_MAX_B];
            channel_name(dbc, board, c, name);
            fprintf(out, "VAL_ %u %s_mode %d \"position\" %d \"pwm\" ;\n", board->status_can_id,
                    name, HUBO_MODE_POSITION, HUBO_MODE_PWM);
            if (board->channel_count <= 2)
                fprintf(out, "VAL_ %u %s_home %u \"homed\" %u \"homing\" ;\n", board->status_can_id,
                        name, HUBO_HOMED, HUBO_HOMING);
        }
    }
}

// ---- the file -----------------------------------------------------------------------------------

void dbc_write(const struct description *description, const char *const bus[BUS_LOG_BUSES],
               FILE *out)
{
    const struct dbc dbc = {description, bus, out};
    fputs("VERSION \"\"\n\nNS_ :\n\tCM_\n\tVAL_\n\nBS_:\n\nBU_: Host", out);
    for (unsigned b = 0; b < description->board_count; b++)
        fprintf(out, " %s", description->board[b].name);
    for (size_t i = 0; i < FORCE_TORQUE_SENSORS; i++)
        fprintf(out, " %s", force_torque_sensors[i].name);
    fputs(" imu power\n", out);
    command_message(&dbc);
    sensor_request_message(&dbc);
    for (unsigned b = 0; b < description->board_count; b++) {
        const struct board_description *board = &description->board[b];
        if (!board->finger)
            reference_message(&dbc, board);
        encoder_message(&dbc, board);
        status_message(&dbc, board);
        current_message(&dbc, board);
    }
    sensor_messages(&dbc);
    comments(&dbc);
    value_names(&dbc);
}
