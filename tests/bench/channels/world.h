// A world for one setting of the benchmark: namespaces of its own, in which everything ends with
// the process that began it. A lab's cell (harness/cell/cell.h) would do the same, but is watched
// while it runs, and a measurement should not be.
//
// Inside: an empty /dev/shm and /tmp, a network of its own whose loopback carries multicast, own
// message queues.
#pragma once

// Runs body(context) as the first process of a new world and gives its exit code once everything in
// there is gone; 3, with a message, if there can be no world. What body should tell goes through
// memory shared before.
int world_run(int (*body)(void *context), void *context);
