// The rows of `variation` in target.yaml: what differs from one trial's world to the next, and what
// of it a trial has drawn (base/variation.h).
#pragma once

#include "harness/files/target/process_config.h"
#include "harness/files/yaml/file_table.h"

struct target;
struct variation_config;

extern const struct file_row variation_rows[];

void variation_check(struct yaml_source *source, struct target *target);

#define VARIATION_VARIABLE_MAX (sizeof VARIATION_PREFIX + VARIATION_NAME_MAX + VARIATION_TEXT_MAX)

// The same as a variable of the world's environment, "UKEMI_VARY_QUANTITY=VALUE ...".
void variation_variable(const struct variation_config *config, uint64_t seed,
                        char variable[VARIATION_VARIABLE_MAX]);

// Draws all values of a quantity for the trial with this seed, and writes them as the world reads
// them, "VALUE VALUE ...". Other quantities change nothing about them.
void variation_draw(const struct variation_config *config, uint64_t seed,
                    struct variation *variation, char text[VARIATION_TEXT_MAX]);
