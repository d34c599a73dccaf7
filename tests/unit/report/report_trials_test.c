// report: the trials of a campaign as JUnit, TAP and annotations, whatever the verdicts' words are.
#include "tests/unit/common/unit.h"

#include <libxml/parser.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "harness/report/report_query.h"
#include "harness/report/report_trials.h"

static char folder[64], database_path[128], output[128];

static void run_sql(sqlite3 *database, const char *sql)
{
    char *message = NULL;
    if (sqlite3_exec(database, sql, NULL, NULL, &message) != SQLITE_OK)
        ck_abort_msg("%s", message);
}

// What a target may have said: markup, ends of lines, controls, an escape sequence, what is no
// UTF-8 or no character, a backslash, and a line that would be another annotation.
static const char words[] = "<]]>\"&\r\n#\x01%\x1b[31m\xC2\x85\xFF\xEF\xBF\xBF\\\n::error::mine";

// Of the second and the third the seeds are the same.
static void add_trial(sqlite3 *database, int id, const char *verdict)
{
    char *sql = sqlite3_mprintf(
        "INSERT INTO trial VALUES (%d, 1, %d, 'cart', 's', 7 + %d / 2, 'virtual', 1, 1, 'ran', '', "
        "14, 1,"
        " 0.5, 9, 'aaaabbbbccccddddaaaabbbbccccdddd', NULL, NULL, 0, 'now', NULL, NULL, 1, 'wall', "
        "'', '');"
        "INSERT INTO judging VALUES (%d, %d, 0, 1, 'now', %Q);"
        "INSERT INTO verdict VALUES (%d, 'stays', %Q, -1, '', %Q, NULL)",
        id, id, id, id, id, verdict, id, verdict, words);
    run_sql(database, sql);
    sqlite3_free(sql);
}

static void make_database(void)
{
    sqlite3 *database;
    char *schema;
    make_folder(folder, sizeof folder);
    snprintf(database_path, sizeof database_path, "%s/it's.db", folder);
    snprintf(output, sizeof output, "%s/output", folder);
    ck_assert_int_eq(sqlite3_open(database_path, &database), SQLITE_OK);
    ck_assert_int_eq(report_read_file("harness/store/schema.sql", &schema), STATUS_OK);
    run_sql(database, schema);
    free(schema);
    run_sql(
        database,
        "INSERT INTO machine VALUES (1, 'CPU', 2, '6.1', 1000, 'none', 'tsc', 'none', 'none', 0);"
        "INSERT INTO build VALUES (1, 'v1', 'gcc', 'glibc', '2.2', '3.40');"
        "INSERT INTO campaign VALUES (1, 'trials', 'c', '/gone/a,b:c.yaml', 'cart', 7, 'virtual',"
        " 1, 2, 1, 1, 1, 'now', 'now', 60, 'campaign', '', NULL);"
        "INSERT INTO square VALUES (1, 1, 0, '<r> & #1', '', 's', 'claim', '', 4)");
    static const char *const verdicts[] = {"PASS", "FAIL", "ERROR", "SKIP"};
    for (int i = 0; i < 4; i++)
        add_trial(database, i + 1, verdicts[i]);
    sqlite3_close(database);
}

static char *written(const char *name)
{
    make_database();
    const struct report_trial_format *format = report_trial_formats;
    while (format->name != NULL && strcmp(format->name, name) != 0)
        format++;
    ck_assert_ptr_nonnull(format->name);
    ck_assert_int_eq(report_trials_write(database_path, NULL, format, false, output), STATUS_OK);
    char *text;
    ck_assert_int_eq(report_read_file(output, &text), STATUS_OK);
    return text;
}

static void check_wanted(const char *text, const char *const *wanted, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strstr(text, wanted[i]))
            ck_abort_msg("missing: %s in:\n%s", wanted[i], text);
}
#define WANT(text, ...)                                                                            \
    check_wanted(text, (const char *const[]){__VA_ARGS__},                                         \
                 sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

// Control characters but newlines, or what is no character.
static bool has_controls(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 && *text != '\n')
            return true;
    return false;
}

START_TEST(junit_is_xml_that_holds_the_words)
{
    char *text = written("junit");
    ck_assert(!has_controls(text));
    WANT(text, "tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\"",
         "<testsuite name=\"&lt;r&gt; &amp; #1\"", "<failure type=\"stays\"", "name=\"s seed 7\"",
         "name=\"s seed 8, the same 1\"", "name=\"s seed 8, the same 2\"", "<error type=\"stays\"",
         "<skipped message=\"", "again: ukemi run --trial 2 --db ",
         "file=\"/gone/a,b:c.yaml\" line=\"1\"");
    xmlDoc *document = xmlReadMemory(text, (int)strlen(text), "junit.xml", NULL, XML_PARSE_NONET);
    ck_assert_msg(document != NULL, "not well-formed:\n%s", text);
    const xmlNode *suite = xmlFirstElementChild(xmlDocGetRootElement(document));
    const xmlNode *properties = xmlFirstElementChild((xmlNode *)suite);
    const xmlNode *passed = xmlNextElementSibling((xmlNode *)properties);
    const xmlNode *failed = xmlNextElementSibling((xmlNode *)passed);
    xmlChar *content = xmlNodeGetContent(xmlFirstElementChild((xmlNode *)failed));
    WANT((char *)content, "stays: <]]>\"&?\n#?%?[31m??????\\\n::error::mine\nclaim: claim\n");
    xmlFree(content);
    xmlFreeDoc(document);
    free(text);
}
END_TEST

START_TEST(tap_has_a_point_per_trial_and_no_line_of_a_target)
{
    char *text = written("tap");
    ck_assert(!has_controls(text));
    WANT(text, "TAP version 14\n1..4\n", "\nok 1 - <r> & \\#1: s seed 7\n",
         "\nnot ok 2 - <r> & \\#1: s seed 8, the same 1\n",
         "\nnot ok 3 - <r> & \\#1: s seed 8, the same 2\n",
         "\nok 4 - <r> & \\#1: s seed 9 # SKIP stays: <]]>\"&? \\#?%",
         "  message: \"stays: <]]>\\\"&?\\n#?%?[31m??????\\\\\\n::error::mine\"\n");
    ck_assert_ptr_null(strstr(text, "\n::"));
    free(text);
}
END_TEST

START_TEST(an_annotation_is_one_line_whatever_it_says)
{
    char *text = written("github");
    ck_assert(!has_controls(text));
    WANT(
        text,
        "::error file=/gone/a%2Cb%3Ac.yaml,line=1,title=FAIL%3A <r> & #1%2C s seed 8::stays: "
        "<]]>\"&?%0A#?%25?[31m??????\\%0A::error::mine%0Aclaim: claim%0Aagain: ukemi run --trial 2",
        "::error file=/gone/a%2Cb%3Ac.yaml,line=1,title=ERROR%3A ", "::notice file=",
        "::notice title=Ukemi::campaign c: 1 of 4 trials passed, 1 failed, 1 errors, 1 skipped\n");
    unsigned lines = 0;
    for (const char *line = text; *line; line = strchr(line, '\n') + 1, lines++)
        ck_assert(strncmp(line, "::", 2) == 0);
    ck_assert_uint_eq(lines, 4);
    free(text);
}
END_TEST

UNIT_MAIN("report_trials", junit_is_xml_that_holds_the_words,
          tap_has_a_point_per_trial_and_no_line_of_a_target,
          an_annotation_is_one_line_whatever_it_says)
