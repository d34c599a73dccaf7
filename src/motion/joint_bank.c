#include "motion/joint_bank.h"

#include <math.h>

#include "base/invariant.h"

// A board whose encoder is further away from its set point does not hold it (driver off, jammed).
#define HOLD_ERROR_MAX_RAD 0.1

void joint_bank_start(struct joint_bank *bank, const struct description *description,
                      duration period)
{
    expects(period.ns > 0);
    *bank = (struct joint_bank){.joint_count = description->joint_count, .period = period};
    for (unsigned j = 0; j < bank->joint_count; j++) {
        const struct joint_description *joint = &description->joint[j];
        bank->limits[j] = (struct joint_limits){
            .position_min_rad = joint->position_min_rad,
            .position_max_rad = joint->position_max_rad,
            .velocity_max_rad_s = joint->velocity_max_rad_s,
            .acceleration_max_rad_s2 = joint->acceleration_max_rad_s2,
            .velocity_nominal_rad_s = joint->velocity_nominal_rad_s,
            .acceleration_nominal_rad_s2 = joint->acceleration_nominal_rad_s2,
            .acceleration_wind_down_rad_s2 = joint->acceleration_wind_down_rad_s2,
        };
        bank->group[j] = joint->group;
        bank->board[j] = joint->board;
        bank->velocity_timeout[j] = joint->velocity_timeout;
        bank->command_time[j] = instant_ns(INT64_MIN);
        joint_filter_restart(&bank->filter[j], &bank->limits[j], 0);
    }
}

// ---- commands ----------------------------------------------------------------------------------

static bool answers_old_state(const struct joint_bank *bank, const struct command_message *message)
{
    return bank->has_state && message->state_cycle <= bank->state_cycle &&
           bank->state_cycle - message->state_cycle > JOINT_BANK_STALE_CYCLES;
}

static enum status command_joint(struct joint_bank *bank, unsigned j,
                                 const struct command_message *message)
{
    const struct joint_command *command = &message->joint[j];
    if (instant_before(message->time, bank->command_time[j]))
        return STATUS_INVALID;
    if (command->mode == JOINT_MODE_VELOCITY && answers_old_state(bank, message))
        return STATUS_INVALID;
    if (command->timeout.ns < 0)
        return STATUS_INVALID;
    const duration timeout = command->timeout.ns > 0 ? command->timeout : bank->velocity_timeout[j];
    const enum status status = joint_filter_command(&bank->filter[j], &bank->limits[j], command,
                                                    instant_add(message->time, timeout));
    if (status == STATUS_OK) {
        bank->command_time[j] = message->time;
        bank->commanded[j] = true;
    }
    return status;
}

void joint_bank_command(struct joint_bank *bank, const struct command_message *message,
                        uint32_t groups, instant now)
{
    if (message->joint_count != bank->joint_count || instant_before(now, message->time) ||
        message->time.ns < 0) {
        bank->refused_commands++;
        return;
    }
    for (unsigned j = 0; j < bank->joint_count; j++) {
        const bool mine = groups >> bank->group[j] & 1;
        if (mine && message->joint[j].mode != JOINT_MODE_NONE &&
            command_joint(bank, j, message) != STATUS_OK)
            bank->refused_commands++;
    }
}

// ---- the step ----------------------------------------------------------------------------------

// Where the board holds the joint, as far as the state tells. An angle that was not read in this
// cycle tells nothing: the joint may have moved on to its set point since.
static double held_position(const struct joint_reading *reading)
{
    if (!reading->valid)
        return reading->reference_rad;
    const double apart = fabs(reading->reference_rad - reading->position_rad);
    return apart <= HOLD_ERROR_MAX_RAD ? reading->reference_rad : reading->position_rad;
}

enum joint_action { JOINT_OMIT, JOINT_HOLD, JOINT_STEP };

// How far apart two states are that began so long after each other: whole periods, at least one. In
// real time a cycle begins late now and then, and the next one on time; set points move by periods
// all the same, and a jump divided by a short time would be a speed that never was.
static double whole_periods_s(const struct joint_bank *bank, duration apart)
{
    expects(bank->period.ns > 0);
    const double periods = round((double)apart.ns / (double)bank->period.ns);
    return duration_to_s(bank->period) * fmax(periods, 1);
}

// Makes the filter agree with what the board holds, and says what to do with the joint in this
// step. apart_s: since the state before this one.
static enum joint_action synchronise(struct joint_bank *bank, unsigned j,
                                     const struct joint_reading *reading, bool gap, double apart_s)
{
    struct joint_filter *filter = &bank->filter[j];
    const struct joint_limits *limits = &bank->limits[j];
    if (!isfinite(reading->position_rad) || !isfinite(reading->reference_rad))
        return JOINT_OMIT;
    if (gap || bank->dead[j])
        bank->started[j] = false;
    if (!bank->started[j]) {
        if (!reading->valid)
            return JOINT_OMIT;
        joint_filter_resume(filter, limits,
                            bank->dead[j] ? reading->position_rad : held_position(reading), 0);
        bank->started[j] = true;
        bank->dead[j] = false;
        bank->lost[j] = 0;
        return JOINT_HOLD;
    }
    bank->lost[j] = reading->reference_active ? 0 : bank->lost[j] + 1;
    if (bank->lost[j] > JOINT_BANK_LOST_CYCLES_MAX) {
        joint_filter_resume(filter, limits, held_position(reading), 0);
        return JOINT_HOLD;
    }
    if (bank->lost[j] > 0) // the board has come to rest where the last reference was
        joint_filter_resume(filter, limits, reading->reference_rad, 0);
    else if (reading->reference_rad != filter->reference_rad) // another one went out than the last
        joint_filter_resume(filter, limits, reading->reference_rad,
                            (reading->reference_rad - bank->sent_rad[j]) / apart_s);
    return JOINT_STEP;
}

bool joint_bank_step(struct joint_bank *bank, const struct state_message *state, instant now,
                     struct reference_message *reference)
{
    if (state->joint_count != bank->joint_count)
        return false;
    if (bank->has_state && !instant_before(bank->state_start, state->cycle_start))
        return false;
    if (instant_before(now, state->cycle_start)) // all that follow would seem old beside it
        return false;
    const int64_t apart_ns = instant_sub(state->cycle_start, bank->state_start).ns;
    const bool gap =
        !bank->has_state || state->cycle <= bank->state_cycle || apart_ns > 5 * bank->period.ns / 2;
    bank->has_state = true;
    bank->state_cycle = state->cycle;
    bank->state_start = state->cycle_start;

    *reference = (struct reference_message){
        .state_cycle = state->cycle, .time = now, .joint_count = bank->joint_count};
    const double period_s = duration_to_s(bank->period);
    const double since_last_s = whole_periods_s(bank, duration_ns(apart_ns));
    for (unsigned j = 0; j < bank->joint_count; j++) {
        const bool dead = state->dead_boards >> bank->board[j] & 1;
        bank->dead[j] |= dead;
        const enum joint_action action =
            bank->commanded[j] && !dead ? synchronise(bank, j, &state->joint[j], gap, since_last_s)
                                        : JOINT_OMIT;
        if (isfinite(state->joint[j].reference_rad))
            bank->sent_rad[j] = state->joint[j].reference_rad;
        if (action == JOINT_OMIT)
            continue;
        if (action == JOINT_STEP)
            joint_filter_step(&bank->filter[j], &bank->limits[j], period_s, now);
        reference->active |= UINT64_C(1) << j;
        reference->reference_rad[j] = bank->filter[j].reference_rad;
    }
    return reference->active != 0;
}
