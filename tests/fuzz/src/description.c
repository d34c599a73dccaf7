// Robot descriptions; one that is accepted must be usable by all that read it.
#include "tests/fuzz/fuzz.h"

#include "model/description.h"
#include "motion/joint_bank.h"
#include "plant/motors/boards.h"
#include "targets/hubo2/hardware/hardware_readings.h"

static void use(const struct description *description)
{
    static struct readings readings;
    static struct joint_bank bank;
    static struct motor motor[ROBOT_JOINTS_MAX];
    joint_bank_start(&bank, description, duration_ms(10));
    for (unsigned j = 0; j < description->joint_count; j++)
        fuzz_check(description_joint(description, description->joint[j].name) == (int)j);
    struct boards *boards;
    fuzz_check(boards_create(description, motor, &boards) == STATUS_OK);
    boards_update(boards, instant_ns(1));
    boards_free(boards);
    if (readings_start(&readings, description) != STATUS_OK)
        return;
    readings_begin(&readings, instant_ns(0));
    readings_finish(&readings, instant_ns(1));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct description *description;
    if (description_load(fuzz_file(data, size), &description) != STATUS_OK)
        return 0;
    fuzz_check(description->joint_count <= ROBOT_JOINTS_MAX);
    fuzz_check(description->board_count <= DESCRIPTION_BOARDS_MAX);
    use(description);
    description_free(description);
    return 0;
}
