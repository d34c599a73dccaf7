// Campaign files. Scenarios are named relative to the campaign, here a file without a place:
// "../cwd/scenarios/motion/001-stand.yaml".
#include "tests/fuzz/fuzz.h"
#include "harness/files/campaign_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct campaign *campaign;
    if (campaign_load(fuzz_file(data, size), &campaign) != STATUS_OK)
        return 0;
    fuzz_check(campaign->square_count > 0 && campaign->square_count <= SQUARES_MAX);
    fuzz_check(campaign->recheck_share >= 0 && campaign->recheck_share <= 1);
    for (unsigned i = 0; i < campaign->square_count; i++)
        fuzz_check(campaign->square[i].scenario != NULL && campaign->square[i].trials > 0);
    campaign_free(campaign);
    return 0;
}
