// What the database must say after a run in which calls failed, or the power.
#pragma once

#include <stdbool.h>

struct ledger {
    char folder[512]; // of the database u.db and its histories
    char *before;     // all that campaign 1, undisturbed, says; the rest is compared with it
    char *trials;     // its trials without what differs from campaign to campaign
};

// Reads what is there before; false, reported: it is no complete campaign.
bool ledger_open(struct ledger *ledger);
// What holds at any time: the database is sound, campaign 1 unchanged, every later trial that is
// stored is the one of campaign 1, and every history that is named is there and its trial's. Says
// what does not.
void ledger_check(const struct ledger *ledger);
// Whether a later campaign was begun: else --resume takes the finished first one, which is the
// same.
bool ledger_begun(const struct ledger *ledger);
// Whether a later campaign is finished.
bool ledger_complete(const struct ledger *ledger);
// One later campaign, finished, with all trials of campaign 1; no history without a trial.
void ledger_check_complete(const struct ledger *ledger);
