// report: pages that a target has in its own folder are found, last; what others may write is not.
#include "tests/unit/common/folder.h"
#include "tests/unit/common/unit.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/report/report_folders.h"

static char top[64];

static const char *in_top(const char *name)
{
    static char path[PATH_MAX_LENGTH];
    snprintf(path, sizeof path, "%s/%s", top, name);
    return path;
}

static void make_file(const char *name)
{
    FILE *file = fopen(in_top(name), "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fclose(file), 0);
}

static void add_folder(const char *name)
{
    ck_assert_int_eq(mkdir(in_top(name), 0755), 0);
}

// A lab with its two pages, and a place of one's own with a target that has two.
static void make_places(void)
{
    static const char *const folder[] = {
        "lab",         "lab/reports",  "lab/reports/common",      "lab/reports/campaign",
        "mine",        "mine/targets", "mine/targets/t",          "mine/targets/t/reports",
        "lab/targets", "lab/faults",   "mine/targets/t/reports/b"};
    make_folder(top, sizeof top);
    for (size_t i = 0; i < sizeof folder / sizeof folder[0]; i++)
        add_folder(folder[i]);
    add_folder("mine/targets/t/reports/a");
    make_file("mine/targets/t/target.yaml");
    make_file("mine/targets/t/reports/not-a-page.html");
    setenv("UKEMI_ROOT", in_top("lab"), 1);
    setenv("UKEMI_PATH", in_top("mine"), 1);
}

static struct report_folders folders;

START_TEST(pages_of_a_target_come_after_the_labs_in_the_order_of_their_names)
{
    make_places();
    ck_assert_int_eq(report_folders_find("campaign", "t", &folders), STATUS_OK);
    ck_assert_uint_eq(folders.own, 2);
    ck_assert_uint_eq(folders.count, 4);
    ck_assert_str_eq(folders.path[0], in_top("lab/reports/campaign"));
    ck_assert_str_eq(folders.path[1], in_top("lab/reports"));
    ck_assert_str_eq(folders.path[2], in_top("mine/targets/t/reports/a"));
    ck_assert_str_eq(folders.path[3], in_top("mine/targets/t/reports/b"));
    static const char *const without[] = {"", "gone"};
    for (size_t i = 0; i < 2; i++) {
        ck_assert_int_eq(report_folders_find("campaign", without[i], &folders), STATUS_OK);
        ck_assert_uint_eq(folders.count, 2);
    }
}
END_TEST

START_TEST(a_page_that_others_may_write_is_refused)
{
    make_places();
    ck_assert_int_eq(chmod(in_top("mine/targets/t/reports/b"), 0777), 0);
    ck_assert_int_eq(report_folders_find("campaign", "t", &folders), STATUS_INVALID);
}
END_TEST

START_TEST(pages_without_end_are_refused)
{
    char name[64];
    make_places();
    for (int i = 2; i <= OWN_PAGES_MAX; i++) {
        ck_assert_int_eq(report_folders_find("campaign", "t", &folders), STATUS_OK);
        snprintf(name, sizeof name, "mine/targets/t/reports/page-%d", i);
        add_folder(name);
    }
    ck_assert_int_eq(report_folders_find("campaign", "t", &folders), STATUS_INVALID);
}
END_TEST

START_TEST(a_page_is_called_index_or_as_its_folder)
{
    static const struct {
        const char *folder, *file;
        bool has;
    } cases[] = {
        {"reports/campaign", "index.html", true}, {"reports/campaign", "other.html", false},
        {"t/reports/lean", "lean.html", true},    {"t/reports/lean", "leaner.html", false},
        {"t/reports/lean", "lean.md", true},      {"t/reports/lean", "lean.sql", false},
        {"t/reports/lean", "lean.gp", false},     {"t/reports/lean", ".html", false},
        {"t/reports/lean", "README", false},      {"lean", "lean.html", true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ck_assert_msg(report_folder_has(cases[i].folder, cases[i].file) == cases[i].has, "%s/%s",
                      cases[i].folder, cases[i].file);
}
END_TEST

UNIT_MAIN("report folders", pages_of_a_target_come_after_the_labs_in_the_order_of_their_names,
          a_page_that_others_may_write_is_refused, pages_without_end_are_refused,
          a_page_is_called_index_or_as_its_folder)
