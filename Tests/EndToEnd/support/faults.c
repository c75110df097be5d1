// SPDX-License-Identifier: Apache-2.0
// Preloaded into a daemon, it makes files called "brightness" slow or failing, as a driver can be. The file that
// PANEL_FAULTS names has, in one line: the milliseconds a write takes, the errno of writes, the errno of reads (0: none),
// and a step that somebody sets once, right behind the next write (-1: nobody). Each write is a line of PANEL_WRITES.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int is_brightness(int descriptor) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    const char *name = strrchr(path, '/');
    return name && strcmp(name, "/brightness") == 0;
}

static void look_up(int *delay, int *writing, int *reading, int *hand) {
    *delay = *writing = *reading = 0;
    *hand = -1;
    FILE *file = fopen(getenv("PANEL_FAULTS"), "re");
    if (!file) return;
    if (fscanf(file, "%d %d %d %d", delay, writing, reading, hand) != 4) {
        *delay = *writing = *reading = 0;
        *hand = -1;
    }
    fclose(file);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    static ssize_t (*really)(int, const void *, size_t);
    if (!really) really = dlsym(RTLD_NEXT, "write");
    if (!is_brightness(descriptor)) return really(descriptor, bytes, count);
    static _Atomic int last_hand = -1;
    int delay, writing, reading, hand;
    look_up(&delay, &writing, &reading, &hand);
    int log = open(getenv("PANEL_WRITES"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (log >= 0) {
        dprintf(log, "%.*s\n", (int)count, (const char *)bytes);
        close(log);
    }
    struct timespec pause = {delay / 1000, delay % 1000 * 1000000L};
    nanosleep(&pause, NULL);
    if (writing) {
        errno = writing;
        return -1;
    }
    ssize_t written = really(descriptor, bytes, count);
    if (hand >= 0 && atomic_exchange(&last_hand, hand) != hand) {
        char text[16];
        // As long as what the daemon wrote: the file is then as the kernel would show it.
        int length = snprintf(text, sizeof text, "%0*d", (int)count, hand);
        if (pwrite(descriptor, text, (size_t)length, 0) != length) return -1;
    }
    return written;
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
    static ssize_t (*really)(int, void *, size_t, off_t);
    if (!really) really = dlsym(RTLD_NEXT, "pread");
    int delay, writing, reading = 0, hand;
    if (is_brightness(descriptor)) look_up(&delay, &writing, &reading, &hand);
    if (reading) {
        errno = reading;
        return -1;
    }
    return really(descriptor, bytes, count, offset);
}
