#include "harness/files/target/chain_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "harness/files/target/chain_config.h"
#include "harness/files/target/chain_numbers.h"
#include "harness/files/target/target.h"
#include "harness/history/history.h"
#include "harness/history/schema.h"
#include "message/io.h"

#define CHAIN_S_MAX 3600.0
#define CHAIN_PERIODS_MAX 1000.0

// ---- rows ---------------------------------------------------------------------------------------

static const char *const take_words[] = {
    [TAKE_FIRST] = "first", [TAKE_LAST] = "last", [TAKE_EACH] = "each", NULL};

#define LINK_TEXT(use) FIELD(struct link_config, text[use])

static const struct file_row link_rows[] = {
    {"channel", VALUE_TEXT, false, FIELD(struct link_config, channel),
     .line = offsetof(struct link_config, line), .help = "messages of a channel, or of a tap"},
    {"bus", VALUE_TEXT, false, FIELD(struct link_config, bus),
     .help = "frames that came through on an embedded CAN bus, or on `all`"},
    {"frames", VALUE_TEXT, false, FIELD(struct link_config, frames),
     .help = "a channel whose messages end in a sequence of frames, each with its `time_ns`, as "
             "`wire` of real-time Ethernet"},
    {"calls", VALUE_TEXT, false, FIELD(struct link_config, calls),
     .help = "what a process with `clock: shim` sends or writes to sockets and pipes, on the "
             "virtual clock; its fields are those of `io`: size_B, descriptor, hash"},
    {"last_of", VALUE_TEXT, false, LIST(struct link_config, last_of, last_count), .unique = true,
     .most = LINK_OF_MAX, .help = "other links of this chain: when the last of them is reached"},
    {"first_of", VALUE_TEXT, false, LIST(struct link_config, first_of, first_count), .unique = true,
     .most = LINK_OF_MAX, .help = "likewise the first"},
    {"name", VALUE_NAME, false, FIELD(struct link_config, name),
     .help = "of the link; absent: that of its channel"},
    {"is", VALUE_TEXT, false, LINK_TEXT(LINK_IS),
     .help = "CHANNEL.FIELD: the number by which others name this message; absent: the number "
             "that it answers. `OFFSET:u32` reads bytes of a frame (`u8` `u16` `u32` `u64`, "
             "behind it `be` for the high byte first)"},
    {"answers", VALUE_TEXT, false, LINK_TEXT(LINK_ANSWERS),
     .help = "the number of the message from which it was made; absent: it answers the newest "
             "before it"},
    {"to", VALUE_NAME, false, FIELD(struct link_config, to),
     .help = "the link that it answers; absent: the one before it that is not `beside`"},
    {"cycle", VALUE_TEXT, false, LINK_TEXT(LINK_CYCLE),
     .help = "the number of the instant in whose cycle it was made, if that need not be the one "
             "that it answers"},
    {"taken", VALUE_TEXT, false, LINK_TEXT(LINK_TAKEN),
     .help = "a time, such as `taken_ns`: when its writer had in hand what it answers. "
             "`" LINK_READINGS "`: when the robot's boards were read that it tells of"},
    {"at", VALUE_TEXT, false, LINK_TEXT(LINK_AT),
     .help = "a time: when it happened; absent: when the message was published, or the frame had "
             "ended"},
    {"begins", VALUE_TEXT, false, LINK_TEXT(LINK_BEGINS),
     .help = "a time, of the first link: when its cycle began"},
    {"last_frame_of", VALUE_NAME, false, FIELD(struct link_config, last_frame_of),
     .help = "for `bus`: the link whose references these frames carry. It is reached when all "
             "boards have theirs; without a robot, with the last frame before the next"},
    {"shows", VALUE_NAME, false, FIELD(struct link_config, shows),
     .help = "the link whose references it shows: every board that they move was read later"},
    {"only", VALUE_TEXT, false, LIST(struct link_config, only, only_count), .pairs = true,
     .most = LINK_ONLY_MAX, .help = "FIELD=NUMBER: others do not count"},
    {"take", VALUE_WORD, false, FIELD(struct link_config, take), .words = take_words,
     .absent = "first",
     .help = "which counts, of several that answer the same; `each`: all, and "
             "the chain goes on with the last"},
    {"beside", VALUE_TRUTH, false, FIELD(struct link_config, beside), .absent = "false",
     .help = "`true`: it is only the end of a span, and nobody owes it"},
    {"stages", VALUE_TEXT, false, LIST(struct link_config, stage, stage_count),
     .most = LINK_STAGES_MAX,
     .help = "names of the ways to it: until its writer has in hand what it answers, if that is "
             "known, and from then on; absent: by who wrote and who took"},
    {.key = NULL}};

