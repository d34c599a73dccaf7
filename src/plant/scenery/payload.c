// A mass that somebody puts into a hand of the robot, or onto another of its bodies: a point at the
// body's centre of mass, so the body's inertia about that stays.
#include "plant/scenery/world_fault.h"

enum { MASS_OF_BODY_KG, MASS_OF_ALL_KG }; // what was before

// What MuJoCo derives from the masses, anew. Its scratch data are not those of the world, whose
// state goes on.
static bool derive(mjModel *model)
{
    mjData *scratch = mj_makeData(model);
    if (scratch == NULL)
        return false;
    mj_setConst(model, scratch);
    mj_deleteData(scratch);
    return true;
}

static bool begin(struct world_fault_acting *acting, mjModel *model)
{
    if (acting->value[0] <= 0)
        return false;
    acting->before[MASS_OF_BODY_KG] = model->body_mass[acting->body];
    acting->before[MASS_OF_ALL_KG] = model->body_subtreemass[0];
    model->body_mass[acting->body] += acting->value[0];
    if (derive(model))
        return true;
    model->body_mass[acting->body] = acting->before[MASS_OF_BODY_KG];
    return false;
}

static void end(struct world_fault_acting *acting, mjModel *model)
{
    model->body_mass[acting->body] = acting->before[MASS_OF_BODY_KG];
    (void)derive(model); // without memory the world shows the mass on, and the undoing is disproved
}

// By how much all that the model consists of is heavier than it was.
static double shown(const struct world_fault_acting *acting, const mjModel *model)
{
    const double before_kg = acting->before[MASS_OF_ALL_KG];
    return before_kg == 0 ? 0 : model->body_subtreemass[0] - before_kg;
}

const struct world_fault world_fault_payload = {.begin = begin, .end = end, .shown = shown};
