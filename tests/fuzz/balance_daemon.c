// The whole Balance daemon: states, segments, commands and a predecessor's status, of any content,
// size and time. Leg commands are finite, and it goes on publishing its status.
#include "daemon.h"

#include "targets/hubo2/balance_daemon.c"

#include "tests/fuzz/walk.h"

static struct balance_daemon balanced;
static struct clk *clock_of_it;
static struct balance pristine; // as it stands
static struct state_message state_standing, sound;
static struct segment_message plan;
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

static void make_plan(void)
{
    static struct planner_walk walk;
    static struct planner planner;
    fuzz_check(planner_walk_init(&walk, balanced.balance.model) == STATUS_OK);
    planner_init(&planner, NULL);
    struct planner_input input = {
        .now = sound.time, .status_known = true, .perception_known = true, .command_known = true};
    input.command =
        (struct planner_command_message){.id = 1, .kind = PLANNER_GO_TO_GOAL, .gait = GAIT_DYNAMIC};
    input.status = said;
    input.status.time = sound.time;
    input.perception.image_time = sound.time;
    input.perception.goal_valid = 1;
    input.perception.goal.x_m = 0.1;
    fuzz_check(planner_decide(&planner, &input) == PLANNER_BEGIN);
    fuzz_check(planner_walk_begin(&walk, &planner, &input) == MADE_SEGMENT);
    plan = walk.segment;
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
    make_plan();
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
    fuzz_check(strcmp(channel, "segment") == 0);
    struct segment_message *next = message;
    const uint8_t what = fuzz_u8(&daemon_input);
    const size_t size_B =
        offsetof(struct segment_message, sample) + plan.count * sizeof plan.sample[0];
    memcpy(next, &plan, size_B);
    next->epoch = balanced.balance.epoch;
    next->request_id = said.request_id;
    if (balanced.balance.buffer.plan_id != 0 && what & 1) { // a further one of the plan under way
        next->plan_id = balanced.balance.buffer.plan_id;
        next->segment_number = balanced.balance.buffer.segment_number + 1;
        next->first = balanced.balance.buffer.first;
    }
    return size_B;
}

static void daemon_said(const char *channel, const void *frame, size_t size_B)
{
    if (strcmp(channel, "balance-status") == 0) {
        fuzz_check(size_B == sizeof said);
        memcpy(&said, frame, sizeof said);
        cycles_without_status++;
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
    balanced.segment.count = 0;
    if (fuzz_u8(&daemon_input) &
        1) { // started again: what balance_daemon_start() does but for the files
        struct balance_status_message last;
        struct balance_command_message told;
        bool had = take(balanced.last_status, &last, sizeof last, CHANNEL_LAST);
        bool knows = take(balanced.command, &told, sizeof told, CHANNEL_LAST);
        fuzz_check(balance_init(&balanced.balance, pristine.description, pristine.model,
                                had ? &last : NULL, knows ? &told : NULL) == STATUS_OK);
    }
    if (setjmp(daemon_ended) == 0)
        for (;;)
            (void)balance_daemon_cycle(&balanced, clock_of_it);
    return 0;
}
