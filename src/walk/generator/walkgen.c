#include "walk/generator/walkgen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/touched.h"
#include "walk/generator/walkgen_private.h"

double walkgen_period_s(const struct walkgen *walkgen)
{
    return walkgen->gains.period_s;
}

double walkgen_com_height_m(const struct walkgen *walkgen)
{
    return walkgen->gains.com_height_m;
}

struct walkgen_counts walkgen_counts(const struct walkgen *walkgen)
{
    struct walkgen_counts counts = walkgen->counts;
    counts.ticks = (uint64_t)walkgen->tick;
    counts.steps_waiting = walkgen->request.count;
    counts.references_ahead = (unsigned)(walkgen->made - walkgen->tick);
    return counts;
}

size_t walkgen_memory(void)
{
    return 2 * sizeof(struct walkgen) + walk_search_memory() + pbw_memory(WALK_PLAN_MAX) +
           2 * velocity_walk_memory();
}

// ---- creation and start -------------------------------------------------------------------------

enum status walkgen_create(const struct robot_model *model, struct walkgen **walkgen)
{
    *walkgen = NULL;
    struct walkgen *new = touched_alloc(1, sizeof *new);
    if (new == NULL)
        return STATUS_NO_MEMORY;
    new->trial.walkgen = new;
    new->rehearsal = touched_alloc(1, sizeof *new->rehearsal);
    new->joint_count = model->joint_count;
    memcpy(new->stand_rad, model->stand_rad, sizeof new->stand_rad);
    new->search = walk_search_create();
    const bool room = new->rehearsal != NULL &&new->search != NULL;
    enum status status = room ? walk_plan_create(new) : STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = walk_driven_create(new);
    if (status == STATUS_OK)
        status = walk_body_from_model(model, &new->body);
    if (status == STATUS_OK)
        (void)walk_body_articulate(model, &new->body); // rigid without
    for (unsigned i = 0; status == STATUS_OK && walk_plugin(i) != NULL; i++)
        status = walkgen_register(new, walk_plugin(i));
    if (status == STATUS_OK)
        status = walkgen_reset(new, NULL);
    if (status != STATUS_OK) {
        walkgen_free(new);
        return status;
    }
    *walkgen = new;
    return STATUS_OK;
}

void walkgen_free(struct walkgen *walkgen)
{
    if (walkgen != NULL) {
        pbw_free(walkgen->plan.pbw);
        velocity_walk_free(&walkgen->driven.walk);
        velocity_walk_free(&walkgen->rehearsed);
        free(walkgen->rehearsal);
        free(walkgen->search);
    }
    free(walkgen);
}

static void forget_motion(struct walkgen *walkgen)
{
    walkgen->counts = (struct walkgen_counts){0};
    walkgen->searching = false;
    walkgen->marks = 0;
    walkgen->tick = walkgen->end = walkgen->made = 0;
    walkgen->driven.walking = false;
    memset(&walkgen->maker, 0, sizeof walkgen->maker);
    memcpy(walkgen->maker.foot, walkgen->start.reference.foot, sizeof walkgen->maker.foot);
}

enum status walkgen_reset(struct walkgen *walkgen, const double *joint_rad)
{
    const enum status status = walk_start_find(walkgen, joint_rad);
    if (status != STATUS_OK)
        return status;
    walk_request_defaults(walkgen, &walkgen->request);
    walkgen->standing = 0;
    forget_motion(walkgen);
    return walk_gains(walkgen, &walkgen->request.settings);
}

enum status walkgen_restart(struct walkgen *walkgen, const double *joint_rad, double standing_s,
                            double shift_s)
{
    const struct walk_settings settings = walkgen->request.settings;
    const double stance_m = walkgen->stance_m;
    const enum status status = walk_start_find(walkgen, joint_rad);
    if (status != STATUS_OK)
        return status;
    walk_request_defaults(walkgen, &walkgen->request);
    walkgen->request.settings = settings;
    walkgen->request.settings.double_s = 2 * shift_s;
    walkgen->request.changing = true;
    // Feet that stand apart may come together.
    walkgen->stance_m = fmin(walkgen->stance_m, stance_m);
    walkgen->standing = walk_samples(standing_s, settings.period_s);
    forget_motion(walkgen);
    return STATUS_OK;
}
