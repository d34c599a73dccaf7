#include "harness/store/campaign_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/trouble.h"
#include "clock/futex.h"

#define PLACES_FROM (INT64_C(1) << 40) // a byte per campaign, beyond what SQLite locks
#define STEP_NS 10000000

static enum status refuse(const char *database, int64_t campaign_id, int error)
{
    if (error != EAGAIN && error != EACCES) {
        (void)trouble_note(error);
        log_error("%s: cannot be locked: %s; name another file with --db", database,
                  strerror(error));
        return STATUS_SYSTEM;
    }
    log_error("%s: campaign %" PRId64 " is being run by another ukemi: wait until that has ended, "
              "then go on with --resume, or leave out --resume to run it anew",
              database, campaign_id);
    return STATUS_BUSY;
}

// OFD locks: of the descriptor, so that forks share it.
static bool lock(int guard, int64_t campaign_id, short type)
{
    struct flock place = {
        .l_type = type, .l_whence = SEEK_SET, .l_start = PLACES_FROM + campaign_id, .l_len = 1};
    return fcntl(guard, F_OFD_SETLK, &place) == 0;
}

enum status campaign_guard_open(const char *database, int *guard)
{
    *guard = open(database, O_RDWR | O_CLOEXEC);
    return *guard >= 0 ? STATUS_OK : refuse(database, 0, errno);
}

bool campaign_guard_hold(int guard, int64_t campaign_id)
{
    return lock(guard, campaign_id, F_WRLCK);
}

void campaign_guard_release(int guard, int64_t campaign_id)
{
    (void)lock(guard, campaign_id, F_UNLCK);
}

enum status campaign_guard_take(const char *database, int64_t campaign_id, duration patience,
                                int *guard)
{
    const int64_t give_up_ns = monotonic_ns() + patience.ns;
    const enum status status = campaign_guard_open(database, guard);
    if (status != STATUS_OK)
        return status;
    while (!campaign_guard_hold(*guard, campaign_id)) {
        const int error = errno;
        if ((error == EAGAIN || error == EACCES) && monotonic_ns() < give_up_ns) {
            const struct timespec step = {.tv_nsec = STEP_NS};
            nanosleep(&step, NULL);
            continue;
        }
        return refuse(database, campaign_id, error);
    }
    return STATUS_OK;
}
