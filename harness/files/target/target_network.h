// The networks of a target: rows of their keys, and what the rows cannot say.
#pragma once

#include "harness/files/yaml/file_table.h"

struct network_config;
struct target;

extern const struct file_row network_rows[], cable_rows[];

// How a network is built. FULL, INVALID: `culprit` is the host or ring that does not fit.
enum status network_plan(const struct network_config *network, struct eth_plan *plan,
                         const char **culprit) MUST_CHECK;

void network_check(struct yaml_source *source, const struct target *target);
void cables_check(struct yaml_source *source, const struct target *target);
