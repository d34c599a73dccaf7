#include "harness/judge/judge_apart.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/running_time.h"
#include "base/trouble.h"
#include "clock/futex.h"
#include "harness/cell/cpu_time.h"

#define SLICE_MS 50
#define GAP_MAX_NS ((int64_t)2 * SLICE_MS * 1000 * 1000)

struct answer { // shared with the process that judges
    bool trouble;
    struct judgement judgement;
};

static void refuse(struct judgement *judgement, const char *why)
{
    *judgement = (struct judgement){.verdict = VERDICT_SKIP};
    judgement_add(judgement, "lab", VERDICT_ERROR, NAN, "", why);
}

// Until it has ended, or has had its time and is ended. True: by itself, with *end as waitpid has
// it.
static bool await(pid_t child, double limit_s, int *end)
{
    struct running_time running = {0};
    struct pollfd ended = {.fd = pidfd_open(child, 0), .events = POLLIN};
    const int64_t limit_ns = (int64_t)(limit_s * NS_PER_S);
    bool in_time = true;
    while (ended.fd >= 0 && in_time && poll(&ended, 1, SLICE_MS) <= 0)
        in_time = running_time_look(&running, monotonic_ns(), GAP_MAX_NS) <= limit_ns;
    if (!in_time)
        (void)kill(child, SIGKILL);
    (void)cpu_time_await(child);
    while (waitpid(child, end, 0) < 0 && errno == EINTR)
        ;
    if (ended.fd >= 0)
        close(ended.fd);
    return in_time;
}

static void take(const struct answer *answer, bool in_time, int end, double limit_s,
                 struct judgement *judgement)
{
    char words[96];
    if (in_time && WIFSIGNALED(end) && !cpu_time_was_up())
        (void)raise(WTERMSIG(end)); // as if it had been judged here
    if (answer->trouble)
        (void)trouble_note(ENOMEM);
    if (in_time && WIFEXITED(end) && WEXITSTATUS(end) == EXIT_SUCCESS) {
        *judgement = answer->judgement;
        return;
    }
    snprintf(words, sizeof words, "judging took more than %g s (wall_s), and was ended", limit_s);
    refuse(judgement, in_time ? "judging ended without a judgement" : words);
}

void judge_apart(const struct judged *judged, const struct judge_cell *cell, double limit_s,
                 struct judgement *judgement)
{
    struct answer *answer =
        mmap(NULL, sizeof *answer, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const pid_t parent = getpid();
    int end = 0;
    fflush(NULL); // nothing is written twice
    const pid_t child = answer == MAP_FAILED ? -1 : fork();
    if (child == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(EXIT_FAILURE);
        judge(judged, cell, &answer->judgement);
        answer->trouble = trouble_words() != NULL;
        _exit(EXIT_SUCCESS);
    }
    if (child < 0) {
        (void)trouble_note(errno);
        refuse(judgement, "no process to judge in");
    } else {
        const bool in_time = await(child, limit_s, &end);
        take(answer, in_time, end, limit_s, judgement);
    }
    if (answer != MAP_FAILED)
        munmap(answer, sizeof *answer);
}
