// Canary: faults of load that claim what is not so; the lab's own look must catch each.
//
//   boasting_load apply|effect|undo|settled boasting-load|idle-load|clinging-load|boasting-drop ...
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// A process that works, or only sleeps, until the cell ends.
static pid_t leave(bool works)
{
    const pid_t child = fork();
    if (child != 0)
        return child;
    close(1); // the lab reads the output to its end
    close(2);
    for (volatile unsigned long i = 0;; i++)
        if (!works || i % 1000000 == 0)
            usleep(works ? 1000 : 100000);
}

int main(int argc, char **argv)
{
    pid_t left = 0;
    const bool apply = argc > 2 && strcmp(argv[1], "apply") == 0;
    const char *kind = argc > 2 ? argv[2] : "";
    if (apply && (strcmp(kind, "idle-load") == 0 || strcmp(kind, "clinging-load") == 0))
        left = leave(strcmp(kind, "clinging-load") == 0);
    if (strcmp(kind, "boasting-drop") == 0)
        printf("proven=1 evidence=it has no priority\n");
    else
        printf("proven=1 left=%d evidence=it is at work\n", left);
    return 0;
}
