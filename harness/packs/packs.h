// The packs that there are: who asks the judge hands it these.
#pragma once

struct pack;

extern const struct pack *const all_packs[]; // in the order of list.h; NULL ends it
