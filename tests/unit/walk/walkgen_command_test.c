// walkgen: what it takes and refuses, and who takes it.
#include "tests/unit/walk/walkgen_begin.h"

#include <math.h>
#include <string.h>

#include "walk/generator/walk_strategy.h"

START_TEST(a_line_is_refused_whole_with_its_reason)
{
    static const struct {
        const char *line, *reason;
    } refused[] = {
        {"omega 0", "begins with a colon"},
        {":omgea 0", "nearest is :omega"},
        {":stepheigth 0.07", "nearest is :stepheight"},
        {":SETALGOFORZMPTRAJECTORY PBW", "nearest is :SetAlgoForZmpTrajectory"},
        {":omega", "1 number is missing"},
        {":omega 1 2", "1 number too many"},
        {":omega 0.x", "'0.x' is not a number"},
        {":omega nan", "is not finite"},
        {":omega 1e999", "is not finite"},
        {":omega 31", "31 is not from -30 to 30"},
        {":omega left", "'left' is not a number"},
        {":comheight 0.9", "what the legs allow"},
        {":samplingperiod 0.001", "a window of 1600 periods"},
        {":walkmode 4", "there is no mode 4"},
        {":setpbwconstraint XY 0.07", "XY takes two numbers"},
        {":setpbwconstraint XY 0.3 0.05", "at most 0.18 and 0.11"},
        {":setpbwconstraint T 0.5", "T is from 0.001 to 0.1 s"},
        {":setpbwconstraint N 10.5", "N is a whole number from 10 to 400"},
        {":setpbwconstraint M 3", "there is no 'M'; there are XY, T and N"},
        {":HerdtOnline 0.1 0 0", "first :SetAlgoForZmpTrajectory Herdt or Naveau"},
        {":NaveauOnline 0.1 0 0", "first :SetAlgoForZmpTrajectory Naveau"},
        {":setVelReference 0.1 0 0", "begin with :HerdtOnline"},
        {":stoppg", "nothing walks by a velocity"},
        {":numberstepsbeforestop 1", "1 is not a whole number from 2 to 1000"},
        {":numberstepsbeforestop 2.5", "2.5 is not a whole number"},
        {":numberstepsbeforestop", "1 number is missing"},
        {":setfeetconstraint XY 0.1", "1 number is missing"},
        {":setfeetconstraint 0.1 0.1", "a word is missing"},
        {":setfeetconstraint XYZ 0.1 0.1", "there is no 'XYZ'; there is XY"},
        {":setfeetconstraint XY 0.1 -0.1", "from 0 to 0.30 and 0.10"},
        {":setfeetconstraint XY 0.31 0.1", "from 0 to 0.30 and 0.10"},
        {":setCoMPerturbationForce 10 0", "nothing walks by a velocity"},
        {":setCoMPerturbationForce 10", "1 number is missing"},
        {":addoneobstacle 1 0 0", "a radius of 0 m"},
        {":updateoneobstacle 0 1 0 0.2", "there is no circle 0; there are 0"},
        {":onlinechangestepframe world", "neither spot nor relative nor absolute"},
        {":SetAutoFirstStep maybe", "neither true nor false"},
        {":setDSFeetDistance 0.1", "0.1 m is not from 0.168 to 0.277"},
        {":SetAlgoForZmpTrajectory Newton", "there is no 'Newton'; there are Kajita"},
        {":useDynamicFilter perhaps", "neither true nor false"},
        {":stepseq 0 -0.0885 0  0.2 0.177", "5 numbers are no multiple of 3"},
        {":stepseq 0 -0.0885 0", "two steps at least"},
        {":stepseq 0 -0.3 0  0.2 0.177 0", "the right foot stands 0.211 m from there"},
        {":stepseq 0 -0.0885 0  0.2 0.177 0  0.2 0.177 0", "step 3: two steps running"},
        {":stepseq 0 -0.0885 0  0.2 0.05 0", "step 2: y 0.05 m would put a foot on the other"},
        {":stepseq 0 -0.0885 0  0.8 0.177 0", "step 2: a step of 0.800 m is longer"},
        {":stepseq 0 -0.0885 0  0.2 0.177 90", "a turn of 90 degrees"},
        {":singlesupporttime 0.05", "0.05 is not from 0.1 to 5"},
        {":stepheight 0.3", "folds the leg too far"},
        {":SetAlgoForZmpTrajectory Toe", "needs a robot with toes"},
        {":ToeParameters 0 0.03 0.6", "the robot has no toes"},
        {":finish", "no sequence of two steps waits"},
        {":addstandardonlinestep 0.2 0 0", "no sequence on line"},
        {":supportfoot 2", "neither 1 (left) nor -1"},
        {"", "begins with a colon"},
    };
    struct walkgen *walkgen = create(HUBO2, NULL), *other = create(HUBO2, NULL);
    struct walkgen_output a = {0}, b = {0};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        ck_assert_msg(walkgen_command(walkgen, refused[i].line) == STATUS_INVALID, "%s was taken",
                      refused[i].line);
        ck_assert_msg(strstr(walkgen_reason(walkgen), refused[i].reason) != NULL, "%s: %s",
                      refused[i].line, walkgen_reason(walkgen));
    }
    command(walkgen, ":stepseq 0 -0.0885 0  0.2 0.177 0  0 -0.177 0");
    command(other, ":stepseq 0 -0.0885 0  0.2 0.177 0  0 -0.177 0");
    for (bool more = true; more;) { // refused lines have left no trace
        more = walkgen_tick(walkgen, &a);
        ck_assert(walkgen_tick(other, &b) == more);
        ck_assert_mem_eq(&a, &b, sizeof a);
    }
    walkgen_free(walkgen);
    walkgen_free(other);
}
END_TEST

