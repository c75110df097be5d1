// SPDX-License-Identifier: Apache-2.0
// libddcutil, with wrappers for what Swift cannot import: a flexible array member, and a field of a union.
#include <ddcutil_c_api.h>
#include <ddcutil_status_codes.h>
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

static inline const DDCA_Display_Info *cddcutil_info(const DDCA_Display_Info_List *list, int index) {
    return &list->info[index];
}

// The number of the i2c bus; negative for a monitor on another connection.
static inline int cddcutil_bus(const DDCA_Display_Info *info) {
    return info->path.io_mode == DDCA_IO_I2C ? info->path.path.i2c_busno : -1;
}

// Swift does not import macros with casts and arithmetic.
static const DDCA_Status cddcutil_verify = DDCRC_VERIFY;
static const DDCA_Status cddcutil_invalid_display = DDCRC_INVALID_DISPLAY;

// Writes a message to the DDC/CI address of a bus without the library. Returns 0 if the bus accepted it.
static inline int cddcutil_send(int bus, const uint8_t *bytes, size_t count) {
    char path[32];
    snprintf(path, sizeof path, "/dev/i2c-%d", bus);
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return -1;
    int isSent = ioctl(file, I2C_SLAVE, 0x37) == 0 && write(file, bytes, count) == (ssize_t)count;
    close(file);
    return isSent ? 0 : -1;
}
