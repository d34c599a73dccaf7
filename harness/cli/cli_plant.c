// The simulated robot by itself, for controllers that the lab does not start.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "harness/cli/cli.h"
#include "harness/files/target/target.h"

#define SIMULATOR "targets/simulator/simulator"
#define ARGUMENTS_MAX 8

static const char usage[] =
    "usage: ukemi plant TARGET --can INTERFACE,INTERFACE [--unhomed] [--brief-encoders]\n"
    "                   [--seed N]\n\n"
    "Runs the boards and the physics of a target's robot on two CAN interfaces of the kernel, in\n"
    "real time, until SIGINT or SIGTERM. There is no operator, nothing is judged, and a fall does\n"
    "not end it. At the end it prints how many frames there were.\n\n"
    "  --can A,B         interfaces of the robot's first and second bus; virtual or real\n"
    "  --unhomed         axes count from their present position until they are homed\n"
    "  --brief-encoders  boards with one channel reply to encoder requests with 4 bytes, not 8\n"
    "  --seed N          seed of the sensors' noise (default 1)\n";

struct plant_options {
    const char *can;
    uint64_t seed;
    bool unhomed, brief_encoders;
};

static bool read_options(int argc, char **argv, struct plant_options *options, int *code)
{
    static const struct option known[] = {
        {"can", required_argument, NULL, 'c'},      {"unhomed", no_argument, NULL, 'u'},
        {"brief-encoders", no_argument, NULL, 'b'}, {"seed", required_argument, NULL, 's'},
        {"help", no_argument, NULL, 'h'},           {0}};
    *options = (struct plant_options){.seed = 1};
    for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;)
        switch (option) {
        case 'c':
            options->can = optarg;
            break;
        case 'u':
            options->unhomed = true;
            break;
        case 'b':
            options->brief_encoders = true;
            break;
        case 's':
            if (!cli_number(optarg, "--seed", UINT64_MAX, &options->seed)) {
                *code = EXIT_INPUT;
                return false;
            }
            break;
        case 'h':
            *code = cli_usage(usage, true);
            return false;
        default:
            *code = cli_wrong_word("plant", NULL);
            return false;
        }
    *code = cli_check_words("plant", usage, argc, argv, 1, 1);
    if (*code == EXIT_PASS && options->can == NULL) {
        log_error(
            "--can is missing; give the interfaces of its buses, for example --can can0,can1");
        *code = EXIT_INPUT;
    }
    return *code == EXIT_PASS;
}

static bool is_simulated(const struct target *target)
{
    for (unsigned i = 0; i < target->process_count; i++)
        if (target->process[i].follower && strcmp(target->process[i].run[0], SIMULATOR) == 0)
            return true;
    log_error("%s: the world of this target is not a robot on CAN buses; take one whose world "
              "runs " SIMULATOR,
              target->name);
    return false;
}

// Becomes the simulator; does not return but after a failure, reported.
static enum exit_code become(const struct target *target, const struct plant_options *options)
{
    char program[2 * PATH_MAX_LENGTH], seed[24];
    const char *argv[ARGUMENTS_MAX + 1];
    unsigned count = 0;
    snprintf(program, sizeof program, "%s/" SIMULATOR, cli_build);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)options->seed);
    argv[count++] = program;
    argv[count++] = "--can";
    argv[count++] = options->can;
    if (options->unhomed)
        argv[count++] = "--unhomed";
    if (options->brief_encoders)
        argv[count++] = "--brief-encoders";
    argv[count++] = target->robot;
    argv[count++] = target->description;
    argv[count] = NULL;
    unsetenv("UKEMI_CELL");
    if (setenv("UKEMI_TARGET", target->folder, 1) == 0 && setenv("UKEMI_SEED", seed, 1) == 0)
        execv(program, (char *const *)argv);
    log_error("%s: %m", program);
    return EXIT_LAB;
}

int cli_plant(int argc, char **argv)
{
    struct plant_options options;
    struct target *target;
    int code;
    if (!read_options(argc, argv, &options, &code))
        return code;
    const enum status status = cli_load_target(argv[optind], &target);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    code = is_simulated(target) ? (int)become(target, &options) : (int)EXIT_INPUT;
    target_free(target);
    return code;
}
