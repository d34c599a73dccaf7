// Canary: a fault of a channel or of sockets that strikes, says that it was undone, and stays: the
// lab's own look at frames and calls must catch it.
//
//   clinging_page apply|effect|undo|settled KIND channel=NAME|process=NAME tag=N ...
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "channel/tamper.h"

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
    if (argc < 3 || cell == NULL || tamper_open(cell, name, &page) != STATUS_OK)
        return 3;
    if (strcmp(argv[1], "apply") == 0 && tamper_put(page, &drop, &slot) != STATUS_OK)
        return 3;
    tamper_close(page);
    printf("proven=1 evidence=%s, as I say\n", argv[1]);
    return 0;
}
