// What a biped was seen to do, as rows with the words of Table I.
#include "harness/packs/walking/behaviour.h"

#include <math.h>
#include <stdio.h>

static const char *const motion_text[MOTION_COUNT] = {"Static", "Quasi-Static", "Dynamic"};
static const char *const behaviour_text[BEHAVIOUR_COUNT] = {
    [BEHAVIOUR_NO_EFFECT] = "No Effect",
    [BEHAVIOUR_SUDDEN_STOP] = "Sudden Stop",
    [BEHAVIOUR_SMOOTH_STOP] = "Smooth Stop",
    [BEHAVIOUR_FINISHES_LAST_PLAN] = "Finishes last plan provided",
    [BEHAVIOUR_FALLS_OVER] = "Falls over",
    [BEHAVIOUR_CONTINUES] = "Continues",
};

static void add_text(struct judgement *judgement, const char *name, const char *text,
                     const char *more)
{
    struct observation row = {.value = NAN};
    snprintf(row.name, sizeof row.name, "%s", name);
    snprintf(row.text, sizeof row.text, "%s%s", text, more);
    judgement_observe(judgement, &row);
}

// What does not apply has no row.
static void add_value(struct judgement *judgement, const char *name, double value, const char *unit)
{
    struct observation row = {.value = value};
    snprintf(row.name, sizeof row.name, "%s", name);
    snprintf(row.unit, sizeof row.unit, "%s", unit);
    if (isfinite(value))
        judgement_observe(judgement, &row);
}

static const char *joints_text(const struct biped_observation *o)
{
    static const char *const of[] = {[JOINTS_NONE] = "",
                                     [JOINTS_ARMS] = " in Arms",
                                     [JOINTS_LEGS] = " in Legs",
                                     [JOINTS_ALL] = " in All Joints"};
    const bool stop =
        o->behaviour == BEHAVIOUR_SUDDEN_STOP || o->behaviour == BEHAVIOUR_SMOOTH_STOP;
    return stop ? of[o->joints & JOINTS_ALL] : "";
}

void biped_observe(struct judgement *judgement, const struct biped_observation *o)
{
    add_text(judgement, "behaviour", behaviour_text[o->behaviour], joints_text(o));
    add_text(judgement, "motion", motion_text[o->motion], "");
    add_value(judgement, "fault_s", o->fault_time_s, "s");
    add_value(judgement, "gait_phase", o->gait_phase, "");
    add_value(judgement, "com_margin_m", o->com_margin_m, "m");
    add_value(judgement, "capture_point_margin_m", o->capture_point_margin_m, "m");
    add_value(judgement, "com_margin_worst_m", o->com_margin_worst_m, "m");
    add_value(judgement, "fall_after_s", o->fall_time_s, "s");
    add_value(judgement, "reaction_s", o->reaction_time_s, "s");
    add_value(judgement, "stop_s", o->stop_time_s, "s");
    add_value(judgement, "deceleration_max_rad_s2", o->deceleration_max_rad_s2, "rad/s2");
    add_value(judgement, "restart_s", o->restart_time_s, "s");
    add_value(judgement, "resume_s", o->resume_time_s, "s");
    add_value(judgement, "steps_after_fault", o->steps_after_fault, "");
    add_text(judgement, "completed", o->completed ? "yes" : "no", "");
}
