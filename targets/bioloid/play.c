#include "targets/bioloid/play.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

void play_start(struct play *play, const struct movements *movements,
                const struct movement *movement, unsigned repeat)
{
    *play = (struct play){.movements = movements, .movement = movement};
    play->turn = repeat > 0 ? repeat : movement->repeat;
}

void play_leave(struct play *play)
{
    play->leaving = true;
}

static const struct movement *page(const struct movements *movements, unsigned number)
{
    return number > 0 && number <= movements->count ? &movements->movement[number - 1] : NULL;
}

// To the step behind the one just taken.
static void advance(struct play *play)
{
    const struct movement *now = play->movement;
    if (++play->step < now->step_count)
        return;
    play->step = 0;
    if (play->leaving && now->exit > 0) {
        play->leaving = false;
        play->movement = page(play->movements, now->exit);
    } else if (!play->leaving && --play->turn > 0) {
        return;
    } else {
        play->movement = play->leaving ? NULL : page(play->movements, now->next);
    }
    play->turn = play->movement != NULL ? play->movement->repeat : 0;
}

// Harmonic mean of the slopes on both sides (Fritsch and Carlson): no overshoot between them.
static double velocity_between(double before_rad_s, double behind_rad_s)
{
    const double product = before_rad_s * behind_rad_s;
    return product > 0 ? 2 * product / (before_rad_s + behind_rad_s) : 0;
}

static void suggest_velocities(const struct play *play, const struct movement_step *next,
                               struct movement_step *step)
{
    for (unsigned i = 0; i < MOVEMENT_SERVOS; i++) {
        if (!isnan(step->velocity_rad_s[i]))
            continue;
        step->velocity_rad_s[i] = 0;
        if (next == NULL || step->pause_s > 0 || !play->moved)
            continue;
        const double before = (step->angle_rad[i] - play->last_rad[i]) / step->duration_s;
        const double behind = (next->angle_rad[i] - step->angle_rad[i]) / next->duration_s;
        step->velocity_rad_s[i] = velocity_between(before, behind);
    }
}

bool play_next(struct play *play, struct movement_step *step)
{
    for (unsigned empty = 0; play->movement != NULL && play->movement->step_count == 0; empty++) {
        if (empty == MOVEMENTS_MAX)
            return false;
        advance(play);
    }
    if (play->movement == NULL)
        return false;
    *step = play->movement->step[play->step];
    advance(play);
    const struct movement_step *next = play->movement != NULL && play->movement->step_count > 0
                                           ? &play->movement->step[play->step]
                                           : NULL;
    suggest_velocities(play, next, step);
    for (unsigned i = 0; i < MOVEMENT_SERVOS; i++)
        if ((step->servos & 1u << i) != 0)
            play->last_rad[i] = step->angle_rad[i];
    play->moved = true;
    play->played++;
    return true;
}
