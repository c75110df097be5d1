// SPDX-License-Identifier: Apache-2.0
// Reports lock handovers to the Thread Sanitizer that it cannot see: a contended `Synchronization.Mutex` on Linux is
// handed
// over in the standard library, which is not instrumented, and by the kernel. Without this, every contended lock is
// reported
// as a race. Loaded with LD_PRELOAD, only by `make sanitize`. The uncontended path is inlined into our code and
// instrumented.
#include <dlfcn.h>
#include <stdint.h>
#include <stdbool.h>

#define SWIFTCALL __attribute__((swiftcall))
#define SWIFTSELF __attribute__((swift_context))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRYLOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Defined in the executable under test; missing in other programs that inherit LD_PRELOAD.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

typedef SWIFTCALL void (*lock_function)(uint32_t, SWIFTSELF void *);
typedef SWIFTCALL bool (*try_lock_function)(SWIFTSELF void *);
typedef SWIFTCALL void (*unlock_function)(SWIFTSELF void *);

SWIFTCALL void lock_slow(uint32_t self_id, SWIFTSELF void *mutex) __asm__(LOCK);
SWIFTCALL void lock_slow(uint32_t self_id, SWIFTSELF void *mutex) {
    ((lock_function)dlsym(RTLD_NEXT, LOCK))(self_id, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFTCALL bool try_lock_slow(SWIFTSELF void *mutex) __asm__(TRYLOCK);
SWIFTCALL bool try_lock_slow(SWIFTSELF void *mutex) {
    bool locked = ((try_lock_function)dlsym(RTLD_NEXT, TRYLOCK))(mutex);
    if (locked && __tsan_acquire) __tsan_acquire(mutex);
    return locked;
}

SWIFTCALL void unlock_slow(SWIFTSELF void *mutex) __asm__(UNLOCK);
SWIFTCALL void unlock_slow(SWIFTSELF void *mutex) {
    if (__tsan_release) __tsan_release(mutex);
    ((unlock_function)dlsym(RTLD_NEXT, UNLOCK))(mutex);
}
