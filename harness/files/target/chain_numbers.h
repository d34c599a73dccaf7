// The fields that the links of a chain name: which number it is, and where it lies in a message, or
// in the first frame of one.
#pragma once

#include "harness/files/target/chain_config.h"
#include "harness/files/yaml/yaml_source.h"

struct target;

// Completes a number of a link; complains at `key` if its messages have none of this name, or it is
// no whole number. `time`: its name ends in its unit.
void chain_number_check(struct yaml_source *source, const char *key, const char *text, bool time,
                        const struct link_config *link, struct link_number *number);

// Completes all of a link's: of link k of the target's chain c.
void chain_numbers_check(struct yaml_source *source, const struct target *target, unsigned c,
                         unsigned k, struct link_config *link);
