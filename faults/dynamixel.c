// Faults of a line of Dynamixel servos, and of the servos: puts disturbances into the line and
// proves from its counters, and from the servos' own registers, what they did.
//
//   dynamixel apply|effect|undo|settled KIND bus=NAME tag=N seed=N [key=value...]
//   parameters: faults/dynamixel.yaml
//
// apply: the disturbance stands in the line's table. effect: it has acted. undo: it is out.
// settled: it has not acted since.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dynamixel/disturbance.h"
#include "faults/fault_main.h"

#define PPM 1e6
#define NS_PER_S 1e9
#define BAUD_CLOCK_HZ 2e6

// A kind of disturbance, and which parameter is its value, in which unit.
struct meddling {
    enum dxl_disturbance_kind kind;
    const char *value;
    double per_unit;
    int address; // of the register that takes the value; -1: as `address` says
};

static const struct meddling *own(const struct fault_asked *asked)
{
    return asked->own;
}

static bool find_node(const struct fault_asked *asked, struct dxl_page *page, uint32_t *node)
{
    const char *name = fault_find(asked, "node");
    *node = DXL_ANY_NODE;
    if (name == NULL || strcmp(name, "any") == 0)
        return true;
    const int found = dxl_meddle_node(page, name);
    if (found < 0)
        fprintf(stderr, "node=%s: there is no such servo or host on this line\n", name);
    *node = (uint32_t)found;
    return found >= 0;
}

static int64_t value_of(const struct fault_asked *asked)
{
    const struct meddling *meddling = own(asked);
    if (meddling->value == NULL)
        return 0;
    const double value = fault_number(asked, meddling->value);
    if (meddling->address == DXL_BAUD)
        return (int64_t)(BAUD_CLOCK_HZ / value - 1);
    return (int64_t)(value * meddling->per_unit);
}

static bool describe(const struct fault_asked *asked, struct dxl_page *page,
                     struct dxl_disturbance *what)
{
    const struct meddling *meddling = own(asked);
    *what = (struct dxl_disturbance){
        .tag = asked->tag,
        .kind = meddling->kind,
        .share_ppm = (uint32_t)(fault_number_or(asked, "share", 1) * PPM),
        .burst = (uint32_t)fault_number_or(asked, "burst", 1),
        .count = (uint32_t)fault_number_or(asked, "bytes", 1),
        .address = (uint32_t)(meddling->address >= 0 ? meddling->address
                                                     : fault_number_or(asked, "address", 0)),
        .value = value_of(asked),
        .delay_ns = (int64_t)(fault_number_or(asked, "delay_s", 0) * NS_PER_S),
        .seed = strtoull(fault_text(asked, "seed"), NULL, 10)};
    return find_node(asked, page, &what->node);
}

// ---- the actions --------------------------------------------------------------------------------

static enum fault_exit apply(const struct fault_asked *asked)
{
    struct dxl_page *page = asked->place;
    struct dxl_disturbance what;
    unsigned slot;
    if (!describe(asked, page, &what))
        return FAULT_CALLED_WRONGLY;
    const enum status status = dxl_meddle_put(page, &what, &slot);
    if (status == STATUS_INVALID)
        return fault_no_sense(asked);
    const bool stands = status == STATUS_OK && dxl_meddle_find(page, asked->tag) == (int)slot &&
                        dxl_meddle_count(page, slot).active;
    fault_prove(stands, 0, stands ? "in the line's table" : "the line's table is full");
    return FAULT_DONE;
}

// Whether the servo's own registers agree with what was done to it; kinds that leave no trace in
// them agree always.
static bool registers_agree(const struct fault_asked *asked, const struct dxl_node_report *servo)
{
    switch (own(asked)->kind) {
    case DXL_DISTURB_HEAT: // it has shut itself down, unless its host forbade that
        return dxl_word(servo->table + DXL_TORQUE_LIMIT) == 0 ||
               (servo->table[DXL_SHUTDOWN] & DXL_ERROR_OVERHEAT) == 0;
    case DXL_DISTURB_DEAD:
        return (dxl_word(servo->table + DXL_LOAD) & ~DXL_CLOCKWISE) == 0;
    default:
        return true;
    }
}

static enum fault_exit effect(const struct fault_asked *asked)
{
    struct dxl_page *page = asked->place;
    const int slot = dxl_meddle_find(page, asked->tag);
    const struct dxl_disturbance_count count = dxl_meddle_count(page, (unsigned)slot);
    struct dxl_node_report servo;
    uint32_t node;
    if (!find_node(asked, page, &node))
        return FAULT_CALLED_WRONGLY;
    const bool one = node != DXL_ANY_NODE && node >= DXL_HOSTS_MAX;
    dxl_meddle_report(page, one ? node : DXL_HOSTS_MAX, &servo);
    fault_prove(slot >= 0 && count.hit > 0 && (!one || registers_agree(asked, &servo)), 0,
                "acted on %" PRIu64 " of %" PRIu64
                "; servo %s: position %u, load %u, torque limit %u, %.1f V, %u C",
                count.hit, count.matched, servo.name, dxl_word(servo.table + DXL_POSITION),
                dxl_word(servo.table + DXL_LOAD), dxl_word(servo.table + DXL_TORQUE_LIMIT),
                0.1 * servo.table[DXL_VOLTAGE], servo.table[DXL_TEMPERATURE]);
    return FAULT_DONE;
}

static enum fault_exit undo(const struct fault_asked *asked)
{
    struct dxl_page *page = asked->place;
    const int slot = dxl_meddle_find(page, asked->tag);
    const bool out = slot >= 0 && dxl_meddle_take(page, (unsigned)slot) == STATUS_OK &&
                     !dxl_meddle_count(page, (unsigned)slot).active;
    fault_prove(out, 0, out ? "out of the line's table" : "it was not there");
    return FAULT_DONE;
}

static enum fault_exit settled(const struct fault_asked *asked)
{
    struct dxl_page *page = asked->place;
    const int slot = dxl_meddle_find(page, asked->tag);
    const struct dxl_disturbance_count count = dxl_meddle_count(page, (unsigned)slot);
    return fault_prove_settled(slot >= 0 && !count.active, count.hit_when_taken, count.hit);
}

// ---- the table ----------------------------------------------------------------------------------

static void *open_place(const struct fault_asked *asked)
{
    struct dxl_page *page;
    const char *name = fault_text(asked, "bus");
    const enum status status = dxl_meddle_open(asked->cell, name, &page);
    if (status == STATUS_OK)
        return page;
    fprintf(stderr, "bus=%s: %s\n", name, status_text(status));
    return NULL;
}

static void close_place(void *place)
{
    dxl_meddle_close(place);
}

#define ENTRY(name, ...)                                                                           \
    {                                                                                              \
        name, apply, undo, effect, settled, &(const struct meddling)                               \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define PLAIN(kind) DXL_DISTURB_##kind, NULL, 1, -1

static const struct fault_entry entries[] = {
    ENTRY("line-loss", PLAIN(LOSE)),
    ENTRY("line-corruption", PLAIN(CORRUPT)),
    ENTRY("line-delay", PLAIN(DELAY)),
    ENTRY("line-truncation", PLAIN(TRUNCATE)),
    ENTRY("line-insertion", PLAIN(INSERT)),
    ENTRY("readings-stuck", PLAIN(STICK)),
    ENTRY("line-collision", PLAIN(COLLIDE)),
    ENTRY("line-noise", PLAIN(NOISE)),
    ENTRY("line-low", PLAIN(LOW)),
    ENTRY("line-cut", PLAIN(CUT)),
    ENTRY("servo-silent", PLAIN(MUTE)),
    ENTRY("servo-register", DXL_DISTURB_REGISTER, "value", 1, -1),
    ENTRY("servo-id-doubled", DXL_DISTURB_REGISTER, "other_id", 1, DXL_ID),
    ENTRY("servo-wrong-baud", DXL_DISTURB_REGISTER, "bitrate_bit_s", 1, DXL_BAUD),
    ENTRY("servo-eeprom-lost", PLAIN(FORGET)),
    ENTRY("servo-dead", PLAIN(DEAD)),
    ENTRY("servo-stuck", PLAIN(STUCK)),
    ENTRY("servo-free", PLAIN(FREE)),
    ENTRY("servo-overheated", DXL_DISTURB_HEAT, "temperature_C", 1e3, -1),
    ENTRY("horn-slipped", DXL_DISTURB_SLIP, "angle_rad", 1e6, -1),
    ENTRY("backlash-grown", DXL_DISTURB_BACKLASH, "angle_rad", 1e6, -1),
    ENTRY("voltage-drop", DXL_DISTURB_VOLTAGE, "voltage_V", 1e3, -1),
    ENTRY("battery-sag", DXL_DISTURB_SAG, "resistance_ohm", 1e3, -1),
    {0},
};

int main(int argc, char **argv)
{
    static const struct fault_place place = {open_place, close_place};
    return fault_main_at(argc, argv, FAULT_NEEDS_CELL, entries, &place);
}
