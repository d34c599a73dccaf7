// The course of one fault: when it is applied, undone, and asked for its later proof.
// Pure: strikes.c does what is due and says what came of it.
#pragma once

#include <stdbool.h>

#include "base/time.h"
#include "harness/files/fault/catalogue.h"

enum strike_stage { STRIKE_WAITING, STRIKE_APPLIED, STRIKE_OVER };

struct strike_course {
    double undo_after_s; // after it struck; < 0: never
    bool proof_later;    // effect and undoing can only be seen as time goes on
    enum strike_stage stage;
    instant due;          // of the next step; INSTANT_NEVER: not known, or none
    instant last;         // application or undoing, and what it struck has come out; 0 before
    bool applied, undone; // with proof
    bool asked;           // for the effect
    bool asked_settled;   // likewise, if it has stayed undone
};

// `due`: when it strikes, INSTANT_NEVER if its trigger has to see that.
struct strike_course strike_course_begin(const struct fault_kind *kind,
                                         const struct fault_request *request, instant due);

enum strike_step { STRIKE_STEP_NONE, STRIKE_STEP_APPLY, STRIKE_STEP_UNDO };
enum strike_step strike_course_step(const struct strike_course *course, instant now);

// It was applied, with proof or without: without, it is over. / It is being undone.
void strike_course_applied(struct strike_course *course, bool proven, instant now);
void strike_course_undoing(struct strike_course *course, instant now);

// What it struck is still on its way, and comes out at most so long after `now`: the trial goes on
// until then if that is known, and asks at its end.
void strike_course_awaits(struct strike_course *course, duration late, instant now);

// Whether the effect is to be asked for: before the undoing, or at the trial's end if that was too
// early. / Whether it is to be asked if it has stayed undone: once, at the trial's end, or before a
// fault changes what would show it.
bool strike_course_asks_effect(const struct strike_course *course);
bool strike_course_asks_settled(const struct strike_course *course);
