// Files of the fault catalogue, beside the project's own.
#include "tests/fuzz/fuzz.h"

#include "harness/files/fault/catalogue.h"

static char folder[] = "/dev/shm/ukemi-fuzz-XXXXXX";
static char file[sizeof folder + 16];

static void remove_folder(void)
{
    unlink(file);
    rmdir(folder);
}

// The catalogue is a folder; in this one lies the input, as a file with a name: what a link leads
// to must have one, too.
static void make_folder(void)
{
    fuzz_check(mkdtemp(folder) != NULL);
    snprintf(file, sizeof file, "%s/fuzz.yaml", folder);
    fuzz_check(setenv("UKEMI_FAULTS", folder, 1) == 0);
    atexit(remove_folder);
}

static void put_input(const uint8_t *data, size_t size)
{
    const int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    fuzz_check(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (file[0] == '\0')
        make_folder();
    put_input(data, size);
    struct catalogue *catalogue;
    if (catalogue_load(&catalogue) != STATUS_OK)
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
