#include "harness/files/fault/fault_network.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "harness/files/target/target.h"
#include "harness/files/target/target_network.h"

#define ANY "any" // of cables or hosts; only where it is the parameter's default

static const struct network_config *struck_network(const struct fault_request *request,
                                                   const struct target *target)
{
    for (unsigned i = 0; request->struck == STRUCK_NETWORK && i < target->network_count; i++)
        if (strcmp(target->network[i].name, request->component) == 0)
            return &target->network[i];
    return NULL;
}

static bool is_in(const struct eth_plan *plan, enum fault_names names, const char *value,
                  char *known, size_t size)
{
    const unsigned count = names == NAMES_CABLE ? plan->cable_count : plan->host_count;
    known[0] = '\0';
    for (unsigned i = 0; i < count; i++) {
        const char *name = names == NAMES_CABLE ? plan->cable[i].name : plan->host[i].name;
        if (strcmp(name, value) == 0)
            return true;
        text_add(known, size, " %s", name);
    }
    return false;
}

void fault_network_check(struct yaml_source *source, const char *key, const struct fault_kind *kind,
                         const struct fault_request *request, const struct target *target)
{
    const struct network_config *network = struck_network(request, target);
    struct eth_plan *plan = calloc(1, sizeof *plan);
    const char *culprit;
    const bool planned =
        plan != NULL && network != NULL && network_plan(network, plan, &culprit) == STATUS_OK;
    for (unsigned i = 0; kind != NULL && planned && i < kind->parameter_count; i++) {
        const struct fault_parameter *parameter = &kind->parameter[i];
        const char *value = catalogue_parameter(parameter, request);
        char known[1024];
        const bool any = strcmp(value, ANY) == 0 && strcmp(parameter->fallback, ANY) == 0;
        if (parameter->names == NAMES_NOTHING || any ||
            is_in(plan, parameter->names, value, known, sizeof known))
            continue;
        yaml_complain(source, yaml_key("%s.parameters", key).text,
                      "%s=%s: network %s has no such %s; use one of:%s", parameter->name, value,
                      network->name, parameter->names == NAMES_CABLE ? "cable" : "host", known);
    }
    free(plan);
}
