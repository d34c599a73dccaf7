// What a campaign is made of, as its database keeps it: hashes of all, and the bytes of what judges
// its trials. Not real-time.
#pragma once

#include "harness/files/contents.h"
#include "harness/store/database.h"

// Within a transaction. What judges is kept up to 4 MiB a file, once for all campaigns.
enum status contents_store(struct database *database, int64_t campaign_id,
                           const struct contents *contents) MUST_CHECK;
// Names and hashes of what a campaign was begun with; nothing else of them. *contents NULL: none
// are stored. The caller frees.
enum status contents_read(struct database *database, int64_t campaign_id,
                          struct contents **contents) MUST_CHECK;
// Which items differ from those that the campaign was begun with, the first ones in words; "" if
// none does.
enum status contents_compare(struct database *database, int64_t campaign_id,
                             const struct contents *contents, char *words, size_t size) MUST_CHECK;
