// What storms have found, as the terminal shows it. Private to the command line.
#pragma once

#include "harness/cli/cli.h"

// The findings of a storm's campaign, or of all (0); *code: FAIL if one of them is not known.
enum status cli_print_findings(const char *database, int64_t campaign_id, FILE *out,
                               enum exit_code *code) MUST_CHECK;
