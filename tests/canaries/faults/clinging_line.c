// Canary: a fault of a line that strikes, says that it was undone, and stays: the lab's own look at
// the line must catch it.
//
//   clinging_line apply|effect|undo|settled KIND bus=NAME tag=N ...
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dynamixel/disturbance.h"

int main(int argc, char **argv)
{
    struct dxl_disturbance loss = {
        .kind = DXL_DISTURB_LOSE, .node = DXL_ANY_NODE, .share_ppm = 100000, .burst = 1};
    const char *bus = "", *cell = getenv("UKEMI_CELL");
    struct dxl_page *page;
    unsigned slot;
    for (int i = 3; i < argc; i++) {
        if (strncmp(argv[i], "bus=", 4) == 0)
            bus = argv[i] + 4;
        else if (strncmp(argv[i], "tag=", 4) == 0)
            loss.tag = strtoull(argv[i] + 4, NULL, 10);
    }
    if (argc < 3 || cell == NULL || dxl_meddle_open(cell, bus, &page) != STATUS_OK)
        return 3;
    if (strcmp(argv[1], "apply") == 0 && dxl_meddle_put(page, &loss, &slot) != STATUS_OK)
        return 3;
    dxl_meddle_close(page);
    printf("proven=1 evidence=%s, as I say\n", argv[1]);
    return 0;
}
