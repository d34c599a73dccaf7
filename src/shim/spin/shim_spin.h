// Private to src/shim: threads that spin at words in memory, which no call of theirs tells.
//
// The lab asks for a look at whoever has had its turn for long (page.h, SHIM_ASKED_...). The thread
// is followed instruction by instruction. If only memory can end its loop (shim_cycle.h), it waits
// in virtual time until that memory has changed. It is known from then on: where it begins stands a
// breakpoint, so that the next spin is seen at once. Nothing of that depends on how long the thread
// has spun in real time.
//
// Other loops may be computations, and keep their turn to its limit. Then virtual time passes for
// them once, and if they end, the trial is not valid: when they end is a matter of the machine.
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

// By each process, as it begins: SIGTRAP is ours. handler: calls shim_spin_trap.
void shim_spin_begin(void (*handler)(int, siginfo_t *, void *));
// The calling thread can be asked, or cannot any more.
void shim_spin_listens(bool listens);

// SIGSYS has come. False: it is not about this. fs: the base of that segment, of the program.
bool shim_spin_asked(const siginfo_t *info, ucontext_t *context, uint64_t fs);
// SIGTRAP has come.
void shim_spin_trap(int number, siginfo_t *info, ucontext_t *context, uint64_t fs);
// sigaction of SIGTRAP.
int shim_take_trap(const struct sigaction *action, struct sigaction *old);

// A call of whoever has been given time at its turn's limit: the trial is not valid.
void shim_spin_is_over(void);
extern _Thread_local bool shim_given_time __attribute__((tls_model("initial-exec")));
