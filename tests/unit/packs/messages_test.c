// hubo2's message files say what the C structures of its programs and of the packs are; a target
// without what its packs read is refused.
#include "harness/packs/robot/messages.h"

#include <string.h>

#include "harness/files/target/target.h"
#include "harness/judge/pack.h"
#include "harness/packs/packs.h"
#include "message/message.h"
#include "tests/unit/common/messages.h"
#include "tests/unit/common/unit.h"

// ---- those that no pack reads -------------------------------------------------------------------

#define END                                                                                        \
    {                                                                                              \
        .path = NULL                                                                               \
    }
#define WHOLE(type, table)                                                                         \
    {                                                                                              \
#type, sizeof(struct type), sizeof(struct type), table                                     \
    }

static const struct message_member goal_members[] = {
    MEMBER(manipulation_command_message, id),
    MEMBER_AS("time_ns", manipulation_command_message, time),
    EACH(manipulation_command_message, arm, kind),
    EACH(manipulation_command_message, arm, padding),
    MEMBER_AS("arm[1].angle_rad[5]", manipulation_command_message, arm[1].angle_rad[5]),
    MEMBER_AS("arm[1].position_m[2]", manipulation_command_message, arm[1].position_m[2]),
    MEMBER_AS("arm[1].quaternion[3]", manipulation_command_message, arm[1].quaternion[3]),
    EACH(manipulation_command_message, arm, velocity_nominal_rad_s),
    EACH(manipulation_command_message, arm, acceleration_nominal_rad_s2),
    END};
static const struct message_structure manipulation_command =
    WHOLE(manipulation_command_message, goal_members);

static const struct message_member reached_members[] = {
    MEMBER_AS("time_ns", manipulation_status_message, time),
    MEMBER(manipulation_status_message, accepted_id),
    MEMBER(manipulation_status_message, reached_id),
    MEMBER(manipulation_status_message, refused_id),
    ARRAY(manipulation_status_message, error_rad, [0]),
    END};
static const struct message_structure manipulation_status =
    WHOLE(manipulation_status_message, reached_members);

static const struct message_member camera_members[] = {
    MEMBER_AS("time_ns", camera_message, time),
    ARRAY(camera_message, position_m, [0]),
    ARRAY(camera_message, quaternion, [0]),
    ARRAY(camera_message, pelvis_in_camera_m, [0]),
    MEMBER(camera_message, pelvis_yaw_in_camera_rad),
    ARRAY(camera_message, goal_in_camera_m, [0]),
    MEMBER(camera_message, goal_yaw_in_camera_rad),
    ARRAY(camera_message, obstacle_in_camera_m, [0][0]),
    ARRAY(camera_message, obstacle_radius_m, [0]),
    MEMBER(camera_message, obstacle_count),
    MEMBER(camera_message, goal_visible),
    END};
static const struct message_structure camera = WHOLE(camera_message, camera_members);

static const struct message_member scene_members[] = {
    MEMBER_AS("time_ns", perception_message, time),
    MEMBER_AS("image_time_ns", perception_message, image_time),
    MEMBER(perception_message, robot.x_m),
    MEMBER(perception_message, robot.y_m),
    MEMBER(perception_message, robot.yaw_rad),
    MEMBER(perception_message, goal.x_m),
    MEMBER(perception_message, goal.y_m),
    MEMBER(perception_message, goal.yaw_rad),
    MEMBER(perception_message, goal_valid),
    MEMBER(perception_message, obstacle_count),
    EACH(perception_message, obstacle, x_m),
    EACH(perception_message, obstacle, y_m),
    EACH(perception_message, obstacle, radius_m),
    END};
static const struct message_structure perception = WHOLE(perception_message, scene_members);

static const struct {
    const char *file;
    const struct message_structure *structure;
} all[] = {{"state", &robot_state},
           {"reference", &robot_reference},
           {"command", &robot_command},
           {"balance_command", &robot_balance_command},
           {"balance_status", &robot_balance_status},
           {"planner_command", &robot_planner_command},
           {"planner_status", &robot_planner_status},
           {"segment", &robot_segment},
           {"truth", &robot_truth},
           {"bus_log", &robot_bus_log},
           {"manipulation_command", &manipulation_command},
           {"manipulation_status", &manipulation_status},
           {"camera", &camera},
           {"perception", &perception}};
#define COUNT (sizeof all / sizeof all[0])

START_TEST(every_message_file_has_each_member_where_the_structure_has_it)
{
    for (size_t i = 0; i < COUNT; i++) {
        char words[160] = "";
        ck_assert_msg(message_structure_fits(hubo2_message(all[i].file)->fields, all[i].structure,
                                             words, sizeof words),
                      "%s.msg: %s", all[i].file, words);
        ck_assert_uint_eq(hubo2_message(all[i].file)->size_max_B, all[i].structure->size_B);
    }
}
END_TEST

