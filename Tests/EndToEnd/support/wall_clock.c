// SPDX-License-Identifier: Apache-2.0
// Preloaded into a daemon, it shifts the wall clock by the seconds that the file CLOCK_OFFSET has, and makes timers that are
// cancelled when the clock is set (TFD_TIMER_CANCEL_ON_SET) readable when that changes. With CLOCK_UNSYNCHRONIZED the kernel
// does not call the clock synchronized.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

typedef int (*set_timer)(int, int, const struct itimerspec *, struct itimerspec *);

enum { most_timers = 8 };
static int timers[most_timers];
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

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

int adjtimex(struct timex *state) {
    static int (*really)(struct timex *);
    if (!really) really = dlsym(RTLD_NEXT, "adjtimex");
    int result = really(state);
    if (!getenv("CLOCK_UNSYNCHRONIZED")) return result;
    state->status |= STA_UNSYNC;
    return TIME_ERROR;
}

// The offset when the first timer was armed: the clock may be set before the thread runs.
static long before;

static void *watch(void *unused) {
    (void)unused;
    set_timer really = dlsym(RTLD_NEXT, "timerfd_settime");
    for (;; usleep(10000)) {
        long now = offset();
        if (now == before) continue;
        before = now;
        struct itimerspec at_once = {.it_value = {.tv_nsec = 1}};
        pthread_mutex_lock(&lock);
        for (int place = 0; place < count; place++) really(timers[place], 0, &at_once, NULL);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void remember(int timer) {
    pthread_mutex_lock(&lock);
    int place = 0;
    while (place < count && timers[place] != timer) place++;
    if (place == count && count < most_timers) timers[count++] = timer;
    // One thread is enough for all of them.
    if (count == 1 && place == 0) {
        static int is_running;
        pthread_t thread;
        if (!is_running++) {
            before = offset();
            pthread_create(&thread, NULL, watch, NULL);
        }
    }
    pthread_mutex_unlock(&lock);
}

int timerfd_settime(int descriptor, int flags, const struct itimerspec *new, struct itimerspec *old) {
    set_timer really = dlsym(RTLD_NEXT, "timerfd_settime");
    if (flags & TFD_TIMER_CANCEL_ON_SET) remember(descriptor);
    return really(descriptor, flags, new, old);
}