static const struct file_row span_rows[] = {
    {"name", VALUE_TEXT, true, FIELD(struct span_config, name), .unique = true,
     .help = "in tables"},
    {"from", VALUE_TEXT, true, FIELD(struct span_config, from), .help = "LINK or LINK.taken"},
    {"to", VALUE_TEXT, true, FIELD(struct span_config, to), .help = "likewise"},
    {.key = NULL}};

static const struct file_row bound_rows[] = {
    {"p", VALUE_NUMBER, true, FIELD(struct chain_bound, p), .min = 1, .max = 100,
     .help = "per cent of the instants"},
    {"below_s", VALUE_NUMBER, false, FIELD(struct chain_bound, below_s), .min = 1e-9,
     .max = CHAIN_S_MAX, .help = "take at most so long"},
    {"periods", VALUE_NUMBER, false, FIELD(struct chain_bound, periods), .min = 1e-3,
     .max = CHAIN_PERIODS_MAX, .help = "the same in periods"},
    {.key = NULL}};

const struct file_row chain_rows[] = {
    {"name", VALUE_NAME, true, FIELD(struct chain_config, name), .unique = true,
     .line = offsetof(struct chain_config, line), .help = "for `--chain` and promises"},
    {"period_s", VALUE_NUMBER, false, FIELD(struct chain_config, period_s), .min = 1e-6,
     .max = CHAIN_S_MAX, .help = "from one instant to the next; absent: as they come"},
    {"period", VALUE_TEXT, false, FIELD(struct chain_config, period),
     .help = "CHANNEL.FIELD of the first link that says so, such as `state.period_us`"},
    {"links", VALUE_MAP, true, LIST(struct chain_config, link, link_count), .least = 2,
     .most = CHAIN_LINKS_MAX, .rows = link_rows,
     .help = "first where an instant begins; each other answers one before it"},
    {"spans", VALUE_MAP, false, LIST(struct chain_config, span, span_count),
     .most = CHAIN_SPANS_MAX, .rows = span_rows,
     .help = "ways over several links that have a row of their own"},
    {"bound", VALUE_MAP, false, FIELD(struct chain_config, bound), .rows = bound_rows,
     .help = "how long the chain may take; `ukemi bench latency` ends with 1 if it takes longer"},
    {"scenario", VALUE_NAME, false, FIELD(struct chain_config, scenario),
     .help = "what `ukemi bench latency` and `ukemi check` run, unless told"},
    {.key = NULL}};

// ---- who is meant -------------------------------------------------------------------------------

static unsigned link_called(const struct chain_config *chain, const char *name)
{
    unsigned i = 0;
    while (i < chain->link_count && strcmp(chain->link[i].name, name) != 0)
        i++;
    return i;
}

static struct yaml_key key_of(unsigned c, unsigned k, const char *key)
{
    return yaml_key("chains[%u].links[%u]%s%s", c, k, key[0] == '\0' ? "" : ".", key);
}

// A link before link k; CHAIN_LINKS_MAX, complained of, if there is none of this name.
static unsigned earlier(struct yaml_source *source, const struct chain_config *chain, unsigned c,
                        unsigned k, const char *key, const char *name)
{
    const unsigned found = link_called(chain, name);
    const struct yaml_key where = key_of(c, k, key);
    if (found == chain->link_count)
        yaml_complain(source, where.text,
                      "%s: no link of this chain is called so; name one before it", name);
    else if (found >= k)
        yaml_complain(source, where.text,
                      "%s: a circle: %s before it; a link answers one that stands before it", name,
                      found == k ? "it would have to be" : "that link is not");
    return found < k ? found : CHAIN_LINKS_MAX;
}

// The second of one name is called "state-2".
static void name_link(struct chain_config *chain, unsigned k)
{
    struct link_config *link = &chain->link[k];
    const char *source = link->channel[0] != '\0'  ? link->channel
                         : link->frames[0] != '\0' ? link->frames
                         : link->bus[0] != '\0'    ? "frames"
                         : link->calls[0] != '\0'  ? link->calls
                         : link->last_count > 0    ? "last"
                                                   : "first";
    const unsigned all = chain->link_count;
    if (link->name[0] != '\0')
        return;
    chain->link_count = k; // look before it alone
    snprintf(link->name, sizeof link->name, "%s", source);
    for (unsigned n = 2; link_called(chain, link->name) < k; n++)
        snprintf(link->name, sizeof link->name, "%.40s-%u", source, n);
    chain->link_count = all;
}

