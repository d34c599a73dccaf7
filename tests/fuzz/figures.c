// What a benchmark program prints, read by `ukemi bench store`. What is accepted is as figures are: named, finite, each once.
#include "fuzz.h"

#include "harness/figures.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct figures figures;
    FILE *in = fopen(fuzz_file(data, size), "r");
    fuzz_check(in != NULL);
    const enum status status = figures_read(in, "fuzz", &figures);
    fclose(in);
    if (status != STATUS_OK)
        return 0;
    fuzz_check(figures.cell_count > 0 && figures.cell_count <= FIGURES_CELLS_MAX);
    for (unsigned c = 0; c < figures.cell_count; c++) {
        const struct figures_cell *cell = &figures.cell[c];
        fuzz_check(cell->name[0] != '\0' && cell->count > 0 && cell->count <= FIGURES_OF_CELL_MAX);
        for (unsigned i = 0; i < cell->count; i++) {
            const struct figure *figure = &cell->figure[i];
            fuzz_check(figure->metric[0] != '\0' && isfinite(figure->value));
            fuzz_check(memchr(figure->metric, '\0', sizeof figure->metric) != NULL);
            fuzz_check(memchr(figure->unit, '\0', sizeof figure->unit) != NULL);
            fuzz_check(figure->better <= BETTER_MORE);
            for (unsigned k = 0; k < i; k++)
                fuzz_check(strcmp(cell->figure[k].metric, figure->metric) != 0);
        }
    }
    return 0;
}
