// The whole Control daemon: whatever Hardware, Balance and Manipulation publish, with whatever
// sizes and at whatever times, it goes on looking around, and its references are finite and within
// the joints' ranges.
#include "daemon.h"

int control_main(int argc, char **argv);
#define main control_main
#include "targets/hubo2/control/control.c"
#undef main

static struct control pristine, control;
static struct state_message sound;
static struct reference_message told;
static struct description *description;

static size_t daemon_message(const char *channel, void *message, size_t capacity_B)
{
    (void)capacity_B;
    if (strcmp(channel, "state") == 0) {
        daemon_state(&sound, description->joint_count, &told);
        told.active = 0;
        memcpy(message, &sound, sizeof sound);
        return sizeof sound;
    }
    struct command_message *command = message;
    *command = (struct command_message){
        .state_cycle = sound.cycle, .time = daemon_now, .joint_count = description->joint_count};
    const uint8_t what = fuzz_u8(&daemon_input);
    for (unsigned j = 0; j < description->joint_count; j++) {
        command->joint[j].mode = what & 3;
        command->joint[j].value = 0.01 * (what >> 2) - 0.3;
    }
    return sizeof *command;
}

static void daemon_said(const char *channel, const void *frame, size_t size_B)
{
    fuzz_check(strcmp(channel, "reference") == 0 && size_B == sizeof told);
    memcpy(&told, frame, sizeof told);
    fuzz_check(told.joint_count == description->joint_count);
    fuzz_check(told.active >> description->joint_count == 0);
    for (unsigned j = 0; j < description->joint_count; j++) {
        if (!(told.active >> j & 1))
            continue;
        fuzz_check(told.reference_rad[j] >= description->joint[j].position_min_rad);
        fuzz_check(told.reference_rad[j] <= description->joint[j].position_max_rad);
    }
}

static void start_once(void)
{
    fuzz_check(setenv("UKEMI_TARGET", FUZZ_FOLDER, 1) == 0);
    fuzz_check(description_load(FUZZ_DESCRIPTION, &description) == STATUS_OK);
    fuzz_check(start(&pristine) == STATUS_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (description == NULL)
        start_once();
    daemon_begin(data, size);
    control = pristine;
    control.mode = size & 1 ? CYCLE_ONE_PERIOD : CYCLE_TWO_PERIODS;
    control.state.cycle_start = instant_add(daemon_now, duration_ns(-PERIOD_DEFAULT_NS));
    sound = (struct state_message){0};
    told = (struct reference_message){0};
    if (setjmp(daemon_ended) == 0)
        for (;;) {
            await_cycle(&control);
            answer(&control);
            daemon_pass();
        }
    return 0;
}
