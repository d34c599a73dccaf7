// Private to src/shim: what the parts of faults share. shim_fault.c has what is common,
// shim_fault_socket.c what a send or a connection meets, shim_fault_late.c messages that are held
// back, shim_fault_clock.c wrong clocks. What the rest of the shim calls is in shim.h.
#pragma once

#include <pthread.h>

#include "shim/shim.h"

#define SHIM_CONTROL_MAX_B 128
#define SHIM_WALL_STEP_NS 200000

// ---- shim_fault.c ----

extern struct shim_fault_wall { // wall mode
    struct clk *clk;
    struct channel *io;
    uint64_t calls, window_calls;
    int64_t window_ns;
    pthread_mutex_t lock;
} shim_fault_wall;

bool shim_fault_is_virtual(void);
void shim_fault_lock(void); // wall mode; one thread runs at a time in virtual mode
void shim_fault_unlock(void);
int64_t shim_fault_true_ns(void); // the trial's own time, whatever the program's clock shows
int64_t shim_fault_now_ns(void);
void shim_fault_tell(struct io_message *message);
void shim_fault_tell_struck(const struct tampering *what, int descriptor, const struct iovec *part,
                            size_t size_B);
void shim_fault_tell_sent(int descriptor, const struct iovec *part, size_t size_B);

// ---- shim_fault_late.c; locked ----

struct late_reason {
    uint64_t inode, tag; // of the socket, of the fault
    unsigned slot;
    bool held;      // until the fault is undone
    int64_t due_ns; // else
};

// Puts a message on its way; false: it cannot be.
bool shim_late_send(int descriptor, const struct msghdr *message, size_t size_B,
                    const struct late_reason *reason);
bool shim_late_any(void);           // something is under way,
bool shim_late_has(uint64_t inode); // of this socket
void shim_late_forget(void);        // in a child

// The bytes of all parts in one piece, which the caller frees; NULL: no memory.
unsigned char *shim_fault_copy(const struct iovec *part, size_t size_B);
