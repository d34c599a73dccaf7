// A result database of another origin, read by `ukemi show`, `diff`, `export`, `judge` and
// `report`: rows with odd values, missing and changed tables, damaged bytes. All end with an exit
// code; a list of what there is ends.
#include "tests/fuzz/fuzz.h"

#include <ftw.h>
#include <getopt.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "harness/cli/cli.h"
#include "harness/store/database_private.h"
#include "harness/report/report.h"

static char folder[] = "/dev/shm/ukemi-fuzz-database-XXXXXX";
static char path[64], report[64], out[64];
static uint8_t *pristine;
static size_t pristine_B;

// A campaign's file is another target's matter, and may be any path here.
enum status __real_campaign_load(const char *file, struct campaign **campaign);
enum status __wrap_campaign_load(const char *file, struct campaign **campaign);
enum status __wrap_campaign_load(const char *file, struct campaign **campaign)
{
    return strcmp(file, "scenarios/campaigns/smoke.yaml") == 0
               ? __real_campaign_load(file, campaign)
               : STATUS_NOT_FOUND;
}

static int remove_entry(const char *entry, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status, (void)kind;
    if (walk->level > 0)
        (void)remove(entry);
    return 0;
}

// What is in the folder.
static void remove_all(const char *place)
{
    nftw(place, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static void clean_up(void)
{
    remove_all(folder);
    rmdir(folder);
}

static const char rows[] =
    "INSERT INTO machine VALUES (1, 'cpu', 2, 'kernel', 1, 'p', 'c', 'g', 'r', 0);"
    "INSERT INTO build VALUES (1, 'r', 'c', 'l', 'm', 's');"
    "INSERT INTO campaign VALUES (1, 'trials', 'smoke', 'scenarios/campaigns/smoke.yaml', 'hubo2', "
    "1, "
    "'virtual', 0, 1, 1, 1, 1, 'now', NULL, 1, 'walking', '', NULL);"
    "INSERT INTO square VALUES (1, 1, 0, 'Control', 'Static', '001-stand', 'claim', 'Falls "
    "over', 2);"
    "INSERT INTO trial VALUES (1, 1, 0, 'hubo2', '001-stand', 7, 'virtual', 1, 1, 'ran', "
    "'', 1, 1, 1, 5, '', NULL, NULL, 1, 'now', NULL, NULL, 1, 'wall', '', '');"
    "INSERT INTO judging VALUES (1, 1, 0, 1, 'now', 'FAIL');"
    "INSERT INTO verdict VALUES (1, 'lab', 'FAIL', 0.5, 'm', 'detail', 0.5);"
    "INSERT INTO fault VALUES (1, 0, 'kill', 'Control', 'signal=KILL', 1, 1, 'e', 0, NULL, 0, '');"
    "INSERT INTO process_event VALUES (1, 0, 1, 'control', 'Control', 0, 'killed', 9, 5, 'w');"
    "INSERT INTO observation VALUES (1, 0, 'behaviour', NULL, '', 'Falls over', ''),"
    " (1, 1, 'motion', NULL, '', 'Dynamic', ''), (1, 2, 'fault_s', 1, 's', '', ''),"
    " (1, 3, 'com_margin_m', -0.01, 'm', '', ''), (1, 4, 'stop_s', NULL, 's', '', 'no sample');"
    "INSERT INTO campaign VALUES (2, 'benchmark', 'latency', 'f', 'hubo2', 0, 'wall', 0, 1, 1, 1, "
    "1, "
    "'now', 'now', 1, 'campaign', '', NULL);"
    "INSERT INTO square VALUES (2, 2, 0, '100 Hz', '', '', '', '', 1);"
    "INSERT INTO trial VALUES (2, 2, 0, 'hubo2', '', 0, 'wall', 1, 1, 'ran', '', 0, 1, 1, 0, '', "
    "NULL, NULL, 0, 'now', NULL, NULL, 1, 'wall', '', '');"
    "INSERT INTO campaign VALUES (3, 'benchmark', 'latency', 'f', 'hubo2', 0, 'wall', 0, 1, 1, 1, "
    "1, "
    "'now', 'now', 1, 'campaign', '', NULL);"
    "INSERT INTO square VALUES (3, 3, 0, '100 Hz', '', '', '', '', 1);"
    "INSERT INTO trial VALUES (3, 3, 0, 'hubo2', '', 0, 'wall', 1, 1, 'ran', '', 0, 1, 1, 0, '', "
    "NULL, NULL, 0, 'now', NULL, NULL, 1, 'wall', '', '');"
    "INSERT INTO figure VALUES (2, 'p99', 'us', 'less', 1.5), (3, 'p99', 'us', 'less', 2);"
    // 1 ns once, 5 ns 1000 times, 8 ns 3 times (tests/unit/bench/histogram_export_test.c).
    "INSERT INTO histogram VALUES (2, 'loop', 'ns', 1, 1004, 0, 0, 1, 5, 5, 5, 5, 8, 8, "
    "x'1c84931300000007000000000000000300000000000000010000001fffffffff3ff0000000000000"
    "000205d00f0306');";

static void start(void)
{
    struct database *database;
    fuzz_check(mkdtemp(folder) != NULL && atexit(clean_up) == 0);
    snprintf(path, sizeof path, "%s/db", folder);
    snprintf(report, sizeof report, "%s/report", folder);
    snprintf(out, sizeof out, "%s/out", folder);
    fuzz_check(setenv("PATH", "/nonexistent", 1) == 0); // no gnuplot
    fuzz_check(database_open(path, DATABASE_WRITE, &database) == STATUS_OK);
    char *message = NULL;
    if (sqlite3_exec(database->handle, rows, NULL, NULL, &message) != SQLITE_OK)
        printf("%s\n", message);
    fuzz_check(message == NULL);
    char *history = realpath("tests/fuzz/corpus/history/small.mcap", NULL);
    char *keep = sqlite3_mprintf("UPDATE trial SET history_path = %Q", history);
    fuzz_check(sqlite3_exec(database->handle, keep, NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_free(keep);
    free(history);
    fuzz_check(sqlite3_exec(database->handle, "PRAGMA journal_mode = DELETE; VACUUM", NULL, NULL,
                            NULL) == SQLITE_OK);
    database_close(database);
    FILE *file = fopen(path, "rb");
    fuzz_check(file != NULL && fseek(file, 0, SEEK_END) == 0);
    pristine_B = (size_t)ftell(file);
    rewind(file);
    pristine = malloc(pristine_B);
    fuzz_check(pristine != NULL && fread(pristine, 1, pristine_B, file) == pristine_B);
    fclose(file);
}

static void write_file(const uint8_t *bytes, size_t size_B)
{
    FILE *file = fopen(path, "wb");
    fuzz_check(file != NULL && fwrite(bytes, 1, size_B, file) == size_B && fclose(file) == 0);
}

// ---- what may be odd ---------------------------------------------------------------------------

static void damage(struct fuzz_input *input)
{
    uint8_t *bytes = malloc(pristine_B);
    fuzz_check(bytes != NULL);
    memcpy(bytes, pristine, pristine_B);
    for (unsigned n = 1 + fuzz_u8(input) % 8; n > 0; n--) {
        const size_t at = (fuzz_u16(input) * 7u) % pristine_B;
        bytes[at] = fuzz_u8(input);
    }
    write_file(bytes, pristine_B - (fuzz_u8(input) == 0xff ? pristine_B / 3 : 0));
    free(bytes);
}

static void alter(struct fuzz_input *input)
{
    static const char *const table[] = {
        "machine", "build", "campaign",    "square", "trial",     "process_event", "judging",
        "verdict", "fault", "observation", "figure", "histogram", "sample"};
    static const char *const value[] = {"NULL",
                                        "''",
                                        "-1",
                                        "9223372036854775807",
                                        "9e999",
                                        "-9e999",
                                        "CAST(x'ff00c3' AS TEXT)",
                                        "'%s%n'",
                                        "char(27) || '[2J' || char(10)",
                                        "replace(hex(zeroblob(5000)), '0', 'x')",
                                        "'/dev/zero'",
                                        "0.5",
                                        "'../../x'",
                                        "1"};
    static const char *const change[] = {"DROP TABLE %s", "DELETE FROM %s",
                                         "ALTER TABLE %s RENAME TO odd",
                                         "ALTER TABLE %s ADD COLUMN odd TEXT DEFAULT 'odd'"};
    sqlite3 *handle;
    write_file(pristine, pristine_B);
    fuzz_check(sqlite3_open(path, &handle) == SQLITE_OK);
    sqlite3_exec(handle,
                 "PRAGMA ignore_check_constraints = ON; PRAGMA journal_mode = OFF;"
                 "PRAGMA synchronous = OFF; PRAGMA legacy_alter_table = ON",
                 NULL, NULL, NULL);
    for (unsigned n = 0; fuzz_more(input) && n < 8; n++) {
        char sql[512], column[128] = "";
        const char *of = table[fuzz_u8(input) % 12];
        const uint8_t which = fuzz_u8(input), what = fuzz_u8(input);
        sqlite3_stmt *list;
        if (what >= 0xf0) {
            snprintf(sql, sizeof sql, change[what % 4], of);
            sqlite3_exec(handle, sql, NULL, NULL, NULL);
            continue;
        }
        snprintf(sql, sizeof sql, "SELECT * FROM %s", of);
        if (sqlite3_prepare_v2(handle, sql, -1, &list, NULL) != SQLITE_OK)
            continue;
        if (sqlite3_column_count(list) > 0)
            snprintf(column, sizeof column, "%s",
                     sqlite3_column_name(list, which % sqlite3_column_count(list)));
        sqlite3_finalize(list);
        snprintf(sql, sizeof sql, "UPDATE %s SET %s = %s", of, column, value[what % 14]);
        sqlite3_exec(handle, sql, NULL, NULL, NULL);
    }
    sqlite3_close(handle);
}

// ---- reading it --------------------------------------------------------------------------------

static void call(char **word)
{
    int count = 0;
    while (word[count] != NULL)
        count++;
    optind = 0;
    const int code = cli_call(cli_command_find(word[0]), count, word);
    fuzz_hush(false);
    fuzz_check(code >= EXIT_PASS && code <= EXIT_LAB);
    fuzz_hush(true);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (pristine == NULL)
        start();
    struct fuzz_input input = {.data = data, .size = size};
    const uint8_t how = fuzz_u8(&input);
    remove_all(folder);
    if (how & 1)
        damage(&input);
    else if (how != 0xfe)
        alter(&input);
    else
        write_file(data, size);
    fuzz_hush(true);
    call((char *[]){"show", "--db", path, NULL});
    call((char *[]){"show", "1", "--db", path, NULL});
    call((char *[]){"show", "2", "--db", path, NULL});
    call((char *[]){"diff", "2", "3", "--alpha", "0.9", "--db", path, NULL});
    call((char *[]){"export", "2", "--format", how & 2 ? "hgrm" : "cyclictest", "-o", out, "--db",
                    path, NULL});
    if (how & 2)
        call((char *[]){"judge", "1", "--db", path, NULL});
    if ((how & 0xc) == 0xc) {
        const enum status status = report_write(path, NULL, report);
        (void)status; // said
    }
    fuzz_hush(false);
    return 0;
}
