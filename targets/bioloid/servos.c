// servos: AX-12 servos on a serial line behind a pseudo-terminal, each with a flywheel on its
// shaft, in real time, for programs that drive real ones. See servos(1).
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "clock/clock.h"
#include "dynamixel/pty.h"
#include "plant/motors/servos.h"

#define SERVOS_DEFAULT 19
#define BITRATE_BIT_S 1000000
#define STEP_NS 1000000
#define FLYWHEEL_KG_M2 0.002
#define EXIT_INPUT 2

struct bench {
    unsigned count;
    struct servos *servos;
    struct dxl_line *line;
    struct dxl_pty *pty;
    instant time; // of the mechanics
    double position_rad[SERVOS_MAX], velocity_rad_s[SERVOS_MAX];
};

static volatile sig_atomic_t ended;

static void end(int signal)
{
    (void)signal;
    ended = 1;
}

static void step(struct bench *bench)
{
    struct servo_output output[SERVOS_MAX];
    const double inertia_kg_m2 = FLYWHEEL_KG_M2 + SERVO_ARMATURE_KG_M2, step_s = STEP_NS * 1e-9;
    servos_step(bench->servos, bench->position_rad, bench->velocity_rad_s, step_s, output);
    for (unsigned i = 0; i < bench->count; i++) {
        const double braked = output[i].friction_Nm / inertia_kg_m2 * step_s;
        const double velocity =
            bench->velocity_rad_s[i] + output[i].torque_Nm / inertia_kg_m2 * step_s;
        bench->velocity_rad_s[i] =
            fabs(velocity) <= braked ? 0 : velocity - copysign(braked, velocity);
        bench->position_rad[i] += bench->velocity_rad_s[i] * step_s;
    }
    bench->time = instant_add(bench->time, duration_ns(STEP_NS));
}

static void run(struct bench *bench, struct clk *clk)
{
    while (!ended) {
        const instant now = clk_now(clk);
        dxl_pty_carry(bench->pty, now);
        while (!instant_before(now, instant_add(bench->time, duration_ns(STEP_NS)))) {
            dxl_line_advance(bench->line, bench->time);
            step(bench);
        }
        dxl_line_advance(bench->line, now);
        dxl_pty_carry(bench->pty, now);
        dxl_pty_await(bench->pty, now,
                      instant_sub(instant_add(bench->time, duration_ns(STEP_NS)), now));
    }
}

static enum status build(struct bench *bench, const char *path)
{
    uint8_t id[SERVOS_MAX];
    for (unsigned i = 0; i < bench->count; i++)
        id[i] = (uint8_t)(i + 1);
    enum status status = servos_create(bench->count, id, bench->position_rad, &bench->servos);
    if (status == STATUS_OK)
        status = dxl_line_open_alone(BITRATE_BIT_S, &bench->line);
    for (unsigned i = 0, node; i < bench->count && status == STATUS_OK; i++)
        status = dxl_line_add_device(bench->line, servos_device(bench->servos, i), &node);
    if (status == STATUS_OK)
        status = dxl_pty_open(path, bench->line, &bench->pty);
    if (status != STATUS_OK)
        log_error("--pty %s: %s; give the name of a file that does not exist yet", path,
                  status == STATUS_SYSTEM ? strerror(errno) : status_text(status));
    return status;
}

static bool read_count(const char *text, unsigned *count)
{
    char *rest;
    const long number = strtol(text, &rest, 10);
    *count = (unsigned)number;
    if (*text >= '0' && *text <= '9' && *rest == '\0' && number >= 1 && number <= SERVOS_MAX)
        return true;
    log_error("--servos %s: is not a number from 1 to %d; give for example 19", text, SERVOS_MAX);
    return false;
}

int main(int argc, char **argv)
{
    static const struct option known[] = {
        {"pty", required_argument, NULL, 'p'}, {"servos", required_argument, NULL, 's'}, {0}};
    static struct bench bench = {.count = SERVOS_DEFAULT};
    const char *path = NULL;
    bool good = true;
    log_program("servos");
    opterr = 0;
    for (int option; good && (option = getopt_long(argc, argv, "", known, NULL)) != -1;)
        good = (option == 'p' && (path = optarg) != NULL) ||
               (option == 's' && read_count(optarg, &bench.count));
    if (!good || path == NULL || optind != argc) {
        fputs("usage: servos --pty PATH [--servos N]\n", stderr);
        return EXIT_INPUT;
    }
    const struct sigaction action = {.sa_handler = end};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct clk *clk;
    if (build(&bench, path) != STATUS_OK)
        return EXIT_INPUT;
    if (clk_join(&clk) != STATUS_OK)
        return 3;
    printf("servos 1 to %u at %s, %d bit/s; SIGINT or SIGTERM ends them\n", bench.count, path,
           BITRATE_BIT_S);
    fflush(stdout);
    run(&bench, clk);
    const struct dxl_line_load load = dxl_line_load(bench.line);
    printf("%.1f s; %llu packets, %llu bytes, %llu without a stop bit\n",
           duration_to_s(instant_sub(clk_now(clk), instant_ns(0))), (unsigned long long)load.bursts,
           (unsigned long long)load.bytes, (unsigned long long)load.unframed);
    dxl_pty_close(bench.pty);
    dxl_line_close(bench.line);
    servos_free(bench.servos);
    return 0;
}
