// The parts of doc/man/ukemi.1 that the tables of commands and options state: the forms of lines,
// and the options of each command, in mdoc. `make keys` writes them there (scripts/man).
#include <ctype.h>
#include <string.h>

#include "base/log.h"
#include "harness/bench/bench.h"
#include "harness/cli/cli.h"

// A text of mdoc: no letter of it is a macro or begins a request.
static void print_text(const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(*text);
}

// "--last N [TERM...] A|B": options and what is put in their place, a macro each.
static void print_form(const char *form, size_t length)
{
    while (length > 0) {
        const size_t word = strcspn(form, " \n"), end = word < length ? word : length;
        const bool optional = form[0] == '[', flag = strncmp(form, "--", 2) == 0;
        const size_t from = optional ? 1 : flag ? 1 : 0, cut = end - from - (optional ? 1 : 0);
        printf("%s%s ", optional ? ".Op " : ".", flag ? "Fl" : "Ar");
        for (size_t i = 0; i < cut; i++)
            putchar(tolower((unsigned char)form[from + i]));
        putchar('\n');
        length -= end;
        form += end;
        if (length > 0) { // the blank
            length--;
            form++;
        }
    }
}

static void print_forms(const char *name, const char *forms)
{
    for (bool more = true; more;) {
        const size_t length = strcspn(forms, "\n");
        printf(".Nm\n.Cm %s\n", name);
        print_form(forms, length);
        more = forms[length] == '\n';
        forms += length + 1;
    }
}

static void print_synopsis(void)
{
    for (unsigned i = 0; i < CLI_COMMAND_COUNT; i++)
        print_forms(cli_commands[i].name, cli_commands[i].forms);
    puts(".Nm\n.Op Cm help | Cm help Ar command | Cm help files | Fl -help | Fl -version");
}

static bool takes_any(const struct cli_command *command)
{
    for (const struct cli_option *option = cli_options; option->name != NULL; option++)
        if (cli_takes(command, option))
            return true;
    return false;
}

static void print_option(const struct cli_command *command, const struct cli_option *option)
{
    const char *fallback = cli_fallback(command, option);
    fputs(".It", stdout);
    if (option->letter != 0)
        printf(" Fl %c ,", option->letter);
    printf(" Fl -%s", option->name);
    if (option->argument != NULL) {
        fputs(" Ar ", stdout);
        for (const char *letter = option->argument; *letter != '\0'; letter++)
            putchar(tolower((unsigned char)*letter));
    }
    printf("\n%c", toupper((unsigned char)option->help[0]));
    print_text(option->help + 1);
    if (fallback != NULL && strstr(option->help, "(default") == NULL) {
        fputs(" (default ", stdout);
        print_text(fallback);
        putchar(')');
    }
    puts(".");
}

static void print_options(void)
{
    for (unsigned i = 0; i < CLI_COMMAND_COUNT; i++) {
        struct cli_command command = cli_commands[i];
        command.bench = ~0u; // those of any benchmark
        if (!takes_any(&command))
            continue;
        printf(".Ss %s\n.Bl -tag -width Ds\n", command.name);
        for (const struct cli_option *option = cli_options; option->name != NULL; option++)
            if (cli_takes(&command, option))
                print_option(&command, option);
        puts(".El");
    }
}

int cli_help_man(const char *part)
{
    if (strcmp(part, "synopsis") == 0)
        print_synopsis();
    else if (strcmp(part, "options") == 0)
        print_options();
    else {
        log_error("help man: '%s' is not synopsis or options", part);
        return EXIT_INPUT;
    }
    return EXIT_PASS;
}
