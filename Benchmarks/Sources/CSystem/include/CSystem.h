// SPDX-License-Identifier: Apache-2.0
// System calls that Swift's Glibc does not offer: epoll, memmem, and children that are started, measured and never left behind.
// Calls about children are made by one thread, the main one.
#ifndef BENCHMARKS_CSYSTEM_H
#define BENCHMARKS_CSYSTEM_H

#include <stdint.h>
#include <sys/epoll.h>
#include <sys/types.h>

// memmem is declared for GNU sources only.
void *memmem(const void *bytes, size_t count, const void *needle, size_t needle_count);
static inline const void *csystem_find(const void *bytes, size_t count, const void *needle, size_t needle_count) {
  return memmem(bytes, count, needle, needle_count);
}

// Starts `arguments[0]` with stdout and stderr at `output`, on processor `cpu` only (or any, if negative). The kernel
// kills the child when this process ends, however it ends.
// Returns the child, or -1 with errno. A program that cannot be executed is a child that exits with 127.
pid_t csystem_start(char *const arguments[], char *const environment[], int output, int cpu);

// Waits at most `milliseconds` for the child's end. 1: it has ended. 0: it runs.
int csystem_wait(pid_t child, int milliseconds);

// SIGTERM, and SIGKILL after `milliseconds`. The child is gone on return. Returns its wait status.
int csystem_stop(pid_t child, int milliseconds);

// CPU time of all threads of a child so far, user and system, in nanoseconds; 0 if it is gone.
// Exact while the child waits; up to one scheduler tick late while it runs.
uint64_t csystem_cpu_time(pid_t child);

// An anonymous file for what a child says.
int csystem_memory_file(const char *name);

// From now on SIGINT, SIGTERM, SIGHUP and the end of `seconds` kill every child and end this process.
void csystem_guard(unsigned seconds);

// Lets this process and its children run on one processor only; on all, if `cpu` is negative. 0, or -1 with errno.
int csystem_pin(int cpu);

#endif
