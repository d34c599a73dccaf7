// The nights of a database: what each was to run, what came of it, and what it found beside the
// nights before. Errors are logged to standard error. Not real-time.
#pragma once

#include "harness/store/database.h"

struct night_start {
    const char *name, *file;
    double budget_s;
};
struct night {
    int64_t night_id;
    double spent_s; // of its budget, before
    bool resumed;   // it had begun before
};

// The night of this name that is not finished, if it began within a day and its budget; else a new
// one. One that is older is ended as it is.
enum status night_begin(struct database *database, const struct night_start *start,
                        struct night *night) MUST_CHECK;
enum status night_spend(struct database *database, const struct night *night,
                        double spent_s) MUST_CHECK;
enum status night_end(struct database *database, const struct night *night) MUST_CHECK;

enum night_ended {
    NIGHT_NOT_BEGUN,
    NIGHT_BEGUN,
    NIGHT_FINISHED,
    NIGHT_OUT_OF_TIME,
    NIGHT_LOST, // trials
    NIGHT_FAILED
};
const char *night_ended_words(enum night_ended ended);

struct night_part {
    unsigned position; // in the file
    const char *name;  // of its campaign
    unsigned priority;
    int64_t campaign_id; // 0: none yet
    enum night_ended ended;
    unsigned planned, count[VERDICT_COUNT]; // trials, and those that are stored
    double wall_s;                          // added to what was spent before
};
// Stores what is known of a part; without a campaign's number, the one stored before remains.
enum status night_part_put(struct database *database, const struct night *night,
                           const struct night_part *part) MUST_CHECK;
// Whether the night has finished this part.
enum status night_part_finished(struct database *database, const struct night *night,
                                unsigned position, bool *finished) MUST_CHECK;
// The last night before, of the same name, that ran something of this campaign; 0: none.
enum status night_last_of(struct database *database, const struct night *night,
                          const char *campaign, int64_t *night_id) MUST_CHECK;

struct night_outcome {
    unsigned new_failures, new_errors; // findings that are new, or back
    unsigned flaky, known, gone, not_run;
    unsigned judged; // trials of this night, but those that were skipped
    unsigned ran;    // all of them
};
// Compares what the night found with its name's nights before, `window` nights in all, and stores
// that (table finding).
enum status night_find(struct database *database, const struct night *night, unsigned window,
                       struct night_outcome *outcome) MUST_CHECK;
