// A small project in a folder of its own: target, catalogue, scenario and campaign; and what is
// said of it where something is wrong.
#pragma once

#include "tests/unit/common/unit.h"
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "harness/files/campaign_file.h"
#include "harness/files/fault/catalogue.h"
#include "harness/files/scenario.h"

// A project of its own in a temporary folder: one target, one fault, one scenario, one campaign.
static const char target_text[] =
    "format: 2\nname: t\nrobot: robot.xml\ndescription: robot-description.xml\n"
    "processes:\n"
    "  - {name: simulator, run: [sim], priority: 99}\n"
    "  - {name: control, component: Control, run: [c, a, b], priority: 45}\n"
    "channels:\n"
    "  - {name: truth, message: pole.msg, frame_size_max_B: 4096, slots: 16}\n"
    "  - {name: raw, frame_size_max_B: 16, slots: 4}\n"
    "buses:\n"
    "  - {name: can0, bitrate_bit_s: 1000000}\n"
    "world: simulator\npacks: [can, walking]\n";

static const char faults_text[] =
    "program: faults/process\n"
    "faults:\n"
    "  - name: kill\n    summary: s\n    colour: \"#000000\"\n    look: process\n    halts: ended\n"
    "    undo: restart-if-asked\n    parameters:\n"
    "      - {name: signal, summary: s, one_of: [KILL, TERM], default: KILL}\n"
    "  - name: stall\n    summary: s\n    colour: \"#000000\"\n    look: process\n    halts: "
    "stopped\n"
    "    undo: program\n    parameters:\n"
    "      - {name: depth, summary: s, min: 0, max: 2, default: \"1\"}\n";

#define SCENARIO_HEAD                                                                              \
    "name: s\n"                                                                                    \
    "claim: c\n"                                                                                   \
    "target: t\n"                                                                                  \
    "# a remark\n"                                                                                 \
    "duration_s: 20\n"                                                                             \
    "watch_s: 3\n"                                                                                 \
    "operator: {program: op, arguments: dynamic}\n"                                                \
    "environment: [goal_x_m=2.5]\n" // line 8; faults start on line 9

static const char campaign_text[] =
    "name: c\ntarget: t\nseed: 7\nrecheck_share: 0.5\n"
    "fault: {kind: kill, restart_after_s: 2}\n"
    "columns:\n"
    "  - {title: A, scenario: s.yaml, trials: 3, at: {time_s: [1]}}\n"
    "  - {title: B, scenario: s.yaml, trials: 4, at: {phase: [0, 1], after_s: 4}, "
    "restart_after_s: 5}\n"
    "rows:\n"
    "  - {component: Control, expected: [No Effect, Falls over]}\n";

static char folder[64];

static inline void put(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static inline const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static inline void make_project(void)
{
    make_folder(folder, sizeof folder);
    ck_assert_int_eq(mkdir(path_of("targets"), 0755), 0);
    ck_assert_int_eq(mkdir(path_of("targets/t"), 0755), 0);
    ck_assert_int_eq(mkdir(path_of("faults"), 0755), 0);
    unsetenv("UKEMI_FAULTS");
    unsetenv("UKEMI_PATH");
    ck_assert_int_eq(setenv("UKEMI_ROOT", folder, 1), 0);
    put("targets/t/target.yaml", target_text);
    put("targets/t/pole.msg", "int64 time_ns\nfloat64 angle_rad\n");
    put("faults/process.yaml", faults_text);
    put("s.yaml", SCENARIO_HEAD);
    put("c.yaml", campaign_text);
}

// Standard error from here on, and what has come since.
static inline void catch_errors(void)
{
    ck_assert_ptr_nonnull(freopen(path_of("errors"), "w", stderr));
}

static inline const char *errors(void)
{
    static char text[4096];
    fflush(stderr);
    FILE *file = fopen(path_of("errors"), "r");
    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    ck_assert_int_eq(fclose(file), 0);
    return text;
}

// The file must be refused with a message that begins with the file's name and this line, and has
// these words in it.
static inline void refused(enum status status, const char *name, unsigned line, const char *words)
{
    char start[160];
    const char *text = errors();
    snprintf(start, sizeof start, "%s:%u: ", path_of(name), line);
    ck_assert_int_eq(status, STATUS_INVALID);
    const char *found = strstr(text, start);
    ck_assert_msg(found != NULL && strstr(found, words) != NULL, "want '%s... %s...', got: %s",
                  start, words, text);
}

static inline void scenario_refused(const char *text, unsigned line, const char *words)
{
    struct scenario *scenario;
    make_project();
    put("s.yaml", text);
    catch_errors();
    refused(scenario_load(path_of("s.yaml"), NULL, &scenario), "s.yaml", line, words);
    ck_assert_ptr_null(scenario);
}

static inline void campaign_refused(const char *from, const char *to, unsigned line,
                                    const char *words)
{
    struct campaign *campaign;
    char text[1024];
    const char *at = strstr(campaign_text, from);
    make_project();
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - campaign_text), campaign_text, to,
             at + strlen(from));
    put("c.yaml", text);
    catch_errors();
    refused(campaign_load(path_of("c.yaml"), &campaign), "c.yaml", line, words);
}

static inline void target_refused(const char *from, const char *to, unsigned line,
                                  const char *words)
{
    struct target *target;
    char text[2048];
    const char *at = strstr(target_text, from);
    make_project();
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - target_text), target_text, to,
             at + strlen(from));
    put("targets/t/target.yaml", text);
    catch_errors();
    refused(target_load(path_of("targets/t/target.yaml"), &target), "targets/t/target.yaml", line,
            words);
}
