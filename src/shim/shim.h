// Private to src/shim: what the parts of libukemi-shim.so share.
//
// The library is preloaded into a program that knows nothing of the lab. Its constructor joins the
// clock. In virtual mode the calls below ask the kernel without blocking, and wait by the clock:
// for a deadline, for a frame on the channel `io`, or for another thread of the program.
// doc/reference/shim.md says what is covered.
//
// A call that is replaced is PUBLIC and has the C library's name. It passes straight on to the
// kernel while shim_on() is false: in wall mode, outside a cell, before the constructor.
#pragma once

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>

#include "base/random.h"
#include "channel/channel.h"
#include "channel/tamper.h"
#include "clock/clock.h"
#include "message/io.h"
#include "shim/page.h"

#define PUBLIC __attribute__((visibility("default")))
#define SHIM_NS_PER_S INT64_C(1000000000)
#define SHIM_NEVER INT64_MAX
// As late as the kernel wakes an ordinary process. Nobody is woken exactly on time, and some
// programs ask whether now > then.
#define SHIM_SLACK_NS 50000

struct shim {
    struct clk *clk; // NULL: everything is passed on
    struct channel *io;
    struct shim_page *page;
    struct shim_cell *cell;
    struct random_stream chance;
    char name[48]; // of the participant
};
extern struct shim shim;

// This thread's task on the page; -1: it takes no part.
extern _Thread_local int shim_self __attribute__((tls_model("initial-exec")));

// The task of which the caller speaks as itself.
static inline int shim_own_task(void)
{
    return shim_self;
}

// Whether the lab has begun this program, in either mode.
extern bool shim_in_cell;

// The caller is a child of vfork, in its parent's place: it takes no part (shim_vfork.c).
extern _Thread_local bool shim_vforked __attribute__((tls_model("initial-exec")));

// Whether the caller takes part in virtual time. A thread of unknown origin is a leak.
bool shim_on(void);

// ---- the kernel (shim_kernel.c) ----

