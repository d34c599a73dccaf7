// body: each robot of a scene is where its own state says.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <string.h>

#include "plant/body.h"

#define PARTS_MAX 128

static unsigned part_called(const struct body *body, const char *start)
{
    for (unsigned i = 1; i < body_part_count(body); i++)
        if (strncmp(body_part_name(body, i), start, strlen(start)) == 0)
            return i;
    ck_abort_msg("no part %s", start);
}

// Where the last part of a robot is.
static struct pose last_of(const struct body *body, const struct pose *pose, const char *start)
{
    unsigned last = part_called(body, start);
    while (last + 1 < body_part_count(body) &&
           strncmp(body_part_name(body, last + 1), start, strlen(start)) == 0)
        last++;
    return pose[last];
}

START_TEST(each_robot_of_a_scene_is_where_its_own_state_says)
{
    static struct pose before[PARTS_MAX], after[PARTS_MAX];
    static struct body_state state[3];
    struct body *body;
    ck_assert_int_eq(body_create("targets/bioloid/scene-three.xml", NULL, 3, &body), STATUS_OK);
    ck_assert_uint_le(body_part_count(body), PARTS_MAX);
    for (unsigned r = 0; r < 3; r++)
        state[r] = (struct body_state){{r, 0, 0.3}, {1, 0, 0, 0}, 26, {0}};
    body_poses(body, state, 3, before);
    ck_assert_double_eq(before[part_called(body, "robot1_")].position_m[0], 1);
    state[2].position_rad[1] = state[2].position_rad[13] = state[2].position_rad[19] = 0.5;
    state[2].position_rad[18] = state[2].position_rad[6] = 0.5;
    state[2].place_m[0] = 5;
    body_poses(body, state, 3, after);
    const struct pose was = last_of(body, before, "robot2_"), is = last_of(body, after, "robot2_");
    ck_assert(is.position_m[0] - was.position_m[0] > 2.5);
    double turned = 0;
    for (unsigned i = 0; i < 4; i++)
        turned += fabs(is.quaternion[i] - was.quaternion[i]);
    ck_assert_double_gt(turned, 0.1); // an axis of the third robot has turned
    for (unsigned i = 0; i < part_called(body, "robot2_"); i++) // the others stay
        ck_assert_mem_eq(&before[i], &after[i], sizeof before[i]);
    body_free(body);
}
END_TEST

UNIT_MAIN("body", each_robot_of_a_scene_is_where_its_own_state_says)
