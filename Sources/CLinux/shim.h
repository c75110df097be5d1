// SPDX-License-Identifier: Apache-2.0
// Linux headers that Swift's Glibc module leaves out, and a wrapper of a variadic call.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/vfs.h>
#include <linux/magic.h>
#include <spawn.h>

// Declared in spawn.h only if _DEFAULT_SOURCE is defined.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

// The child inherits no descriptor from this one on.
static inline int clinux_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

// Declared in string.h only if _GNU_SOURCE is defined. Its cost is linear in both lengths.
extern void *memmem(const void *text, size_t text_length, const void *part, size_t part_length);

// Swift imports `statfs` only as a structure. Returns whether a file is on sysfs.
static inline int clinux_is_on_sysfs(const char *path) {
    struct statfs system;
    return statfs(path, &system) == 0 && system.f_type == SYSFS_MAGIC;
}

// prctl is variadic. At most 15 bytes of the name are used.
static inline int clinux_name_thread(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }
