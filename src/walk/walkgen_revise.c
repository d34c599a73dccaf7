// Steps in place of those on the spot. While no step waits, the robot steps on the spot, and
// references are made two windows ahead. A step that comes then takes the place of the first step
// on the spot whose references lie far enough ahead; the first preview goes on from where it was.
#include <math.h>
#include <string.h>

#include "walk/walkgen_private.h"

// Preview control that learns of a change so long before it follows within 3 mm.
#define LEAD_S 1.2

void walk_revise_mark(struct walkgen *walkgen)
{
    if (walkgen->marks == WALK_MARKS_MAX) {
        walkgen->marks--;
        memmove(walkgen->mark, walkgen->mark + 1, walkgen->marks * sizeof walkgen->mark[0]);
    }
    const struct walk_request *request = &walkgen->request;
    walkgen->mark[walkgen->marks++] =
        (struct walk_mark){.made = walkgen->made,
                           .maker = walkgen->maker,
                           .left = request->left,
                           .last_m = {request->last_m[0], request->last_m[1]}};
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
        memcpy(trial->request.last_m, mark->last_m, sizeof mark->last_m);
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
        memcpy(request->last_m, walkgen->request.last_m, sizeof request->last_m);
        return;
    }
    const struct walk_mark *mark = &walkgen->mark[walkgen->trial.mark];
    walkgen->counts.dry -= walkgen->marks - (unsigned)walkgen->trial.mark;
    walkgen->marks = (unsigned)walkgen->trial.mark;
    walkgen->maker = mark->maker;
    walkgen->made = mark->made;
    const int64_t seen = mark->made - walkgen->window, next = walkgen->tick + 2;
    walk_rewind(walkgen, seen > next ? seen : next);
}
