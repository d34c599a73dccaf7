// Canary: a fault of a channel that strikes, says that it was undone, and stays: the lab's own look
// at both sides of the channel must catch it.
//
//   clinging_channel apply|effect|undo|settled KIND channel=NAME tag=N ...
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channel/tamper.h"

int main(int argc, char **argv)
{
    struct tampering drop = {.kind = TAMPER_DROP, .share_ppm = 100000, .burst = 1};
    const char *channel = "", *cell = getenv("UKEMI_CELL");
    struct tamper_page *page;
    unsigned slot;
    for (int i = 3; i < argc; i++) {
        if (strncmp(argv[i], "channel=", 8) == 0)
            channel = argv[i] + 8;
        else if (strncmp(argv[i], "tag=", 4) == 0)
            drop.tag = strtoull(argv[i] + 4, NULL, 10);
    }
    if (argc < 3 || cell == NULL || tamper_open(cell, channel, &page) != STATUS_OK)
        return 3;
    if (strcmp(argv[1], "apply") == 0 && tamper_put(page, &drop, &slot) != STATUS_OK)
        return 3;
    tamper_close(page);
    printf("proven=1 evidence=%s, as I say\n", argv[1]);
    return 0;
}
