// firehose's and walkgen's message files say what the C structures of the simulated robot are.
#include "harness/history/message_structure.h"

#include <string.h>

#include "harness/history/schema.h"
#include "harness/history/whole_file.h"
#include "message/message.h"
#include "tests/unit/common/unit.h"

#define END                                                                                        \
    {                                                                                              \
        .path = NULL                                                                               \
    }

static const struct message_member mocap_members[] = {MEMBER_AS("taken_ns", mocap_message, taken),
                                                      MEMBER_AS("told_ns", mocap_message, told),
                                                      MEMBER_AS("age_ns", mocap_message, age),
                                                      MEMBER(mocap_message, sequence),
                                                      MEMBER(mocap_message, x_m),
                                                      MEMBER(mocap_message, y_m),
                                                      MEMBER(mocap_message, z_m),
                                                      MEMBER(mocap_message, yaw_rad),
                                                      END};

static const struct message_member gripper_members[] = {MEMBER_AS("time_ns", gripper_message, time),
                                                        MEMBER(gripper_message, closed),
                                                        MEMBER(gripper_message, padding), END};

static const struct message_member change_members[] = {
    MEMBER(hose_change_message, id), MEMBER(hose_change_message, kind),
    MEMBER(hose_change_message, padding), MEMBER(hose_change_message, value), END};

static const struct message_member hose_members[] = {
    MEMBER_AS("time_ns", hose_message, time),
    MEMBER(hose_message, held),
    MEMBER(hose_message, snagged),
    ARRAY_AS("force_n[*]", hose_message, force_N, [0]),
    MEMBER_AS("pull_n", hose_message, pull_N),
    MEMBER(hose_message, mass_kg),
    MEMBER(hose_message, friction),
    MEMBER(hose_message, weight),
    MEMBER(hose_message, roughness),
    ARRAY(hose_message, tail_m, [0]),
    MEMBER_AS("tail_n", hose_message, tail_N),
    MEMBER(hose_message, change_id),
    ARRAY(hose_message, hand_m, [0]),
    MEMBER(hose_message, hand_m_s),
    MEMBER(hose_message, hand_rad),
    MEMBER(hose_message, link_count),
    MEMBER(hose_message, elliptic),
    ARRAY(hose_message, link_m, [0][0]),
    END};

static const struct message_member push_members[] = {
    MEMBER_AS("time_ns", push_message, time),
    MEMBER_AS("force_n", push_message, force_N),
    ARRAY_AS("force_world_n[*]", push_message, force_world_N, [0]),
    ARRAY_AS("impulse_world_ns[*]", push_message, impulse_world_Ns, [0]),
    MEMBER(push_message, change_id),
    MEMBER(push_message, refused),
    END};

static const struct message_member push_change_members[] = {
    MEMBER(push_change_message, id), MEMBER_AS("force_n", push_change_message, force_N),
    MEMBER(push_change_message, direction_rad), END}; // its text is checked by its size

static const struct message_member world_fault_members[] = {
    MEMBER_AS("time_ns", world_fault_message, time), MEMBER(world_fault_message, change_id),
    MEMBER(world_fault_message, refused), ARRAY(world_fault_message, shown, [0]), END};

static const struct message_member world_change_members[] = {
    MEMBER(world_change_message, id), MEMBER(world_change_message, kind),
    MEMBER(world_change_message, acts), ARRAY(world_change_message, value, [0]), END};

static const struct message_member box_members[] = {MEMBER_AS("time_ns", box_message, time),
                                                    ARRAY(box_message, position_m, [0]),
                                                    MEMBER(box_message, yaw_rad),
                                                    ARRAY(box_message, size_m, [0]),
                                                    MEMBER(box_message, nearest_m),
                                                    MEMBER_AS("force_n", box_message, force_N),
                                                    MEMBER(box_message, touched),
                                                    ARRAY(box_message, leg_m, [0][0][0]),
                                                    END};

static const struct message_member sight_members[] = {
    MEMBER_AS("time_ns", sight_message, time),     ARRAY(sight_message, quaternion, [0]),
    ARRAY(sight_message, pelvis_in_camera_m, [0]), MEMBER(sight_message, pelvis_yaw_in_camera_rad),
    ARRAY(sight_message, box_in_camera_m, [0]),    MEMBER(sight_message, box_yaw_in_camera_rad),
    ARRAY(sight_message, box_size_m, [0]),         END};

static const struct message_member toe_members[] = {
    MEMBER_AS("time_ns", toe_message, time),
    ARRAY(toe_message, angle_rad, [0]),
    ARRAY(toe_message, rate_rad_s, [0]),
    ARRAY_AS("moment_nm[*]", toe_message, moment_Nm, [0]),
    ARRAY_AS("force_n[*]", toe_message, force_N, [0]),
    END};

#define FILE_OF(file, type, members) FILE_IN("targets/firehose/", file, type, members)
#define FILE_IN(folder, file, type, members)                                                       \
    {                                                                                              \
        folder file,                                                                               \
        {                                                                                          \
#type, sizeof(struct type), sizeof(struct type), members                               \
        }                                                                                          \
    }
static const struct {
    const char *path;
    struct message_structure structure;
} all[] = {FILE_OF("mocap.msg", mocap_message, mocap_members),
           FILE_OF("gripper.msg", gripper_message, gripper_members),
           FILE_OF("hose_change.msg", hose_change_message, change_members),
           FILE_OF("hose.msg", hose_message, hose_members),
           FILE_OF("push.msg", push_message, push_members),
           FILE_OF("push_change.msg", push_change_message, push_change_members),
           FILE_OF("world_fault.msg", world_fault_message, world_fault_members),
           FILE_OF("world_change.msg", world_change_message, world_change_members),
           FILE_IN("targets/walkgen/", "box.msg", box_message, box_members),
           FILE_IN("targets/walkgen/", "sight.msg", sight_message, sight_members),
           FILE_IN("targets/walkgen/", "toe.msg", toe_message, toe_members)};

START_TEST(every_message_file_has_each_member_where_the_structure_has_it)
{
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        char words[160] = "", *text = NULL;
        size_t size_B;
        ck_assert_int_eq(whole_file_read(all[i].path, (size_t)1 << 16, &text, &size_B), STATUS_OK);
        const char *type = all[i].path + strlen("targets/");
        struct message_mistake mistake;
        ck_assert_int_eq(schema_declare(type, text, &mistake), STATUS_OK);
        const char *fields = schema_find(type)->fields;
        ck_assert_msg(message_structure_fits(fields, &all[i].structure, words, sizeof words),
                      "%s: %s", all[i].path, words);
        free(text);
    }
}
END_TEST

UNIT_MAIN("firehose_messages", every_message_file_has_each_member_where_the_structure_has_it)
