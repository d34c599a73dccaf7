// Status codes: every fallible function of Ukemi returns one, and the compiler insists that it is
// looked at.
//
// One X-macro holds name and explanation, so enum, names and texts cannot drift apart.
// Real-time safe: everything here is a table look-up.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

#define STATUS_TABLE(X)                                                                            \
    X(OK, "success")                                                                               \
    X(TIMEOUT, "the deadline passed first")                                                        \
    X(EMPTY, "nothing new to read")                                                                \
    X(MISSED, "read the next frame, but older unread frames were overwritten")                     \
    X(FULL, "the bounded queue has no room")                                                       \
    X(TOO_LARGE, "larger than the buffer or the channel's frame size")                             \
    X(NOT_FOUND, "no such channel, bus, joint, file or entry")                                     \
    X(DENIED, "not permitted for this role or user")                                               \
    X(CORRUPT, "the shared memory or file does not have the expected form")                        \
    X(INVALID, "bad input: the message names file, line, value and remedy")                        \
    X(UNREACHABLE, "no solution within the joint limits")                                          \
    X(DEAD, "the peer process has died")                                                           \
    X(BUSY, "in use by a live owner")                                                              \
    X(SYSTEM, "a system call failed; errno tells why")                                             \
    X(NO_MEMORY, "out of memory")                                                                  \
    X(UNSUPPORTED, "this machine or kernel cannot do it")

enum status {
#define STATUS_ENUM(name, text) STATUS_##name,
    STATUS_TABLE(STATUS_ENUM)
#undef STATUS_ENUM
};

#define MUST_CHECK __attribute__((warn_unused_result))

// Short name of a status ("TIMEOUT"), static storage; "UNKNOWN" for a value outside the table.
const char *status_name(enum status status);

// One-line explanation of a status, static storage.
const char *status_text(enum status status);

#ifdef __cplusplus
}
#endif
