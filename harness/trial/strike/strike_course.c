#include "harness/trial/strike/strike_course.h"

#include "base/invariant.h"

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
    invariant(course->stage != STRIKE_OVER || course->due.ns == INSTANT_NEVER.ns);
    static const enum strike_step next[] = {[STRIKE_WAITING] = STRIKE_STEP_APPLY,
                                            [STRIKE_APPLIED] = STRIKE_STEP_UNDO,
                                            [STRIKE_OVER] = STRIKE_STEP_NONE};
    return instant_before(now, course->due) ? STRIKE_STEP_NONE : next[course->stage];
}

void strike_course_applied(struct strike_course *course, bool proven, instant now)
{
    expects(course->stage == STRIKE_WAITING && !course->applied && !course->asked);
    const bool undo = proven && course->undo_after_s >= 0;
    course->applied = proven;
    course->last = now;
    course->due = undo ? instant_add(now, duration_s(course->undo_after_s)) : INSTANT_NEVER;
    ensures(!instant_before(course->due, now));
    course->stage = undo ? STRIKE_APPLIED : STRIKE_OVER;
}

void strike_course_undoing(struct strike_course *course, instant now)
{
    expects(course->stage == STRIKE_APPLIED && course->applied);
    course->last = now;
    course->due = INSTANT_NEVER;
    course->stage = STRIKE_OVER;
}

void strike_course_awaits(struct strike_course *course, duration late, instant now)
{
    expects(course->applied && late.ns > 0);
    const instant out = instant_add(now, late);
    course->last = out.ns == INSTANT_NEVER.ns ? now : out;
}

bool strike_course_asks_effect(const struct strike_course *course)
{
    invariant(!course->applied || course->stage != STRIKE_WAITING);
    return course->proof_later && course->applied && !course->asked;
}

bool strike_course_asks_settled(const struct strike_course *course)
{
    invariant(!course->undone || course->stage == STRIKE_OVER);
    return course->proof_later && course->undone && !course->asked_settled;
}