// Two lists of lines that make the same motion.
static void same_motion(const char *const *lines, const char *const *others)
{
    struct walkgen *walkgen = create(HUBO2, NULL), *other = create(HUBO2, NULL);
    struct walkgen_output a = {0}, b = {0};
    for (; *lines != NULL; lines++)
        command(walkgen, *lines);
    for (; *others != NULL; others++)
        command(other, *others);
    for (bool more = true; more;) {
        more = walkgen_tick(walkgen, &a);
        ck_assert(walkgen_tick(other, &b) == more);
        ck_assert_mem_eq(&a, &b, sizeof a);
    }
    ck_assert_uint_gt(a.step, 2);
    walkgen_free(walkgen);
    walkgen_free(other);
}

START_TEST(a_sequence_may_begin_with_the_foot_that_stands_by_itself)
{
    const char *const itself[] = {":SetAutoFirstStep true",
                                  ":stepseq 0.2 0.177 0  0.2 -0.177 0  0 0.177 0", NULL},
                      *const told[] = {":SetAutoFirstStep false",
                                       ":stepseq 0 -0.0885 0  0.2 0.177 0  0.2 -0.177 0  0 0.177 0",
                                       NULL};
    same_motion(itself, told);
}
END_TEST

// 30 degrees at 0.75 m are 0.15, 0.15 and 0.0927 m.
START_TEST(an_arc_is_walked_in_steps_of_15_cm_and_a_rest)
{
    static const double yaw_deg[] = {11.459, 22.918, 30};
    struct walkgen *walkgen = create(HUBO2, NULL);
    struct walkgen_output out = {0};
    for (const char *const *line = (const char *const[]){":supportfoot 1", ":arc 0 0.75 30 -1",
                                                         ":lastsupport", ":finish", NULL};
         *line != NULL; line++)
        command(walkgen, *line);
    for (bool more = true; more;) {
        const uint32_t step = out.step;
        more = walkgen_tick(walkgen, &out);
        if (out.step == step || step < 1 || step > 3)
            continue;
        const enum side landed = step % 2 == 1 ? SIDE_RIGHT : SIDE_LEFT;
        ck_assert_double_eq_tol(out.foot[landed].yaw_rad * 180 / M_PI, yaw_deg[step - 1], 1e-3);
    }
    ck_assert_uint_eq(out.step, 4);
    ck_assert_double_eq_tol(out.waist_yaw_rad * 180 / M_PI, 30, 0.01);
    walkgen_free(walkgen);
}
END_TEST

START_TEST(stairs_may_be_turned_off)
{
    static const char *const stairs =
        ":stepstairseq 0 -0.0885 0 0  0.25 0.177 0.05 0  0 -0.177 0 0";
    struct walkgen *walkgen = create(HUBO2, NULL);
    command(walkgen, ":singlesupporttime 0.9");
    command(walkgen, ":stepstairon 0");
    ck_assert_int_eq(walkgen_command(walkgen, stairs), STATUS_INVALID);
    ck_assert_ptr_nonnull(strstr(walkgen_reason(walkgen), "first :stepstairon 1"));
    command(walkgen, ":stepstairon 1");
    command(walkgen, stairs);
    walkgen_free(walkgen);
}
END_TEST

static unsigned heard[2];
static enum status hear_first(struct walk_trial *trial, const struct walk_line *line)
{
    (void)trial;
    heard[0] += line->count;
    return STATUS_OK;
}
static enum status hear_second(struct walk_trial *trial, const struct walk_line *line)
{
    heard[1] += line->count;
    return line->number[0] < 0 ? walk_refuse(trial, "it is negative") : STATUS_OK;
}

START_TEST(one_name_may_have_several_takers_who_all_must_agree)
{
    static const struct walk_command first[] = {{":loudness", "a", 1, 3, false, hear_first}};
    static const struct walk_command second[] = {{":loudness", "a", 1, 3, false, hear_second},
                                                 {":omega", "deg", 1, 1, false, hear_second}};
    static const struct walk_plugin plugin[] = {{"first", 1, first}, {"second", 2, second}};
    struct walkgen *walkgen = create(HUBO2, NULL);
    ck_assert_int_eq(walkgen_register(walkgen, &plugin[0]), STATUS_OK);
    ck_assert_int_eq(walkgen_register(walkgen, &plugin[1]), STATUS_OK);
    command(walkgen, ":loudness 1 2");
    ck_assert_uint_eq(heard[0], 2);
    ck_assert_uint_eq(heard[1], 2);
    ck_assert_int_eq(walkgen_command(walkgen, ":loudness -1"), STATUS_INVALID);
    ck_assert_str_eq(walkgen_reason(walkgen), "it is negative");
    ck_assert_int_eq(walkgen_command(walkgen, ":omega -5"), STATUS_INVALID);
    enum status status = STATUS_OK;
    for (int i = 0; i < 100 && status == STATUS_OK; i++)
        status = walkgen_register(walkgen, &plugin[0]);
    ck_assert_int_eq(status, STATUS_FULL);
    walkgen_free(walkgen);
}
END_TEST

UNIT_MAIN("walkgen_command", a_line_is_refused_whole_with_its_reason,
          a_sequence_may_begin_with_the_foot_that_stands_by_itself,
          an_arc_is_walked_in_steps_of_15_cm_and_a_rest, stairs_may_be_turned_off,
          one_name_may_have_several_takers_who_all_must_agree)
