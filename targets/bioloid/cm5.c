// cm5: the module between the upper layer and the servos; see doc/bioloid.md. A command that comes
// by the serial line it translates at once into packets for all servos. Each period it asks some of
// them, one after the other, and sends upwards what they answered.
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "dynamixel/device.h"
#include "dynamixel/host.h"
#include "robot/participant.h"
#include "targets/bioloid/cm5_frame.h"
#include "targets/bioloid/serial.h"

#define NUMBERS CM5_SERVOS
#define PERIOD_DEFAULT_US 10000
#define PERIOD_MIN_US 8000 // TRANSACTION_NS, and a goal for each servo: one is asked at least
#define PERIOD_MAX_US 1000000
#define READS_DEFAULT 10
#define RETURN_DELAY_NS 500000 // from the factory
#define LOOKS_MAX 200          // of one request
#define LOOK_AGAIN_NS 50000    // a line that is behind has to be waited for
// What is asked last in a period may take so long: request, answer, ping and its answer, each 2 ms
// late, and the cycle still ends within half a period of when the last one did.
#define TRANSACTION_NS 6500000
#define TORQUE_MAX 1023
#define PHASE_NS 3000000

struct cm5 {
    struct dxl_port *port;
    struct dxl_host host;
    duration period;
    unsigned reads, next;       // servos asked in each period; the one asked last
    uint32_t present;           // servos that have answered a ping
    uint32_t torque;            // as sent last
    unsigned slope[NUMBERS];    // likewise
    struct cm5_answers answers; // of this cycle
    struct serial serial;
    struct clk *clk;
};

// Waits for what has become of the request.
static enum status await(struct cm5 *cm5, enum status sent, struct dxl_packet *answer)
{
    if (sent != STATUS_OK)
        return sent;
    for (unsigned i = 0; i < LOOKS_MAX; i++) {
        const enum status status = dxl_host_look(&cm5->host, answer);
        if (status != STATUS_EMPTY)
            return status;
        const instant soonest = instant_add(clk_now(cm5->clk), duration_ns(LOOK_AGAIN_NS));
        const instant next = dxl_host_next(&cm5->host);
        clk_sleep_until(cm5->clk, instant_before(next, soonest) ? soonest : next);
    }
    return STATUS_TIMEOUT;
}

static void find_servos(struct cm5 *cm5)
{
    static const uint8_t no_delay = 0;
    struct dxl_packet answer;
    for (unsigned id = 1; id < NUMBERS; id++)
        if (await(cm5, dxl_host_ping(&cm5->host, (uint8_t)id, clk_now(cm5->clk)), &answer) ==
            STATUS_OK)
            cm5->present |= 1u << id;
    const enum status sent = dxl_host_write(&cm5->host, DXL_BROADCAST, DXL_RETURN_DELAY, &no_delay,
                                            1, clk_now(cm5->clk));
    if (await(cm5, sent, &answer) == STATUS_OK)
        cm5->host.return_delay = duration_ns(0);
    log_info("%d servos answer", __builtin_popcount(cm5->present));
}

// ---- commands -----------------------------------------------------------------------------------

// What goes to each servo of `servos`, `count` bytes from register `first` on.
struct sync {
    uint32_t servos;
    enum dxl_register first;
    uint8_t count;
    uint8_t value[NUMBERS][4];
};

static void send(struct cm5 *cm5, const struct sync *sync)
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
        (void)await(cm5,
                    dxl_host_sync_write(&cm5->host, sync->first, sync->count, part, devices,
                                        clk_now(cm5->clk)),
                    &answer);
}

static void send_goals(struct cm5 *cm5, const struct cm5_command *command)
{
    struct sync sync = {.first = DXL_GOAL, .count = 4};
    // They switch the motor on.
    sync.servos = command->servos & command->torque & command->moves & cm5->present;
    for (unsigned i = 1; i < NUMBERS; i++) {
        dxl_put_word(sync.value[i], command->goal[i]);
        dxl_put_word(sync.value[i] + 2, command->speed[i]);
    }
    send(cm5, &sync);
}

// A servo that has shut itself down gives no torque until its limit is written again.
static void send_limits(struct cm5 *cm5, uint32_t servos)
{
    struct sync sync = {.servos = servos, .first = DXL_TORQUE_LIMIT, .count = 2};
    for (unsigned i = 1; i < NUMBERS; i++)
        dxl_put_word(sync.value[i], TORQUE_MAX);
    send(cm5, &sync);
}

// Only when they have changed.
static void send_torque(struct cm5 *cm5, const struct cm5_command *command)
{
    struct sync sync = {.first = DXL_TORQUE_ON, .count = 1};
    sync.servos = (command->torque ^ cm5->torque) & command->servos & cm5->present;
    for (unsigned i = 1; i < NUMBERS; i++)
        sync.value[i][0] = (command->torque & 1u << i) != 0;
    send_limits(cm5, sync.servos & command->torque);
    send(cm5, &sync);
    cm5->torque ^= sync.servos;
}

