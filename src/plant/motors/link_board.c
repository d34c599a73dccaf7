#include "plant/motors/link_board.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEATING_C_S 0.4 // at the greatest torque: 75 degrees more in the end,
#define COOLING_1_S (HEATING_C_S / 75)
#define COUNTER_MASK ((UINT32_C(1) << LINK_COUNTER_BITS) - 1)

uint32_t link_code(double volts, unsigned bits)
{
    const double half = (double)(UINT32_C(1) << (bits - 1));
    const double code = half + round(volts / LINK_VOLTS * half);
    return code < 0 ? 0 : code > 2 * half - 1 ? (uint32_t)(2 * half - 1) : (uint32_t)code;
}

double link_volts(uint32_t code, unsigned bits)
{
    const uint32_t codes = UINT32_C(1) << bits;
    const double half = 0.5 * (double)codes;
    return ((double)(code % codes) - half) / half * LINK_VOLTS;
}

uint32_t link_count(double angle_rad, double ticks_per_rad)
{
    return (uint32_t)llround(angle_rad * ticks_per_rad) & COUNTER_MASK;
}

double link_angle_rad(uint32_t count, double ticks_per_rad)
{
    const uint32_t unused = 32 - LINK_COUNTER_BITS; // the counter's sign is its highest bit
    return (double)((int32_t)(count << unused) >> unused) / ticks_per_rad;
}

static enum status map_page(const char *board, int flags, struct link_registers **page)
{
    char name[64];
    const int length = snprintf(name, sizeof name, "/board-%s", board);
    if (length < 0 || length >= (int)sizeof name)
        return STATUS_INVALID;
    const int file = shm_open(name, flags, 0600);
    if (file < 0)
        return errno == ENOENT ? STATUS_NOT_FOUND : STATUS_SYSTEM;
    void *memory = MAP_FAILED;
    struct stat seen;
    // The robot and its nodes may be of different users; the cell is theirs alone.
    const bool sized = (flags & O_CREAT) != 0
                           ? posix_fallocate(file, 0, sizeof **page) == 0 && fchmod(file, 0666) == 0
                           : fstat(file, &seen) == 0 && seen.st_size == (off_t)sizeof **page;
    if (sized)
        memory = mmap(NULL, sizeof **page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    *page = memory != MAP_FAILED ? memory : NULL;
    return *page != NULL ? STATUS_OK : STATUS_SYSTEM;
}

enum status link_page_create(const char *board, struct link_registers **page)
{
    const enum status status = map_page(board, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, page);
    for (unsigned i = 0; status == STATUS_OK && i < LINK_JOINTS; i++)
        (*page)->output[i] = link_code(0, LINK_DA_BITS);
    return status;
}

enum status link_page_open(const char *board, struct link_registers **page)
{
    return map_page(board, O_RDWR | O_CLOEXEC, page);
}

void link_board_outputs(struct link_board *board, int64_t now_ns, double torque_Nm[LINK_JOINTS])
{
    const uint32_t alive = board->registers->alive;
    if (alive != board->alive) {
        board->alive = alive;
        board->alive_ns = now_ns;
    }
    const bool awake = alive != 0 && now_ns - board->alive_ns < LINK_WATCHDOG_NS;
    for (unsigned i = 0; i < board->joint_count; i++)
        torque_Nm[i] = awake ? link_volts(board->registers->output[i], LINK_DA_BITS) / LINK_VOLTS *
                                   board->joint[i].torque_max_Nm
                             : 0;
}

void link_board_inputs(struct link_board *board, const double angle_rad[LINK_JOINTS],
                       const double torque_Nm[LINK_JOINTS], double step_s)
{
    for (unsigned i = 0; i < board->joint_count; i++) {
        struct link_joint *joint = &board->joint[i];
        const double share = torque_Nm[i] / joint->torque_max_Nm;
        joint->temperature_C += step_s * (HEATING_C_S * share * share -
                                          COOLING_1_S * (joint->temperature_C - LINK_AMBIENT_C));
        board->registers->counter[i] = link_count(angle_rad[i], joint->ticks_per_rad);
        board->registers->torque[i] =
            link_code(share / LINK_TORQUE_SCALE * LINK_VOLTS, LINK_AD_BITS);
        board->registers->temperature[i] =
            link_code(joint->temperature_C / LINK_CELSIUS_10V * LINK_VOLTS, LINK_AD_BITS);
    }
}
