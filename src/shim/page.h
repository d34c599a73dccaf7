// Memory that the threads and children of one shimmed program share: CELL/shim-NAME.
//
// They are one participant of the clock, and of these tasks one runs at a time. A task that would
// block hands the turn to the task that has been ready the longest. The last one to block waits for
// the clock, on behalf of all.
#pragma once

#include <stdatomic.h>
#include <stdint.h>

// Beside the library: the program that runs a statically linked one in its own process.
#define SHIM_HOST "static-host"

#define SHIM_PAGE_MAGIC 0x6d696873696d6b75U // "ukmishim"
#define SHIM_PAGE_VERSION 5
// What the lab asks for by SIGSYS, of whoever has had the turn for long: to look whether it spins;
// the last time, to let virtual time pass whatever it does.
#define SHIM_ASKED_LOOK 0x2c6f6f6b
#define SHIM_ASKED_LAST 0x2c617374
#define SHIM_ASKED_AGAIN 0x40000000 // one of the program's threads asks another
#define SHIM_TASKS_MAX 256
#define SHIM_STAMPS_MAX 1024
#define SHIM_MEMORIES_MAX 256
#define SHIM_BUSES_MAX 8
#define SHIM_CAN_NODES_MAX 32 // of a participant on a bus
#define SHIM_SLEEPERS_MAX 1024
#define SHIM_TURN_ENDING                                                                           \
    (UINT32_C(1) << 31) // its process ends or stops: not yet the next one's turn

enum shim_task_state {
    SHIM_TASK_FREE,
    SHIM_TASK_BLOCKED,
    SHIM_TASK_READY,
    SHIM_TASK_RUNNING,
};

// What is waited for: an address of one process, or a place in a file that several have mapped
// (shim_place.c). All zero: nothing.
struct shim_object {
    uint64_t space; // a process, or a file system
    uint64_t file;  // its number there; 0: memory of the process alone
    uint64_t place; // an address, or an offset
};

enum shim_awaited_kind {
    SHIM_AWAITS_OTHER,
    SHIM_AWAITS_MUTEX,
    SHIM_AWAITS_RWLOCK,
    SHIM_AWAITS_SPIN,
    SHIM_AWAITS_BARRIER,
    SHIM_AWAITS_CONDITION,
    SHIM_AWAITS_SEMAPHORE,
    SHIM_AWAITS_WORD,       // a futex
    SHIM_AWAITS_THREAD,     // number: its task
    SHIM_AWAITS_CHILD,      // number: its process, or as of waitpid()
    SHIM_AWAITS_DESCRIPTOR, // number: it, or the first of several
    SHIM_AWAITS_SET,        // number: of semaphores of System V
    SHIM_AWAITS_QUEUE,      // number: of messages of System V
    SHIM_AWAITS_FILE_LOCK,  // number: its descriptor
    SHIM_AWAITS_SIGNAL,
    SHIM_AWAITS_KINDS
};

// What a task waits for, for those who ask why nothing goes on.
struct shim_awaited {
    uint32_t kind;    // enum shim_awaited_kind
    int32_t number;   // see there
    uint64_t address; // in its process; 0: none
    int64_t since_ns;
    uint32_t for_good; // it has set no deadline
    uint32_t padding;
};

struct shim_task {
    uint32_t state; // enum shim_task_state
    int32_t pid;
    uint64_t ticket; // order in which tasks have blocked or become ready
    int64_t deadline_ns;
    uint64_t seen, events; // as of struct shim_wait, if `io`
    uint32_t io, woken;
    uint32_t begun;   // it has had a turn
    uint32_t looked;  // how much, since it last waited
    int64_t spent_ns; // spinning, since time last passed for it
    struct shim_object object;
    uint32_t sleeper;     // 1 + its number in struct shim_cell, if others may wake it; 0: none
    uint32_t stopped;     // its process: it has no turn before it is continued
    int32_t thread;       // its number to the kernel, which may be asked as above
    uint32_t listens;     // if so
    uint64_t spins_since; // 1 + the trial's time in ns: it has made no call since; 0: not so
    struct shim_awaited awaited; // if blocked
};

