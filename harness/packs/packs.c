#include "harness/packs/packs.h"

#include "harness/judge/pack.h"
#include "harness/packs/list.h"

_Static_assert(PACK_COUNT <= PACKS_MAX, "an analysis has no room for what this many packs find");

#define PACK_DECLARE(name) extern const struct pack pack_##name;
PACKS(PACK_DECLARE)
#undef PACK_DECLARE

const struct pack *const all_packs[] = {
#define PACK_ENTRY(name) &pack_##name,
    PACKS(PACK_ENTRY)
#undef PACK_ENTRY
        NULL};
