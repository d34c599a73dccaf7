// script: what a control program can do, what it cannot, and that it does the same again.
#include "tests/unit/common/unit.h"

#include <stdio.h>
#include <unistd.h>

#include "targets/bioloid/script.h"

static struct script *script;
static struct script_axes axes;
static char path[] = "/tmp/ukemi-script-XXXXXX";

// As most tests have it: the robot's servos 1 to 19 have answered.
static enum status open_text(const char *text, uint64_t seed)
{
    script_close(script);
    script = NULL;
    axes = (struct script_axes){.known = 0xffffe, .time_s = 1};
    axes.position_rad[2] = 0.25;
    snprintf(path, sizeof path, "/tmp/ukemi-script-XXXXXX");
    const int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    const enum status status = script_open(path, seed, &script_budget_default, &script);
    unlink(path);
    return status;
}

// Control fails, for a reason that says the line and has these words.
static void fails(const char *body, const char *words)
{
    char text[500];
    snprintf(text, sizeof text, "\nfunction Control() %s end", body);
    ck_assert_int_eq(open_text(text, 1), STATUS_OK);
    ck_assert_int_eq(script_call(script, SCRIPT_CONTROL, &axes), STATUS_INVALID);
    ck_assert_ptr_nonnull(strstr(script_reason(script), words));
}

START_TEST(a_program_reads_the_robot_and_asks)
{
    ck_assert_int_eq(open_text("function Initialize() SetAxisSpeedRef(3, 2) end\n"
                               "function Control() SetAxisPosRef(3, 2 * GetAxisPos(2)) end",
                               1),
                     STATUS_OK);
    ck_assert_int_eq(script_call(script, SCRIPT_INITIALIZE, &axes), STATUS_OK);
    ck_assert_uint_eq(axes.asked, 0);
    ck_assert_int_eq(script_call(script, SCRIPT_CONTROL, &axes), STATUS_OK);
    ck_assert_uint_eq(axes.asked, 1u << 3);
    ck_assert_double_eq(axes.reference_rad[3], 0.5);
    ck_assert_double_eq(axes.speed_rad_s[3], 2);
}
END_TEST

START_TEST(a_servo_that_never_answered_is_nil)
{
    ck_assert_int_eq(open_text("function Control() assert(GetAxisPos(20) == nil) end", 1),
                     STATUS_OK);
    ck_assert_int_eq(script_call(script, SCRIPT_CONTROL, &axes), STATUS_OK);
}
END_TEST

START_TEST(loops_and_hoards_end_at_their_budget_with_the_line)
{
    fails("while true do end", ":2: more than 100000 instructions");
    fails("local t = {} while true do t[#t + 1] = {} end", "bytes at once");
    fails("local s = string.format('%99d', 1) s = s .. s .. s .. s while true do local _ = s .. "
          "GetTime() end",
          "times as many in one call");
}
END_TEST

START_TEST(mistakes_are_told_with_their_line)
{
    fails("SetAxisPosRef(99, 0)", ":2: there is no axis 99");
    fails("SetAxisPosRef(1, 0/0)", "is not from");
    fails("SetAxisPosRef(1, 7)", "is not from");
    fails("SetAxisPosRef(1)", ":2: bad argument #2");
    fails("local x = nil + 1", ":2: attempt to perform arithmetic");
    fails("string.format('%p', {})", "use of the letters only");
}
END_TEST

START_TEST(what_could_read_files_clocks_or_addresses_is_not_there)
{
    static const char *const names[] = {"io",
                                        "os",
                                        "require",
                                        "dofile",
                                        "loadfile",
                                        "load",
                                        "pcall",
                                        "xpcall",
                                        "coroutine",
                                        "debug",
                                        "package",
                                        "setmetatable",
                                        "pairs",
                                        "next",
                                        "getmetatable",
                                        "rawset",
                                        "string.rep",
                                        "string.find",
                                        "string.dump",
                                        "table.sort",
                                        "table.move",
                                        "math.randomseed",
                                        "collectgarbage"};
    char text[2000] = "function Control() ";
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "assert(%s == nil, '%s')\n",
                 names[i], names[i]);
    snprintf(text + strlen(text), sizeof text - strlen(text),
             "assert(tostring(print) == 'function' and _G == nil) end");
    ck_assert_int_eq(open_text(text, 1), STATUS_OK);
    const enum status status = script_call(script, SCRIPT_CONTROL, &axes);
    ck_assert_msg(status == STATUS_OK, "%s", script_reason(script));
    fails("return ('x'):rep(9)", "attempt to index a string");
}
END_TEST

START_TEST(what_is_no_program_is_refused)
{
    ck_assert_int_eq(open_text("x = ", 1), STATUS_INVALID);
    ck_assert_int_eq(open_text("x = 1", 1), STATUS_INVALID);
    ck_assert_int_eq(open_text("function Control() end SetAxisPosRef(1, 1)", 1), STATUS_INVALID);
    ck_assert_int_eq(open_text("\033Lua", 1), STATUS_INVALID);
    ck_assert_int_eq(script_open("/does/not/exist", 1, &script_budget_default, &script),
                     STATUS_SYSTEM);
}
END_TEST

static double drawn(uint64_t seed)
{
    ck_assert_int_eq(open_text("function Control() SetAxisPosRef(1, math.random()) end", seed),
                     STATUS_OK);
    ck_assert_int_eq(script_call(script, SCRIPT_CONTROL, &axes), STATUS_OK);
    return axes.reference_rad[1];
}

START_TEST(numbers_drawn_follow_from_the_seed)
{
    ck_assert_double_eq(drawn(1), drawn(1));
    ck_assert_double_ne(drawn(1), drawn(2));
}
END_TEST

UNIT_MAIN("script", a_program_reads_the_robot_and_asks, a_servo_that_never_answered_is_nil,
          loops_and_hoards_end_at_their_budget_with_the_line, mistakes_are_told_with_their_line,
          what_could_read_files_clocks_or_addresses_is_not_there, what_is_no_program_is_refused,
          numbers_drawn_follow_from_the_seed)
