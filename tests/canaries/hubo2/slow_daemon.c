// Canary: a daemon that needs a fifth more of the processor than it should, from its first cycle
// on.
//
// Linked with a real daemon, --wrap=clk_join and --wrap=channel_put. Before it hands over a message
// it computes until it has used a fifth more than the daemon itself since the first one, what the
// kernel did for it included: its answers are later by that, as if all it does took longer. On the
// wall clock no oracle has anything to say about it: only a comparison of what was measured finds
// it (doc/reference/benchmarks.md). On the virtual clock, where computing takes no time, it is the
// daemon.
#include <time.h>

#include "channel/channel.h"
#include "clock/clock.h"

#define SLOWER_BY 5 // a fifth

enum status __real_clk_join(struct clk **clk);
enum status __wrap_clk_join(struct clk **clk);
enum status __real_channel_put(struct channel *channel, const void *frame, size_t size_B,
                               instant now);
enum status __wrap_channel_put(struct channel *channel, const void *frame, size_t size_B,
                               instant now);

static struct clk *joined;

enum status __wrap_clk_join(struct clk **clk)
{
    const enum status status = __real_clk_join(clk);
    joined = status == STATUS_OK ? *clk : NULL;
    return status;
}

static int64_t used_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void catch_up(void)
{
    // Since the first message: what came before was initialisation.
    static int64_t since_ns, added_ns;
    // What used_ns() takes at least; more was an interruption.
    static int64_t asking_ns = INT64_MAX;
    const int64_t begin_ns = used_ns();
    if (since_ns == 0)
        since_ns = begin_ns;
    const int64_t owed_ns = (begin_ns - since_ns - added_ns) / SLOWER_BY - added_ns;
    int64_t end_ns = begin_ns;
    for (int64_t before_ns = begin_ns; end_ns - begin_ns < owed_ns; before_ns = end_ns) {
        end_ns = used_ns();
        asking_ns = end_ns - before_ns < asking_ns ? end_ns - before_ns : asking_ns;
    }
    added_ns += end_ns - begin_ns;
    if (asking_ns < INT64_MAX)
        added_ns += asking_ns;
}

enum status __wrap_channel_put(struct channel *channel, const void *frame, size_t size_B,
                               instant now)
{
    if (joined == NULL || clk_mode(joined) != CLK_WALL)
        return __real_channel_put(channel, frame, size_B, now);
    catch_up();
    return __real_channel_put(channel, frame, size_B, clk_now(joined));
}
