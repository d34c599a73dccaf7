// core: what --core may say, and which core a trial gets.
#include "tests/unit/common/unit.h"

#include <sched.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/campaign/core.h"

static cpu_set_t mine(void)
{
    cpu_set_t set;
    ck_assert_int_eq(sched_getaffinity(0, sizeof set, &set), 0);
    return set;
}

static int first_of_mine(void)
{
    const cpu_set_t set = mine();
    int core = 0;
    while (!CPU_ISSET(core, &set))
        core++;
    return core;
}

START_TEST(auto_and_none_are_words)
{
    struct core_choice choice;
    char words[256];
    const cpu_set_t set = mine();
    ck_assert(core_choose("auto", &choice, words, sizeof words));
    ck_assert(!choice.given && !choice.none && CPU_EQUAL(&choice.among, &set));
    ck_assert(core_choose("none", &choice, words, sizeof words));
    ck_assert(choice.given && choice.none);
    ck_assert_int_eq(core_claim(&choice), -1);
    ck_assert_int_eq(core_after(&choice, -1), -1);
}
END_TEST

START_TEST(a_list_is_kept_to_even_when_all_of_it_is_claimed)
{
    struct core_choice choice;
    char words[256], list[64];
    const int core = first_of_mine();
    snprintf(list, sizeof list, "%d,%d-%d", core, core, core);
    ck_assert(core_choose(list, &choice, words, sizeof words));
    ck_assert_int_eq(CPU_COUNT(&choice.among), 1);
    for (unsigned i = 0; i < 3; i++)
        ck_assert_int_eq(core_claim(&choice), core);
    ck_assert_int_eq(core_after(&choice, core), core);
}
END_TEST

START_TEST(what_is_no_list_or_not_ours_is_refused_with_what_is)
{
    static const struct {
        const char *text, *words;
    } bad[] = {{"", "neither auto, nor none"},    {"0-", "neither auto, nor none"},
               {"0,", "neither auto, nor none"},  {"1-0", "neither auto, nor none"},
               {"-1", "neither auto, nor none"},  {"0 1", "neither auto, nor none"},
               {"all", "neither auto, nor none"}, {"1024", "neither auto, nor none"},
               {"1023", "name some of "},         {"0-1023", "name some of "}};
    struct core_choice choice;
    char words[256];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_msg(!core_choose(bad[i].text, &choice, words, sizeof words), "%s", bad[i].text);
        ck_assert_msg(strstr(words, bad[i].words) != NULL, "%s: %s", bad[i].text, words);
    }
}
END_TEST

// Claims the next core of `choice` in a process of its own, in another network namespace if it may
// have one, which holds the claim until `hold` is closed; what it got.
static int claimed_elsewhere(const struct core_choice *choice, const int hold[2])
{
    int told[2], core = -2;
    ck_assert_int_eq(pipe(told), 0);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        char end;
        close(hold[1]);
        (void)!unshare(CLONE_NEWUSER | CLONE_NEWNET); // refused here: as a lab beside
        core = core_claim(choice);
        (void)!write(told[1], &core, sizeof core);
        _exit(read(hold[0], &end, 1) != 0);
    }
    ck_assert_int_eq(read(told[0], &core, sizeof core), sizeof core);
    close(told[0]);
    close(told[1]);
    return core;
}

START_TEST(labs_of_two_network_namespaces_share_no_core)
{
    struct core_choice choice = {.given = true};
    int hold[2];
    CPU_SET(CPU_SETSIZE - 2, &choice.among); // that no trial claims, as no machine has them
    CPU_SET(CPU_SETSIZE - 1, &choice.among);
    ck_assert_int_eq(pipe(hold), 0);
    const int one = claimed_elsewhere(&choice, hold), other = claimed_elsewhere(&choice, hold);
    ck_assert(CPU_ISSET(one, &choice.among) && CPU_ISSET(other, &choice.among));
    ck_assert_int_ne(one, other);
    close(hold[0]);
    close(hold[1]);
    while (wait(NULL) > 0)
        ;
    for (int core = CPU_SETSIZE - 2; core < CPU_SETSIZE; core++) {
        char lock[64];
        snprintf(lock, sizeof lock, "/run/lock/ukemi-core-%d", core);
        (void)unlink(lock);
    }
}
END_TEST

UNIT_MAIN("core", auto_and_none_are_words, a_list_is_kept_to_even_when_all_of_it_is_claimed,
          what_is_no_list_or_not_ours_is_refused_with_what_is,
          labs_of_two_network_namespaces_share_no_core)
