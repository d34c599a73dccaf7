// Channel contents, as the Control daemon reads them. Whatever Hardware, Balance and Manipulation
// publish: references are finite and within the joints' ranges, and they flow again when all talk
// sense.
#include "tests/fuzz/fuzz.h"

#include "motion/joint_bank.h"

static struct description *description;
static struct joint_bank bank;
static struct reference_message before;

static void check_reference(const struct state_message *state,
                            const struct reference_message *reference)
{
    for (unsigned j = 0; j < description->joint_count; j++) {
        if (!(reference->active >> j & 1))
            continue;
        fuzz_check(isfinite(reference->reference_rad[j]));
        fuzz_check(reference->reference_rad[j] >= description->joint[j].position_min_rad);
        fuzz_check(reference->reference_rad[j] <= description->joint[j].position_max_rad);
        fuzz_check(isfinite(state->joint[j].reference_rad));
    }
    fuzz_check((reference->active >> description->joint_count) == 0);
}

// A robot that holds what it was told last.
static void next_state(struct state_message *state)
{
    state->cycle++;
    state->cycle_start = instant_add(state->cycle_start, duration_ms(10));
    for (unsigned j = 0; j < description->joint_count; j++) {
        struct joint_reading *joint = &state->joint[j];
        if (before.active >> j & 1)
            joint->reference_rad = joint->position_rad = before.reference_rad[j];
        joint->reference_active = before.active >> j & 1;
        joint->valid = 1;
    }
}

static void command(struct fuzz_input *input, const struct state_message *state, instant now)
{
    const uint8_t what = fuzz_u8(input);
    struct command_message message = {
        .state_cycle = state->cycle, .time = now, .joint_count = description->joint_count};
    for (unsigned j = 0; j < description->joint_count; j++) {
        message.joint[j].mode = what & 3;
        message.joint[j].value = 0.01 * (what >> 2) - 0.3;
    }
    fuzz_disturb(input, &message, sizeof message);
    joint_bank_command(&bank, &message, what & 4 ? UINT32_MAX : 0xF0, now);
}

// Once everybody talks sense again, so do the references.
static void check_recovery(struct state_message *state)
{
    struct reference_message reference = {0};
    for (unsigned cycle = 0; cycle < 5; cycle++) {
        next_state(state);
        const instant now = instant_add(state->cycle_start, duration_ms(8));
        struct command_message message = {
            .state_cycle = state->cycle, .time = now, .joint_count = description->joint_count};
        for (unsigned j = 0; j < description->joint_count; j++)
            message.joint[j].mode = JOINT_MODE_POSITION;
        joint_bank_command(&bank, &message, UINT32_MAX, now);
        before.active = 0;
        if (joint_bank_step(&bank, state, now, &reference))
            before = reference;
    }
    fuzz_check(reference.active == (UINT64_C(1) << description->joint_count) - 1);
    check_reference(state, &reference);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (description == NULL)
        fuzz_check(description_load(FUZZ_DESCRIPTION, &description) == STATUS_OK);
    joint_bank_start(&bank, description, duration_ms(10));
    before = (struct reference_message){0};
    struct state_message sound = {.joint_count = description->joint_count};
    struct fuzz_input input = {.data = data, .size = size};
    for (unsigned cycle = 0; fuzz_more(&input) && cycle < 200; cycle++) {
        next_state(&sound);
        struct state_message state = sound;
        const instant now = instant_add(sound.cycle_start, duration_ms(8));
        const uint8_t what = fuzz_u8(&input);
        if (what & 1)
            fuzz_disturb(&input, &state, sizeof state);
        if (what & 2)
            command(&input, &state, now);
        if (what & 4)
            command(&input, &state, now);
        struct reference_message reference;
        before.active = 0;
        if (joint_bank_step(&bank, &state, now, &reference)) {
            check_reference(&state, &reference);
            before = reference;
        }
    }
    check_recovery(&sound);
    return 0;
}
