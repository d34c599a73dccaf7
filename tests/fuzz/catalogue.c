// Files of the fault catalogue, beside the project's own.
#include "fuzz.h"

#include "harness/catalogue.h"

static char folder[] = "/dev/shm/ukemi-fuzz-XXXXXX";
static char file[sizeof folder + 16];

static void remove_folder(void)
{
    unlink(file);
    rmdir(folder);
}

// The catalogue is a folder; in this one lies a link to the input.
static void make_folder(const char *input)
{
    fuzz_check(mkdtemp(folder) != NULL);
    snprintf(file, sizeof file, "%s/fuzz.yaml", folder);
    fuzz_check(symlink(input, file) == 0 && setenv("UKEMI_FAULTS", folder, 1) == 0);
    atexit(remove_folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *input = fuzz_file(data, size);
    if (file[0] == '\0')
        make_folder(input);
    struct catalogue *catalogue;
    if (catalogue_load(".", &catalogue) != STATUS_OK)
        return 0;
    fuzz_check(catalogue->count > 0 && catalogue->count <= CATALOGUE_MAX);
    const struct fault_request nothing = {0};
    for (unsigned i = 0; i < catalogue->count; i++) {
        const struct fault_kind *kind = &catalogue->kind[i];
        char why[64];
        for (unsigned p = 0; p < kind->parameter_count; p++) {
            fuzz_check(catalogue_parameter(&kind->parameter[p], &nothing) != NULL);
            char setting[2 * NAME_MAX_LENGTH];
            snprintf(setting, sizeof setting, "%s=1", kind->parameter[p].name);
            (void)catalogue_check_parameter(kind, setting, why, sizeof why);
        }
    }
    catalogue_free(catalogue);
    return 0;
}
