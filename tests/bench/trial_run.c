// Runs one trial of a scenario and prints what the history holds: a look at the lab without the
// judging and the database.
//
//   trial_run SCENARIO [seed [core [MOTION.tsv]]]      exit 0: ran; 2: bad input; 3: the lab failed
//
// MOTION.tsv gets what the robot was told, for `physics_bench` to do again.
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/trial/trial.h"
#include "model/description.h"
#include "message/message.h"
#include "harness/files/scenario.h"

static void print_process(const struct process_event *event)
{
    static const char *const names[] = {"started", "ready",     "exited", "killed",
                                        "stopped", "continued", "hung"};
    printf("%10.4f  %-12s %s %d (pid %d, start %u) %s\n", instant_to_s(event->time), event->process,
           names[event->kind], event->value, event->pid, event->generation, event->last_words);
}

static void print_fault(const struct fault_event *event)
{
    printf("%10.4f  fault %u %s of %s %s: proven %u, %s\n", instant_to_s(event->time), event->index,
           event->fault, event->component, event->kind == FAULT_APPLIED ? "applied" : "undone",
           event->proven, event->evidence);
}

static void print_history(const struct history *history)
{
    size_t count[HISTORY_TOPICS_MAX] = {0}, bytes[HISTORY_TOPICS_MAX] = {0};
    int process = history_topic(history, TOPIC_PROCESS),
        fault = history_topic(history, TOPIC_FAULT);
    for (size_t i = 0; i < history_length(history); i++) {
        const struct event *event = history_event(history, i);
        count[event->topic]++;
        bytes[event->topic] += event->size_B;
        if (event->topic == process)
            print_process(event->data);
        if (event->topic == fault)
            print_fault(event->data);
    }
    for (unsigned i = 0; i < history_topic_count(history); i++)
        printf("%8zu events %10zu B  %s\n", count[i], bytes[i], history_topic_name(history, i));
}

// The robot's way, once a second.
static void print_truth(const struct history *history)
{
    int topic = history_topic(history, "truth");
    double next_s = 0;
    for (size_t i = 0; i < history_length(history); i++) {
        const struct event *event = history_event(history, i);
        const struct truth_message *truth = event->data;
        if (event->topic != topic || instant_to_s(event->time) < next_s)
            continue;
        printf("%10.2f  pelvis %6.3f %6.3f %6.3f m, feet %4.0f %4.0f N\n",
               instant_to_s(event->time), truth->pelvis_m[0], truth->pelvis_m[1],
               truth->pelvis_m[2], truth->foot_force_N[0], truth->foot_force_N[1]);
        next_s += 1;
    }
}

// A line for each truth: time, where the pelvis was, and the set points of all joints.
static bool write_motion(const struct history *history, const struct description *description,
                         const char *path)
{
    FILE *file = fopen(path, "we");
    const int topic = history_topic(history, "truth");
    const unsigned joints = description->joint_count;
    if (file == NULL)
        return false;
    fprintf(file, "time_s\tx_m\ty_m\tz_m");
    for (unsigned j = 0; j < joints; j++)
        fprintf(file, "\t%s", description->joint[j].name);
    for (size_t i = 0; i < history_length(history); i++) {
        const struct event *event = history_event(history, i);
        const struct truth_message *truth = event->data;
        if (event->topic != topic)
            continue;
        fprintf(file, "\n%.6f\t%.17g\t%.17g\t%.17g", instant_to_s(truth->time), truth->pelvis_m[0],
                truth->pelvis_m[1], truth->pelvis_m[2]);
        for (unsigned j = 0; j < joints; j++)
            fprintf(file, "\t%.17g", truth->setpoint_rad[j]);
    }
    fprintf(file, "\n");
    return fclose(file) == 0;
}

static int run(const struct target *target, const struct scenario *scenario, char **argv, int argc)
{
    char self[PATH_MAX] = "";
    struct description *description;
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        return 3;
    if (target_describe(target, &description) != STATUS_OK)
        return 2;
    struct trial_request request = {.target = target,
                                    .scenario = scenario,
                                    .build_folder = dirname(dirname(dirname(self))),
                                    .seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1,
                                    .mode = CLK_VIRTUAL,
                                    .core = argc > 3 ? atoi(argv[3]) : -1};
    struct history *history;
    struct trial_result result;
    enum status status = trial_run(&request, &history, &result);
    if (history != NULL) {
        print_truth(history);
        print_history(history);
    }
    printf("%s: %s %s\nsimulated %.2f s, wall %.2f s, CPU %.2f s, %.1f x real time, %llu grants, "
           "hash %s\n",
           status_name(status), result.outcome == TRIAL_RAN ? "ran" : "LAB ERROR", result.reason,
           result.simulated_s, result.wall_s, result.cpu_s, result.simulated_s / result.cpu_s,
           (unsigned long long)result.grants, result.hash);
    const bool ran = status == STATUS_OK && result.outcome == TRIAL_RAN;
    const bool written = argc <= 4 || (ran && write_motion(history, description, argv[4]));
    if (ran && !written)
        fprintf(stderr, "trial_run: %s: cannot be written; name a file in a folder that is there\n",
                argv[4]);
    history_free(history);
    description_free(description);
    return ran && written ? 0 : 3;
}

int main(int argc, char **argv)
{
    char path[PATH_MAX];
    struct target *target;
    struct scenario *scenario;
    if (argc < 2) {
        fprintf(stderr, "usage: trial_run SCENARIO [seed [core [MOTION.tsv]]]\n");
        return 2;
    }
    if (scenario_load(argv[1], NULL, &scenario) != STATUS_OK)
        return 2;
    if (target_find(scenario->target, path, sizeof path) != STATUS_OK ||
        target_load(path, &target) != STATUS_OK)
        return 2;
    int result = run(target, scenario, argv, argc);
    scenario_free(scenario);
    target_free(target);
    return result;
}
