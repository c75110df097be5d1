// SPDX-License-Identifier: Apache-2.0
// Preloaded into a daemon whose instructions are counted: a microsecond passes with each look at a clock, and no timer
// expires. So no time is up because callgrind is slow or the machine is busy, and an idle thread of a queue stays.
#define _GNU_SOURCE
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { clocks = 12 };

int clock_gettime(clockid_t clock, struct timespec *now) {
    static atomic_long begins[clocks], looks;
    if (clock < 0 || clock >= clocks) return (int)syscall(SYS_clock_gettime, clock, now);
    if (!begins[clock]) {
        syscall(SYS_clock_gettime, clock, now);
        begins[clock] = now->tv_sec * 1000000 + now->tv_nsec / 1000 - looks;
    }
    long microseconds = begins[clock] + ++looks;
    *now = (struct timespec){microseconds / 1000000, microseconds % 1000000 * 1000};
    return 0;
}

int timerfd_settime(int descriptor, int flags, const struct itimerspec *new, struct itimerspec *old) {
    (void)descriptor, (void)flags, (void)new, (void)old;
    return 0;
}

int sem_timedwait(sem_t *semaphore, const struct timespec *deadline) {
    (void)deadline;
    return sem_wait(semaphore);
}
