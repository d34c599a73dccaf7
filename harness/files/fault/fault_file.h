// How a fault and its trigger are written in scenario and campaign files, and the checks both files
// share. Private to the loaders.
#pragma once

#include "harness/files/fault/catalogue.h"
#include "harness/files/yaml/file_table.h"

struct fault_request;
struct scenario;
struct target;
struct trigger;

#define FAULT_DURATION_MAX_S 3600

// at: {time_s: [4, 10]} | {phase: [0, 1], after_s: 4} | {when: tilt_rad, above: 0.1, after_s: 3}
extern const struct file_row trigger_rows[]; // of struct trigger
extern const struct file_row fault_rows[];   // of struct fault_request

// Checks and completes a trigger that has been read; `key` is where it stands ("faults[0].at").
// duration_s: the scenario's. What it watches, a pack of the target must know.
void trigger_check(struct yaml_source *source, const char *key, double duration_s,
                   const struct target *target, struct trigger *trigger);

// Checks and completes the rest of a request (not its trigger and component); `key` is "faults[0]".
void fault_check(struct yaml_source *source, const char *key, const struct catalogue *catalogue,
                 struct fault_request *request);

// scenario_load for one of many, which share a catalogue; NULL: it reads its own.
enum status scenario_load_with(const char *path, const struct target *target,
                               const struct catalogue *catalogue,
                               struct scenario **scenario) MUST_CHECK;

// Complains unless the target has what a fault of this kind (NULL: unknown) strikes under the name
// `struck`.
void struck_check(struct yaml_source *source, const char *key, const char *struck,
                  const struct fault_kind *kind, const struct target *target);

// Whether the lab can strike the calls of this process or component, by the shim.
bool struck_is_shimmed(const char *struck, const struct target *target);
// Whether it can see its clock (`shimmed`: also by the shim), or else its turns.
bool struck_shows_time(const char *struck, bool shimmed, const struct target *target);

// Complains of parameters that name what the struck channel or network of the target has not;
// `key` is "faults[0]".
void fault_names_check(struct yaml_source *source, const char *key, const struct fault_kind *kind,
                       const struct fault_request *request, const struct target *target);

// Complains unless `component` is a component or process of the target (or the operator).
void component_check(struct yaml_source *source, const char *key, const char *component,
                     const struct target *target);
