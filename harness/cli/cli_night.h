// What the files of `ukemi night` share. Private to the command line.
#pragma once

#include "harness/campaign/campaign.h"
#include "harness/files/night_file.h"
#include "harness/store/night/night.h"

struct cli_night {
    struct night_file *file;
    struct night night;
    struct campaign_options options; // of every campaign
    const char *output;              // folder of the page
    double budget_s;
    bool allow_skip;
    // What came of it.
    unsigned failed, lost; // parts that could not be run, trials
    bool terminated, interrupted;
};

// INVALID, reported: as `ukemi campaign` says it of each campaign that the file names.
enum status cli_check_night(const char *path) MUST_CHECK;

// Opens the database, acts, closes it. It is not open while a campaign is run: who closes the
// campaign's guard (campaign_guard.h) takes the locks of every other connection of the process.
typedef enum status cli_night_act(struct cli_night *night, struct database *database,
                                  void *context);
enum status cli_night_with(struct cli_night *night, cli_night_act *act, void *context) MUST_CHECK;

// Runs the parts until the budget is spent (cli_night_parts.c). `terminated` and `interrupted` say
// whether a signal ended it.
enum status cli_night_run(struct cli_night *night) MUST_CHECK;

// Mail and the hook, of which the file tells; false, reported: one of them failed.
bool cli_night_tell(const struct cli_night *night, const struct night_outcome *outcome, int code);
