// Steps in place of others. References are made two windows ahead. While no step waits, they are
// steps on the spot, or the end of the walk. A step that comes then takes the place of the first of
// these whose references lie far enough ahead; the first preview goes on from where it was.
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "walk/generator/walkgen_private.h"

// Preview control that learns of a change so long before it follows within 3 mm.
#define LEAD_S 1.2

void walk_revise_drop(struct walk_trial *trial, unsigned kept, unsigned fixed)
{
    expects(kept <= trial->request.count && fixed <= 1);
    struct walk_request *request = &trial->request;
    const struct walk_maker *maker = &trial->walkgen->maker;
    request->count = kept;
    request->restless_m = 0;
    if (kept == 0) { // steps on the spot that are still to come count, too
        request->left = (maker->side == SIDE_LEFT) != (maker->spots % 2 == 1);
        request->last = maker->spots > 0 ? walk_request_spot(request, request->left) : maker->last;
        return;
    }
    const struct walk_step *last = &request->step[(request->first + kept - 1) % WALK_STEPS_MAX];
    request->left = last->y_m > 0;
    request->last = *last;
    if (kept == fixed)
        request->last.y_m *= 2; // from foot to foot
}

static int64_t first_free(const struct walkgen *walkgen)
{
    return walkgen->tick + walk_samples(LEAD_S, walkgen->gains.period_s);
}

void walk_revise_offer(struct walk_trial *trial)
{
    const struct walkgen *walkgen = trial->walkgen;
    const struct walk_request *request = &walkgen->request;
    const struct walk_zmp *zmp = walk_zmp(request->settings.zmp);
    trial->mark = -1;
    if (!request->sequencing || request->count > 0 || zmp->plans || zmp->drives)
        return;
    for (unsigned i = 0; i < walkgen->marks; i++) {
        const struct walk_mark *mark = &walkgen->mark[i];
        if (mark->made < first_free(walkgen))
            continue;
        trial->mark = (int)i;
        trial->request.left = mark->left;
        trial->request.last = mark->last;
        return;
    }
}

void walk_revise_take(struct walkgen *walkgen)
{
    struct walk_request *request = &walkgen->trial.request;
    if (walkgen->trial.mark < 0)
        return;
    if (request->count == 0 && request->sequencing) { // no step has come
        request->left = walkgen->request.left;
        request->last = walkgen->request.last;
        return;
    }
    invariant((unsigned)walkgen->trial.mark < walkgen->marks);
    const struct walk_mark *mark = &walkgen->mark[walkgen->trial.mark];
    if (request->sequencing)
        walkgen->counts.dry -= walkgen->marks - (unsigned)walkgen->trial.mark;
    walkgen->marks = (unsigned)walkgen->trial.mark;
    walkgen->maker = mark->maker;
    walkgen->made = mark->made;
    const int64_t seen = mark->made - walkgen->window, next = walkgen->tick + 2;
    walk_rewind(walkgen, seen > next ? seen : next);
}

// ---- walks whose steps have numbers -------------------------------------------------------------

// Looks from where what has been made can be made anew.
static enum status offer_made(struct walk_trial *trial, unsigned first)
{
    const struct walkgen *walkgen = trial->walkgen;
    struct walk_request *request = &trial->request;
    for (unsigned i = 0; i < walkgen->marks; i++) {
        const struct walk_mark *mark = &walkgen->mark[i];
        if (mark->maker.blocks != first)
            continue;
        if (mark->landing < first_free(walkgen) || mark->lift < walkgen->tick + 2)
            return walk_refuse(trial, "step %u is too near to be changed", first);
        trial->mark = (int)i;
        request->open = true;
        request->count = 0;
        request->left = mark->left;
        request->last = mark->last;
        return STATUS_OK;
    }
    return walk_refuse(trial, "there is no step %u to be changed", first);
}

// The steps from number `first` on give way.
static enum status give_way(struct walk_trial *trial, unsigned first, const struct walk_step *next)
{
    const struct walk_maker *maker = &trial->walkgen->maker;
    struct walk_request *request = &trial->request;
    if (!request->changing)
        return walk_refuse(trial, "the steps of this walk have no numbers; see walkgen_restart");
    if (!request->open && maker->blocks == 0 && first == 0) {
        if (next == NULL)
            return STATUS_OK;
        const struct walk_step foot =
            walk_request_foot(trial->walkgen, next->y_m > 0 ? SIDE_RIGHT : SIDE_LEFT);
        return walk_request_add(trial, &foot);
    }
    const unsigned fixed = !maker->walking && request->count > 0 ? 1 : 0;
    const bool waits = maker->walking || fixed > 0;
    if (!waits || first < maker->blocks)
        return offer_made(trial, first);
    if (first > maker->blocks + request->count - fixed)
        return walk_refuse(trial, "there is no step %u to be changed", first);
    walk_revise_drop(trial, first - maker->blocks + fixed, fixed);
    return STATUS_OK;
}

enum status walkgen_change(struct walkgen *walkgen, unsigned first, const struct walk_step *step,
                           unsigned count)
{
    struct walk_trial *trial = &walkgen->trial;
    trial->reason[0] = '\0';
    trial->mark = -1;
    trial->request = walkgen->request;
    walkgen->searching = false;
    enum status status = give_way(trial, first, count > 0 ? step : NULL);
    for (unsigned i = 0; i < count && status == STATUS_OK; i++)
        status = step[i].over == 0 ? walk_request_add(trial, &step[i])
                                   : walk_refuse(trial, "a step over an obstacle is planned");
    if (status == STATUS_OK)
        status = walk_reach_rest(trial);
    if (status != STATUS_OK)
        return status;
    walk_revise_take(walkgen);
    walkgen->request = trial->request;
    return status;
}
