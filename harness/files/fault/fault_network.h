// What faults of networks ask of a target: cables and hosts of these names.
#pragma once

#include "harness/files/fault/catalogue.h"
#include "harness/files/yaml/yaml_source.h"

struct target;

// Complains of parameters that name a cable or a host that the struck network has not; `key` is
// where the fault stands: "faults[0]". Nothing if the target has no such network.
void fault_network_check(struct yaml_source *source, const char *key, const struct fault_kind *kind,
                         const struct fault_request *request, const struct target *target);
