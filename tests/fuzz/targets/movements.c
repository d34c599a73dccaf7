// Movements in both formats; what is accepted can be played to its end, or for as long as one
// likes.
#include "tests/fuzz/fuzz.h"

#include "model/movement_private.h"
#include "targets/bioloid/play.h"

#define STEPS_MAX 200

static void use(const struct movements *movements)
{
    for (unsigned i = 0; i < movements->count; i++) {
        struct play play;
        struct movement_step step;
        play_start(&play, movements, &movements->movement[i], 0);
        for (unsigned k = 0; k < STEPS_MAX && play_next(&play, &step); k++) {
            fuzz_check(step.duration_s > 0 && isfinite(step.duration_s) && step.pause_s >= 0);
            for (unsigned s = 0; s < MOVEMENT_SERVOS; s++)
                fuzz_check(isfinite(step.angle_rad[s]) && isfinite(step.velocity_rad_s[s]));
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct solid_robot *robot;
    struct movements *movements = NULL;
    if (robot == NULL)
        fuzz_check(solids_read("targets/bioloid/bioloid.xml", &robot) == STATUS_OK);
    const char *path = fuzz_file(data, size);
    const bool points = size > 0 && data[0] == '<';
    if ((points ? movements_read_way_points(path, robot, &movements)
                : movements_read_mtn(path, &movements)) != STATUS_OK)
        return 0;
    use(movements);
    free(movements);
    return 0;
}
