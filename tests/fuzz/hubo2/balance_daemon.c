// The whole Balance daemon: states, steps, commands and a predecessor's status, of any content,
// size and time. Leg commands are finite, and it goes on publishing its status.
#include "daemon.h"

#include "targets/hubo2/balance/balance_daemon.c"

#include "tests/fuzz/hubo2/walk.h"

static struct balance_daemon balanced = {.by_steps = true};
static struct clk *clock_of_it;
static struct balance pristine; // as it stands
static struct state_message state_standing, sound;
static struct balance_status_message said;
static uint64_t commands, cycles_without_status;

// One cycle of a robot that follows every command exactly.
static void follow(bool published)
{
    sound.cycle++;
    sound.time = instant_add(sound.time, duration_ms(10));
    sound.cycle_start = sound.time;
    for (unsigned j = 0; j < sound.joint_count; j++) {
        struct joint_reading *joint = &sound.joint[j];
        const bool driven = published && balanced.leg_command.joint[j].mode == JOINT_MODE_VELOCITY;
        joint->reference_active = driven;
        joint->velocity_rad_s = driven ? balanced.leg_command.joint[j].value : 0;
        joint->reference_rad += joint->velocity_rad_s * BALANCE_PERIOD_S;
        joint->position_rad = joint->reference_rad;
    }
}

static void start_once(void)
{
    fuzz_check(setenv("UKEMI_TARGET", FUZZ_FOLDER, 1) == 0);
    fuzz_check(balance_daemon_start(&balanced) == STATUS_OK);
    fuzz_check(participant_join(&clock_of_it) == STATUS_OK);
    sound.joint_count = balanced.balance.description->joint_count;
    sound.imu.valid = 1;
    for (unsigned cycle = 0; said.phase != BALANCE_PHASE_STANDING; cycle++) {
        fuzz_check(cycle < 1000);
        follow(cycle > 0 && balance_cycle(&balanced.balance, &sound, &balanced.leg_command));
        balance_report(&balanced.balance, sound.time, &said);
    }
    pristine = balanced.balance;
    state_standing = sound;
}

static size_t daemon_message(const char *channel, void *message, size_t capacity_B)
{
    (void)capacity_B;
    if (strcmp(channel, "state") == 0) {
        follow(cycles_without_status == 0);
        memcpy(message, &sound, sizeof sound);
        return sizeof sound;
    }
    if (strcmp(channel, "balance-status") == 0) {
        memcpy(message, &said, sizeof said);
        return sizeof said;
    }
    if (strcmp(channel, "balance-command") == 0) {
        struct balance_command_message *command = message;
        *command =
            (struct balance_command_message){.id = ++commands,
                                             .time = daemon_now,
                                             .kind = fuzz_u8(&daemon_input) % (BALANCE_STOP + 1),
                                             .gait = GAIT_DYNAMIC,
                                             .steps = 2,
                                             .angle_rad = 0.1};
        return sizeof *command;
    }
    fuzz_check(strcmp(channel, "footsteps") == 0);
    const bool goes_on = balanced.balance.buffer.plan_id != 0 && fuzz_u8(&daemon_input) & 1;
    struct footsteps_message *steps = message;
    *steps = (struct footsteps_message){
        .plan_id = goes_on ? balanced.balance.buffer.plan_id : 1,
        .number = goes_on ? balanced.balance.buffer.segment_number + 1 : 1,
        .epoch = balanced.balance.epoch,
        .request_id = said.request_id,
        .gait = GAIT_DYNAMIC,
        .first = goes_on,
        .count = 1,
        .step = {{.side = SIDE_RIGHT, .pose = {0.2, said.foot[SIDE_RIGHT].y_m, 0}}}};
    return sizeof *steps;
}

static void daemon_said(const char *channel, const void *frame, size_t size_B)
{
    if (strcmp(channel, "balance-status") == 0) {
        fuzz_check(size_B == sizeof said);
        memcpy(&said, frame, sizeof said);
        cycles_without_status++;
        return;
    }
    if (strcmp(channel, "segment") == 0) {
        const struct segment_message *segment = frame;
        fuzz_check(segment->count >= 2 && segment->count <= SEGMENT_SAMPLES_MAX);
        fuzz_check(size_B == offsetof(struct segment_message, sample) +
                                 segment->count * sizeof segment->sample[0]);
        const struct segment_sample *last = &segment->sample[segment->count - 1];
        fuzz_check(segment_ends_stable(last - 1, last));
        return;
    }
    const struct command_message *command = frame;
    fuzz_check(strcmp(channel, "leg-command") == 0 && size_B == sizeof *command);
    cycles_without_status = 0;
    for (unsigned j = 0; j < balanced.balance.description->joint_count; j++)
        fuzz_check(isfinite(command->joint[j].value));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (pristine.model == NULL)
        start_once();
    daemon_begin(data, size);
    fuzz_balance_reset(&balanced.balance, &pristine);
    sound = state_standing;
    sound.time = daemon_now;
    commands = 0;
    cycles_without_status = 1;
    balanced.state = (struct state_message){0};
    balanced.balance.steps->trying = false; // what it held is of no plan that is under way
    if (fuzz_u8(&daemon_input) &
        1) { // started again: what balance_daemon_start() does but for the files
        struct balance_status_message last;
        struct balance_command_message told;
        bool had = take(balanced.last_status, &last, sizeof last, CHANNEL_LAST);
        bool knows = take(balanced.command, &told, sizeof told, CHANNEL_LAST);
        fuzz_check(balance_init(&balanced.balance, pristine.description, pristine.model,
                                had ? &last : NULL, knows ? &told : NULL) == STATUS_OK);
        balanced.balance.steps = pristine.steps;
    }
    if (setjmp(daemon_ended) == 0)
        for (;;)
            (void)balance_daemon_cycle(&balanced, clock_of_it);
    return 0;
}
