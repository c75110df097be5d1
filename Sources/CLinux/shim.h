// SPDX-License-Identifier: Apache-2.0
// Linux headers that Swift's Glibc module leaves out, and a wrapper of a variadic call.
#include <malloc.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/vfs.h>
#include <time.h>
#include <linux/cec.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <spawn.h>

// Declared in spawn.h only if _DEFAULT_SOURCE is defined.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

// The child inherits no descriptor from this one on.
static inline int clinux_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

// The wall clock's time in milliseconds. Which module defines C's structures of times depends on the order of imports.
static inline long long clinux_wall_milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

// Writes a time as strftime(3), local or in UTC. Returns the number of bytes; 0 for none.
static inline size_t clinux_format_time(long long seconds, int is_utc, const char *format, char *text, size_t size) {
    time_t time = seconds;
    struct tm parts;
    if (!(is_utc ? gmtime_r(&time, &parts) : localtime_r(&time, &parts))) return 0;
    return strftime(text, size, format, &parts);
}

// Declared in string.h only if _GNU_SOURCE is defined. Its cost is linear in both lengths.
extern void *memmem(const void *text, size_t text_length, const void *part, size_t part_length);

// Swift imports `statfs` only as a structure. Returns whether a file is on sysfs.
static inline int clinux_is_on_sysfs(const char *path) {
    struct statfs system;
    return statfs(path, &system) == 0 && system.f_type == SYSFS_MAGIC;
}

// Swift cannot compare handlers. Returns whether a signal is ignored.
static inline int clinux_is_ignored(int number) {
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

// prctl is variadic. At most 15 bytes of the name are used.
static inline int clinux_name_thread(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

// ioctl is variadic, and Swift does not import the numbers of requests that are made of a type's size. Each returns a
// negative number on failure. See the kernel's Documentation/userspace-api/media/cec.
static inline int clinux_cec_capabilities(int file, struct cec_caps *caps) {
    return ioctl(file, CEC_ADAP_G_CAPS, caps);
}
static inline int clinux_cec_physical_address(int file, __u16 *address) {
    return ioctl(file, CEC_ADAP_G_PHYS_ADDR, address);
}
static inline int clinux_cec_logical_addresses(int file, struct cec_log_addrs *addresses) {
    return ioctl(file, CEC_ADAP_G_LOG_ADDRS, addresses);
}
static inline int clinux_cec_connector(int file, struct cec_connector_info *connector) {
    return ioctl(file, CEC_ADAP_G_CONNECTOR_INFO, connector);
}
static inline int clinux_cec_set_mode(int file, __u32 mode) { return ioctl(file, CEC_S_MODE, &mode); }
static inline int clinux_cec_transmit(int file, struct cec_msg *message) { return ioctl(file, CEC_TRANSMIT, message); }
static inline int clinux_cec_receive(int file, struct cec_msg *message) { return ioctl(file, CEC_RECEIVE, message); }
static inline int clinux_cec_event(int file, struct cec_event *event) { return ioctl(file, CEC_DQEVENT, event); }

// Claims the logical address of a playback device. Blocks for about half a second. The name has at most 14 bytes.
static inline int clinux_cec_claim(int file, const char *name) {
    struct cec_log_addrs addresses;
    memset(&addresses, 0, sizeof(addresses));
    addresses.cec_version = CEC_OP_CEC_VERSION_1_4;
    addresses.num_log_addrs = 1;
    addresses.vendor_id = CEC_VENDOR_ID_NONE;
    strncpy(addresses.osd_name, name, sizeof(addresses.osd_name) - 1);
    addresses.primary_device_type[0] = CEC_OP_PRIM_DEVTYPE_PLAYBACK;
    addresses.log_addr_type[0] = CEC_LOG_ADDR_TYPE_PLAYBACK;
    addresses.all_device_types[0] = CEC_OP_ALL_DEVTYPE_PLAYBACK;
    return ioctl(file, CEC_ADAP_S_LOG_ADDRS, &addresses);
}
