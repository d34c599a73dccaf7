// What the program says of itself: the help of a command, from the tables of commands and options,
// and the page of all keys, doc/reference/keys.md, from the tables that the readers use.
#include <string.h>

#include "base/text.h"
#include "harness/cli/cli.h"
#include "harness/files/yaml/file_table.h"

#define WIDTH 95      // of a line
#define LEFT_LEAST 16 // columns of options, two blanks between them and their help included
#define LEFT_MOST 26  // what is longer has its help on the next line
#define LEFT_MAX 80

// Words of a text in lines of WIDTH, all but the first with `indent` blanks before them.
static void print_wrapped(FILE *out, const char *text, int indent)
{
    int column = indent;
    for (size_t length; *text != '\0'; text += length + (text[length] == ' ')) {
        length = strcspn(text, " ");
        if (column > indent && column + 1 + (int)length > WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        }
        column += fprintf(out, "%s%.*s", column > indent ? " " : "", (int)length, text);
    }
    putc('\n', out);
}

static int print_left(const struct cli_option *option, char left[LEFT_MAX])
{
    char letter[8] = "";
    if (option->letter != 0)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    return snprintf(left, LEFT_MAX, "  %s--%s%s%s", letter, option->name,
                    option->argument != NULL ? " " : "",
                    option->argument != NULL ? option->argument : "");
}

// Columns that the options need, but for those that are too long.
static int left_columns(const struct cli_command *command)
{
    char left[LEFT_MAX];
    int columns = LEFT_LEAST;
    for (const struct cli_option *option = cli_options; option->name != NULL; option++) {
        const int length = cli_takes(command, option) ? print_left(option, left) + 2 : 0;
        if (length > columns && length <= LEFT_MOST)
            columns = length;
    }
    return columns;
}

static void print_option(FILE *out, const struct cli_command *command,
                         const struct cli_option *option, int columns)
{
    char left[LEFT_MAX], help[512];
    const int length = print_left(option, left);
    const char *fallback = cli_fallback(command, option);
    if (length + 2 > columns)
        fprintf(out, "%s\n%*s", left, columns, "");
    else
        fprintf(out, "%-*s", columns, left);
    snprintf(help, sizeof help, "%s", option->help);
    if (fallback != NULL && strstr(help, "(default") == NULL)
        text_add(help, sizeof help, " (default %s)", fallback);
    print_wrapped(out, help, columns);
}

static void print_forms(FILE *out, const struct cli_command *command)
{
    const char *form = command->forms;
    for (const char *before = "usage: "; before != NULL;) {
        const size_t length = strcspn(form, "\n");
        fprintf(out, "%sukemi %s%s%.*s\n", before, command->name, length > 0 ? " " : "",
                (int)length, form);
        before = form[length] == '\n' ? "       " : NULL;
        form += length + 1;
    }
}

int cli_print_help(const struct cli_command *command, bool asked)
{
    FILE *out = asked ? stdout : stderr;
    const int columns = left_columns(command);
    bool any = false;
    print_forms(out, command);
    fprintf(out, "\n%s", command->about);
    for (const struct cli_option *option = cli_options; option->name != NULL; option++)
        if (cli_takes(command, option)) {
            fputs(any ? "" : "\n", out);
            print_option(out, command, option, columns);
            any = true;
        }
    if (command->after != NULL)
        fprintf(out, "\n%s", command->after);
    return asked ? EXIT_PASS : EXIT_INPUT;
}

int cli_help_files(void)
{
    static const struct {
        const char *title;
        const struct file_row *rows;
    } kinds[] = {{"Target: `targets/NAME/target.yaml`", target_rows},
                 {"Scenario: `scenarios/FAMILY/NNN-claim.yaml`", scenario_rows},
                 {"Campaign: `scenarios/campaigns/NAME.yaml`", campaign_rows},
                 {"Storm: `scenarios/storms/NAME.yaml`", storm_rows},
                 {"Known findings: `scenarios/findings/known.yaml`", known_rows},
                 {"Fault family: `faults/FAMILY.yaml`", family_rows},
                 {"Night: `scenarios/nights/NAME.yaml`", night_rows},
                 {"Project: `ukemi.yaml`", project_rows}};
    puts(
        "# Keys\n\n"
        "These are all keys of all files that people write; [Files](files.md) explains them. A "
        "name\nconsists of letters, digits, `-`, `_` and `.`. `ukemi help files` prints this page, "
        "and\n`make keys` writes it anew.");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        printf("\n## %s\n\n", kinds[i].title);
        file_print(stdout, kinds[i].rows);
    }
    return EXIT_PASS;
}