static void check_name(struct yaml_source *source, const struct chain_config *chain, unsigned c,
                       unsigned k)
{
    if (link_called(chain, chain->link[k].name) < k)
        yaml_complain(source, key_of(c, k, "name").text,
                      "%s: an earlier link is called so, and an answer could be to either; give "
                      "each a name of its own",
                      chain->link[k].name);
}

// ---- what its messages are ----------------------------------------------------------------------

static bool take_channel(const struct target *target, const char *name, struct link_config *link)
{
    for (unsigned i = 0; i < target->channel_count; i++) {
        const struct channel_config *channel = &target->channel[i];
        if (strcmp(channel->name, name) != 0 || channel->message[0] == '\0')
            continue;
        snprintf(link->topic, sizeof link->topic, "%s", channel->name);
        snprintf(link->message, sizeof link->message, "%s", channel->message);
        snprintf(link->writer, sizeof link->writer, "%s", channel->writer);
        return true;
    }
    for (unsigned i = 0; i < target->tap_count; i++) {
        const struct tap_config *tap = &target->tap[i];
        if (strcmp(tap->channel, name) != 0)
            continue;
        snprintf(link->topic, sizeof link->topic, "%s", tap->channel);
        snprintf(link->message, sizeof link->message, "%s", tap->message);
        snprintf(link->writer, sizeof link->writer, "%s", tap->writer);
        return true;
    }
    return false;
}

static void hint_channel(const struct target *target, struct nearest *nearest)
{
    for (unsigned i = 0; i < target->channel_count; i++)
        nearest_try(nearest, target->channel[i].name);
    for (unsigned i = 0; i < target->tap_count; i++)
        nearest_try(nearest, target->tap[i].channel);
}

static void check_channel(struct yaml_source *source, const struct target *target, const char *key,
                          const char *name, struct link_config *link)
{
    char hint[NEAREST_HINT_MAX];
    struct nearest nearest = {.word = name};
    if (take_channel(target, name, link))
        return;
    hint_channel(target, &nearest);
    yaml_complain(source, key,
                  "%s: no channel with a message and no tap is called so%s; name one under "
                  "channels or taps",
                  name, nearest_hint(&nearest, hint));
}

static void check_bus(struct yaml_source *source, const struct target *target, const char *key,
                      struct link_config *link)
{
    link->bus_number = CHAIN_ALL_BUSES;
    bool known = strcmp(link->bus, "all") == 0;
    for (unsigned i = 0; i < target->bus_count; i++)
        if (strcmp(link->bus, target->bus[i].name) == 0) {
            known = target->bus[i].kind == BUS_KIND_can;
            link->bus_number = i;
        }
    if (!known)
        yaml_complain(source, key, "%s: no CAN bus is called so; use a name under buses, or all",
                      link->bus);
    else if (!take_channel(target, TOPIC_BUS_LOG, link))
        yaml_complain(source, key,
                      "%s: what was on it is not recorded; add the channel " TOPIC_BUS_LOG
                      ", which the simulated robot writes",
                      link->bus);
    snprintf(link->writer, sizeof link->writer, "%s", "");
}

static void check_calls(struct yaml_source *source, const struct target *target, const char *key,
                        struct link_config *link)
{
    bool known = false;
    for (unsigned i = 0; i < target->process_count; i++)
        known |= strcmp(link->calls, target->process[i].name) == 0 &&
                 target->process[i].clock == PROCESS_CLOCK_SHIM;
    if (!known)
        yaml_complain(source, key,
                      "%s: no process with `clock: shim` is called so; use its name, or link its "
                      "channel or tap",
                      link->calls);
    snprintf(link->topic, sizeof link->topic, "%s", IO_CHANNEL);
    snprintf(link->message, sizeof link->message, "%s", "io_message");
    snprintf(link->writer, sizeof link->writer, "%s", link->calls);
}

static void check_parts(struct yaml_source *source, struct chain_config *chain, unsigned c,
                        unsigned k)
{
    struct link_config *link = &chain->link[k];
    const bool last = link->kind == LINK_LAST_OF;
    link->of_count = last ? link->last_count : link->first_count;
    for (unsigned i = 0; i < link->of_count; i++)
        link->part[i] = earlier(source, chain, c, k, last ? "last_of" : "first_of",
                                last ? link->last_of[i] : link->first_of[i]);
}

