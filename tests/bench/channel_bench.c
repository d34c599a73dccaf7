// What a put and a get cost when nobody waits, by frame size. Figures of one machine: compare them
// only within one run.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "channel/channel.h"
#include "clock/futex.h"

#define FRAME_SIZE_MAX_B (640 * 1024)
#define SLOTS 16

static void require(enum status status, const char *what)
{
    if (status == STATUS_OK)
        return;
    log_error("%s: %s", what, status_text(status));
    exit(3);
}

static void measure(struct channel *writer, struct channel *reader, unsigned char *frame,
                    size_t size_B, const char *mode)
{
    const int n = size_B > 100000 ? 500 : 20000;
    int64_t put_ns = 0, get_ns = 0;
    for (int i = 0; i < n; i++) {
        int64_t start_ns = monotonic_ns();
        require(channel_put(writer, frame, size_B, instant_ns(i)), "channel_put");
        int64_t middle_ns = monotonic_ns();
        require(channel_get(reader, frame, FRAME_SIZE_MAX_B, CHANNEL_NEWEST, NULL), "channel_get");
        put_ns += middle_ns - start_ns;
        get_ns += monotonic_ns() - middle_ns;
    }
    printf("%-7s %7zu B: put %7.2f us, get %7.2f us\n", mode, size_B, (double)put_ns * 1e-3 / n,
           (double)get_ns * 1e-3 / n);
}

int main(int argc, char **argv)
{
    (void)argc;
    log_program(argv[0]);
    char cell[] = "/dev/shm/ukemi-bench-XXXXXX", path[64];
    if (mkdtemp(cell) == NULL)
        require(STATUS_SYSTEM, cell);
    struct channel *writer, *reader;
    require(channel_create(cell, "bench", FRAME_SIZE_MAX_B, SLOTS), "channel_create");
    require(channel_open_in(cell, "bench", CHANNEL_WRITE, &writer), "channel_open_in");
    require(channel_open_in(cell, "bench", CHANNEL_READ, &reader), "channel_open_in");
    unsigned char *frame = calloc(1, FRAME_SIZE_MAX_B);
    if (frame == NULL)
        require(STATUS_NO_MEMORY, "frame");
    const size_t sizes_B[] = {64, 1024, 16384, 600000};
    for (int looked_at = 0; looked_at < 2; looked_at++) {
        channel_set_watch(writer, looked_at ? 1 : CLK_WATCH_NONE);
        for (size_t i = 0; i < sizeof sizes_B / sizeof sizes_B[0]; i++)
            measure(writer, reader, frame, sizes_B[i], looked_at ? "virtual" : "wall");
    }
    free(frame);
    channel_close(writer);
    channel_close(reader);
    snprintf(path, sizeof path, "%s/channels/bench", cell);
    unlink(path);
    snprintf(path, sizeof path, "%s/channels", cell);
    rmdir(path);
    rmdir(cell);
    return 0;
}