static void send_slopes(struct cm5 *cm5, const struct cm5_command *command)
{
    struct sync sync = {.first = DXL_CW_SLOPE, .count = 2};
    for (unsigned i = 1; i < NUMBERS; i++) {
        const unsigned slope = command->slope[i];
        if ((command->servos & cm5->present & 1u << i) == 0 || slope == 0 ||
            slope > UINT8_MAX - 1 || slope == cm5->slope[i])
            continue;
        sync.servos |= 1u << i;
        sync.value[i][0] = sync.value[i][1] = (uint8_t)slope;
        cm5->slope[i] = slope;
    }
    send(cm5, &sync);
}

// Commands that have come.
static void pass_on(struct cm5 *cm5)
{
    struct serial_bytes_message frame;
    struct cm5_command command;
    while (serial_take(&cm5->serial, clk_now(cm5->clk), &frame))
        if (cm5_unpack_command(frame.bytes, frame.count, &command)) {
            send_goals(cm5, &command);
            send_slopes(cm5, &command);
            send_torque(cm5, &command);
        }
}

// ---- answers ------------------------------------------------------------------------------------

static void take(struct cm5 *cm5, unsigned id, const struct dxl_packet *answer)
{
    struct cm5_answers *answers = &cm5->answers;
    if (answer->count != CM5_READ_B)
        return;
    answers->servos |= 1u << id;
    answers->error[id] = answer->code;
    memcpy(answers->read[id], answer->parameter, CM5_READ_B);
}

static void ask(struct cm5 *cm5, unsigned id)
{
    struct dxl_packet answer;
    const enum status sent =
        dxl_host_read(&cm5->host, (uint8_t)id, DXL_POSITION, CM5_READ_B, clk_now(cm5->clk));
    if (await(cm5, sent, &answer) == STATUS_OK)
        take(cm5, id, &answer);
    cm5->answers.missed += (cm5->answers.servos & 1u << id) == 0;
}

// The next servos, one after the other, while the period lasts; commands go first.
static void ask_some(struct cm5 *cm5, instant end)
{
    const instant last = instant_add(end, duration_ns(-TRANSACTION_NS));
    unsigned asked = 0;
    cm5->answers.servos = 0;
    for (unsigned i = 1; i < NUMBERS && asked < cm5->reads; i++) {
        pass_on(cm5);
        if (!instant_before(clk_now(cm5->clk), last))
            break;
        cm5->next = cm5->next % (NUMBERS - 1) + 1;
        if ((cm5->present & 1u << cm5->next) == 0)
            continue;
        ask(cm5, cm5->next);
        asked++;
    }
    uint8_t frame[CM5_FRAME_MAX_B];
    if (instant_before(instant_add(end, cm5->period), clk_now(cm5->clk)))
        return; // it was stopped, and what it heard is old
    cm5->answers.cycle++;
    serial_send(&cm5->serial, frame, cm5_pack_answers(&cm5->answers, frame), clk_now(cm5->clk));
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

static bool read_options(int argc, char **argv, struct cm5 *cm5)
{
    static const struct option known[] = {
        {"period-us", required_argument, NULL, 'p'}, {"reads", required_argument, NULL, 'r'}, {0}};
    long us = PERIOD_DEFAULT_US, reads = READS_DEFAULT;
    bool good = true;
    for (int option; good && (option = getopt_long(argc, argv, "", known, NULL)) != -1;)
        good = (option == 'p' &&
                read_number("period-us", optarg, PERIOD_MIN_US, PERIOD_MAX_US, &us)) ||
               (option == 'r' && read_number("reads", optarg, 1, NUMBERS - 1, &reads));
    cm5->period = duration_us(us);
    cm5->reads = (unsigned)reads;
    if (good && optind == argc)
        return true;
    fputs("usage: cm5 [--period-us N] [--reads N]\n"
          "Microseconds from 8000, default 10000; servos that are asked in each period, default "
          "10.\n",
          stderr);
    return false;
}

int main(int argc, char **argv)
{
    static struct cm5 cm5;
    log_program("cm5");
    if (!read_options(argc, argv, &cm5))
        return 2;
    if (dxl_port_open("servos", "cm5", &cm5.port) != STATUS_OK) {
        log_error("line servos: cannot be opened; is it among the buses of target.yaml?");
        return 3;
    }
    dxl_host_start(&cm5.host, cm5.port, duration_ns(RETURN_DELAY_NS));
    if (serial_open(&cm5.serial, "cm5-answer", "cm5-request") != STATUS_OK ||
        participant_join(&cm5.clk) != STATUS_OK)
        return 3;
    find_servos(&cm5);
    serial_forget(&cm5.serial);
    // A command of the upper layer's cycle has come by then.
    struct clk_period period = clk_period_start(cm5.clk, instant_ns(PHASE_NS), cm5.period);
    for (;;) {
        const instant end = instant_add(clk_now(cm5.clk), cm5.period);
        pass_on(&cm5);
        ask_some(&cm5, end);
        (void)clk_period_wait(cm5.clk, &period);
    }
}