static void check_source(struct yaml_source *source, const struct target *target,
                         struct chain_config *chain, unsigned c, unsigned k)
{
    struct link_config *link = &chain->link[k];
    const bool given[] = {link->channel[0] != '\0', link->bus[0] != '\0', link->frames[0] != '\0',
                          link->calls[0] != '\0',   link->last_count > 0, link->first_count > 0};
    unsigned count = 0;
    for (unsigned i = 0; i < sizeof given / sizeof given[0]; i++)
        if (given[i]) {
            link->kind = (enum link_kind)i;
            count++;
        }
    const struct yaml_key key = key_of(c, k, "");
    if (count != 1) {
        yaml_complain(source, key.text,
                      "%u sources; give one of: channel bus frames calls last_of first_of", count);
        return;
    }
    if (link->kind == LINK_CHANNEL)
        check_channel(source, target, key_of(c, k, "channel").text, link->channel, link);
    else if (link->kind == LINK_FRAMES)
        check_channel(source, target, key_of(c, k, "frames").text, link->frames, link);
    else if (link->kind == LINK_BUS)
        check_bus(source, target, key_of(c, k, "bus").text, link);
    else if (link->kind == LINK_CALLS)
        check_calls(source, target, key_of(c, k, "calls").text, link);
    else
        check_parts(source, chain, c, k);
}

// ---- what it answers ----------------------------------------------------------------------------

static bool is_combined(const struct link_config *link)
{
    return link->kind == LINK_LAST_OF || link->kind == LINK_FIRST_OF;
}

// What is made of several has the start's number.
static bool has_number(const struct chain_config *chain, unsigned k)
{
    const unsigned of = is_combined(&chain->link[k]) ? 0 : k;
    const struct link_config *link = &chain->link[of];
    return link->text[LINK_IS][0] != '\0' || (of > 0 && link->text[LINK_ANSWERS][0] != '\0');
}

// The one before it that is not beside the chain.
static unsigned before(const struct chain_config *chain, unsigned k)
{
    unsigned p = k - 1;
    while (p > 0 && chain->link[p].beside)
        p--;
    return p;
}

static void check_start(struct yaml_source *source, const struct chain_config *chain, unsigned c)
{
    const struct link_config *link = &chain->link[0];
    const char *wrong = link->text[LINK_ANSWERS][0] != '\0' ? "answers"
                        : link->to[0] != '\0'               ? "to"
                        : link->last_frame_of[0] != '\0'    ? "last_frame_of"
                        : link->shows[0] != '\0'            ? "shows"
                        : is_combined(link)                 ? "last_of"
                        : link->beside                      ? "beside"
                                                            : NULL;
    if (wrong != NULL)
        yaml_complain(source, key_of(c, 0, wrong).text,
                      "%s: this chain has no start: its first link is where an instant begins, and "
                      "answers nothing; leave out %s, or put the start before it",
                      link->name, wrong);
}

static void check_special(struct yaml_source *source, const struct target *target,
                          struct chain_config *chain, unsigned c, unsigned k)
{
    struct link_config *link = &chain->link[k];
    const bool frames = link->last_frame_of[0] != '\0', shows = link->shows[0] != '\0';
    if (frames)
        link->of = earlier(source, chain, c, k, "last_frame_of", link->last_frame_of);
    if (shows)
        link->of = earlier(source, chain, c, k, "shows", link->shows);
    if (frames && link->kind != LINK_BUS)
        yaml_complain(source, key_of(c, k, "last_frame_of").text,
                      "%s: only for the frames of a `bus`; leave it out", link->last_frame_of);
    if (shows && target->description[0] == '\0')
        yaml_complain(source, key_of(c, k, "shows").text,
                      "%s: the target has no robot whose boards are read; name the field that it "
                      "`answers`",
                      link->shows);
    if (frames + shows + (link->text[LINK_ANSWERS][0] != '\0') > 1)
        yaml_complain(source, key_of(c, k, "").text,
                      "%s: joined in two ways, which may differ; leave one of: answers "
                      "last_frame_of shows",
                      link->name);
}

static void check_answer(struct yaml_source *source, const struct target *target,
                         struct chain_config *chain, unsigned c, unsigned k)
{
    struct link_config *link = &chain->link[k];
    link->parent = before(chain, k);
    if (link->to[0] != '\0')
        link->parent = earlier(source, chain, c, k, "to", link->to);
    check_special(source, target, chain, c, k);
    if (link->parent < k && link->text[LINK_ANSWERS][0] != '\0' && !has_number(chain, link->parent))
        yaml_complain(source, key_of(c, k, "answers").text,
                      "%s: ambiguous: %s has no number that it could name; give that link its "
                      "`is`, or leave `answers` out to join by order",
                      link->text[LINK_ANSWERS], chain->link[link->parent].name);
}

