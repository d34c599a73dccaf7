// A tick of the generator, and another generator on which one may try what would come of it.
#include "walk/generator/walkgen.h"

#include <string.h>

#include "base/invariant.h"
#include "walk/generator/walkgen_private.h"

unsigned walkgen_window(const struct walkgen *walkgen)
{
    // Some bring their centre of mass with them: only the second preview looks ahead.
    const struct walk_zmp *zmp = walk_zmp(walkgen->request.settings.zmp);
    return (zmp->drives || zmp->solves ? 1 : 2) * walkgen->window + 2;
}

struct walkgen *walkgen_rehearsal(const struct walkgen *walkgen)
{
    expects(walkgen->rehearsal != walkgen); // a rehearsal has none of its own
    struct walkgen *rehearsal = walkgen->rehearsal;
    memcpy(rehearsal, walkgen, sizeof *rehearsal);
    rehearsal->trial.walkgen = rehearsal;
    rehearsal->driven.walk = walkgen->rehearsed;
    if (walkgen->driven.walking)
        velocity_walk_copy(&rehearsal->driven.walk, &walkgen->driven.walk);
    return rehearsal;
}

bool walkgen_landing(const struct walkgen *walkgen, struct walkgen_landing *landing)
{
    const int64_t now = walkgen->tick > 0 ? walkgen->tick - 1 : 0;
    const uint32_t support = walk_reference_at(walkgen, now)->support;
    const int64_t end = walkgen->known < walkgen->made ? walkgen->known : walkgen->made - 1;
    int64_t then = now + 1;
    if (support == SUPPORT_BOTH)
        return false;
    while (then < end && walk_reference_at(walkgen, then)->support == support)
        then++;
    if (then >= end)
        return false;
    landing->left_s = (double)(then - now) * walkgen->gains.period_s;
    int64_t lifts = then;
    while (lifts < end && walk_reference_at(walkgen, lifts)->support == SUPPORT_BOTH)
        lifts++;
    landing->both_s = (double)(lifts - then) * walkgen->gains.period_s;
    landing->side = support == SUPPORT_LEFT ? SIDE_RIGHT : SIDE_LEFT;
    landing->foot = walk_reference_at(walkgen, then)->foot[landing->side];
    for (int a = 0; a < 2; a++) {
        landing->com_m[a] = walkgen->first_com_m[WALK_PIPE(then)][a][0];
        landing->com_m_s[a] = walkgen->first_com_m[WALK_PIPE(then)][a][1];
    }
    return true;
}

// References that the tick of a sample looks at.
static int64_t needed(const struct walkgen *walkgen)
{
    return walkgen->tick + walkgen_window(walkgen);
}

void walkgen_prepare(struct walkgen *walkgen)
{
    if (walkgen->tick > 0)
        walk_references_make(walkgen, needed(walkgen));
}

bool walkgen_tick(struct walkgen *walkgen, struct walkgen_output *out)
{
    const int64_t sample = walkgen->tick;
    if (sample == 0)
        walk_stages_begin(walkgen);
    walk_references_make(walkgen, needed(walkgen));
    walk_stages_run_ahead(walkgen);
    const struct preview_state second[2] = {walkgen->second.state[0], walkgen->second.state[1]};
    double com_m[3];
    memcpy(com_m, walkgen->second.pose[sample & 1].com_m, sizeof com_m);
    walk_stages_second(walkgen, out->zmp_multibody_m);
    walk_output_say(walkgen, second, com_m, out);
    walkgen->counts.unreachable += !out->reachable;
    walkgen->tick++;
    const struct walk_request *request = &walkgen->request;
    const bool idle = !walkgen->maker.walking && !walkgen->driven.walking && !request->driven &&
                      (request->count == 0 || request->held);
    return !(idle && sample >= walkgen->end);
}
