// movements: both formats are read; every mistake is refused.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/movement.h"

#define DEGREE (3.14159265358979323846 / 180)
#define TWENTY_SIX(x)                                                                              \
    x " " x " " x " " x " " x " " x " " x " " x " " x " " x " " x " " x " " x " " x " " x " " x    \
      " " x " " x " " x " " x " " x " " x " " x " " x " " x " " x

static const char motion[] =
    "type=motion\nversion=1.01\nenable=" TWENTY_SIX("1") "\nmotor_type=" TWENTY_SIX(
        "0") "\npage_begin\nname=wave\ncompliance=" TWENTY_SIX("5") "\nplay_param=2 0 3 2 "
                                                                    "32\nstep=" //
    TWENTY_SIX("512") " 0.1 0.4\nstep=" TWENTY_SIX(
        "853") " 0 1\npage_end\npage_begin\n"
               "name=\nplay_param=0 0 1 1 32\npage_end\n1c\n";

static const char points[] = "<joint_waypoints>\n"
                             "  <state ID='1' final_time='1'>\n"
                             "    <joint ID='16' theta='90' w='5'/>\n"
                             "    <joint ID='8' axis='2' theta='-20'/>\n"
                             "  </state>\n"
                             "  <state ID='2' final_time='2.5'>\n"
                             "    <joint ID='16' theta='10' w='0'/>\n"
                             "  </state>\n"
                             "</joint_waypoints>\n";

static enum status read_changed(const char *text, const char *from, const char *to,
                                const char *ending, struct movements **movements)
{
    char path[100];
    struct solid_robot *robot;
    const char *place = strstr(text, from);
    ck_assert_msg(place != NULL, "%s is not there", from);
    choose_file(path, 80);
    strcat(path, ending);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "%.*s%s%s", (int)(place - text), text, to, place + strlen(from));
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(solids_read("targets/bioloid/bioloid.xml", &robot), STATUS_OK);
    const enum status status = movements_read(path, robot, movements);
    free(robot);
    remove(path);
    return status;
}

START_TEST(a_motion_file_is_read)
{
    struct movements *movements;
    ck_assert_int_eq(
        read_changed(motion, "type=motion\n", "\xef\xbb\xbftype=motion\r\n", ".mtn", &movements),
        STATUS_OK);
    ck_assert_uint_eq(movements->count, 2);
    const struct movement *wave = movements_find(movements, "wave");
    ck_assert_ptr_nonnull(wave);
    ck_assert_uint_eq(wave->next, 2);
    ck_assert_uint_eq(wave->repeat, 3);
    ck_assert_uint_eq(wave->step_count, 2);
    ck_assert_uint_eq(wave->slope[7], 32);
    ck_assert_uint_eq(wave->step[0].servos, 0x3fffffe);
    ck_assert_double_eq(wave->step[0].angle_rad[3], 0);
    ck_assert_double_eq_tol(wave->step[1].angle_rad[3], 100 * DEGREE, 1e-9);
    ck_assert_double_eq(wave->step[0].duration_s, 0.2); // at twice the speed
    ck_assert_double_eq(wave->step[0].pause_s, 0.05);
    free(movements);
}
END_TEST

// RoboPlus ends a file with any two bytes. One file with commas, one that an editor wrote anew.
START_TEST(motion_files_end_as_people_have_them)
{
    static const struct {
        const char *end;
        size_t size_B;
    } ends[] = {{"1c", 2},
                {"=#", 2},
                {"\x99\xdc", 2},
                {"\x99\xdc\r\n", 4},
                {"\xb9m", 2},
                {"\0\xfe\n", 3},
                {"\n\n", 2},
                {"\a\n", 2},
                {"", 0},
                {"\r\n\r\n", 4},
                {"\xc2\x99\xc3\x9c", 4},
                {"\0\0", 2},
                {"p=", 2},
                {"\xef\xbf\xbd\xef\xbf\xbd\n", 7}};
    struct movements *movements;
    char path[100];
    const char *sum = strstr(motion, "1c");
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        choose_file(path, 80);
        strcat(path, ".mtn");
        FILE *file = fopen(path, "w");
        ck_assert_ptr_nonnull(file);
        ck_assert_uint_eq(fwrite(motion, 1, (size_t)(sum - motion), file), sum - motion);
        ck_assert_uint_eq(fwrite(ends[i].end, 1, ends[i].size_B, file), ends[i].size_B);
        ck_assert_int_eq(fclose(file), 0);
        ck_assert_msg(movements_read(path, NULL, &movements) == STATUS_OK, "end %zu", i);
        ck_assert_uint_eq(movements->count, 2);
        free(movements);
        remove(path);
    }
}
END_TEST

