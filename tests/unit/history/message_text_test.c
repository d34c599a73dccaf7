// Message text: where each number of a message lies, and what is refused.
#include "harness/history/message_stamps.h"
#include "harness/history/message_text.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "harness/history/history.h"
#include "harness/history/schema.h"
#include "message/message.h"
#include "tests/unit/common/messages.h"
#include "tests/unit/common/unit.h"

START_TEST(the_text_of_every_type_of_ours_has_the_layout_of_its_structure)
{
    for (size_t i = 0; i < schema_count(); i++) {
        const struct schema *schema = schema_at(i);
        struct message_layout layout;
        struct message_mistake mistake;
        ck_assert_msg(message_measure(schema->fields, &layout, &mistake) == STATUS_OK, "%s:%u: %s",
                      schema->name, mistake.line, mistake.words);
        ck_assert_uint_eq(layout.size_B, schema->head_size_B);
        ck_assert_uint_eq(layout.element_size_B, schema->element_size_B);
        if (schema->element_size_B != 0)
            ck_assert_uint_eq(layout.count_offset_B, schema->count_offset_B);
    }
}
END_TEST

START_TEST(a_path_leads_to_the_number_that_the_structure_has_there)
{
    static const struct {
        const char *type, *path;
        size_t offset_B;
        char kind;
        unsigned width_B, group;
        size_t stride_B;
    } cases[] = {
        {"hubo2/state.msg", "cycle", offsetof(struct state_message, cycle), 'u', 8, 0, 0},
        {"hubo2/state.msg", "joint[3].velocity_rad_s",
         offsetof(struct state_message, joint[3].velocity_rad_s), 'f', 8, 0, 0},
        {"hubo2/state.msg", "joint[*].position_rad", offsetof(struct state_message, joint), 'f', 8,
         ROBOT_JOINTS_MAX, sizeof(struct joint_reading)},
        {"hubo2/state.msg", "imu.roll_rad", offsetof(struct state_message, imu.roll_rad), 'f', 8, 0,
         0},
        {"hubo2/truth.msg", "pelvis_m[2]", offsetof(struct truth_message, pelvis_m[2]), 'f', 8, 0,
         0},
        {"hubo2/truth.msg", "step_position_rad[5]",
         offsetof(struct truth_message, step_position_rad) + 5 * sizeof(float), 'f', 4, 0, 0},
        {"hubo2/segment.msg", "sample[2].phase", offsetof(struct segment_message, sample[2].phase),
         'f', 8, 0, 0},
        {"process_event", "value", offsetof(struct process_event, value), 'i', 4, 0, 0},
    };
    hubo2_message("state");
    hubo2_message("truth");
    hubo2_message("segment");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct message_field field;
        ck_assert_msg(message_find(schema_find(cases[i].type)->fields, cases[i].path, &field),
                      "%s.%s", cases[i].type, cases[i].path);
        ck_assert_uint_eq(field.offset_B, cases[i].offset_B);
        ck_assert_int_eq(field.kind, cases[i].kind);
        ck_assert_uint_eq(field.width_B, cases[i].width_B);
        ck_assert_uint_eq(field.group, cases[i].group);
        ck_assert_uint_eq(field.stride_B, cases[i].stride_B);
    }
    static const char *const nowhere[] = {"",
                                          "nothing",
                                          "joint",
                                          "joint[40].position_rad",
                                          "joint[3]",
                                          "cycle[0]",
                                          "cycle.x",
                                          "joint[*]",
                                          "joint[x].position_rad",
                                          ".cycle",
                                          "cycle.",
                                          "imu",
                                          "joint[3.valid",
                                          "joint[3]valid",
                                          "imu/roll_rad",
                                          "imu[*].roll_rad"};
    for (size_t i = 0; i < sizeof nowhere / sizeof nowhere[0]; i++) {
        struct message_field field;
        ck_assert_msg(!message_find(schema_find("hubo2/state.msg")->fields, nowhere[i], &field),
                      "'%s' leads somewhere", nowhere[i]);
    }
}
END_TEST

START_TEST(numbers_of_every_kind_are_read)
{
    static const char text[] = "# all kinds\nfloat64 a\nfloat32 b\nint32 c\nuint16 d\nint16 e\n"
                               "int8 f\nbool g\nuint8[2] h\nuint8 LIMIT=3\n";
    struct {
        double a;
        float b;
        int32_t c;
        uint16_t d;
        int16_t e;
        int8_t f;
        uint8_t g, h[2];
    } message = {1.5, -2.5f, -3, 65535, -5, -6, 1, {7, 8}};
    static const struct {
        const char *path;
        double value;
    } cases[] = {{"a", 1.5}, {"b", -2.5}, {"c", -3}, {"d", 65535},
                 {"e", -5},  {"f", -6},   {"g", 1},  {"h[1]", 8}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct message_field field;
        ck_assert(message_find(text, cases[i].path, &field));
        ck_assert_double_eq(message_value(&field, 0, &message, sizeof message), cases[i].value);
        ck_assert(isnan(message_value(&field, 0, &message, field.offset_B)));
    }
    struct message_field group;
    ck_assert(message_find(text, "h[*]", &group));
    ck_assert_double_eq(message_value(&group, 1, &message, sizeof message), 8);
}
END_TEST