// A member that a table does not name could be anything.
START_TEST(the_packs_know_every_byte_of_the_structures)
{
    for (size_t i = 0; i < COUNT - 4; i++) {
        const struct message_structure *structure = all[i].structure;
        size_t head_B = 0, element_B = 0;
        for (const struct message_member *m = structure->member; m->path != NULL; m++) {
            const bool in_sequence = m->offset_B >= structure->head_size_B;
            *(in_sequence ? &element_B : &head_B) += m->width_B * (m->group == 0 ? 1 : m->group);
        }
        ck_assert_msg(head_B == structure->head_size_B, "%s: %zu bytes of %zu", structure->name,
                      head_B, structure->head_size_B);
        ck_assert_uint_eq(element_B, hubo2_message(all[i].file)->element_size_B);
    }
}
END_TEST

START_TEST(a_text_that_differs_in_one_member_does_not_fit)
{
    static const char *const text[] = {
        "uint64 id\nint64 time_ns\nuint32 kind\nuint32 gait\n",
        "uint64 id\nint64 time_ns\nint32 kind\nuint32 gait\n",                   // its kind
        "uint64 id\nint64 time_ns\nuint32 gait\nuint32 kind\n",                  // its place
        "uint64 id\nint64 time_ns\nuint32 kind\nuint32 stride\n",                // its name
        "uint64 id\nint64 time_ns\nuint32 kind\nuint32 gait\nint64 more\n",      // more
        "uint64 id\nint64 time_ns\nuint16[2] kind\nuint32 gait\n",               // an array
        "uint64 id\nint64 time_ns\n",                                            // less
        "uint64 id\nint64 time_ns\nuint32 kind\nuint32 gait\nno field at all\n", // no message
    };
    char words[160];
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++)
        ck_assert_msg(message_structure_fits(text[i], &robot_planner_command, words,
                                             sizeof words) == (i == 0),
                      "%s", text[i]);
    ck_assert(!message_structure_fits(text[1], &robot_planner_command, words, sizeof words));
    ck_assert_str_eq(words, "kind is not uint32 at byte 16");
    ck_assert(!message_structure_fits("float64[40] reference_rad\n", &robot_reference, words,
                                      sizeof words));
    ck_assert_str_eq(words, "state_cycle is not uint64 at byte 0");
}
END_TEST

// ---- targets ------------------------------------------------------------------------------------

START_TEST(a_target_has_what_its_packs_read_or_is_refused)
{
    struct target *target;
    ck_assert_int_eq(target_load("targets/hubo2/target.yaml", &target), STATUS_OK);
    ck_assert_int_eq(packs_check(all_packs, target), STATUS_OK);
    struct channel_config *truth = NULL, *status = NULL;
    for (unsigned i = 0; i < target->channel_count; i++) {
        if (strcmp(target->channel[i].name, "truth") == 0)
            truth = &target->channel[i];
        if (strcmp(target->channel[i].name, "planner-status") == 0)
            status = &target->channel[i];
    }
    ck_assert_ptr_nonnull(truth);
    ck_assert_ptr_nonnull(status);
    strcpy(status->name, "other"); // may be missing
    ck_assert_int_eq(packs_check(all_packs, target), STATUS_OK);
    strcpy(status->name, "balance-command"); // is there twice; the first one counts
    strcpy(status->message, "hubo2/state.msg");
    ck_assert_int_eq(packs_check(all_packs, target), STATUS_OK);
    strcpy(status->name, "planner-status"); // has another message
    ck_assert_int_eq(packs_check(all_packs, target), STATUS_INVALID);
    strcpy(status->message, "hubo2/planner_status.msg");
    ck_assert_int_eq(packs_check(all_packs, target), STATUS_OK);
    truth->message[0] = '\0'; // is not recorded
    ck_assert_int_eq(packs_check(all_packs, target), STATUS_INVALID);
    strcpy(truth->message, "hubo2/truth.msg");
    strcpy(truth->name, "other"); // is missing
    ck_assert_int_eq(packs_check(all_packs, target), STATUS_INVALID);
    target->pack_count = 0;
    ck_assert_int_eq(packs_check(all_packs, target), STATUS_OK);
    target_free(target);
}
END_TEST

UNIT_MAIN("messages", every_message_file_has_each_member_where_the_structure_has_it,
          the_packs_know_every_byte_of_the_structures,
          a_text_that_differs_in_one_member_does_not_fit,
          a_target_has_what_its_packs_read_or_is_refused)
