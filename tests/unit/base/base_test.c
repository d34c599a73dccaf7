// base: status names, time arithmetic, seeded random streams, texts of strangers, shared pages.
#include "tests/unit/common/unit.h"

#include <string.h>
#include <sys/mman.h>

#include "base/random.h"
#include "base/running_time.h"
#include "base/shared_page.h"
#include "base/spreadsheet.h"
#include "base/status.h"
#include "base/text.h"
#include "base/time.h"
#include "tests/unit/common/folder.h"

START_TEST(every_status_has_a_name_and_a_text)
{
    ck_assert_str_eq(status_name(STATUS_OK), "OK");
    ck_assert_str_eq(status_name(STATUS_UNSUPPORTED), "UNSUPPORTED");
    ck_assert_str_eq(status_name((enum status)999), "UNKNOWN");
    ck_assert_uint_gt(strlen(status_text(STATUS_MISSED)), 0);
}
END_TEST

START_TEST(seconds_round_to_the_nearest_nanosecond)
{
    ck_assert_int_eq(duration_s(0.1).ns, 100000000);
    ck_assert_int_eq(duration_s(-0.1).ns, -100000000);
    ck_assert_int_eq(instant_sub(instant_s(2.5), instant_s(1.0)).ns, 1500000000);
}
END_TEST

START_TEST(a_stream_depends_on_seed_and_name_only)
{
    struct random_stream a, b, c;
    random_start(&a, 7, "fault");
    random_start(&b, 7, "fault");
    random_start(&c, 7, "noise");
    uint64_t first = random_bits(&a);
    ck_assert_uint_eq(first, random_bits(&b));
    ck_assert_uint_ne(first, random_bits(&c));
}
END_TEST

START_TEST(normal_numbers_have_mean_0_and_deviation_1)
{
    struct random_stream stream;
    random_start(&stream, 1, "normal");
    double sum = 0, squares = 0;
    const int n = 100000;
    for (int i = 0; i < n; i++) {
        double x = random_normal(&stream);
        sum += x;
        squares += x * x;
    }
    ck_assert_double_eq_tol(sum / n, 0.0, 0.02);
    ck_assert_double_eq_tol(squares / n, 1.0, 0.02);
}
END_TEST

START_TEST(of_the_time_between_two_looks_no_more_counts_than_a_machine_that_runs_takes)
{
    struct running_time running = {0};
    ck_assert_int_eq(running_time_look(&running, 5000, 20), 0); // the first look begins
    ck_assert_int_eq(running_time_look(&running, 5010, 20), 10);
    ck_assert_int_eq(running_time_look(&running, 5030, 20), 30);
    ck_assert_int_eq(running_time_look(&running, 9000, 20), 50); // it stood still
    ck_assert_int_eq(running_time_look(&running, 9000, 20), 50);
    ck_assert_int_eq(running_time_look(&running, 9001, 20), 51);
}
END_TEST

// What each text becomes on a terminal.
static const struct {
    const char *from, *shown;
} strange[] = {
    {"PASS\n", "PASS"},
    {"one\ntwo\n\n", "one|two|"},
    {"\033[2J\033]0;title\a\033[32mPASS\033[m", "?[2J?]0;title??[32mPASS?[m"},
    {"a\rb\tc\bd\177e", "a?b?c?d?e"},
    {"\2332J", "?2J"},               // CSI in one byte
    {"\302\2332J", "??2J"},          // the same in UTF-8
    {"\342\200\256ssap", "???ssap"}, // right to left NOLINT(misc-misleading-bidirectional)
    {"\xc0\x9b", "??"},              // ESC in a form that is too long
    {"\xe0\x82\x9b", "???"},         // CSI likewise
    {"\xf4\x90\x80\x80", "????"},    // beyond Unicode
    {"\xe2\x82", "??"},              // cut off
    {"3 \xc2\xb5s, 5 \xe2\x82\xac, \xf0\x9f\xa4\x96",
     "3 \xc2\xb5s, 5 \xe2\x82\xac, \xf0\x9f\xa4\x96"},
};

static void check_strange(const char *from, const char *expected)
{
    char shown[64] = "", cleaned[64];
    FILE *out = fmemopen(shown, sizeof shown, "w");
    ck_assert_ptr_nonnull(out);
    text_print(out, from, "|");
    (void)fclose(out);
    ck_assert_str_eq(shown, expected);
    text_copy(cleaned, sizeof cleaned, from);
    text_clean(cleaned);
    ck_assert_uint_eq(strlen(cleaned), strlen(from));
    for (const char *c = cleaned; *c != '\0'; c++)
        ck_assert((unsigned char)*c >= ' ' && *c != 0x7f);
}

