// How a fault and its trigger are written in scenario and campaign files, and the checks both files
// share. Private to the loaders.
#pragma once

#include "harness/files/catalogue.h"
#include "harness/files/scenario.h"
#include "harness/files/yaml_source.h"

struct trigger_file { // at: {time_s: [4, 10]} | {phase: [0, 1], after_s: 4} | {when: com_outside_m,
                      // above: 0, after_s: 3}
    double *time_s;
    unsigned time_s_count;
    double *phase;
    unsigned phase_count;
    double *after_s;
    char *when;
    double *above, *below;
};

struct fault_file {
    char *kind;
    char *component;
    struct trigger_file *at;
    double *duration_s;
    double *restart_after_s;
    char **parameters;
    unsigned parameters_count;
};

extern const cyaml_schema_field_t
    fault_file_fields[]; // of struct fault_file; component and at are optional here
extern const cyaml_schema_field_t trigger_file_fields[];

// Fills and checks a trigger; `key` is where it stands ("faults[0].at"). duration_s: the
// scenario's.
void trigger_fill(struct yaml_source *source, const char *key, const struct trigger_file *file,
                  double duration_s, struct trigger *trigger);

// Fills and checks the rest of a request (not its trigger and component); `key` is "faults[0]".
void fault_fill(struct yaml_source *source, const char *key, const struct fault_file *file,
                const struct catalogue *catalogue, struct fault_request *request);

// Checks and fills the restart of a request; `key` is where it stands.
void restart_fill(struct yaml_source *source, const char *key, double restart_after_s,
                  struct fault_request *request);

// Complains unless the target has what a fault of this kind (NULL: unknown) strikes under the name `struck`.
void struck_check(struct yaml_source *source, const char *key, const char *struck,
                  const struct fault_kind *kind, const struct target *target);

// Complains unless `component` is a component or process of the target (or the operator).
void component_check(struct yaml_source *source, const char *key, const char *component,
                     const struct target *target);
