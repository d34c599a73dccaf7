#include "harness/files/oscillator_file.h"
#include "harness/files/scenario.h"

#include <stdio.h>
#include <string.h>

#include "base/random.h"

#define OFFSET_MAX_US 1e9
#define PPB_PER_PPM 1e3
#define NS_PER_US 1e3
#define NS_PER_S 1e9
#define DRIFT_MAX_PPM (CLK_DRIFT_MAX_PPB / PPB_PER_PPM)

_Static_assert(offsetof(struct oscillator_config, offset_max_us) ==
                       offsetof(struct oscillator_config, offset_min_us) + sizeof(double) &&
                   offsetof(struct oscillator_config, drift_max_ppm) ==
                       offsetof(struct oscillator_config, drift_min_ppm) + sizeof(double),
               "a range is two doubles, one after the other");

const struct file_row oscillator_rows[] = {
    {"processes", VALUE_TEXT, true, LIST(struct oscillator_config, process, process_count),
     .unique = true, .least = 1, .most = OSCILLATOR_PROCESSES_MAX,
     .help = "names of processes; each has an oscillator of its own"},
    {"offset_us", VALUE_RANGE, false, RANGE(struct oscillator_config, offset_min_us), .least = 1,
     .most = 2, .min = -OFFSET_MAX_US, .max = OFFSET_MAX_US,
     .help = "what its clock shows when the trial begins; drawn from this range by the seed"},
    {"drift_ppm", VALUE_RANGE, false, RANGE(struct oscillator_config, drift_min_ppm), .least = 1,
     .most = 2, .min = -DRIFT_MAX_PPM, .max = DRIFT_MAX_PPM,
     .help = "how much too fast it runs on average; drawn likewise"},
    {"wander_ppm", VALUE_NUMBER, false, FIELD(struct oscillator_config, wander_ppm),
     .max = DRIFT_MAX_PPM,
     .help = "its rate varies by this much up and down, in a triangle whose phase the seed draws"},
    {"wander_period_s", VALUE_NUMBER, false, FIELD(struct oscillator_config, wander_period_s),
     .min = 0.1, .max = 1e6, .absent = "60", .help = "period of this variation"},
    {.key = NULL}};

// Whether an oscillator before this one has the process.
static bool has_one(const struct scenario *scenario, unsigned before, const char *process)
{
    for (unsigned i = 0; i < before; i++)
        for (unsigned p = 0; p < scenario->oscillator[i].process_count; p++)
            if (strcmp(scenario->oscillator[i].process[p], process) == 0)
                return true;
    return false;
}

void oscillators_check(struct yaml_source *source, const struct target *target,
                       const struct scenario *scenario)
{
    for (unsigned i = 0; i < scenario->oscillator_count; i++)
        for (unsigned p = 0; p < scenario->oscillator[i].process_count; p++) {
            const char *name = scenario->oscillator[i].process[p];
            const struct yaml_key key = yaml_key("oscillators[%u].processes[%u]", i, p);
            unsigned k = 0;
            if (has_one(scenario, i, name))
                yaml_complain(source, key.text, "%s: has an oscillator already; give it one", name);
            while (k < target->process_count && strcmp(target->process[k].name, name) != 0)
                k++;
            if (k == target->process_count)
                yaml_complain(source, key.text, "%s: %s has no such process; name one of its own",
                              name, target->name);
            else if (target->process[k].clock != PROCESS_CLOCK_NATIVE ||
                     target->process[k].follower)
                yaml_complain(source, key.text,
                              "%s: only processes with `clock: native`, and not the world, can "
                              "have an oscillator; name another",
                              name);
        }
}

static const struct oscillator_config *config_of(const struct scenario *scenario,
                                                 const char *process)
{
    for (unsigned i = 0; i < scenario->oscillator_count; i++)
        for (unsigned p = 0; p < scenario->oscillator[i].process_count; p++)
            if (strcmp(scenario->oscillator[i].process[p], process) == 0)
                return &scenario->oscillator[i];
    return NULL;
}

bool oscillator_draw(const struct scenario *scenario, const char *process, uint64_t seed,
                     struct clk_oscillator *oscillator)
{
    const struct oscillator_config *config = config_of(scenario, process);
    struct random_stream stream;
    char name[NAME_MAX_LENGTH + sizeof "oscillator-"];
    if (config == NULL)
        return false;
    snprintf(name, sizeof name, "oscillator-%s", process);
    random_start(&stream, seed, name);
    const double offset_us = random_uniform(&stream, config->offset_min_us, config->offset_max_us);
    const double drift_ppm = random_uniform(&stream, config->drift_min_ppm, config->drift_max_ppm);
    *oscillator =
        (struct clk_oscillator){.offset_ns = (int64_t)(offset_us * NS_PER_US),
                                .drift_ppb = (int64_t)(drift_ppm * PPB_PER_PPM),
                                .wander_ppb = (int64_t)(config->wander_ppm * PPB_PER_PPM),
                                .wander_period_ns = (int64_t)(config->wander_period_s * NS_PER_S),
                                .wander_phase = random_uniform(&stream, 0, 1)};
    return true;
}
