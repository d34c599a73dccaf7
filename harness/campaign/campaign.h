// Runs a campaign: worker processes, one per core, each trial in one transaction, resumable at any
// time.
#pragma once

#include "harness/campaign/core.h"
#include "harness/campaign/shard.h"
#include "harness/store/database.h"
#include "model/description.h"
#include "harness/trial/wire/link.h"

struct campaign_square;
struct scenario;
struct target;

struct campaign_options {
    const char *database; // path; histories go into DATABASE-histories beside it
    const char *build_folder;
    enum clk_mode mode;
    enum link_choice can, ethernet;
    bool no_wall; // programs have the lab's own rights (cell.h)
    struct core_choice cores;
    int jobs; // at once, 0: one per core
    bool resume;
    bool go_on;         // as `resume`, but a finished or another one is no reason: it begins anew
    bool widest_first;  // squares whose share of failures is known least are run first (widest.h)
    struct shard shard; // run only its trials; the campaign is not finished then
    bool only_finish;   // run no trial: choose examples and write the report, if all are there
    bool quiet;
    // Trials are meant to fail: those that do are not told, and those that pass keep their
    // histories.
    bool seeks_passes;
    // Its trials are drawn: the scenario of each comes from its seed, in place of its square's, and
    // no trial is an example. NULL: no memory. The campaign frees it.
    struct scenario *(*draw)(void *context, uint64_t seed);
    // Asked of each trial that is stored: whether no further one need be started. NULL: all are.
    bool (*enough)(void *context, const struct trial_record *record,
                   const struct scenario *scenario);
    double budget_s; // real time after which none is started; 0: all are
    // Told the number that the campaign has, before its first trial, and the open database, since
    // another connection of this process might take its locks (campaign_guard.h); may be NULL.
    enum status (*begun)(void *context, struct database *database, int64_t campaign_id);
    // Writes the report, if there is one to write. A campaign is finished when it is written: one
    // that was killed before goes on with it.
    enum status (*report)(void *context, int64_t campaign_id);
    void *context; // of draw, enough, begun and report
};

struct campaign_summary {
    int64_t campaign_id;
    unsigned total, done;          // trials planned, stored
    unsigned count[VERDICT_COUNT]; // of those stored, by verdict
    char agreement[64];            // as database_agreement says it
    double wall_s;
    double simulated_s;
    bool started;         // else nothing was run: what `status` is about can be fixed
    bool interrupted;     // by SIGINT or SIGTERM: what is stored is whole
    bool terminated;      // by SIGTERM
    bool nothing_to_do;   // with `resume`: it was finished, and all of it is there
    unsigned lost;        // trials of this run that are not stored (fate.h)
    char lost_words[128]; // why the first one is not
    bool own_page;        // its report is not that of all campaigns, but a pack's
    bool sharded;         // total and done are of its trials
    bool unreported;      // all is stored, but the report failed (the status says how)
    bool stopped_early;   // by `enough`, or since its budget was used up
};

// All scenarios are of `target`. Without lost trials and interruption the campaign is finished.
// BUSY, SYSTEM, ... when the database or the workers fail, or when another ukemi runs this campaign
// (logged to standard error).
enum status campaign_run(const struct campaign *campaign, const struct target *target,
                         const struct description *description,
                         const struct campaign_options *options,
                         struct campaign_summary *summary) MUST_CHECK;

// Seed of trial `number` of a square: depends on the campaign's seed, the square's row, column and
// scenario, and the number, so adding squares or trials changes no other trial. Of some candidates
// it is the one whose first fault strikes nearest to the number's place in a sequence that covers
// the fault's random range evenly, however many trials there are. < 2^63.
uint64_t campaign_trial_seed(uint64_t campaign_seed, const struct campaign_square *square,
                             unsigned number);
// Whether a trial is run twice for the determinism check; drawn from its seed.
bool campaign_rechecks(uint64_t trial_seed, double recheck_share);
