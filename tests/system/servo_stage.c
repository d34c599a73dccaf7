// A target of two servos for tests of the lab's lines: the world with its line, and a controller
// that moves them by the line and reads them back.
//
//   servo_stage world|controller
#include <stdio.h>
#include <string.h>

#include "clock/clock.h"
#include "dynamixel/host.h"
#include "dynamixel/line.h"
#include "plant/motors/servos.h"
#include "robot/participant.h"

#define SERVOS 2
#define STEP_NS 2000000
#define PERIOD_NS 20000000
#define WALL_PERIOD_NS 250000
#define FLYWHEEL_KG_M2 0.002
#define RETURN_DELAY_US 500
#define SWING 200 // steps about the middle, a half period of a second

struct shafts_message { // shafts.msg
    int64_t time_ns;
    double angle_1_rad, angle_2_rad;
    double read_1_rad, read_2_rad; // what the registers say
    int32_t torque_limit_1, spare;
    double voltage_V;
};

struct readings_message { // readings.msg
    int64_t time_ns, answers, failures;
    int32_t position_1, position_2;
};

// ---- the world ----------------------------------------------------------------------------------

struct world {
    struct servos *servos;
    struct dxl_line *line;
    instant time;
    double position_rad[SERVOS], velocity_rad_s[SERVOS];
};

static void step(struct world *world)
{
    struct servo_output output[SERVOS];
    const double step_s = STEP_NS * 1e-9, inertia = FLYWHEEL_KG_M2 + SERVO_ARMATURE_KG_M2;
    servos_step(world->servos, world->position_rad, world->velocity_rad_s, step_s, output);
    for (unsigned i = 0; i < SERVOS; i++) {
        world->velocity_rad_s[i] += output[i].torque_Nm / inertia * step_s;
        const double braked = output[i].friction_Nm / inertia * step_s;
        const double velocity = world->velocity_rad_s[i];
        world->velocity_rad_s[i] = velocity > braked    ? velocity - braked
                                   : velocity < -braked ? velocity + braked
                                                        : 0;
        world->position_rad[i] += world->velocity_rad_s[i] * step_s;
    }
    world->time = instant_add(world->time, duration_ns(STEP_NS));
}

static void publish(struct world *world, struct channel *channel)
{
    const struct servo *first = servos_servo(world->servos, 0);
    const struct shafts_message message = {
        .time_ns = world->time.ns,
        .angle_1_rad = world->position_rad[0],
        .angle_2_rad = world->position_rad[1],
        .read_1_rad = first->sensed_rad,
        .read_2_rad = servos_servo(world->servos, 1)->sensed_rad,
        .torque_limit_1 = (int32_t)dxl_get(servos_device(world->servos, 0), DXL_TORQUE_LIMIT),
        .voltage_V = servos_voltage_V(world->servos)};
    if (channel_put(channel, &message, sizeof message, world->time) != STATUS_OK)
        fputs("world: cannot publish the shafts\n", stderr);
}

static void advance(struct world *world, struct channel *channel, instant now)
{
    while (!instant_before(now, instant_add(world->time, duration_ns(STEP_NS)))) {
        dxl_line_advance(world->line, instant_add(world->time, duration_ns(STEP_NS)));
        step(world);
        publish(world, channel);
    }
    dxl_line_advance(world->line, now);
}

static bool disturb(void *context, unsigned node, const struct dxl_disturbance *what, bool on)
{
    const struct world *world = context;
    return servos_disturb(world->servos, node, what, on);
}

static int be_world(void)
{
    static struct world world;
    static const uint8_t id[SERVOS] = {1, 2};
    struct channel *channel;
    struct clk *clk;
    unsigned node;
    if (servos_create(SERVOS, id, world.position_rad, &world.servos) != STATUS_OK ||
        dxl_line_open("arm", &world.line) != STATUS_OK)
        return 3;
    for (unsigned i = 0; i < SERVOS; i++)
        if (dxl_line_add_device(world.line, servos_device(world.servos, i), &node) != STATUS_OK)
            return 3;
    dxl_line_on_servo(world.line, disturb, &world);
    if (participant_channel("shafts", CHANNEL_WRITE, sizeof(struct shafts_message), &channel) !=
            STATUS_OK ||
        participant_join(&clk) != STATUS_OK)
        return 3;
    struct clk_period period = clk_period_start(clk, instant_ns(0), duration_ns(WALL_PERIOD_NS));
    for (;;) {
        advance(&world, channel, clk_now(clk));
        if (clk_mode(clk) != CLK_VIRTUAL)
            (void)clk_period_wait(clk, &period);
        else if (clk_wait(clk, NULL, 0, INSTANT_NEVER) == STATUS_SYSTEM)
            return 3;
    }
}

// ---- the controller -----------------------------------------------------------------------------

// The bus's answer, or that there is none; sleeps until the line knows.
static enum status finish(struct dxl_host *host, struct clk *clk, enum status status,
                          struct dxl_packet *answer)
{
    for (unsigned i = 0; i < 100 && status == STATUS_OK; i++) {
        const instant next =
            instant_max(dxl_host_next(host), instant_add(clk_now(clk), duration_us(20)));
        clk_sleep_until(clk, next);
        status = dxl_host_look(host, answer);
        if (status != STATUS_EMPTY)
            return status;
        status = STATUS_OK;
    }
    return status;
}

static void command(struct dxl_host *host, struct clk *clk)
{
    struct dxl_packet answer;
    const bool up = clk_now(clk).ns / 1000000000 % 2 == 0;
    uint8_t parts[SERVOS * 3] = {1, 0, 0, 2, 0, 0};
    for (unsigned i = 0; i < SERVOS; i++)
        dxl_put_word(parts + 3 * i + 1, up ? 512 + SWING : 512 - SWING);
    (void)!finish(host, clk, dxl_host_sync_write(host, DXL_GOAL, 2, parts, SERVOS, clk_now(clk)),
                  &answer);
}

static int be_controller(void)
{
    struct dxl_host host;
    struct dxl_port *port;
    struct channel *channel;
    struct clk *clk;
    struct readings_message readings = {.position_1 = -1};
    if (dxl_port_open("arm", "host", &port) != STATUS_OK ||
        participant_channel("readings", CHANNEL_WRITE, sizeof readings, &channel) != STATUS_OK ||
        participant_join(&clk) != STATUS_OK)
        return 3;
    dxl_host_start(&host, port, duration_us(RETURN_DELAY_US));
    struct clk_period period = clk_period_start(clk, instant_ns(0), duration_ns(PERIOD_NS));
    for (;;) {
        (void)clk_period_wait(clk, &period);
        command(&host, clk);
        for (uint8_t id = 1; id <= SERVOS; id++) {
            struct dxl_packet answer;
            const enum status status = finish(
                &host, clk, dxl_host_read(&host, id, DXL_POSITION, 2, clk_now(clk)), &answer);
            readings.answers += status == STATUS_OK;
            readings.failures += status != STATUS_OK;
            if (status == STATUS_OK && answer.count == 2)
                *(id == 1 ? &readings.position_1 : &readings.position_2) =
                    (int32_t)dxl_word(answer.parameter);
        }
        readings.time_ns = clk_now(clk).ns;
        if (channel_put(channel, &readings, sizeof readings, clk_now(clk)) != STATUS_OK)
            fputs("controller: cannot publish the readings\n", stderr);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2 || participant_begin(1, argv) != STATUS_OK)
        return 2;
    return strcmp(argv[1], "world") == 0 ? be_world() : be_controller();
}