struct visited {
    const char *text;
    unsigned count;
    char last[MESSAGE_PATH_MAX];
};

static void visit(void *context, const char *path, const struct message_field *field)
{
    struct visited *visited = context;
    struct message_field found;
    ck_assert_msg(message_find(visited->text, path, &found), "no way to %s", path);
    ck_assert_msg(found.offset_B == field->offset_B && found.kind == field->kind &&
                      found.width_B == field->width_B,
                  "%s is elsewhere", path);
    visited->count++;
    snprintf(visited->last, sizeof visited->last, "%s", path);
}

START_TEST(every_number_is_visited_where_its_path_leads)
{
    for (size_t i = 0; i < schema_count(); i++) {
        struct visited visited = {.text = schema_at(i)->fields};
        message_each(visited.text, 1000, visit, &visited);
    }
    struct visited few = {.text = "uint32 count\nfloat32[3] a\nPart[2] part\nfloat64[] b\n====\n"
                                  "MSG: x/Part\nint8[8] c\nfloat64 d # last\n"};
    message_each(few.text, 3, visit, &few);
    ck_assert_uint_eq(few.count, 1 + 3 + 2); // not c, which is longer, nor the sequence
    ck_assert_str_eq(few.last, "part[1].d");
    struct visited one = {.text = "uint32 count\nuint32 a\nPart[] part\n====\n"
                                  "MSG: x/Part\nint32[2] c\nfloat64 d\n"};
    message_each_of_sequence(one.text, 3, visit, &one);
    ck_assert_uint_eq(one.count, 2 + 1); // of its first element, and nothing before it
    ck_assert_str_eq(one.last, "part[0].d");
    message_each_of_sequence(few.text, 3, visit, &few);
    ck_assert_str_eq(few.last, "b[0]");
}
END_TEST

START_TEST(stamps_are_whole_numbers_whose_name_says_time_or_order)
{
    static const struct {
        const char *path;
        char kind;
        bool stamp;
    } cases[] = {
        {"time_ns", 'i', true},  {"header.stamp.sec", 'i', true}, {"state_cycle", 'u', true},
        {"seq", 'u', true},      {"sample[3]", 'i', true},        {"time_s", 'f', false},
        {"kind", 'u', false},    {"cycles", 'u', false},          {"time.kind", 'u', false},
        {"timeout", 'u', false}, {"joint[2].number", 'u', true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct message_field field = {.kind = cases[i].kind, .width_B = 8};
        ck_assert_msg(message_is_stamp(cases[i].path, &field) == cases[i].stamp, "%s",
                      cases[i].path);
    }
}
END_TEST

START_TEST(a_text_that_no_structure_has_is_refused_with_its_line)
{
    static const struct {
        const char *text;
        unsigned line;
        const char *words; // a part of them
    } cases[] = {
        {"", 1, "no field"},
        {"# nothing\n", 2, "no field"},
        {"float64\n", 1, "not a field"},
        {"float64 a\nuint32 b\nfloat64 c\n", 3, "uint8[4] padding"},
        {"float64 a\nuint32 b\n", 3, "at its end"},
        {"float65 a\n", 1, "no type 'float65'"},
        {"float64[] a\n", 1, "uint32 count"},
        {"uint32 count\nuint32 padding\nfloat64[] a\nfloat64 b\n", 4, "nothing may follow"},
        {"float64[0] a\n", 1, "not a field"},
        {"float64[2 a\n", 1, "not a field"},
        {"float64 a 3\n", 1, "no default"},
        {"Loop a\n====\nMSG: x/Loop\nLoop b\n", 4, "nested"},
        {"float64[1000000] a\nBig[1000] b\n====\nMSG: x/Big\nfloat64[1000000] a\n", 2, "1 GiB"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct message_layout layout;
        struct message_mistake mistake;
        ck_assert_msg(message_measure(cases[i].text, &layout, &mistake) == STATUS_INVALID,
                      "accepted: %s", cases[i].text);
        ck_assert_msg(mistake.line == cases[i].line && strstr(mistake.words, cases[i].words),
                      "%s: %u: %s", cases[i].text, mistake.line, mistake.words);
    }
}
END_TEST

UNIT_MAIN("message text", the_text_of_every_type_of_ours_has_the_layout_of_its_structure,
          a_path_leads_to_the_number_that_the_structure_has_there, numbers_of_every_kind_are_read,
          every_number_is_visited_where_its_path_leads,
          stamps_are_whole_numbers_whose_name_says_time_or_order,
          a_text_that_no_structure_has_is_refused_with_its_line)
