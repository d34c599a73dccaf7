#include <getopt.h>

#include "harness/cli.h"
#include "harness/report.h"

static const char usage[] =
    "usage: ukemi report [CAMPAIGN] [--db PATH] [--to FOLDER]\n\n"
    "Writes the report of a campaign (its name or number; default: the newest) as text, Markdown,\n"
    "LaTeX, CSV and one HTML page.\n\n"
    "  --db PATH    the database (default " CLI_DATABASE ")\n"
    "  --to FOLDER  where it goes (default report)\n";

int cli_report(int argc, char **argv)
{
    static const struct option options[] = {{"db", required_argument, NULL, 'd'},
                                            {"to", required_argument, NULL, 't'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    const char *path = CLI_DATABASE, *folder = "report";
    for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        if (option == 'h')
            return cli_usage(usage, true);
        if (option == '?')
            return EXIT_INPUT;
        if (option == 'd')
            path = optarg;
        else
            folder = optarg;
    }
    if (argc - optind > 1)
        return cli_usage(usage, false);
    enum status status = report_write(path, optind < argc ? argv[optind] : NULL, folder);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    printf("report: %s/index.html\n", folder);
    return EXIT_PASS;
}
