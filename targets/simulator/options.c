#include "targets/simulator/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "plant/motors/boards.h"

// In real time, unless the command line says otherwise. A stack of a higher rate needs a shorter
// one: at most a quarter of its cycle.
#define WALL_PERIOD_DEFAULT_US 2000
#define WALL_PERIOD_MIN_US 50
#define WALL_PERIOD_MAX_US 10000
#define INTERPOLATION_MIN_US 1000
#define INTERPOLATION_MAX_US 100000

// The value of an option: microseconds from `least` to `most`. False if it is not (said on standard
// error).
static bool read_us(const char *option, const char *text, int least, int most, duration *value)
{
    char *end;
    errno = 0;
    const long us = strtol(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || errno || us < least || us > most) {
        log_error("--%s %s: is not a number from %d to %d; give for example 2000", option, text,
                  least, most);
        return false;
    }
    *value = duration_us(us);
    return true;
}

// "can0,can1": one interface a bus.
static bool read_interfaces(const char *text, struct options *options)
{
    const char *comma = strchr(text, ',');
    const size_t size = sizeof options->interface[0];
    options->alone = true;
    if (comma != NULL && comma > text && comma[1] != '\0' && strchr(comma + 1, ',') == NULL &&
        snprintf(options->interface[0], size, "%.*s", (int)(comma - text), text) < (int)size &&
        snprintf(options->interface[1], size, "%s", comma + 1) < (int)size &&
        strcmp(options->interface[0], options->interface[1]) != 0)
        return true;
    log_error("--can %s: is not two interfaces; give for example can0,can1", text);
    return false;
}

bool options_read(int argc, char **argv, struct options *options)
{
    static const struct option known[] = {{"wall-period-us", required_argument, NULL, 'w'},
                                          {"interpolation-us", required_argument, NULL, 'i'},
                                          {"check", no_argument, NULL, 'c'},
                                          {"can", required_argument, NULL, 'b'},
                                          {"unhomed", no_argument, NULL, 'u'},
                                          {"brief-encoders", no_argument, NULL, 'e'},
                                          {"hose", no_argument, NULL, 'h'},
                                          {0}};
    *options = (struct options){.wall_period = duration_us(WALL_PERIOD_DEFAULT_US),
                                .interpolation = duration_ns(BOARD_INTERPOLATION_DEFAULT_NS),
                                .model = "robot.xml",
                                .description = "hubo2.xml"};
    bool good = true;
    opterr = 0;
    for (int option; good && (option = getopt_long(argc, argv, "", known, NULL)) != -1;)
        good = (option == 'c' && (options->check = true)) ||
               (option == 'u' && (options->unhomed = true)) ||
               (option == 'e' && (options->brief_encoders = true)) ||
               (option == 'h' && (options->hose = true)) ||
               (option == 'b' && read_interfaces(optarg, options)) ||
               (option == 'w' && read_us("wall-period-us", optarg, WALL_PERIOD_MIN_US,
                                         WALL_PERIOD_MAX_US, &options->wall_period)) ||
               (option == 'i' && read_us("interpolation-us", optarg, INTERPOLATION_MIN_US,
                                         INTERPOLATION_MAX_US, &options->interpolation));
    if (argc - optind == 2) {
        options->model = argv[optind];
        options->description = argv[optind + 1];
    }
    if (good && (argc == optind || argc - optind == 2))
        return true;
    fprintf(stderr,
            "usage: simulator [--check] [--wall-period-us N] [--interpolation-us N]\n"
            "                 [--can INTERFACE,INTERFACE] [--unhomed] [--brief-encoders] [--hose]\n"
            "                 [ROBOT_MODEL ROBOT_DESCRIPTION]\n"
            "Files in the folder $UKEMI_TARGET; default robot.xml hubo2.xml.\n");
    return false;
}
