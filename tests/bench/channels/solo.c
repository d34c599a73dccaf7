#include "tests/bench/channels/solo.h"

#include <stdio.h>

#include "channel/channel.h"
#include "clock/futex.h"
#include "tests/bench/channels/figures.h"
#include "tests/bench/channels/world.h"

#define SLOTS 16
#define SIZE_MAX_B 600000 // a walking plan's segment is about as large
static const size_t sizes_B[] = {64, 1024, 16384, SIZE_MAX_B};
#define SIZE_COUNT (sizeof sizes_B / sizeof sizes_B[0])
static const char *const modes[] = {
    "wall", "virtual"}; // virtual: the coordinator looks, so a put wakes nobody
#define MODE_COUNT 2

struct solo {
    unsigned rounds;
    struct channel *writer, *reader;
    unsigned char *frame;
    double put_us[MODE_COUNT][SIZE_COUNT][ROUNDS_MAX], get_us[MODE_COUNT][SIZE_COUNT][ROUNDS_MAX];
};

static void require(enum status status, const char *what)
{
    if (status != STATUS_OK)
        bench_fail("%s: %s", what, status_text(status));
}

static void measure(struct solo *solo, size_t size_B, double *put_us, double *get_us)
{
    const int n = size_B > 100000 ? 100 : 4000;
    int64_t put_ns = 0, get_ns = 0;
    for (int i = 0; i < n; i++) {
        const int64_t start_ns = monotonic_ns();
        require(channel_put(solo->writer, solo->frame, size_B, instant_ns(i)), "channel_put");
        const int64_t middle_ns = monotonic_ns();
        require(channel_get(solo->reader, solo->frame, SIZE_MAX_B, CHANNEL_NEWEST, NULL),
                "channel_get");
        put_ns += middle_ns - start_ns;
        get_ns += monotonic_ns() - middle_ns;
    }
    *put_us = (double)put_ns * 1e-3 / n;
    *get_us = (double)get_ns * 1e-3 / n;
}

static int solo_main(void *context)
{
    struct solo *solo = context;
    solo->frame = bench_new(SIZE_MAX_B);
    require(channel_create(WORLD_FOLDER, "solo", SIZE_MAX_B, SLOTS), "channel_create");
    require(channel_open_in(WORLD_FOLDER, "solo", CHANNEL_WRITE, &solo->writer), "channel_open_in");
    require(channel_open_in(WORLD_FOLDER, "solo", CHANNEL_READ, &solo->reader), "channel_open_in");
    for (unsigned r = 0; r < solo->rounds; r++)
        for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
            channel_set_watch(solo->writer, mode == 0 ? CLK_WATCH_NONE : 1);
            for (unsigned s = 0; s < SIZE_COUNT; s++)
                measure(solo, sizes_B[s], &solo->put_us[mode][s][r], &solo->get_us[mode][s][r]);
        }
    return 0;
}

// A line for each round, for `ukemi bench store`.
static void print_rounds(const double *us, unsigned rounds, const char *mode, size_t size_B,
                         const char *what)
{
    for (unsigned r = 0; r < rounds; r++)
        printf("nobody waiting, %s, %zu B\t%s\tus\tless\t%.6g\t%u\n", mode, size_B, what, us[r],
               r + 1);
}

static void print(struct solo *solo, bool tsv)
{
    FILE *people = tsv ? stderr : stdout;
    fprintf(people, "\nnobody waiting: median us over rounds\n%-12s%10s%10s%10s\n", "", "size B",
            "put", "get");
    for (unsigned mode = 0; mode < MODE_COUNT; mode++)
        for (unsigned s = 0; s < SIZE_COUNT; s++) {
            double *put_us = solo->put_us[mode][s], *get_us = solo->get_us[mode][s];
            if (tsv) {
                print_rounds(put_us, solo->rounds, modes[mode], sizes_B[s], "put");
                print_rounds(get_us, solo->rounds, modes[mode], sizes_B[s], "get");
            }
            fprintf(people, "%-12s%10zu%10.2f%10.2f\n", modes[mode], sizes_B[s],
                    median(put_us, solo->rounds), median(get_us, solo->rounds));
        }
    fflush(stdout);
}

bool solo_run(unsigned rounds, bool tsv)
{
    struct solo *solo = bench_shared(sizeof *solo);
    solo->rounds = rounds;
    if (world_run(solo_main, solo) != 0)
        return false;
    print(solo, tsv);
    return true;
}
