// Command files of the walking pattern generator: whatever is read and taken, the posture is finite
// and moves smoothly; what is refused has a reason.
#include "tests/fuzz/fuzz.h"

#include "targets/walkgen/script.h"
#include "walk/generator/walkgen.h"

#define TICKS_MAX 1500
#define MOVE_MAX_M 0.02 // of the waist in a period

static struct walkgen *generator(void)
{
    static struct walkgen *walkgen;
    struct robot_model *model;
    if (walkgen == NULL) {
        fuzz_check(robot_model_load(FUZZ_MODEL, &model) == STATUS_OK);
        fuzz_check(walkgen_create(model, &walkgen) == STATUS_OK);
        robot_model_free(model);
    }
    fuzz_check(walkgen_reset(walkgen, NULL) == STATUS_OK);
    return walkgen;
}

// At most so many ticks, and TICKS_MAX altogether.
static void run(struct walkgen *walkgen, unsigned wanted, unsigned *ticks,
                struct walkgen_output *out)
{
    for (unsigned k = 0; k < wanted && *ticks < TICKS_MAX; k++, ++*ticks) {
        const double before_m[2] = {out->waist_m[0], out->waist_m[1]};
        (void)walkgen_tick(walkgen, out);
        for (int a = 0; a < 2; a++) {
            fuzz_check(isfinite(out->waist_m[a]) && isfinite(out->zmp_multibody_m[a]));
            fuzz_check(*ticks == 0 || fabs(out->waist_m[a] - before_m[a]) < MOVE_MAX_M);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[8192] = "";
    struct script *script;
    struct walkgen *walkgen = generator();
    struct walkgen_output out = {0};
    unsigned ticks = 0;
    memcpy(text, data, size < sizeof text ? size : sizeof text - 1);
    if (script_read(size % 2 ? "a.walk" : "a.cc", text, &script) != STATUS_OK)
        return 0;
    for (unsigned i = 0; i < script->count; i++) {
        const struct script_item *item = &script->item[i];
        const bool command = item->kind == SCRIPT_COMMAND;
        if (command && walkgen_command(walkgen, item->text) != STATUS_OK)
            fuzz_check(walkgen_reason(walkgen)[0] != '\0');
        run(walkgen, command ? 3 : 300, &ticks, &out);
    }
    run(walkgen, TICKS_MAX, &ticks, &out); // what is left of the motion
    script_free(script);
    return 0;
}
