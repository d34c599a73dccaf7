// What an oracle program prints; what is accepted is a verdict that its margin bears out, in
// printable words.
#include "tests/fuzz/fuzz.h"

#include "harness/judge/oracle_program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char answer[ORACLE_ANSWER_MAX] = "", wrong[192] = "";
    struct oracle_verdict verdict = {.verdict = VERDICT_ERROR};
    memcpy(answer, data, size < sizeof answer ? size : sizeof answer - 1);
    if (!oracle_answer_read(answer, &verdict, wrong, sizeof wrong)) {
        fuzz_check(wrong[0] != '\0');
        return 0;
    }
    fuzz_check(verdict.verdict == VERDICT_SKIP || isfinite(verdict.margin));
    fuzz_check((verdict.verdict == VERDICT_PASS) == (verdict.margin > 0));
    fuzz_check(strchr(verdict.detail, '\n') == NULL && strchr(verdict.detail, '\033') == NULL);
    return 0;
}
