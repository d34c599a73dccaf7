#include "harness/trial/strike/strike_course.h"

static double undo_after_s(const struct fault_kind *kind, const struct fault_request *request)
{
    switch (kind->undo) {
    case UNDO_PROGRAM:
    case UNDO_RESTART:
        return request->duration_s;
    case UNDO_RESTART_ASKED:
        return request->restart_after_s;
    case UNDO_NEVER:
        break;
    }
    return -1;
}

struct strike_course strike_course_begin(const struct fault_kind *kind,
                                         const struct fault_request *request, instant due)
{
    return (struct strike_course){
        .undo_after_s = undo_after_s(kind, request), .proof_later = kind->proof_later, .due = due};
}

enum strike_step strike_course_step(const struct strike_course *course, instant now)
{
    static const enum strike_step next[] = {[STRIKE_WAITING] = STRIKE_STEP_APPLY,
                                            [STRIKE_APPLIED] = STRIKE_STEP_UNDO,
                                            [STRIKE_OVER] = STRIKE_STEP_NONE};
    return instant_before(now, course->due) ? STRIKE_STEP_NONE : next[course->stage];
}

void strike_course_applied(struct strike_course *course, bool proven, instant now)
{
    const bool undo = proven && course->undo_after_s >= 0;
    course->applied = proven;
    course->last = now;
    course->due = undo ? instant_add(now, duration_s(course->undo_after_s)) : INSTANT_NEVER;
    course->stage = undo ? STRIKE_APPLIED : STRIKE_OVER;
}

void strike_course_undoing(struct strike_course *course, instant now)
{
    course->last = now;
    course->due = INSTANT_NEVER;
    course->stage = STRIKE_OVER;
}

void strike_course_awaits(struct strike_course *course, duration late, instant now)
{
    const instant out = instant_add(now, late);
    course->last = out.ns == INSTANT_NEVER.ns ? now : out;
}

bool strike_course_asks_effect(const struct strike_course *course)
{
    return course->proof_later && course->applied && !course->asked;
}

bool strike_course_asks_settled(const struct strike_course *course)
{
    return course->proof_later && course->undone && !course->asked_settled;
}
