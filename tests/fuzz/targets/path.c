// A path of the program trajectory: what is accepted is answered with times that rise.
#include "tests/fuzz/fuzz.h"

#include "targets/bioloid/paths.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FILE *in = fopen(fuzz_file(data, size), "r"), *out = tmpfile();
    double before_s = -1, t_s, s, speed;
    fuzz_check(in != NULL && out != NULL);
    const bool answered = paths_answer(in, "fuzz", out);
    rewind(out);
    while (fscanf(out, "%lf %lf %lf", &t_s, &s, &speed) == 3) {
        fuzz_check(answered && t_s > before_s && isfinite(s) && speed >= 0);
        before_s = t_s;
    }
    (void)fclose(in);
    (void)fclose(out);
    return 0;
}
