// The reports' template language on a database of odd values: whatever a template says, rendering
// ends in a status, and what it puts out is bounded by what there is.
#include "tests/fuzz/fuzz.h"

#include "harness/store/database_private.h"
#include "harness/report/report_plot.h"
#include "harness/report/report_query.h"
#include "harness/report/report_template.h"

#define OUTPUT_MAX_B (64u << 20)

static sqlite3 *database;
static sqlite3_stmt *row;
static struct report_plotter *plotter;
static const struct report_files files = {"reports/walking", "reports/common"};

static void start(void)
{
    static char output[] = "/dev/shm/ukemi-fuzz-report";
    fuzz_check(setenv("PATH", "/nonexistent", 1) == 0); // no gnuplot
    fuzz_check(sqlite3_open(":memory:", &database) == SQLITE_OK);
    fuzz_check(report_functions_add(database) == STATUS_OK);
    fuzz_check(sqlite3_exec(database, database_schema, NULL, NULL, NULL) == SQLITE_OK);
    fuzz_check(sqlite3_exec(database,
                            "CREATE TEMP TABLE chosen (campaign_id INTEGER, path TEXT);"
                            "INSERT INTO chosen VALUES (1, 'u.db')",
                            NULL, NULL, NULL) == SQLITE_OK);
    fuzz_check(report_script(database, &files, "prelude") == STATUS_OK);
    fuzz_check(report_script(database, &files, "since_views") == STATUS_OK);
    fuzz_check(sqlite3_prepare_v2(database,
                                  "SELECT 'a<b&\\_%{}' AS a, '' AS void, NULL AS absent,"
                                  " 1e308 AS b, 'x|y\"' AS c, char(233, 8364, 10) AS d",
                                  -1, &row, NULL) == SQLITE_OK);
    fuzz_check(sqlite3_step(row) == SQLITE_ROW);
    static const struct report_source source = {.histories = "."};
    fuzz_check(report_plotter_create(database, &files, output, &source, &plotter) == STATUS_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"x.html", "x.txt", "x.md", "x.tex", "x.csv"};
    if (database == NULL)
        start();
    if (size < 1)
        return 0;
    char *text = malloc(size), *out = NULL;
    size_t out_B = 0;
    fuzz_check(text != NULL);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    struct report_scope scope = {.row = row};
    struct report_renderer renderer = {.database = database,
                                       .files = &files,
                                       .format = report_format_of(names[data[0] % 5]),
                                       .plotter = plotter,
                                       .file = names[data[0] % 5],
                                       .out = open_memstream(&out, &out_B)};
    fuzz_check(renderer.out != NULL);
    const enum status status = report_render(&renderer, text, data[0] & 0x80 ? NULL : &scope);
    fuzz_check(fclose(renderer.out) == 0);
    fuzz_check(status == STATUS_OK || status == STATUS_INVALID || status == STATUS_SYSTEM ||
               status == STATUS_NOT_FOUND);
    fuzz_check(out_B <= OUTPUT_MAX_B);
    free(out);
    free(text);
    return 0;
}