START_TEST(a_text_of_a_stranger_cannot_speak_to_a_terminal)
{
    for (size_t i = 0; i < sizeof strange / sizeof strange[0]; i++)
        check_strange(strange[i].from, strange[i].shown);
}
END_TEST

static bool says_yes(const void *memory)
{
    return strcmp(memory, "yes") == 0;
}

// Makes a page that begins with `head`, and says what became of mapping it as one of `size_B`.
static const char *mapped(const char *cell, const char *head, size_t size_B)
{
    struct shared_page page = {cell, "pages", head, 4096, says_yes};
    void *memory;
    ck_assert_int_eq(shared_page_create(&page, head, strlen(head) + 1), STATUS_OK);
    page.size_B = size_B;
    const enum status status = shared_page_map(&page, true, &memory);
    if (status == STATUS_OK)
        munmap(memory, size_B);
    return status_name(status);
}

START_TEST(a_page_is_mapped_if_it_is_there_whole_and_sound)
{
    char cell[64];
    void *memory;
    make_folder(cell, sizeof cell);
    const struct shared_page absent = {cell, "pages", "absent", 4096, says_yes};
    ck_assert_str_eq(mapped(cell, "yes", 4096), "OK");
    ck_assert_str_eq(mapped(cell, "no", 4096), "CORRUPT");
    ck_assert_str_eq(mapped(cell, "yes", 8192), "CORRUPT");
    ck_assert_int_eq(shared_page_map(&absent, true, &memory), STATUS_NOT_FOUND);
    remove_folder(cell);
}
END_TEST

static void cell_is(void (*cell)(FILE *, const char *), const char *text, const char *wanted)
{
    char *written = NULL;
    size_t size_B;
    FILE *out = open_memstream(&written, &size_B);
    cell(out, text);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_str_eq(written, wanted);
    free(written);
}

START_TEST(a_text_in_a_table_is_no_formula)
{
    static const char *const formulas[] = {
        "=1+1",
        "+cmd",
        "-cmd",
        "@a",
        "-",
        "+",
        "-1x",
        "-inf",
        "-nan",
        "-0x1p",
        "=1",
        "-1e+",
        "--1",
        "-1-2",
        "-.",
        "+1+A1",
        "\xEF\xBC\x9D" // NOLINT(bugprone-suspicious-missing-comma): one text
        "1+1",
        "-1 2"};
    char wanted[32];
    for (size_t i = 0; i < sizeof formulas / sizeof formulas[0]; i++) {
        snprintf(wanted, sizeof wanted, "'%s", formulas[i]);
        cell_is(spreadsheet_csv, formulas[i], wanted);
        cell_is(spreadsheet_tsv, formulas[i], wanted);
    }
    cell_is(spreadsheet_csv, "\t=1", "\"'\t=1\"");
    cell_is(spreadsheet_tsv, "\t=1", "' =1");
    cell_is(spreadsheet_csv, "\r=1", "\"'\r=1\"");
    cell_is(spreadsheet_csv, "=\"a\";b", "\"'=\"\"a\"\";b\"");
}
END_TEST

START_TEST(a_number_in_a_table_stays_one)
{
    static const char *const plain[] = {"",     "-1",      "+1",    "-0.5", "-.5",   "-5.", "-1e-9",
                                        "-1E5", "-1.5e+7", "+0.25", "NaN",  "a=b-c", "1-2", "a@b"};
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        cell_is(spreadsheet_csv, plain[i], plain[i]);
        cell_is(spreadsheet_tsv, plain[i], plain[i]);
    }
}
END_TEST

UNIT_MAIN("base", every_status_has_a_name_and_a_text, seconds_round_to_the_nearest_nanosecond,
          a_stream_depends_on_seed_and_name_only, normal_numbers_have_mean_0_and_deviation_1,
          of_the_time_between_two_looks_no_more_counts_than_a_machine_that_runs_takes,
          a_text_of_a_stranger_cannot_speak_to_a_terminal, a_text_in_a_table_is_no_formula,
          a_number_in_a_table_stays_one, a_page_is_mapped_if_it_is_there_whole_and_sound)
