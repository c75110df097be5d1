// SPDX-License-Identifier: Apache-2.0
//
// Tells the Thread Sanitizer what Swift's Mutex does when it is contended.
//
// The fast path of `Mutex` (one compare-and-exchange) is inlined into its users, so the sanitizer sees it. The slow path is
// inside libswiftSynchronization, which is not built for the sanitizer: a lock that was waited for would seem to order
// nothing, and whatever it guards would be reported as a race. Linked into the tests, these two take the place of the
// slow path, call it, and say what it means. Nothing is suppressed: an access outside the lock is still found.
//
// - SeeAlso: swift/stdlib/public/Synchronization/Mutex/LinuxImpl.swift; sanitizer/tsan_interface.h

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

// Synchronization._MutexHandle._lockSlow(Swift.UInt32) -> ()
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
// Synchronization._MutexHandle._unlockSlow() -> ()
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Swift passes `self`, here the address of the lock word, in a register of its own.
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK_SLOW);
SWIFT void unlock_slow(SELF) __asm__(UNLOCK_SLOW);

SWIFT void lock_slow(uint32_t thread, SELF) {
  SWIFT void (*real)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK_SLOW);
  real(thread, self);
  __tsan_acquire(self);
}

SWIFT void unlock_slow(SELF) {
  SWIFT void (*real)(SELF) = dlsym(RTLD_NEXT, UNLOCK_SLOW);
  __tsan_release(self);
  real(self);
}
