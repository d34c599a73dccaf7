// Which packs a target has, and what they bring.
#include <string.h>

#include "base/invariant.h"
#include "harness/files/target/target.h"
#include "harness/history/output_log.h"
#include "harness/judge/pack.h"

static bool names(const struct target *target, const struct pack *pack)
{
    for (unsigned i = 0; target != NULL && i < target->pack_count; i++)
        if (strcmp(target->pack[i], pack->name) == 0)
            return true;
    return false;
}

bool pack_in_force(const struct pack *const *packs, const struct pack *pack,
                   const struct target *target)
{
    for (unsigned i = 0; packs[i] != NULL; i++)
        for (const struct pack *p = names(target, packs[i]) ? packs[i] : NULL; p; p = p->needs)
            if (p == pack)
                return true;
    return false;
}

const struct pack *packs_body(const struct pack *const *packs, const struct target *target)
{
    for (unsigned i = 0; packs[i] != NULL; i++)
        if (packs[i]->body_topic != NULL && pack_in_force(packs, packs[i], target))
            return packs[i];
    return NULL;
}

void packs_derive(const struct pack *const *packs, const struct target *target,
                  const struct description *description, struct derived_topics *derived)
{
    *derived = (struct derived_topics){.count = 1, .topic = {&output_log}, .context = description};
    for (unsigned i = 0; packs[i] != NULL; i++) {
        const struct derived_topic *topic =
            pack_in_force(packs, packs[i], target) ? packs[i]->derived : NULL;
        for (; topic != NULL && topic->topic != NULL; topic++) {
            invariant(derived->count < DERIVED_TOPICS_MAX); // of all packs there are
            derived->topic[derived->count++] = topic;
        }
    }
}
