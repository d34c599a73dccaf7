// Campaign files. Scenarios are named relative to the campaign, here a file without a place:
// "../cwd/scenarios/motion/001-stand.yaml".
#include "fuzz.h"

#include "harness/files/scenario.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct campaign *campaign;
    if (campaign_load(fuzz_file(data, size), &campaign) != STATUS_OK)
        return 0;
    fuzz_check(campaign->cell_count > 0 && campaign->cell_count <= CELLS_MAX);
    fuzz_check(campaign->recheck_share >= 0 && campaign->recheck_share <= 1);
    for (unsigned i = 0; i < campaign->cell_count; i++)
        fuzz_check(campaign->cell[i].scenario != NULL && campaign->cell[i].trials > 0);
    campaign_free(campaign);
    return 0;
}
