// Message files: any text is refused with its line, or has a C structure that is printed whole.
#include "tests/fuzz/fuzz.h"

#include "harness/history/message_header.h"

#define TEXT_MAX_B 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[TEXT_MAX_B + 1];
    struct message_mistake mistake;
    char *header = NULL;
    size_t size_B = 0;
    if (size > TEXT_MAX_B || memchr(data, 0, size) != NULL)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    FILE *out = open_memstream(&header, &size_B);
    fuzz_check(out != NULL);
    const enum status status = message_header(text, "fuzz_message", "fuzz.msg", out, &mistake);
    fuzz_check(fclose(out) == 0);
    if (status == STATUS_OK) {
        static const char end[] = "\"as the message has it\");\n";
        fuzz_check(size_B > strlen(end) && strcmp(header + size_B - strlen(end), end) == 0);
    } else
        fuzz_check(size_B == 0 && mistake.line > 0 && mistake.words[0] != '\0');
    free(header);
    return 0;
}
