// SPDX-License-Identifier: Apache-2.0
// Preloaded into a daemon, it shifts the wall clock by the seconds that the file CLOCK_OFFSET has, and makes timers that are
// cancelled when the clock is set (TFD_TIMER_CANCEL_ON_SET) readable when that changes.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

typedef int (*set_timer)(int, int, const struct itimerspec *, struct itimerspec *);

static int timer = -1;

static long offset(void) {
    long seconds = 0;
    FILE *file = fopen(getenv("CLOCK_OFFSET"), "re");
    if (!file) return 0;
    if (fscanf(file, "%ld", &seconds) != 1) seconds = 0;
    fclose(file);
    return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*really)(clockid_t, struct timespec *);
    if (!really) really = dlsym(RTLD_NEXT, "clock_gettime");
    int result = really(clock, time);
    if (clock == CLOCK_REALTIME) time->tv_sec += offset();
    return result;
}

static void *watch(void *unused) {
    (void)unused;
    set_timer really = dlsym(RTLD_NEXT, "timerfd_settime");
    for (long before = offset();; usleep(10000)) {
        long now = offset();
        if (now == before) continue;
        before = now;
        struct itimerspec at_once = {.it_value = {.tv_nsec = 1}};
        really(timer, 0, &at_once, NULL);
    }
    return NULL;
}

int timerfd_settime(int descriptor, int flags, const struct itimerspec *new, struct itimerspec *old) {
    set_timer really = dlsym(RTLD_NEXT, "timerfd_settime");
    if (flags & TFD_TIMER_CANCEL_ON_SET && timer < 0) {
        timer = descriptor;
        pthread_t thread;
        pthread_create(&thread, NULL, watch, NULL);
    }
    return really(descriptor, flags, new, old);
}
