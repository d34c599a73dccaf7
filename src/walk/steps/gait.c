#include "walk/steps/gait.h"

#include <stddef.h>

static const struct gait_parameters table[GAIT_COUNT] = {
    [GAIT_QUASI_STATIC] = {.name = "quasi-static",
                           .period_s = 3.0,
                           .double_support_s = 1.5,
                           .wait_s = 0.8,
                           .initial_double_support_s = 2.0,
                           .settle_s = 3.0,
                           .forward_m = 0.10,
                           .backward_m = 0.08,
                           .sideways_m = 0.05,
                           .turn_rad = 0.20,
                           .swing_height_m = 0.04},
    [GAIT_DYNAMIC] = {.name = "dynamic",
                      .period_s = 0.6,
                      .double_support_s = 0.1,
                      .wait_s = 0.8,
                      .initial_double_support_s = 0.8,
                      .settle_s = 1.8,
                      .forward_m = 0.25,
                      .backward_m = 0.12,
                      .sideways_m = 0.06,
                      .turn_rad = 0.25,
                      .swing_height_m = 0.04},
};

const struct gait_parameters *gait_parameters(enum gait gait)
{
    return gait < GAIT_COUNT ? &table[gait] : NULL;
}
