// What a benchmark program prints, read by `ukemi bench store`. What is accepted is as figures are:
// named, finite, each once in its cell and round.
#include "tests/fuzz/fuzz.h"

#include "harness/bench/compare/figures.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct figures figures;
    FILE *in = fopen(fuzz_file(data, size), "r");
    fuzz_check(in != NULL);
    const enum status status = figures_read(in, "fuzz", &figures);
    fclose(in);
    if (status != STATUS_OK)
        return 0;
    fuzz_check(figures.run_count > 0 && figures.run_count <= FIGURES_RUNS_MAX);
    fuzz_check(figures.rounds > 0 && figures.rounds <= FIGURES_ROUNDS_MAX);
    for (unsigned r = 0; r < figures.run_count; r++) {
        const struct figures_run *run = &figures.run[r];
        fuzz_check(run->square[0] != '\0' && run->round < figures.rounds);
        fuzz_check(run->count > 0 && run->count <= FIGURES_OF_RUN_MAX);
        for (unsigned k = 0; k < r; k++)
            fuzz_check(figures.run[k].round != run->round ||
                       strcmp(figures.run[k].square, run->square) != 0);
        for (unsigned i = 0; i < run->count; i++) {
            const struct figure *figure = &run->figure[i];
            fuzz_check(figure->metric[0] != '\0' && isfinite(figure->value));
            fuzz_check(memchr(figure->metric, '\0', sizeof figure->metric) != NULL);
            fuzz_check(memchr(figure->unit, '\0', sizeof figure->unit) != NULL);
            fuzz_check(figure->better <= BETTER_MORE);
            for (unsigned k = 0; k < i; k++)
                fuzz_check(strcmp(run->figure[k].metric, figure->metric) != 0);
        }
    }
    figures_free(&figures);
    return 0;
}
