// What cyclictest prints; what is accepted adds up.
#include "tests/fuzz/fuzz.h"

#include "harness/machine/cyclictest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct histogram histogram;
    FILE *in = fopen(fuzz_file(data, size), "r");
    fuzz_check(in != NULL);
    if (cyclictest_read(in, &histogram) == STATUS_OK) {
        fuzz_check(histogram_count(&histogram) > 0);
        fuzz_check(histogram_min(&histogram) >= 0);
        fuzz_check(histogram_quantile(&histogram, 0.5) <= histogram_max(&histogram));
    }
    fuzz_check(fclose(in) == 0);
    return 0;
}
