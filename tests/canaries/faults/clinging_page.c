// Canary: a fault of a channel, of sockets or of a clock that strikes, says that it was undone, and
// stays: the lab's own look at frames, calls and stamps must catch it.
//
//   clinging_page apply|effect|undo|settled KIND channel=NAME|process=NAME tag=N ...
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "channel/tamper.h"
#include "clock/skew.h"

static int strike_clock(const char *cell, const char *process, const char *action)
{
    const struct clk_skew fast = {.rate_ppb = 100000000};
    if (strcmp(action, "apply") == 0 && clk_skew_begin(cell, process, &fast) != STATUS_OK)
        return 3;
    printf("proven=1 evidence=%s, as I say\n", action);
    return 0;
}

int main(int argc, char **argv)
{
    struct tampering drop = {
        .kind = TAMPER_DROP, .share_ppm = 100000, .burst = 1, .direction = TAMPER_OUT};
    const char *name = TAMPER_SOCKETS, *cell = getenv("UKEMI_CELL");
    struct tamper_page *page;
    unsigned slot;
    for (int i = 3; i < argc; i++) {
        if (strncmp(argv[i], "channel=", 8) == 0)
            name = argv[i] + 8;
        else if (strncmp(argv[i], "process=", 8) == 0)
            text_copy(drop.process, sizeof drop.process, argv[i] + 8);
        else if (strncmp(argv[i], "tag=", 4) == 0)
            drop.tag = strtoull(argv[i] + 4, NULL, 10);
    }
    if (argc < 3 || cell == NULL)
        return 3;
    if (strcmp(argv[2], "clinging-clock") == 0)
        return strike_clock(cell, drop.process, argv[1]);
    if (tamper_open(cell, name, &page) != STATUS_OK)
        return 3;
    if (strcmp(argv[1], "apply") == 0 && tamper_put(page, &drop, &slot) != STATUS_OK)
        return 3;
    tamper_close(page);
    printf("proven=1 evidence=%s, as I say\n", argv[1]);
    return 0;
}
