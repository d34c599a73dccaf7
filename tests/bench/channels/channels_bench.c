// How long a frame takes from one process to others: our channels beside what else there is.
// README.md.
#include <getopt.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/log.h"
#include "tests/bench/channels/frame.h"
#include "tests/bench/channels/print.h"
#include "tests/bench/channels/solo.h"

static const char usage[] =
    "channels_bench [OPTION...]: one-way and fan-out latency of channels and their likes at 1 kHz\n"
    "  --quick          fewer settings, sizes and rounds: under 30 s\n"
    "  --tsv            also lines `square metric unit better value` for `ukemi bench store`; the\n"
    "                   tables then go to standard error\n"
    "  --rounds=N       rounds over all mechanisms, 1..32 (5)\n"
    "  --frames=N       frames in a block, 1..500 (30)\n"
    "  --sizes=B,...    frame sizes, 24..65536 (64,462,3898,65536)\n"
    "  --readers=N,...  numbers of readers, 1..8 (1,2,4,8)\n"
    "  --cores=N,...    1: all on one core; 2: every other reader away from the writer (1,2)\n"
    "  --policy=P,...   fifo, other (both)\n"
    "  --only=NAME,...  mechanisms (all); the bare futex takes part in any case\n"
    "  --seed=N         of the order of mechanisms (1)\n"
    "  --no-solo        without the table of put and get alone\n"
    "Exit status: 0, 1 frames were lost or not whole, 2 bad input, 3 it could not measure.\n";

#define LIST_MAX SIZES_MAX

struct list {
    unsigned long value[LIST_MAX];
    unsigned n;
};

struct options {
    struct plan plan;
    struct list readers, cores;
    bool fifo, other, tsv, solo;
};

static _Noreturn void refuse(const char *option, const char *value, const char *remedy)
{
    log_error("--%s=%s: %s; see --help", option, value, remedy);
    exit(2);
}

static unsigned long number(const char *option, const char *text, unsigned long low,
                            unsigned long high)
{
    char *end, remedy[64];
    const unsigned long value = strtoul(text, &end, 10);
    if (end == text || *end != '\0' || *text == '-' || value < low || value > high) {
        snprintf(remedy, sizeof remedy, "give numbers from %lu to %lu", low, high);
        refuse(option, text, remedy);
    }
    return value;
}

static struct list numbers(const char *option, char *text, unsigned long low, unsigned long high)
{
    struct list list = {.n = 0};
    char *rest = text;
    for (const char *word; (word = strsep(&rest, ",")) != NULL; list.n++) {
        if (list.n == LIST_MAX)
            refuse(option, word, "give at most 8");
        list.value[list.n] = number(option, word, low, high);
    }
    return list;
}

static void choose_policies(struct options *options, char *text)
{
    options->fifo = options->other = false;
    for (const char *word; (word = strsep(&text, ",")) != NULL;)
        if (strcmp(word, "fifo") == 0)
            options->fifo = true;
        else if (strcmp(word, "other") == 0)
            options->other = true;
        else
            refuse("policy", word, "give fifo or other");
}

static void choose_mechanisms(struct plan *plan, char *text)
{
    memset(plan->chosen, 0, sizeof plan->chosen);
    plan->chosen[MECHANISM_FLOOR_INDEX] = true;
    for (const char *word; (word = strsep(&text, ",")) != NULL;) {
        unsigned m = 0;
        while (m < MECHANISM_COUNT && strcasecmp(mechanisms[m]->name, word) != 0)
            m++;
        if (m == MECHANISM_COUNT)
            refuse("only", word, "not a mechanism; their names are in the table");
        plan->chosen[m] = true;
    }
}

static void choose_sizes(struct plan *plan, const struct list *list)
{
    plan->sizes = list->n;
    for (unsigned i = 0; i < list->n; i++)
        plan->size_B[i] = list->value[i];
}

static const struct options defaults = {
    .plan = {.size_B = {64, 462, 3898, 65536}, .sizes = 4, .rounds = 5, .frames = 30, .seed = 1},
    .readers = {.value = {1, 2, 4, 8}, .n = 4},
    .cores = {.value = {1, 2}, .n = 2},
    .fifo = true,
    .other = true,
    .solo = true};

static void make_quick(struct options *options)
{
    choose_sizes(&options->plan, &(struct list){.value = {462, 65536}, .n = 2});
    options->readers = (struct list){.value = {1, 4}, .n = 2};
    options->other = false;
    options->plan.rounds = 3;
    options->plan.frames = 20;
}

