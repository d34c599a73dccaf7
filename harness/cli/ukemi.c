// ukemi: the lab's command line.
#include <signal.h>
#include <sys/resource.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/log.h"
#include "base/nearest.h"
#include "harness/cli/cli.h"
#include "harness/files/trusted.h"
#include "harness/store/version.h"

#define STACK_LEAST_B (1ull << 20)

static enum exit_code help(FILE *out)
{
    fputs(
        "usage: ukemi COMMAND [ARGUMENT...]\n\n"
        "Runs multi-process robot controllers, breaks them on purpose, and says what happened.\n\n",
        out);
    for (unsigned i = 0; i < CLI_COMMAND_COUNT; i++)
        fprintf(out, "  %-10s %s\n", cli_commands[i].name, cli_commands[i].summary);
    fputs("\nukemi COMMAND --help explains a command. ukemi --version prints the version.\n"
          "ukemi help files lists all keys of the files that people write.\n"
          "With --trust-folder (or UKEMI_TRUST_FOLDER=1) a command takes files all the same that\n"
          "others may write, or that belong to others; results say so.\n"
          "Exit status: 0 passed, 1 the target failed, 2 bad input, 3 the lab failed,\n"
          "or nothing was judged.\n",
          out);
    return out == stdout ? EXIT_PASS : EXIT_INPUT;
}

static enum exit_code version(void)
{
    struct build_info build = build_info();
    printf("ukemi %s (%s, %s, MuJoCo %s, SQLite %s)\n", build.lab_version, build.lab_revision,
           build.compiler, build.mujoco, build.sqlite);
    return EXIT_PASS;
}

// "help COMMAND" becomes "COMMAND --help".
static void ask_the_command(int argc, char **argv)
{
    static char asked[] = "--help";
    for (int i = 1; i + 1 < argc; i++)
        argv[i] = argv[i + 1];
    argv[argc - 1] = asked;
}

// An option of every command, which it does not see; or UKEMI_TRUST_FOLDER=1. What stands after
// "--" is another program's.
static int take_trust(int argc, char **argv)
{
    const char *variable = getenv("UKEMI_TRUST_FOLDER");
    bool trusts = variable != NULL && strcmp(variable, "1") == 0;
    int kept = 1;
    bool ours = true;
    for (int i = 1; i < argc; i++) {
        ours &= strcmp(argv[i], "--") != 0;
        if (ours && strcmp(argv[i], "--trust-folder") == 0)
            trusts = true;
        else
            argv[kept++] = argv[i];
    }
    argv[kept] = NULL;
    if (trusts)
        trusted_accept();
    return kept;
}

// What a parent may hand down and the lab cannot work with: SIGCHLD ignored, so that no child can
// be waited for; signals blocked; the wish to die of a file that is too large.
static void shed_signals(void)
{
    sigset_t none;
    sigemptyset(&none);
    (void)signal(SIGCHLD, SIG_DFL);
    (void)signal(SIGXFSZ, SIG_IGN); // write says so
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

// The main stack grows up to the limit of the moment. False, reported: it cannot grow enough.
static bool has_stack(void)
{
    struct rlimit stack;
    if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= STACK_LEAST_B)
        return true;
    const rlim_t present_B = stack.rlim_cur;
    stack.rlim_cur = STACK_LEAST_B;
    if (setrlimit(RLIMIT_STACK, &stack) == 0)
        return true;
    log_error("stacks are limited to %llu kB; the lab and its targets need %llu kB: `ulimit -s`",
              (unsigned long long)(present_B >> 10), STACK_LEAST_B >> 10);
    return false;
}

static int refuse(const char *word)
{
    char hint[NEAREST_HINT_MAX];
    struct nearest nearest = {.word = word};
    for (unsigned i = 0; i < CLI_COMMAND_COUNT; i++)
        nearest_try(&nearest, cli_commands[i].name);
    nearest_try(&nearest, "help");
    log_error("there is no command '%s'%s; `ukemi --help` lists them", word,
              nearest_hint(&nearest, hint));
    return EXIT_INPUT;
}

int main(int argc, char **argv)
{
    shed_signals();
    invariant_ends_with(EXIT_LAB);
    log_program(argv[0]);
    if (!has_stack())
        return EXIT_LAB;
    if (argc > 2 && strcmp(argv[1], "help") == 0 && strcmp(argv[2], "complete") == 0)
        return cli_help_complete(argc - 3, argv + 3);
    argc = take_trust(argc, argv);
    if (argc < 2)
        return help(stderr);
    const bool help_word = strcmp(argv[1], "help") == 0;
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || (help_word && argc == 2))
        return help(stdout);
    if (strcmp(argv[1], "--version") == 0)
        return version();
    if (help_word && strcmp(argv[2], "files") == 0)
        return cli_help_files();
    if (help_word && argc == 4 && strcmp(argv[2], "man") == 0)
        return cli_help_man(argv[3]);
    if (help_word)
        ask_the_command(argc, argv);
    const struct cli_command *command = cli_command_find(argv[1]);
    return command == NULL ? refuse(argv[1]) : cli_call(command, argc - 1, argv + 1);
}
