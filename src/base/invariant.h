// What holds unless the code is wrong: what a function expects of its caller, what it ensures to
// it, and what is true in between. It tells a reader what must stay so, and checks it in what is
// installed, too. None is for input: that is refused, with file, line and remedy.
//
// A broken one prints "ukemi: broken invariant: FILE:LINE: EXPRESSION" and ends the process by
// SIGABRT. The lab takes that for its own error, whichever process of a trial it was, and never for
// the target's: the trial is ERROR (harness/trial/supervise).
//
// Real-time safe and async-signal-safe: a comparison if it holds; else one write, no memory, no
// lock. An expression has no side effect, and costs no more than what it guards.
#pragma once

#define INVARIANT_WORDS "ukemi: broken invariant: " // what the line begins with

#define invariant(holds)                                                                           \
    (__builtin_expect(!(holds), 0) ? invariant_broken(__FILE__, __LINE__, #holds) : (void)0)
// At the beginning of a function: of its arguments, and of the state that it is called in.
#define expects(holds) invariant(holds)
// At its end: of what it hands out, or leaves behind.
#define ensures(holds) invariant(holds)

_Noreturn void invariant_broken(const char *file, int line, const char *words)
    __attribute__((cold));

// A broken one ends this process, and those that it forks, with this exit status; 0: by SIGABRT.
void invariant_ends_with(int exit_status);
