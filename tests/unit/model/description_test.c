// description: the HUBO2 file loads as published; every mistake in a description is refused.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/description.h"

#define HUBO2 "targets/hubo2/hubo2.xml"

static struct description *load_hubo2(void)
{
    struct description *description;
    ck_assert_int_eq(description_load(HUBO2, &description), STATUS_OK);
    return description;
}

START_TEST(hubo2_has_its_38_joints_in_order)
{
    static const char *const names[] = {
        "WST", "NKY", "NK1", "NK2", "LSP", "LSR", "LSY", "LEB", "LWY", "LWP", "RSP", "RSR", "RSY",
        "REB", "RWY", "RWP", "LHY", "LHR", "LHP", "LKN", "LAP", "LAR", "RHY", "RHR", "RHP", "RKN",
        "RAP", "RAR", "RF1", "RF2", "RF3", "RF4", "RF5", "LF1", "LF2", "LF3", "LF4", "LF5"};
    struct description *hubo2 = load_hubo2();
    ck_assert_uint_eq(hubo2->joint_count, 38);
    for (unsigned i = 0; i < 38; i++) {
        ck_assert_str_eq(hubo2->joint[i].name, names[i]);
        ck_assert_int_eq(description_joint(hubo2, names[i]), (int)i);
    }
    ck_assert_int_eq(description_joint(hubo2, "NKP"), -1);
    description_free(hubo2);
}
END_TEST

START_TEST(a_joint_carries_its_board_and_limits)
{
    struct description *hubo2 = load_hubo2();
    const struct joint_description *knee = &hubo2->joint[description_joint(hubo2, "LKN")];
    const struct board_description *board = &hubo2->board[knee->board];
    ck_assert_str_eq(board->name, "JMC6");
    ck_assert_uint_eq(board->reference_can_id, 0x16);
    ck_assert_uint_eq(board->encoder_can_id, 0x66);
    ck_assert_uint_eq(board->channel_count, 1);
    ck_assert_int_eq(knee->group, GROUP_LEFT_LEG);
    ck_assert_double_eq(knee->position_max_rad, 2.609);
    ck_assert_double_eq(knee->velocity_max_rad_s, 7);
    ck_assert_double_eq(knee->velocity_nominal_rad_s, 0.8);
    ck_assert_int_eq(knee->velocity_timeout.ns, 500000000);
    description_free(hubo2);
}
END_TEST

START_TEST(boards_and_joints_name_each_other)
{
    struct description *hubo2 = load_hubo2();
    ck_assert_uint_eq(hubo2->board_count, 18);
    unsigned used = 0;
    for (unsigned b = 0; b < hubo2->board_count; b++)
        for (unsigned c = 0; c < hubo2->board[b].channel_count; c++) {
            int joint = hubo2->board[b].joint[c];
            ck_assert_int_ge(joint, 0);
            ck_assert_uint_eq(hubo2->joint[joint].board, b);
            ck_assert_uint_eq(hubo2->joint[joint].channel, c);
            used++;
        }
    ck_assert_uint_eq(used, hubo2->joint_count);
    description_free(hubo2);
}
END_TEST

// Loads hubo2.xml with the first occurrence of `from` replaced by `to`.
static enum status load_changed(const char *from, const char *to)
{
    static char text[40000];
    FILE *file = fopen(HUBO2, "r");
    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    ck_assert_int_eq(fclose(file), 0);
    char *place = strstr(text, from);
    ck_assert_msg(place, "%s is not in " HUBO2, from);
    char path[80];
    choose_file(path, sizeof path);
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "%.*s%s%s", (int)(place - text), text, to, place + strlen(from));
    ck_assert_int_eq(fclose(file), 0);
    struct description *description;
    enum status status = description_load(path, &description);
    if (status == STATUS_OK)
        description_free(description);
    return status;
}

START_TEST(mistakes_are_refused)
{
    static const struct {
        const char *what, *from, *to;
    } mistakes[] = {
        {"unknown attribute", "<joint name=\"WST\"", "<joint colour=\"red\" name=\"WST\""},
        {"unknown element", "<joints>", "<joints><spring/>"},
        {"stray text", "<joints>", "<joints>hello"},
        {"duplicate joint", "name=\"NK1\"", "name=\"NKY\""},
        {"duplicate channel", "board=\"EJMC2\" channel=\"1\"", "board=\"EJMC2\" channel=\"0\""},
        {"channel out of range", "board=\"EJMC3\" channel=\"0\"", "board=\"EJMC3\" channel=\"1\""},
        {"unknown board", "board=\"EJMC3\"", "board=\"EJMC9\""},
        {"duplicate board", "name=\"JMC1\" ", "name=\"JMC0\" "},
        {"duplicate CAN id", "encoder_can_id=\"0x61\"", "encoder_can_id=\"0x60\""},
        {"identifier out of range", "encoder_can_id=\"0x61\"", "encoder_can_id=\"0x861\""},
        {"octal", "id=\"0x04\"", "id=\"04\""},
        {"blank before a number", "encoder_can_id=\"0x61\"", "encoder_can_id=\" 97\""},
        {"hexadecimal real", "position_min_rad=\"-3.14\"", "position_min_rad=\"-0x3\""},
        {"unknown group", "name=\"neck\"", "name=\"tail\""},
        {"min above max", "position_min_rad=\"-3.14\"", "position_min_rad=\"3.2\""},
        {"missing limit", "position_min_rad=\"-3.14\"", ""},
        {"missing velocity", "velocity_max_rad_s=\"6\"", ""},
        {"nominal above maximum", "velocity_nominal_rad_s=\"0.75\"",
         "velocity_nominal_rad_s=\"7.5\""},
        {"not a number", "position_min_rad=\"-3.14\"", "position_min_rad=\"-3.14rad\""},
        {"not finite", "position_min_rad=\"-3.14\"", "position_min_rad=\"nan\""},
        {"zero ticks", "ticks_per_rad=\"159154.9431\"", "ticks_per_rad=\"0\""},
        {"not well-formed", "</joints>", ""},
        {"name too long", "<joint name=\"WST\"", "<joint name=\"WST-of-the-humanoid\""},
    };
    ck_assert_int_eq(load_changed("name=\"hubo2\"", "name=\"hubo3\""), STATUS_OK);
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++)
        ck_assert_msg(load_changed(mistakes[i].from, mistakes[i].to) == STATUS_INVALID,
                      "%s was accepted", mistakes[i].what);
}
END_TEST

START_TEST(a_joint_overrides_its_group)
{
    ck_assert_int_eq(
        load_changed("<joint name=\"WST\"", "<joint velocity_max_rad_s=\"2\" name=\"WST\""),
        STATUS_OK);
    ck_assert_int_eq(
        load_changed("<joint name=\"WST\"", "<joint velocity_max_rad_s=\"0.1\" name=\"WST\""),
        STATUS_INVALID);
}
END_TEST

START_TEST(a_missing_file_is_an_error)
{
    struct description *description;
    ck_assert_int_eq(description_load("/nonexistent.xml", &description), STATUS_INVALID);
    ck_assert_ptr_null(description);
}
END_TEST

UNIT_MAIN("description", hubo2_has_its_38_joints_in_order, a_joint_carries_its_board_and_limits,
          boards_and_joints_name_each_other, mistakes_are_refused, a_joint_overrides_its_group,
          a_missing_file_is_an_error)
