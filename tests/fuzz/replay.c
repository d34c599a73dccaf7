// Runs a fuzz target on files instead of under a fuzzer: the kept inputs of tests/fuzz/corpus, or
// one that a fuzzer has found. Messages about bad inputs are the targets' duty and of no interest
// here.
#include <fcntl.h>

#include "tests/fuzz/fuzz.h"

static void run(const char *path)
{
    FILE *file = fopen(path, "rb");
    fuzz_check(file != NULL && fseek(file, 0, SEEK_END) == 0);
    size_t size = (size_t)ftell(file);
    rewind(file);
    uint8_t *data = malloc(size > 0 ? size : 1); // of exactly this size, for the address sanitizer
    fuzz_check(data != NULL && fread(data, 1, size, file) == size);
    fclose(file);
    (void)LLVMFuzzerTestOneInput(data, size);
    free(data);
}

int main(int count, char **arguments)
{
    const bool loud = getenv("FUZZ_LOUD") != NULL; // see what is said, and the sanitizers' reports
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    fuzz_check(nowhere >= 0 && (loud || dup2(nowhere, STDERR_FILENO) >= 0));
    for (int i = 1; i < count; i++) {
        printf("# %s\n", arguments[i]);
        fflush(stdout); // what is running must be known if it crashes
        run(arguments[i]);
    }
    printf("%d inputs\n", count - 1);
    return 0;
}
