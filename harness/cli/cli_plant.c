// The simulated robot by itself, for controllers that the lab does not start.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "harness/cli/cli.h"
#include "harness/files/target/target.h"

#define SIMULATOR "targets/simulator/simulator"
#define ARGUMENTS_MAX 8

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
static enum exit_code become(const struct target *target, const struct cli_line *line)
{
    char program[2 * PATH_MAX_LENGTH], seed[24];
    const char *argv[ARGUMENTS_MAX + 1];
    unsigned count = 0;
    snprintf(program, sizeof program, "%s/" SIMULATOR, cli_build);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)line->value[CLI_SEED].count);
    argv[count++] = program;
    argv[count++] = "--can";
    argv[count++] = line->value[CLI_INTERFACES].text;
    if (line->value[CLI_UNHOMED].given)
        argv[count++] = "--unhomed";
    if (line->value[CLI_BRIEF_ENCODERS].given)
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

int cli_plant(const struct cli_line *line)
{
    struct target *target;
    if (!line->value[CLI_INTERFACES].given) {
        log_error(
            "--can is missing; give the interfaces of its buses, for example --can can0,can1");
        return EXIT_INPUT;
    }
    const enum status status = cli_load_target(line->word[0], &target);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    const int code = is_simulated(target) ? (int)become(target, line) : (int)EXIT_INPUT;
    target_free(target);
    return code;
}
