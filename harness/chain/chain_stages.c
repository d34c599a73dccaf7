// The ways of a chain from one point to another, and their names: by who wrote and who took.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "harness/chain/chain.h"

// ---- names --------------------------------------------------------------------------------------

// A name that is there already is told apart by the link's.
__attribute__((format(printf, 5, 6))) static void add(struct chain_stages *stages, unsigned from,
                                                      unsigned to, const char *link,
                                                      const char *format, ...)
{
    struct chain_stage *stage = &stages->stage[stages->count];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(stage->name, sizeof stage->name, format, arguments);
    va_end(arguments);
    for (unsigned i = 0; i < stages->count; i++)
        if (strcmp(stages->stage[i].name, stage->name) == 0) {
            const size_t length = strlen(stage->name);
            snprintf(stage->name + length, sizeof stage->name - length, " (%s)", link);
            break;
        }
    stage->from = from;
    stage->to = to;
    stages->count++;
}

static bool has_taken(const struct link_config *link)
{
    return link->number[LINK_TAKEN].given || link->readings || link->shows[0] != '\0';
}

// ---- one link -----------------------------------------------------------------------------------

static void add_start(const struct chain_config *chain, struct chain_stages *stages)
{
    const struct link_config *link = &chain->link[0];
    if (!has_taken(link))
        return;
    add(stages, CHAIN_TAKEN(0), CHAIN_REACHED(0), link->name, "%s%s",
        link->stage_count > 0 ? link->stage[0] : link->name,
        link->stage_count > 0 ? "" : " gathered");
    stages->before = 1;
}

static void add_way(const struct chain_config *chain, unsigned k, unsigned to,
                    struct chain_stages *stages)
{
    const struct link_config *link = &chain->link[k];
    const char *from = chain->link[link->parent].name, *who = chain_owner(chain, k);
    const unsigned begin = CHAIN_REACHED(link->parent);
    if (link->stage_count > 0)
        add(stages, begin, to, link->name, "%s", link->stage[0]);
    else if (link->writer[0] != '\0' && has_taken(link) && link->parent == 0)
        add(stages, begin, to, link->name, "%s wakes", who);
    else if (link->writer[0] != '\0' && (has_taken(link) || link->text[LINK_AT][0] != '\0'))
        add(stages, begin, to, link->name, "%s waits for %s", from, who);
    else
        add(stages, begin, to, link->name, "%s to %s", from, link->name);
}

static void add_link(const struct chain_config *chain, unsigned k, struct chain_stages *stages)
{
    const struct link_config *link = &chain->link[k];
    const bool first = link->parent == 0 && stages->wakes < 0;
    if (first)
        stages->wakes = (int)stages->count;
    if (!has_taken(link)) {
        add_way(chain, k, CHAIN_REACHED(k), stages);
        return;
    }
    add_way(chain, k, CHAIN_TAKEN(k), stages);
    if (first)
        stages->computes = (int)stages->count;
    add(stages, CHAIN_TAKEN(k), CHAIN_REACHED(k), link->name, "%s%s",
        link->stage_count > 1 ? link->stage[1] : chain_owner(chain, k),
        link->stage_count > 1 ? "" : " computes");
}

// ---- all ----------------------------------------------------------------------------------------

// The links from the start to the end, whose ways follow one another.
static unsigned main_links(const struct chain_config *chain, unsigned main[CHAIN_LINKS_MAX])
{
    unsigned backwards[CHAIN_LINKS_MAX], count = 0;
    for (unsigned k = chain->last; k > 0; k = chain->link[k].parent)
        backwards[count++] = k;
    for (unsigned i = 0; i < count; i++)
        main[i] = backwards[count - 1 - i];
    return count;
}

static bool is_among(unsigned k, const unsigned *links, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (links[i] == k)
            return true;
    return false;
}

void chain_stages_of(const struct chain_config *chain, struct chain_stages *stages)
{
    unsigned main[CHAIN_LINKS_MAX];
    const unsigned count = main_links(chain, main);
    const char *const start = chain->link[0].name;
    *stages = (struct chain_stages){.wakes = -1, .computes = -1};
    add_start(chain, stages);
    for (unsigned i = 0; i < count; i++)
        add_link(chain, main[i], stages);
    stages->stacked = stages->count;
    stages->whole = stages->count;
    add(stages, CHAIN_REACHED(0), CHAIN_REACHED(chain->last), "whole", "%s to %s", start,
        chain->link[chain->last].name);
    for (unsigned k = 1; k < chain->link_count; k++)
        if (!chain->link[k].beside && !is_among(k, main, count))
            add_link(chain, k, stages);
    for (unsigned i = 0; i < chain->span_count; i++)
        add(stages, chain->span[i].from_point, chain->span[i].to_point, "span", "%s",
            chain->span[i].name);
}

bool chain_stage_took(const struct chain_instant *of, const struct chain_stage *stage,
                      duration *took)
{
    const struct {
        int64_t from_ns, to_ns;
    } way = {of->at[stage->from].ns, of->at[stage->to].ns};
    if (way.from_ns == INSTANT_NEVER.ns || way.to_ns == INSTANT_NEVER.ns)
        return false;
    *took = instant_sub(of->at[stage->to], of->at[stage->from]);
    return true;
}
