// Links of a robot's boards: the frames that carry a reference to them, and the message that shows
// that they followed it. Without a robot's messages frames are told apart by time alone.
#include <stdlib.h>

#include "base/log.h"
#include "harness/chain/chain_private.h"
#include "harness/files/target/target.h"

// A message that shows an answer is looked for so far. Boards that are silent for longer were dead.
#define SHOWN_MESSAGES_MAX 64

// ---- what can be followed -----------------------------------------------------------------------

static bool is_reference(const struct join *join, unsigned link)
{
    char words[160];
    return join->robot != NULL && join->description != NULL &&
           join->robot->refers(join->chain->link[link].message, words, sizeof words);
}

enum status chain_can_follow(const struct target *target, const struct chain_config *chain,
                             const struct chain_robot *robot)
{
    enum status status = STATUS_OK;
    char words[160];
    for (unsigned k = 0; k < chain->link_count; k++) {
        const struct link_config *link = &chain->link[k];
        const bool shows = link->shows[0] != '\0';
        const char *wrong = NULL;
        if ((link->readings || shows) && !robot->tells(link->message, words, sizeof words))
            wrong = link->message;
        else if (shows && !robot->refers(chain->link[link->of].message, words, sizeof words))
            wrong = chain->link[link->of].message;
        if (wrong == NULL)
            continue;
        log_error("%s:%u: chains: link %s: %s does not tell of a robot's readings: %s; name the "
                  "field that it `answers` (doc/reference/chains.md)",
                  target->file, link->line, link->name, wrong, words);
        status = STATUS_INVALID;
    }
    return status;
}

// ---- frames -------------------------------------------------------------------------------------

// When the last of the frames to `boards` ended, of those in (from, until]; INSTANT_NEVER if one is
// missing.
static instant boards_have(const struct join *join, const struct link_series *frames,
                           uint64_t boards, instant from, instant until)
{
    instant end = from;
    for (size_t i = chain_until(frames, from); boards != 0; i++) {
        if (i == frames->count || instant_before(until, frames->happening[i].time))
            return INSTANT_NEVER;
        const int board = join->robot->board(join->description, frames->happening[i].data);
        if (board >= 0 && boards >> board & 1) {
            boards &= ~(UINT64_C(1) << board);
            end = frames->happening[i].time;
        }
    }
    return end;
}

static instant last_frame(const struct link_series *frames, instant from, instant until)
{
    const size_t end = chain_until(frames, until);
    if (end == 0 || !instant_before(from, frames->happening[end - 1].time))
        return INSTANT_NEVER;
    return frames->happening[end - 1].time;
}

// When a happening of a link was in the hands of who goes on with it, at the earliest.
static instant handed(const struct join *join, unsigned link, size_t i)
{
    const struct happening *h = &join->link[link].happening[i];
    const unsigned parent = join->chain->link[link].parent;
    if (is_set(h->at) || link == 0)
        return h->at;
    if (!h->has[LINK_ANSWERS]) // nor was it stamped
        return INSTANT_NEVER;
    const bool by_answers = !join->chain->link[parent].number[LINK_IS].given;
    const size_t p =
        chain_newest_with(&join->link[parent], by_answers, h->value[LINK_ANSWERS], h->time);
    return p == CHAIN_NOBODY ? INSTANT_NEVER : join->link[parent].happening[p].time;
}

// Until when frames belong to it: then the next one was handed over, or they are a period late.
static instant handed_until(const struct join *join, unsigned link, size_t i)
{
    const struct link_series *series = &join->link[link];
    const instant late = instant_add(series->happening[i].time, join->record->period);
    const int64_t number = series->happening[i].value[LINK_ANSWERS];
    size_t next = i + 1;
    while (next < series->count && series->happening[next].has[LINK_ANSWERS] &&
           series->happening[next].value[LINK_ANSWERS] == number) // it is there twice
        next++;
    return next < series->count ? instant_min(handed(join, link, next), late) : late;
}

bool chain_join_frames(struct join *join, unsigned k)
{
    const struct link_config *link = &join->chain->link[k];
    const struct link_series *parent = &join->link[link->parent], *of = &join->link[link->of];
    struct link_series own = {0};
    const bool boards = is_reference(join, link->of);
    for (size_t s = 0; s < join->record->count; s++) {
        const size_t p = parent->pick[s], r = of->pick[s];
        const instant from = p == CHAIN_NOBODY ? INSTANT_NEVER : handed(join, link->parent, p);
        if (p == CHAIN_NOBODY || r == CHAIN_NOBODY || !is_set(from))
            continue;
        const instant until = handed_until(join, link->parent, p);
        struct happening new = {.event = of->happening[r].event, .taken = INSTANT_NEVER};
        new.time = new.at =
            boards ? boards_have(join, &join->link[k],
                                 join->robot->boards(join->description, new.event), from, until)
                   : last_frame(&join->link[k], from, until);
        if (!is_set(new.at))
            continue;
        if (!chain_add(&own, &new) || !chain_choose(join, k, own.count - 1, &new, s, from))
            return false;
    }
    free(join->link[k].happening);
    join->link[k].happening = own.happening;
    join->link[k].count = own.count;
    return true;
}

// ---- what shows it ------------------------------------------------------------------------------

bool chain_join_shown(struct join *join, unsigned k)
{
    const struct link_config *link = &join->chain->link[k];
    struct link_series *own = &join->link[k];
    const struct link_series *parent = &join->link[link->parent], *of = &join->link[link->of];
    const bool can_show = is_reference(join, link->of);
    for (size_t s = 0; can_show && s < join->record->count; s++) {
        const size_t p = parent->pick[s], r = of->pick[s];
        if (p == CHAIN_NOBODY || r == CHAIN_NOBODY)
            continue;
        const instant since = parent->happening[p].at;
        const struct event *reference = of->happening[r].event;
        if (!is_set(since))
            continue;
        const size_t first = chain_until(own, since);
        for (size_t i = first; i < own->count && i - first < SHOWN_MESSAGES_MAX; i++) {
            const instant read =
                join->robot->shown(join->description, own->happening[i].event, reference, since);
            if (!is_set(read))
                continue;
            own->happening[i].taken = read;
            if (!chain_choose(join, k, i, &own->happening[i], s, since))
                return false;
            break;
        }
    }
    return true;
}