static void take_option(struct options *options, int option)
{
    struct plan *plan = &options->plan;
    struct list list;
    switch (option) {
    case 'q':
        make_quick(options);
        break;
    case 't':
        options->tsv = true;
        break;
    case 'r':
        plan->rounds = (unsigned)number("rounds", optarg, 1, ROUNDS_MAX);
        break;
    case 'f':
        plan->frames = (unsigned)number("frames", optarg, 1, 500);
        break;
    case 's':
        list = numbers("sizes", optarg, FRAME_SIZE_MIN_B, FRAME_SIZE_MAX_B);
        choose_sizes(plan, &list);
        break;
    case 'n':
        options->readers = numbers("readers", optarg, 1, READERS_MAX);
        break;
    case 'c':
        options->cores = numbers("cores", optarg, 1, 2);
        break;
    case 'p':
        choose_policies(options, optarg);
        break;
    case 'o':
        choose_mechanisms(plan, optarg);
        break;
    case 'e':
        plan->seed = number("seed", optarg, 0, ~0UL);
        break;
    case 'x':
        options->solo = false;
        break;
    case 'h':
        fputs(usage, stdout);
        exit(0);
    default: // getopt has said what is wrong
        exit(2);
    }
}

static struct options read_options(int argc, char **argv)
{
    static const struct option known[] = {
        {"quick", no_argument, NULL, 'q'},
        {"tsv", no_argument, NULL, 't'},
        {"rounds", required_argument, NULL, 'r'},
        {"frames", required_argument, NULL, 'f'},
        {"sizes", required_argument, NULL, 's'},
        {"readers", required_argument, NULL, 'n'},
        {"cores", required_argument, NULL, 'c'},
        {"policy", required_argument, NULL, 'p'},
        {"only", required_argument, NULL, 'o'},
        {"seed", required_argument, NULL, 'e'},
        {"no-solo", no_argument, NULL, 'x'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    struct options options = defaults;
    for (unsigned m = 0; m < MECHANISM_COUNT; m++)
        options.plan.chosen[m] = true;
    for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;)
        take_option(&options, option);
    if (optind < argc) {
        log_error("unknown argument '%s'; see --help", argv[optind]);
        exit(2);
    }
    return options;
}

// Two cores that this process may use; the same twice if there is only one.
static void find_cores(int core[2])
{
    cpu_set_t set;
    int n = 0;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        CPU_SET(0, &set);
    for (int i = 0; i < CPU_SETSIZE && n < 2; i++)
        if (CPU_ISSET(i, &set))
            core[n++] = i;
    if (n == 1)
        core[1] = core[0];
}

static bool fifo_is_allowed(void)
{
    const struct sched_param before = {0}, real_time = {.sched_priority = 1};
    const bool allowed = sched_setscheduler(0, SCHED_FIFO, &real_time) == 0;
    (void)sched_setscheduler(0, SCHED_OTHER, &before);
    return allowed;
}

static void say_missing(const struct options *options)
{
    for (unsigned m = 0; m < MECHANISM_COUNT; m++)
        if (options->plan.chosen[m] && mechanisms[m]->package != NULL)
            log_info("%s is missing: install %s (scripts/deps --bench) and make again",
                     mechanisms[m]->name, mechanisms[m]->package);
}

static void run_setting(const struct options *options, const struct setting *setting,
                        struct outcome *outcome, uint64_t *losses)
{
    if (!stage_run(&options->plan, setting, outcome))
        exit(3);
    print_table(options->tsv ? stderr : stdout, &options->plan, setting, outcome);
    if (options->tsv)
        print_tsv(&options->plan, setting, outcome);
    *losses += print_losses(&options->plan, setting, outcome);
}

static uint64_t run_policy(const struct options *options, bool fifo, struct outcome *outcome)
{
    uint64_t losses = 0;
    int core[2];
    find_cores(core);
    for (unsigned c = 0; c < options->cores.n; c++) {
        if (options->cores.value[c] == 2 && core[0] == core[1]) {
            log_info("two cores are left out: there is one");
            continue;
        }
        const struct placement placement = {.core = {core[0], core[options->cores.value[c] - 1]},
                                            .fifo = fifo};
        for (unsigned r = 0; r < options->readers.n; r++)
            run_setting(options,
                        &(struct setting){.placement = placement,
                                          .readers = (unsigned)options->readers.value[r]},
                        outcome, &losses);
    }
    return losses;
}

int main(int argc, char **argv)
{
    log_program(argv[0]);
    struct options options = read_options(argc, argv);
    say_missing(&options);
    if (options.fifo && !fifo_is_allowed()) {
        log_info("SCHED_OTHER only: this user may not use SCHED_FIFO");
        options.fifo = false;
        options.other = true;
    }
    struct outcome *outcome = bench_shared(sizeof *outcome);
    uint64_t losses = 0;
    if (options.fifo)
        losses += run_policy(&options, true, outcome);
    if (options.other)
        losses += run_policy(&options, false, outcome);
    if (options.solo && !solo_run(options.plan.rounds, options.tsv))
        return 3;
    return losses == 0 ? 0 : 1;
}
