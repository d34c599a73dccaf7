// Which core a trial runs on. On the virtual clock one process of a trial runs at a time: on one
// core the next goes on at once, on several each turn wakes a core that sleeps, which takes up to
// ten times as long. Results are the same on any.
#pragma once

// The next of this process's cores that no other trial of the machine's has claimed, or, if all are
// claimed, one of them by turns; -1: not known. A claim ends with this process.
int core_claim(void);

// The core after that one; -1 after -1.
int core_after(int core);
