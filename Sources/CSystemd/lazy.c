// SPDX-License-Identifier: Apache-2.0
// The functions of libsystemd that the daemon uses. Without the variables that a service manager sets they do nothing,
// and
// the library is not loaded: it has several dependencies.
#include "CSystemd.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

static void *find(const char *variable, const char *name) {
    static void *handle;
    if (!getenv(variable)) return NULL;
    if (!handle) handle = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    return handle ? dlsym(handle, name) : NULL;
}

static int missing(const char *variable) { return getenv(variable) ? -ENOPKG : 0; }

int sd_notify(int unset, const char *state) {
    __typeof__(sd_notify) *call = find("NOTIFY_SOCKET", "sd_notify");
    return call ? call(unset, state) : missing("NOTIFY_SOCKET");
}

int sd_listen_fds(int unset) {
    __typeof__(sd_listen_fds) *call = find("LISTEN_FDS", "sd_listen_fds");
    return call ? call(unset) : missing("LISTEN_FDS");
}

int sd_watchdog_enabled(int unset, uint64_t *microseconds) {
    __typeof__(sd_watchdog_enabled) *call = find("WATCHDOG_USEC", "sd_watchdog_enabled");
    return call ? call(unset, microseconds) : missing("WATCHDOG_USEC");
}
