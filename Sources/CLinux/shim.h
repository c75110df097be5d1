// SPDX-License-Identifier: Apache-2.0
// Linux headers that Swift's Glibc module leaves out, and a wrapper of a variadic call.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

// prctl is variadic. At most 15 bytes of the name are used.
static inline int clinux_name_thread(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }
