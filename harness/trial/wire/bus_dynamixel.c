// Serial lines of Dynamixel servos: always of shared memory.
#include "dynamixel/line.h"
#include "harness/cell/cell_inside.h"
#include "harness/files/target/wire_config.h"
#include "harness/trial/wire/bus_kind.h"

static enum status create(const struct bus_config *config, const struct bus_making *making)
{
    return dxl_line_create(cell_folder(), config->name,
                           making->bitrate_bit_s != 0 ? making->bitrate_bit_s
                                                      : config->bitrate_bit_s);
}

// Only the lab's disturbances speak on a line beside its nodes.
static uint64_t strangers_dropped(const char *name)
{
    (void)name;
    return 0;
}

// Looks into the line's own table of disturbances, which its owner obeys and counts.
static bool find_disturbance(const char *name, unsigned tag, struct bus_disturbance *seen)
{
    struct dxl_page *page;
    if (dxl_meddle_open(cell_folder(), name, &page) != STATUS_OK)
        return false;
    const int slot = dxl_meddle_find(page, tag);
    const struct dxl_disturbance_count count = dxl_meddle_count(page, (unsigned)slot);
    dxl_meddle_close(page);
    *seen = (struct bus_disturbance){.known = slot >= 0,
                                     .active = count.active,
                                     .hit = count.hit,
                                     .hit_when_taken = count.hit_when_taken};
    return true;
}

const struct bus_kind bus_dynamixel = {
    .create = create, .strangers_dropped = strangers_dropped, .disturbed = find_disturbance};
