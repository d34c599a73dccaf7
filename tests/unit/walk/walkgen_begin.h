// What the tests of walkgen begin with.
#pragma once

#include "tests/unit/common/unit.h"

#include "walk/body/walk_body.h"
#include "walk/generator/walkgen.h"

#define HUBO2 "targets/hubo2/robot.xml"
#define HRP2 "targets/walkgen/hrp2.xml"
#define TOES "targets/walkgen-toe/robot.xml"
#define LISTING_1                                                                                  \
    ":stepseq 0.0 -0.095 0.0  0.2 0.19 0.0  0.2 -0.19 0.0  0.2 0.19 0.0  0.2 -0.19 0.0  "          \
    "0.2 0.19 0.0  0.0 -0.19 0.0"

static inline struct walkgen *create(const char *path, struct walk_body *body)
{
    struct robot_model *model;
    struct walkgen *walkgen;
    ck_assert_int_eq(robot_model_load(path, &model), STATUS_OK);
    ck_assert_int_eq(walkgen_create(model, &walkgen), STATUS_OK);
    if (body != NULL)
        ck_assert_int_eq(walk_body_from_model(model, body), STATUS_OK);
    robot_model_free(model);
    return walkgen;
}

static inline void command(struct walkgen *walkgen, const char *line)
{
    ck_assert_msg(walkgen_command(walkgen, line) == STATUS_OK, "%s: %s", line,
                  walkgen_reason(walkgen));
}
