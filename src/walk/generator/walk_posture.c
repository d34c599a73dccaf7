// What a reference asks of a posture.
#include <string.h>

#include "model/spatial.h"
#include "walk/generator/walkgen_private.h"

struct walk_posture walk_posture_wanted(const struct walkgen *walkgen,
                                        const struct walk_settings *settings,
                                        const struct walk_reference *reference,
                                        const double com_m[2])
{
    struct walk_posture wanted = {
        .com_m = {com_m[0], com_m[1]},
        .waist_height_m = walkgen->start.waist_m[2] + settings->com_height_m -
                          walkgen->body.com_height_m + reference->waist_m,
        .waist_yaw_rad = reference->yaw_rad,
        .com_to_waist_m = {walkgen->start.com_to_waist_m[0], walkgen->start.com_to_waist_m[1]}};
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++) {
        const struct walk_foot *foot = &reference->foot[side];
        memcpy(wanted.soles.position_m[side], foot->position_m, sizeof foot->position_m);
        if (foot->pitch_rad == 0)
            rotation_z(foot->yaw_rad, wanted.soles.rotation[side]);
        else
            rotation_rpy(0, foot->pitch_rad, foot->yaw_rad, wanted.soles.rotation[side]);
    }
    return wanted;
}