START_TEST(a_decimal_comma_is_read)
{
    struct movements *movements;
    ck_assert_int_eq(read_changed(motion, "853 0 1", "853 0,25 1,5", ".mtn", &movements),
                     STATUS_OK);
    const struct movement *wave = movements_find(movements, "wave");
    ck_assert_double_eq(wave->step[1].pause_s, 0.125); // at twice the speed
    ck_assert_double_eq(wave->step[1].duration_s, 0.75);
    free(movements);
}
END_TEST

START_TEST(way_points_are_read)
{
    struct movements *movements;
    ck_assert_int_eq(read_changed(points, "ID='1'", "ID='1'", ".xml", &movements), STATUS_OK);
    const struct movement *movement = &movements->movement[0];
    ck_assert_uint_eq(movement->step_count, 2);
    ck_assert_uint_eq(movement->step[0].servos, 1u << 19 | 1u << 12);
    ck_assert_double_eq_tol(movement->step[0].angle_rad[19], 90 * DEGREE, 1e-12);
    ck_assert_double_eq_tol(movement->step[0].velocity_rad_s[19], 5 * DEGREE, 1e-12);
    ck_assert_double_eq_tol(movement->step[0].angle_rad[12], -20 * DEGREE, 1e-12);
    ck_assert_double_eq(movement->step[1].duration_s, 1.5);
    free(movements);
}
END_TEST

START_TEST(mistakes_in_a_motion_file_are_refused)
{
    static const struct {
        const char *what, *from, *to;
    } mistakes[] = {
        {"position above 1023", "853 0 1", "1024 0 1"},
        {"position of a fraction", "853 0 1", "85.3 0 1"},
        {"negative position", "853 0 1", "-1 0 1"},
        {"time 0", "853 0 1", "853 0 0"},
        {"negative pause", "853 0 1", "853 -1 1"},
        {"no time", "853 0 1", "853 0"},
        {"too many numbers", "853 0 1", "853 853 0 1"},
        {"nan", "853 0 1", "853 nan 1"},
        {"word", "step=", "stop="},
        {"compliance", "5 5 5", "8 5 5"},
        {"speed 0", "3 2 32", "3 0 32"},
        {"next page", "play_param=2", "play_param=3"},
        {"page within a page", "page_end\npage_begin", "page_begin"},
        {"no end", "32\npage_end\n1c", "32\n"},
        {"a word of three letters at the end", "page_end\n1c", "page_end\n1cd"},
        {"two sums", "page_end\n1c", "page_end\n1c\n1c"},
        {"comma and point", "853 0 1", "853 0 1,5.0"},
        {"two commas", "853 0 1", "853 0 1,5,0"},
        {"position of a fraction, with a comma", "853 0 1", "85,3 0 1"},
        {"sum within a page", "32\npage_end\n1c", "32\n1c\npage_end"},
        {"step outside", "page_begin\nname=wave", "name=wave"},
        {"no play_param", "play_param=2 0 3 2 32\n", ""},
        {"long name", "name=wave", "name=wavewavewavewavewavewavewavewave"},
        {"no value", "version=1.01", "version"},
    };
    struct movements *movements;
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++)
        ck_assert_msg(read_changed(motion, mistakes[i].from, mistakes[i].to, ".mtn", &movements) ==
                          STATUS_INVALID,
                      "%s was accepted", mistakes[i].what);
}
END_TEST

START_TEST(mistakes_in_way_points_are_refused)
{
    static const struct {
        const char *what, *from, *to;
    } mistakes[] = {
        {"time 0", "final_time='1'", "final_time='0'"},
        {"time goes back", "final_time='2.5'", "final_time='0.5'"},
        {"no such joint", "ID='16'", "ID='99'"},
        {"no such axis", "axis='2'", "axis='3'"},
        {"second axis of a hinge", "ID='16'", "axis='2' ID='16'"},
        {"beyond the limits", "theta='90'", "theta='170'"},
        {"a word", "theta='90'", "theta='right'"},
        {"joint twice", "<joint ID='8' axis='2' theta='-20'/>", "<joint ID='16' theta='0'/>"},
        {"no state", "joint_waypoints>\n  <state", "joint_waypoints>\n  <pose"},
        {"another file", "<joint_waypoints>", "<joint_points>"},
    };
    struct movements *movements;
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++)
        ck_assert_msg(read_changed(points, mistakes[i].from, mistakes[i].to, ".xml", &movements) ==
                          STATUS_INVALID,
                      "%s was accepted", mistakes[i].what);
}
END_TEST

UNIT_MAIN("movement", a_motion_file_is_read, motion_files_end_as_people_have_them,
          a_decimal_comma_is_read, way_points_are_read, mistakes_in_a_motion_file_are_refused,
          mistakes_in_way_points_are_refused)
