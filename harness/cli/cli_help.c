// The page of all keys, doc/reference/keys.md, from the tables that the readers use.
#include "harness/cli/cli.h"
#include "harness/files/yaml/file_table.h"

int cli_help_files(void)
{
    static const struct {
        const char *title;
        const struct file_row *rows;
    } kinds[] = {{"Target: `targets/NAME/target.yaml`", target_rows},
                 {"Scenario: `scenarios/FAMILY/NNN-claim.yaml`", scenario_rows},
                 {"Campaign: `scenarios/campaigns/NAME.yaml`", campaign_rows},
                 {"Fault family: `faults/FAMILY.yaml`", family_rows},
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
