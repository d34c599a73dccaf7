#include "harness/campaign/missing.h"

#include <errno.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/trouble.h"
#include "harness/files/contents.h"
#include "harness/store/session.h"

static enum status find_campaign(struct database *database, const struct campaign *campaign,
                                 const struct target *target,
                                 const struct campaign_options *options, int64_t *campaign_id)
{
    struct contents *contents = NULL;
    struct campaign_started started = {0};
    enum status status = contents_make(campaign, target, options->build_folder, &contents);
    if (status == STATUS_OK) {
        const struct campaign_start start = {.campaign = campaign,
                                             .contents = contents,
                                             .mode = options->mode,
                                             .wall = !options->no_wall};
        status = database_find_campaign(database, &start, &started);
    }
    contents_free(contents);
    if (status == STATUS_NOT_FOUND)
        log_error("%s: has no campaign '%s' on this clock; name the database that its trials were "
                  "merged into with --db",
                  options->database, campaign->name);
    *campaign_id = started.campaign_id;
    return status;
}

static enum status look(struct database *database, const struct campaign *campaign,
                        struct missing *missing)
{
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < campaign->square_count; i++)
        for (unsigned n = 0; n < campaign->square[i].trials && status == STATUS_OK; n++) {
            bool has = false;
            status = database_has_trial(database, missing->campaign_id, i, n, &has);
            missing->total++;
            if (has)
                continue;
            missing->missing++;
            missing->of_square[i]++;
            if (missing->of_shard != NULL)
                missing->of_shard[campaign_place(campaign, i, n) % missing->shards]++;
        }
    return status;
}

static enum status read_shards(struct database *database, struct missing *missing)
{
    const enum status status = session_shards(database, missing->campaign_id, &missing->shards);
    if (status != STATUS_OK || missing->shards == 0)
        return status;
    missing->of_shard = calloc(missing->shards, sizeof *missing->of_shard);
    if (missing->of_shard != NULL)
        return STATUS_OK;
    (void)trouble_note(ENOMEM);
    return STATUS_NO_MEMORY;
}

enum status missing_find(const struct campaign *campaign, const struct target *target,
                         const struct campaign_options *options, struct missing *missing)
{
    struct database *database = NULL;
    *missing = (struct missing){0};
    enum status status = database_open(options->database, DATABASE_QUERY, &database);
    if (status == STATUS_OK)
        status = find_campaign(database, campaign, target, options, &missing->campaign_id);
    if (status == STATUS_OK)
        status = read_shards(database, missing);
    if (status == STATUS_OK)
        status = look(database, campaign, missing);
    database_close(database);
    return status;
}

void missing_free(struct missing *missing)
{
    free(missing->of_shard);
    missing->of_shard = NULL;
}
