// What faults of sockets and of clocks share in a shimmed program: the cell's page that asks for
// them (channel/tamper.h), what the lab is told, and real time, where the shim does nothing else.
#include "shim/faults/shim_fault.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "clock/skew.h"

#define WALL_WINDOW_NS 10000000 // the lab reads the channel once in this time,
#define WALL_WINDOW_MAX 16      // so no more than this is told of one program

struct tamper_page *shim_faults;

struct shim_fault_wall shim_fault_wall = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool shim_fault_is_virtual(void)
{
    return shim.clk != NULL;
}

void shim_fault_lock(void)
{
    if (!shim_fault_is_virtual())
        pthread_mutex_lock(&shim_fault_wall.lock);
}
void shim_fault_unlock(void)
{
    if (!shim_fault_is_virtual())
        pthread_mutex_unlock(&shim_fault_wall.lock);
}

// The trial's own, whatever the program's clock shows.
int64_t shim_fault_true_ns(void)
{
    const struct clk *clk = shim_fault_is_virtual() ? shim.clk : shim_fault_wall.clk;
    return clk_true_now(clk).ns;
}

int64_t shim_fault_now_ns(void)
{
    return shim_fault_is_virtual() ? shim_now_ns() : clk_now(shim_fault_wall.clk).ns;
}

// ---- what the lab is told -----------------------------------------------------------------------

// Wall mode. What there is no room for, the lab could not read in time.
static void tell_in_real_time(struct io_message *message)
{
    message->time = instant_ns(shim_fault_true_ns());
    if (message->time.ns - shim_fault_wall.window_ns > WALL_WINDOW_NS) {
        shim_fault_wall.window_ns = message->time.ns;
        shim_fault_wall.window_calls = 0;
    }
    if (++shim_fault_wall.window_calls > WALL_WINDOW_MAX)
        return;
    message->count = ++shim_fault_wall.calls;
    text_copy(message->participant, sizeof message->participant, shim.name);
    (void)!channel_put(shim_fault_wall.io, message, sizeof *message, message->time);
}

void shim_fault_tell(struct io_message *message)
{
    const int error = errno;
    if (shim_fault_is_virtual())
        shim_put(message);
    else
        tell_in_real_time(message);
    errno = error;
}

void shim_fault_tell_struck(const struct tampering *what, int descriptor, const struct iovec *part,
                            size_t size_B)
{
    struct io_message message = {.call = IO_STRUCK,
                                 .descriptor = descriptor,
                                 .size_B = (uint32_t)size_B,
                                 .hash = part == NULL ? 0 : shim_hash_parts(part, size_B)};
    snprintf(message.words, sizeof message.words, IO_STRUCK_WORDS, (unsigned)what->tag);
    shim_fault_tell(&message);
}

void shim_fault_tell_sent(int descriptor, const struct iovec *part, size_t size_B)
{
    struct io_message message = {.call = IO_SEND,
                                 .descriptor = descriptor,
                                 .size_B = (uint32_t)size_B,
                                 .hash = shim_hash_parts(part, size_B)};
    if (shim_fault_is_virtual() && shim.cell->stamping != 0)
        shim_stamp_note(descriptor, part, size_B, false);
    shim_fault_tell(&message);
}

// ---- beginning ----------------------------------------------------------------------------------

// In a child: what is under way is the parent's to send.
void shim_faults_forget(void)
{
    pthread_mutex_init(&shim_fault_wall.lock, NULL);
    shim_late_forget();
}

void shim_faults_begin(struct clk *wall_clk)
{
    const char *cell = getenv("UKEMI_CELL");
    struct tamper_page *page;
    if (cell == NULL || tamper_open(cell, TAMPER_SOCKETS, &page) != STATUS_OK)
        return;
    shim_fault_wall.clk = wall_clk;
    if (wall_clk != NULL &&
        (channel_open(IO_CHANNEL, CHANNEL_WRITE, &shim_fault_wall.io) != STATUS_OK ||
         pthread_atfork(NULL, NULL, shim_faults_forget) != 0)) {
        tamper_close(page);
        return;
    }
    shim_faults = page;
}
