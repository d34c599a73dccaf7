// The chains of a stack, link by link, as a history tells them: which message led to which command,
// frame and answer, and when. Which these are the target says (`chains`, chain_config.h).
//
// Pure: history in, figures out; the trial may have run by the virtual clock or in real time. A
// link joins by the numbers that messages name, and by time, so a process that starts again, and
// counts from 1 again, confuses nothing. What names no number answers the newest before it.
//
// A time that a message should hold and does not (0, as with UKEMI_ENV_PROBES=off) leaves
// its point INSTANT_NEVER, and all others as ever, so that the cost of such stamps can be measured.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/time.h"
#include "harness/files/target/chain_config.h"

struct description;
struct event;
struct history;
struct target;

#define CHAIN_NOBODY SIZE_MAX
#define CHAIN_POINTS_MAX (2 * CHAIN_LINKS_MAX)
// What a chain goes through: when who wrote a link had in hand what it answers, and its own
// instant.
#define CHAIN_TAKEN(link) (2 * (link))
#define CHAIN_REACHED(link) (2 * (link) + 1)

struct chain_instant { // what began with one message of the first link
    int64_t number;    // the message's
    // INSTANT_NEVER where the chain has broken before, or the point was not stamped.
    instant at[CHAIN_POINTS_MAX];
    // Bit per link: its writer missed it in answer to this instant; of the first link: instants
    // were missing before this one.
    uint32_t missed;
};

struct chain_each { // one of several answers, of a link that takes each
    size_t instant;
    unsigned link;
    instant taken, reached, from; // `from`: when what it answers was reached
};

struct chain_count {
    uint64_t due, missed;
};

struct chain_record {
    duration period; // 0: not known
    size_t count;
    struct chain_instant *instant; // by time
    size_t each_count;
    struct chain_each *each; // by link and time
    struct chain_count owed[CHAIN_LINKS_MAX];
    // Messages or frames that were seen of a link, and those that answered something.
    uint64_t seen[CHAIN_LINKS_MAX], joined[CHAIN_LINKS_MAX];
};

// What is known of a robot: which frames and messages concern its boards (packs/robot).
struct chain_robot {
    // Whether a type's messages say when its parts were read, or where they shall be. Else `words`
    // say what is missing.
    bool (*tells)(const char *message, char *words, size_t size);
    bool (*refers)(const char *message, char *words, size_t size);
    // When the oldest valid reading of a message came; INSTANT_NEVER: it has none.
    instant (*gathered)(const struct description *, const struct event *message);
    // Bit per board that a reference speaks to; the board that a frame is for, -1: none.
    uint64_t (*boards)(const struct description *, const struct event *reference);
    int (*board)(const struct description *, const void *frame);
    // When the last reading came that shows a reference; INSTANT_NEVER: one was read before
    // `since`.
    instant (*shown)(const struct description *, const struct event *message,
                     const struct event *reference, instant since);
};

// Whether it can be followed: what concerns a robot's boards needs its messages. INVALID, reported.
enum status chain_can_follow(const struct target *target, const struct chain_config *chain,
                             const struct chain_robot *robot) MUST_CHECK;

// Allocates in proportion to the messages; time in proportion to the history, and to the logarithm
// of the messages. NO_MEMORY. A history without the first link's messages gives a record without
// instants. To be freed with chain_free, also after an error.
// `robot` and `description` may be NULL, then links of boards are not reached.
enum status chain_measure(const struct chain_config *chain, const struct history *history,
                          const struct chain_robot *robot, const struct description *description,
                          struct chain_record *record) MUST_CHECK;
void chain_free(struct chain_record *record);

// ---- stages and names ---------------------------------------------------------------------------

#define CHAIN_STAGES_MAX (3 * CHAIN_LINKS_MAX + CHAIN_SPANS_MAX + 1)
#define CHAIN_STAGE_NAME_MAX 64

struct chain_stage { // a way from one point to another
    char name[CHAIN_STAGE_NAME_MAX];
    unsigned from, to;
};

struct chain_stages {
    unsigned count;
    unsigned stacked; // the first ones follow one another from the start to the end
    unsigned before;  // of these, so many end before the first message is published: 0 or 1
    unsigned whole;   // the stage from the first message to the last
    // The way of the start's message to who answers it, and what that one then computes; -1: not
    // known.
    int wakes, computes;
    struct chain_stage stage[CHAIN_STAGES_MAX];
};

void chain_stages_of(const struct chain_config *chain, struct chain_stages *stages);

// How long it took; false if the chain did not get so far, or an end was not stamped.
bool chain_stage_took(const struct chain_instant *of, const struct chain_stage *stage,
                      duration *took);

// Whether somebody owes this link once each period.
bool chain_is_owed(const struct chain_config *chain, unsigned link);
// Who that is: "balance"; the link's name, where no writer is known.
const char *chain_owner(const struct chain_config *chain, unsigned link);
// The link in whose cycle its answers are taken up; -1: there is none.
int chain_reader(const struct chain_config *chain, unsigned link);