// A system call that nothing intercepts: sets errno, -1 on failure. Arguments are cast to long.
long shim_kernel(long number, long a, long b, long c, long d, long e, long f);
#define KERNEL(...) KERNEL_CALL(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)
#define KERNEL_CALL(number, a, b, c, d, e, f, ...)                                                 \
    shim_kernel(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
// The next definition of a function, that of the C library.
void *shim_next(const char *name);
#define NEXT(name)                                                                                 \
    ({                                                                                             \
        static __typeof__(&(name)) next_;                                                          \
        if (next_ == NULL)                                                                         \
            next_ = (__typeof__(&(name)))shim_next(#name);                                         \
        next_;                                                                                     \
    })

// ---- time (shim_time.c) ----

int64_t shim_now_ns(void);
// What a clock of the program shows when the trial's time is 0.
int64_t shim_base_ns(clockid_t id);
// Deadlines of the trial's time. A moment that is past or too far away is what it should be.
int64_t shim_after_ns(int64_t ns);                          // that much from now, late by the slack
int64_t shim_after(const struct timespec *t);               // NULL: never
int64_t shim_until(clockid_t id, const struct timespec *t); // NULL: never
int64_t shim_left_ns(int64_t deadline_ns);
struct timespec shim_timespec(int64_t ns);
int64_t shim_ns_of(const struct timespec *t); // -1: not a time
// A program that only looks, at clocks or at descriptors, must see time pass.
void shim_look(void);
void shim_pass(int64_t ns);     // so much passes, and others run; or until a handler has run
extern unsigned shim_looks_max; // so many looks take a microsecond
#define SHIM_LOOKS_MAX 1000     // where looks are cheap
// What a program may do any number of times without waiting for anything: it spins when it has done
// so very often. It takes so long on Linux. No point at which a thread is cancelled.
void shim_touch(int64_t cost_ns);
#define SHIM_CALL_NS 250 // of the kernel
#define SHIM_TRY_NS 25   // of the C library

// ---- waiting (shim_turn.c) ----

struct shim_wait {
    int64_t deadline_ns;         // SHIM_NEVER: none
    bool io;                     // also until there was input or output since `seen`
    uint64_t seen;               // head of the channel `io`
    uint64_t events;             // the page's events
    struct shim_object object;   // also until somebody wakes this
    uint64_t ticket;             // its place among those who wait for a shared object
    const sigset_t *mask;        // of signals while it waits; NULL: as it is
    bool spin;                   // it does not wait for anything
    struct shim_awaited awaited; // for those who ask; its deadline is of no account
};

// To be told of a wait, or of several that are one to the program. Since now.
struct shim_awaited shim_awaits(enum shim_awaited_kind kind, int number, const void *address);

enum shim_woken {
    SHIM_WOKEN,       // ask again
    SHIM_DEADLINE,    // the deadline has come
    SHIM_INTERRUPTED, // a signal handler has run
};

// What has happened so far, to be asked for before the kernel is. Waits for more than this.
struct shim_wait shim_wait_io(int64_t deadline_ns);
struct shim_wait shim_wait_object(struct shim_object object, int64_t deadline_ns);
// Again, as what has been waited for did not come: at the same place.
void shim_wait_again(struct shim_wait *wait);
// Gives the turn to another task of the program or back to the clock.
enum shim_woken shim_block(const struct shim_wait *wait);
// Makes up to n tasks that wait for the object ready, the longest waiting first. How many.
unsigned shim_wake(struct shim_object object, unsigned n);
// Lets up to n of them wait for another one of the same kind (private, or shared).
unsigned shim_requeue(struct shim_object from, struct shim_object to, unsigned n);
// Whether the last wait for an object ended because somebody woke it.
bool shim_was_woken(void);
unsigned shim_sleepers(struct shim_object object);
// Those who wait for input and output shall look again, without a frame being recorded.
void shim_nudge(void);

// ---- where objects lie (shim_place.c) ----

#define SHIM_NOTHING ((struct shim_object){0})
struct shim_object shim_mine(const void *address); // of this process alone
// By what this process has mapped there.
struct shim_object shim_object_at(const void *address);
struct shim_object shim_object_if(bool shared, const void *address);
struct shim_object shim_semaphores(int id); // of System V
struct shim_object shim_messages(int id);   // likewise
static inline bool shim_is_shared(const struct shim_object *object)
{
    return object->file != 0;
}
static inline bool shim_is_same(const struct shim_object *a, const struct shim_object *b)
{
    return a->place == b->place && a->file == b->file && a->space == b->space;
}
void shim_places_forget(void);     // the program has changed what it has mapped
void shim_note_mapping(int flags); // it is about to map something

// ---- who waits for shared objects (shim_meet.c) ----

uint64_t shim_meet_ticket(void);
uint32_t shim_meet_begin(const struct shim_wait *wait); // the calling task's number
bool shim_meet_is_woken(uint32_t sleeper);
bool shim_meet_end(uint32_t sleeper); // whether somebody woke it
unsigned shim_meet_wake(struct shim_object object, unsigned n);
unsigned shim_meet_requeue(struct shim_object from, struct shim_object to, unsigned n);
unsigned shim_meet_count(struct shim_object object);
void shim_meet_forget(int pid); // it is dead: whoever woke it wakes the next

// ---- robust mutexes (shim_robust.c) ----

// The calling thread ends: what it holds has lost its owner, before the next task runs.
void shim_abandon(void);
// A program is about to be executed, which the kernel takes for the end of those who held mutexes;
// the program that has begun tells those who wait.
void shim_abandon_by_exec(void);
void shim_abandoned(void);

// Tasks: index of a new one, which is ready; -1: there is no room.
int shim_task_new(void);
void shim_task_begin(int task);    // by the new thread or process: waits for its turn
void shim_task_end(void);          // gives the turn away for good
void shim_task_drop(int task);     // never begun
void shim_task_stir(int task);     // looks again, whatever it waits for
struct shim_task *shim_task(void); // the calling one
int shim_process(void);            // the calling one
int shim_participant(void);        // the one that joined the clock
bool shim_alone(void);             // no other task

// ---- timers (shim_timer.c) ----

// Lets those fire that are due; when the next one is.
int64_t shim_timers(void);
bool shim_timer_closed(int descriptor);
void shim_timer_taken(siginfo_t *info); // a signal, perhaps of one: how many it stands for
void shim_timers_forget(void);          // in a child

// ---- signals (shim_signal.c) ----

bool shim_handles_signals(void); // the program has a handler, or blocks signals
// Whether one is pending that the mask lets through and that a handler takes; `restarts`: all such
// handlers ask for interrupted calls to be restarted.
bool shim_signal_pending(const sigset_t *mask, bool *restarts);
extern _Thread_local bool shim_restarts; // after SHIM_INTERRUPTED

// Signals with a handler are looked for while a program waits.
void shim_note_handler(int number, const struct sigaction *action);

// ---- input and output (shim_io.c) ----

// Waits until one of the events or the deadline; -1 with EINTR or EAGAIN.
int shim_await(int descriptor, short events, int64_t deadline_ns);
bool shim_is_blocking(int descriptor);
// A file, a folder or what the lab reads: makes nobody ready.
bool shim_is_file(int descriptor);
int64_t shim_socket_deadline(int descriptor, int option);
// Tells those who wait and the lab of what has been done. Keeps errno.
void shim_record(enum io_call call, int descriptor, const void *data, size_t size_B);
void shim_record_words(const char *words); // IO_LEAK
void shim_put(struct io_message *message); // completes it
void shim_pace(void);                      // lets the lab read what was put
uint64_t shim_hash_parts(const struct iovec *part, size_t size_B);
// Gives a socket of the Internet a port, before it sends to or connects with somebody.
void shim_name(int descriptor, const struct sockaddr *to);
// Somebody has made room in a pipe or socket: told if anybody waits for that.
void shim_room(int descriptor);

// ---- scheduling (shim_schedule.c) ----

// A new task begins with what its maker has asked for; then in its own thread.
void shim_schedule_inherit(int task);
void shim_schedule_begin(void);
// What a new thread's attributes ask of the scheduler is the task's, and the rest of them is to be
// given to the C library, and destroyed. An error number.
int shim_schedule_attributes(int task, const pthread_attr_t *from, pthread_attr_t *rest);
int shim_sched_setattr(pid_t id, const void *asked, unsigned flags) __asm__("sched_setattr");
int shim_sched_getattr(pid_t id, void *answer, unsigned size,
                       unsigned flags) __asm__("sched_getattr");
// A yield that ends a period (SCHED_DEADLINE) has waited for the next one. False: it is another.
bool shim_schedule_yield(void);

// ---- threads (shim_thread.c) ----

int shim_thread_task(pthread_t id); // of this process; -1: it is unknown
void shim_threads_forget(void);     // in a child
// As pthread_create, by virtual time, of a function of C11: an error number.
int shim_thread_create(pthread_t *id, int (*function)(void *), void *argument);

// ---- faults of sockets (shim_fault.c) ----

extern struct tamper_page *shim_faults; // NULL: this scenario has none
static inline bool shim_is_struck(void)
{
    return __builtin_expect(shim_faults != NULL, 0);
}
// Whether a fault strikes the call, which then answers *result (connect: -1), with errno.
bool shim_struck_send(int descriptor, const struct msghdr *message, ssize_t *result);
bool shim_struck_bytes(int descriptor, const void *bytes, size_t size_B, const struct sockaddr *to,
                       socklen_t to_B, ssize_t *result);
bool shim_struck_connect(int descriptor, const struct sockaddr *to, socklen_t to_B);
int shim_struck_clock(clockid_t id, struct timespec *t); // clock_gettime in wall mode
int shim_struck_sleep(clockid_t id, int flags, const struct timespec *t, struct timespec *left);
void shim_struck_realtime(void);              // it is read, in virtual mode
int64_t shim_faults_pass(void);               // sends what is due; when the next is
bool shim_faults_hold(void);                  // something waits for a fault's end
void shim_faults_begin(struct clk *wall_clk); // NULL: virtual mode
void shim_faults_forget(void);                // in a child

// ---- children (shim_turn.c, shim_process.c) ----

void shim_environment_begin(void);      // by a program that begins: what children get is kept
void shim_task_is(int task, pid_t pid); // the process of a task, as its parent knows it
bool shim_is_main(void);                // the process that is the participant
bool shim_is_child(pid_t pid);          // has a task
bool shim_bury_child(pid_t pid);        // false: it is not dead yet
void shim_await_death(pid_t pid);
void shim_process_ends(void); // the turn goes on when this process is dead
// The calling process is about to stop: the turn goes on when it has, and comes back to it later.
void shim_turn_stops(void);
void shim_turn_returns(void);
const char *shim_path(void); // of this library
// What a bare cell preloads beside it, each with ':' before it; "": nothing. Kept at the first
// call.
const char *shim_beside(void);
// A task that is `sh -c COMMAND`; -1: errno.
pid_t shim_start_shell(const char *command, const posix_spawn_file_actions_t *actions);

// ---- processes that are stopped (shim_stop.c) ----

bool shim_process_is_dead(int pid);
bool shim_process_is_stopped(int pid);
bool shim_is_stop(int number); // SIGSTOP or SIGCONT
// As kill() with one of these: the others are stopped, or not any more, when it returns.
int shim_stop(pid_t which, int number);

// ---- streams (shim_stream.c) ----

void shim_streams_begin(void); // by a program that begins
void shim_streams_end(void);   // ... and that ends by exit()

// ---- system calls past the C library's functions (shim_syscall.c, shim_raw.c) ----

// What the program gets, as syscall() gives it. `way`: how it was made, for the words of a leak.
long shim_answer(long number, const long arguments[6], const char *way);
bool shim_passes(long number); // goes to the kernel as it is, for a reason (shim_passed.c)
#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_ON 1
#endif
// In each thread. False: this kernel lets such calls go unseen.
bool shim_raw_begin(void);

// On what stacks their handlers run (shim_stack.c): a thread's own, from its beginning to its end.
void shim_stack_begin(void);
void shim_stack_end(void);
struct ucontext_t;
// Of the instruction that is being answered; NULL: none is.
extern _Thread_local struct ucontext_t *shim_answered __attribute__((tls_model("initial-exec")));

// rt_sigprocmask(2) by an instruction, which is answered in this context (shim_raw.c).
long shim_raw_sigprocmask(const long argument[6], struct ucontext_t *context);

// Children and ends past the C library (shim_clone.c).
long shim_clone(const long argument[6]);
long shim_raw_fork(const long argument[6]);
long shim_raw_vfork(const long argument[6]);
long shim_raw_exit(const long argument[6]); // of a thread
long shim_raw_exit_group(const long argument[6]);

// futex(2), however it was called (shim_futex.c).
long shim_futex(const long argument[6]);

// The kernel hands system calls to this function, in place of ours.
void shim_raw_handler(void (*handler)(int, siginfo_t *, void *));

// ---- statically linked programs (shim_static.c, shim_foreign.c) ----

// Loads such a program into this process, and runs it in its place: a program of the host's form
// (host/static.c). Returns on failure only, with errno.
int shim_run_static(const char *path, char *const arguments[]);
// Virtual mode: the calling process becomes one in which only the program's own code is foreign.
void shim_foreign_begin(const char *path);
// Of the program, where the kernel would name its host: /proc/self/exe.
const char *shim_own_path(const char *path);
// Gives the processor to the program, at its entry, with this stack.
_Noreturn void shim_foreign_enter(uint64_t entry, const void *stack);

// ---- clocks without a system call (shim_counter.c) ----

// By a program that begins. calls_are_seen: what shim_raw_begin has said.
void shim_counter_begin(bool calls_are_seen);
// Where the counter is to be virtual and is not: a leak. Once the clock is joined.
void shim_counter_check(void);
// What the program itself asks for by being what it is: its segments in memory (Elf64_Phdr).
void shim_counter_of(const void *segments, size_t count, uint64_t bias);
// Before a program is executed it must be there again: the loader reads it.
void shim_hide_counter(bool hidden);
// Whether SIGSEGV is how we learn of its being read; then sigaction of it.
bool shim_takes_faults(void);
int shim_take_fault(const struct sigaction *action, struct sigaction *old);

// ---- sockets of CAN (shim_can.c) ----

int shim_can_socket(int type, int protocol); // as socket() of AF_CAN
// The functions below are about one of them, or say false.
bool shim_can_bind(int descriptor, const struct sockaddr *address, socklen_t length, int *result);
bool shim_can_option(int descriptor, int level, int option, const void *value, socklen_t size_B,
                     int *result);
bool shim_can_stamps(int descriptor, int option, const void *value, socklen_t size_B, int *result);
// A frame is handed to the bus. *sent: -1 with errno, or its size. to: NULL, where it is bound to.
bool shim_can_send(int descriptor, const struct iovec *part, size_t count,
                   const struct sockaddr *to, ssize_t *sent);
// A frame has been received: what is told beside it, to a caller that has asked for that.
void shim_can_received(int descriptor, struct msghdr *message, const struct msghdr *asked,
                       int flags);
void shim_can_received_from(int descriptor, struct sockaddr *address, socklen_t *length,
                            socklen_t room_B, int flags);
bool shim_can_stamp_of_last(int descriptor, struct timespec *stamp);
void shim_can_closed(int descriptor);
// Lets the program have what has come on its buses. When to look again; SHIM_NEVER: it has none.
int64_t shim_can_pass(void);
void shim_can_forget(void); // in a child

// ---- time stamps of packets (shim_stamp.c) ----

// setsockopt(SOL_SOCKET) that asks for stamps: result, with errno.
int shim_stamp_option(int descriptor, int option, const void *value, socklen_t size_B);
// A datagram was sent; stamped: its sender has a stamp of it. Only while somebody has packets
// stamped does that cost anything.
void shim_stamp_note(int descriptor, const struct iovec *part, size_t size_B, bool stamped);
static inline void shim_stamp_sent(int descriptor, const struct iovec *part, size_t size_B)
{
    if (__builtin_expect(shim.cell->stamping != 0, 0))
        shim_stamp_note(descriptor, part, size_B, true);
}
// A fault has lost a datagram, or sends it later: its sender has its stamp now. In both modes.
void shim_stamp_kept_back(int descriptor, const struct msghdr *message);
// What is sent in between has no stamps. The first returns what the second wants. In both modes.
int shim_stamp_pause(int descriptor);
void shim_stamp_go_on(int descriptor, int paused);
// What the kernel says of a packet of size_B that was received with these flags is replaced by the
// trial's time. room_B: of the caller's, for control messages.
// Adds a control message, if there is room.
void shim_stamp_append(struct msghdr *message, size_t room_B, int type, const void *value,
                       size_t size_B);
void shim_stamp_replace(int descriptor, struct msghdr *message, size_t room_B, size_t size_B,
                        int flags);

// ---- files ----

// A file has been opened: is it one that tells of real time? (shim_proc.c) Keeps errno.
void shim_opened(int descriptor);
bool shim_is_chance_path(const char *path);
extern bool shim_watches;      // this process hears of changes of files (inotify)
#define SHIM_WATCH_NS 10000000 // and looks for them so often

// ---- memory by a descriptor (shim_memory.c) ----

// fcntl() of its seals. False: it is about something else.
bool shim_memory_control(int descriptor, int command, const void *argument, int *result);
bool shim_is_sealed(int descriptor); // against writing; sets errno

// ---- what the machine tells (shim_machine.c) ----

struct rusage;
long shim_resident_kB(long pid, long real_kB);     // of a process, as it is told
long shim_resident(long real);                     // memory, to a power of two
void shim_usage(struct rusage *usage);             // is made virtual
bool shim_is_stamp_request(unsigned long request); // ioctl: the stamp of the last packet

// ---- the rest ----

bool shim_chance_file(int descriptor);     // /dev/urandom (shim_chance.c)
bool shim_chance_opened(int descriptor);   // it is from now on; false: too many are
void shim_chance_copied(int from, int to); // `to` is another descriptor of what `from` is
void shim_chance_given(void);              // AT_RANDOM, which the kernel has drawn
void shim_chance_begin(void);              // by a process that has its turn
void shim_chance_fill(void *bytes, size_t size_B);
void shim_chance_closed(int descriptor);
// Real time comes in, or a call blocks unseen: the trial is not valid (shim_leak.c).
void shim_leak(const char *format, ...) __attribute__((format(printf, 1, 2)));