#define SHIM_PROCESSOR_WORDS 4 // 256 processors

// What a task has asked of the scheduler (shim_schedule.c). All zero: nothing.
struct shim_schedule {
    int32_t thread; // its number to the kernel; 0: not known yet
    int32_t policy, priority, nice;
    uint64_t runtime_ns, deadline_ns, period_ns; // of SCHED_DEADLINE,
    int64_t since_ns;                            // asked for by then
    uint64_t processors[SHIM_PROCESSOR_WORDS];   // a bit for each, if `pinned`
    uint32_t pinned, reset;                      // reset: children begin without
};

// Written by the task that has the turn; the turn itself is what the others wait for.
struct shim_page {
    uint64_t magic;
    uint32_t version;
    _Atomic uint32_t turn; // number of the task, perhaps with SHIM_TURN_ENDING
    uint64_t tickets;
    uint64_t events;                      // counts what makes somebody ready and is not recorded
    uint64_t calls;                       // recorded so far
    uint64_t looks;                       // at clocks and descriptors since time last passed
    uint64_t puts;                        // frames put since time last passed
    uint64_t hops;                        // turns that came without time having passed,
    int64_t hopped_ns;                    // less those that were forgotten by then
    uint32_t handlers;                    // a task has had a signal handler or a blocked signal
    uint32_t task_count;                  // that were ever used
    uint64_t output_device, output_inode; // what the lab reads: standard error at the beginning
    struct shim_task task[SHIM_TASKS_MAX];
    struct shim_schedule schedule[SHIM_TASKS_MAX];
    int32_t can_node[SHIM_BUSES_MAX][SHIM_CAN_NODES_MAX]; // process that has it; 0: none
};

// A datagram that was sent.
struct shim_stamp {
    uint64_t hash;      // of its bytes
    int64_t sent_ns;    // by the trial's time
    int32_t pid;        // who sent it,
    int32_t descriptor; // and where
};

// Memory by a descriptor (shim_memory.c).
struct shim_memory {
    uint64_t inode;
    uint32_t seals; // F_SEAL_...
};

enum shim_sleeper_state {
    SHIM_SLEEPER_FREE,
    SHIM_SLEEPER_WAITS,
    SHIM_SLEEPER_WOKEN,
};

// A task that waits for an object in shared memory, whichever program it belongs to.
struct shim_sleeper {
    struct shim_object object;
    uint64_t ticket;          // order in which they began to wait
    int32_t pid, participant; // its process, and the first one of its program
    uint32_t task;
    uint32_t state; // enum shim_sleeper_state
};

#define SHIM_LOCKERS_MAX 64

// A process that waits for another one's lock of a file's records (shim_file.c).
struct shim_locker {
    int32_t pid, holder; // 0: nobody
};

// Shared by all shimmed programs of a cell: CELL/shim. Written by whoever has the turn.
struct shim_cell {
    uint32_t writers;       // tasks that wait for room to write
    uint32_t ports;         // given so far
    uint32_t stamping;      // somebody has packets stamped: datagrams are noted
    _Atomic int64_t made_s; // by the machine's real time
    uint64_t stamps;        // noted so far; the newest SHIM_STAMPS_MAX are here
    struct shim_stamp stamp[SHIM_STAMPS_MAX];
    uint32_t memories, sealed; // made so far, the newest of which are here; one has a seal
    struct shim_memory memory[SHIM_MEMORIES_MAX];
    uint32_t sleepers;      // that wait or have been woken
    uint32_t sleeper_count; // that were ever used
    uint32_t abandoned;     // whoever executes a program held robust mutexes
    uint64_t sleeper_tickets;
    struct shim_locker locker[SHIM_LOCKERS_MAX];
    struct shim_sleeper sleeper[SHIM_SLEEPERS_MAX];
};
