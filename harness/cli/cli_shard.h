// Parts of a campaign on the command line. Private to it.
#pragma once

#include "harness/cli/cli.h"

// --shard and --overlap. False: what is wrong is reported.
bool cli_shard(const struct cli_line *line, struct shard *shard);
// --overlap alone.
bool cli_shard_overlap(const struct cli_line *line, struct shard *shard);
// --missing: prints what a campaign lacks, and the commands that run it. PASS: nothing.
int cli_missing(const char *file, const struct cli_bench *bench,
                const struct campaign_options *options);
