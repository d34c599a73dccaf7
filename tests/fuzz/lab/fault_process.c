// The command line of a fault program, and the lab's reading of its answer. Whatever is asked, no
// signal goes anywhere but to the one process behind descriptor 3; whatever a program answers, the
// evidence fits.
#include "tests/fuzz/fuzz.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>

// ---- faults/process.c, with the kernel's part replaced -----------------------------------------

static unsigned signals_sent;

static long no_syscall(long number, int pidfd, int signal, void *info, unsigned flags)
{
    fuzz_check(number == SYS_pidfd_send_signal && pidfd == 3 && info == NULL && flags == 0);
    fuzz_check(signal > 0 && signal <= SIGTSTP);
    signals_sent++;
    return 0;
}

// By its number a group is signalled only if the pidfd is of its leader; here descriptor 3 is none.
static int no_kill(pid_t pid, int signal)
{
    (void)signal;
    fprintf(stderr, "a signal for %d, which is not behind descriptor 3\n", (int)pid);
    fuzz_check(false);
    return -1;
}

static int no_poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
    (void)fds, (void)count, (void)timeout_ms;
    return 0;
}

int process_main(int argc, char **argv);
#define syscall no_syscall
#define poll no_poll
#define kill no_kill
#define main process_main
#include "faults/process.c"
#undef main
#undef kill
#undef poll
#undef syscall
#undef PATIENCE_MS

// ---- harness/trial/strike/fault_program.c
// --------------------------------------------------------------

#define run run_fault_program
#include "harness/trial/strike/fault_program.c"
#undef run

static void check_answer(struct fuzz_input *input)
{
    char text[OUTPUT_MAX];
    struct fault_proof proof;
    const uint8_t head = fuzz_u8(input);
    size_t used = 0;
    if (head & 1)
        used = (size_t)snprintf(text, sizeof text, "proven=%d%s", head >> 2 & 1,
                                head & 2 ? " evidence=" : " ");
    while (fuzz_more(input) && used < sizeof text - 1)
        text[used++] = (char)fuzz_u8(input);
    text[used] = '\0';
    memset(&proof, 0x55, sizeof proof);
    if (!read_proof(text, &proof))
        return;
    const size_t length = strnlen(proof.evidence, sizeof proof.evidence);
    fuzz_check(length > 0 && length < sizeof proof.evidence);
    fuzz_check(strchr(proof.evidence, '\n') == NULL);
    fuzz_check(proof.left == 0 || strstr(text, " left=") != NULL);
    fuzz_check(proof.proven == (strncmp(text, "proven=1 ", 9) == 0));
}

static void check_command_line(struct fuzz_input *input)
{
    static const char *const known[] = {"apply", "undo",       "kill",        "stall", "restart",
                                        "pid=1", "pid=999999", "signal=TERM", "pid=",  "signal="};
    char storage[FUZZ_WORDS_MAX][256], *word[FUZZ_WORDS_MAX + 2] = {"process"};
    const int count = fuzz_words(input, known, sizeof known / sizeof known[0], storage, word + 1);
    signals_sent = 0;
    fuzz_hush(true);
    const int code = process_main(count + 1, word);
    fuzz_hush(false);
    fuzz_check(code == 0 || code == 2 || code == 3);
    fuzz_check(signals_sent <= (code == 2 ? 0u : 1u));
}

// What the lab itself says is always understood, and ends in one signal.
static void check_call_of_the_lab(struct fuzz_input *input)
{
    static const char *const known[] = {"KILL", "TERM", "ABRT", "SEGV", "INT", "HUP"};
    const struct fault_parameter parameter = {.name = "signal"};
    struct fault_kind kind = {.name = "kill", .parameter_count = 1, .parameter = {parameter}};
    struct fault_request request = {0};
    snprintf(kind.parameter[0].fallback, sizeof kind.parameter[0].fallback, "%s",
             known[fuzz_u8(input) % 6]);
    struct fault_call call = {.kind = &kind, .request = &request, .action = FAULT_ACTION_APPLY};
    call.pid = 1 + fuzz_u16(input);
    fuzz_take(input, &call.tag, sizeof call.tag);
    fuzz_take(input, &call.seed, sizeof call.seed);
    struct arguments arguments;
    write_arguments(&arguments, &call);
    char *word[sizeof arguments.pointer / sizeof arguments.pointer[0] + 1] = {"process"};
    memcpy(word + 1, arguments.pointer, sizeof arguments.pointer);
    signals_sent = 0;
    fuzz_hush(true);
    const int code = process_main((int)arguments.count + 1, word);
    fuzz_hush(false);
    fuzz_check(code == 0 && signals_sent == 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {.data = data, .size = size};
    const uint8_t what = fuzz_u8(&input);
    if (what & 1)
        check_answer(&input);
    else if (what & 2)
        check_call_of_the_lab(&input);
    else
        check_command_line(&input);
    return 0;
}