// Whether it counts instants: then it is known whose cycle it belongs to.
static void find_cycle(struct chain_config *chain, unsigned k)
{
    struct link_config *link = &chain->link[k];
    const char *const cycle = link->text[LINK_CYCLE];
    if (cycle[0] == '\0' && chain->link[link->parent].numbered && link->number[LINK_ANSWERS].given)
        link->number[LINK_CYCLE] = link->number[LINK_ANSWERS];
    link->numbered =
        link->number[LINK_CYCLE].given &&
        (!link->number[LINK_IS].given ||
         strcmp(link->text[LINK_IS], cycle[0] != '\0' ? cycle : link->text[LINK_ANSWERS]) == 0);
}

// ---- all of a chain -----------------------------------------------------------------------------

static void check_times(struct yaml_source *source, const struct chain_config *chain, unsigned c)
{
    const struct chain_bound *bound = &chain->bound;
    const struct yaml_key period = yaml_key("chains[%u].period", c);
    if (chain->period_s > 0 && chain->period[0] != '\0')
        yaml_complain(source, period.text, "%s: and a period_s; leave one of the two out",
                      chain->period);
    if (bound->p > 0 && (bound->below_s > 0) == (bound->periods > 0))
        yaml_complain(source, yaml_key("chains[%u].bound", c).text,
                      "%s; give one of: below_s periods",
                      bound->below_s > 0 ? "two bounds" : "no bound");
}

// "LINK" or "LINK.taken"; complained of, if it is neither.
static unsigned point_of(struct yaml_source *source, const struct chain_config *chain,
                         const char *key, const char *text)
{
    char name[LINK_FIELD_MAX];
    const size_t length = strlen(text);
    const bool taken = length > 6 && strcmp(text + length - 6, ".taken") == 0;
    snprintf(name, sizeof name, "%.*s", (int)(taken ? length - 6 : length), text);
    const unsigned k = link_called(chain, name);
    if (k == chain->link_count)
        yaml_complain(source, key, "%s: no link of this chain is called so; name one", text);
    else if (taken && !chain->link[k].number[LINK_TAKEN].given && !chain->link[k].readings)
        yaml_complain(source, key, "%s: link %s has no `taken`; name the link alone, or give it",
                      text, name);
    return k == chain->link_count ? 0 : 2 * k + !taken;
}

static void check_spans(struct yaml_source *source, struct chain_config *chain, unsigned c)
{
    for (unsigned i = 0; i < chain->span_count; i++) {
        struct span_config *span = &chain->span[i];
        span->from_point =
            point_of(source, chain, yaml_key("chains[%u].spans[%u].from", c, i).text, span->from);
        span->to_point =
            point_of(source, chain, yaml_key("chains[%u].spans[%u].to", c, i).text, span->to);
    }
}

static void check_chain(struct yaml_source *source, struct target *target, unsigned c)
{
    struct chain_config *chain = &target->chain[c];
    for (unsigned k = 0; k < chain->link_count; k++) {
        name_link(chain, k);
        check_name(source, chain, c, k);
    }
    check_start(source, chain, c);
    for (unsigned k = 0; k < chain->link_count; k++) {
        check_source(source, target, chain, c, k);
        chain_numbers_check(source, target, c, k, &chain->link[k]);
        if (k > 0)
            check_answer(source, target, chain, c, k);
        if (yaml_status(source) != STATUS_OK)
            return; // what follows would only repeat it
        chain->link[k].numbered = k == 0;
        if (k > 0)
            find_cycle(chain, k);
        if (!chain->link[k].beside)
            chain->last = k;
    }
    if (chain->period[0] != '\0')
        chain_number_check(source, yaml_key("chains[%u].period", c).text, chain->period, true,
                           &chain->link[0], &chain->period_number);
    check_times(source, chain, c);
    check_spans(source, chain, c);
}

void chain_check(struct yaml_source *source, struct target *target)
{
    for (unsigned c = 0; c < target->chain_count; c++)
        check_chain(source, target, c);
}

const struct chain_config *chain_find(const struct target *target, const char *name)
{
    for (unsigned i = 0; i < target->chain_count; i++)
        if (name == NULL || name[0] == '\0' || strcmp(target->chain[i].name, name) == 0)
            return &target->chain[i];
    return NULL;
}
